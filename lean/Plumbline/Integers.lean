-- not yet compiled
-- C's integers: division and remainder, ranges of types.

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

end Plumbline
