-- C's integers and CUDA's functions on Float32, as compare and select.

namespace Plumbline

-- C's division and remainder: truncated towards zero.
def cDiv (a : Int) (b : Int) : Int :=
  Int.tdiv a b

def cMod (a : Int) (b : Int) : Int :=
  Int.tmod a b

-- That an integer is a value of a C type.
@[grind]
def FitsI8 (a : Int) : Prop :=
  -128 ≤ a ∧ a ≤ 127

@[grind]
def FitsU8 (a : Int) : Prop :=
  0 ≤ a ∧ a ≤ 255

@[grind]
def FitsI16 (a : Int) : Prop :=
  -32768 ≤ a ∧ a ≤ 32767

@[grind]
def FitsU16 (a : Int) : Prop :=
  0 ≤ a ∧ a ≤ 65535

@[grind]
def FitsI32 (a : Int) : Prop :=
  -2147483648 ≤ a ∧ a ≤ 2147483647

@[grind]
def FitsU32 (a : Int) : Prop :=
  0 ≤ a ∧ a ≤ 4294967295

@[grind]
def FitsI64 (a : Int) : Prop :=
  -9223372036854775808 ≤ a ∧ a ≤ 9223372036854775807

@[grind]
def FitsU64 (a : Int) : Prop :=
  0 ≤ a ∧ a ≤ 18446744073709551615

@[grind]
def int_max (a : Int) (b : Int) : Int :=
  if a < b then b else a

@[grind]
def int_min (a : Int) (b : Int) : Int :=
  if b < a then b else a

@[grind]
def int_abs (a : Int) : Int :=
  if 0 ≤ a then a else -a

-- PTX max.f32 and min.f32: a number beats NaN, 0 is above -0.
@[grind]
def fmaxf (a : Float32) (b : Float32) : Float32 :=
  if Float32.isNaN a = true then b else (if Float32.isNaN b = true then a else (if a < b then b else (if b < a then a else (if a = Float32.ofBits 0x80000000 then b else a))))

@[grind]
def fminf (a : Float32) (b : Float32) : Float32 :=
  if Float32.isNaN a = true then b else (if Float32.isNaN b = true then a else (if a < b then a else (if b < a then b else (if a = Float32.ofBits 0x80000000 then a else b))))

-- C++'s std::max and std::min.
@[grind]
def std_max (a : Float32) (b : Float32) : Float32 :=
  if a < b then b else a

@[grind]
def std_min (a : Float32) (b : Float32) : Float32 :=
  if b < a then b else a

-- Conversions to an integer: truncated, clamped, 0 for NaN.
def truncI32 (a : Float32) : Int :=
  Int32.toInt (Float32.toInt32 a)

def truncU32 (a : Float32) : Int :=
  Int.ofNat (UInt32.toNat (Float32.toUInt32 a))

def truncI64 (a : Float32) : Int :=
  Int64.toInt (Float32.toInt64 a)

end Plumbline
