-- not yet compiled
-- Made from Plumbline's tables; a test compares.
-- The reading `ieee`: specs at Lean's Float32, with one NaN and equality of bits.

import Plumbline.Scalar
import Plumbline.Aten
import Plumbline.Fma
import Plumbline.Widths

namespace Plumbline

instance : Scalar Float32 where
  lit := fun bits _ _ => Float32.ofBits bits
  nan := Float32.ofBits 0x7FC00000
  top := Float32.ofBits 0x7F800000
  bottom := Float32.ofBits 0xFF800000
  add := fun a b => a + b
  sub := fun a b => a - b
  mul := fun a b => a * b
  div := fun a b => a / b
  neg := fun a => -a
  abs := fun a => Float32.abs a
  sqrt := fun a => Float32.sqrt a
  fma := fun a b c => Plumbline.fma a b c
  lt := fun a b => decide (a < b)
  le := fun a b => decide (a ≤ b)
  eq := fun a b => a == b
  isNaN := fun a => Float32.isNaN a
  ofInt := fun z => Float32.ofInt z
  inverseRoot := fun z => Plumbline.narrow (Float.ofBits 0x3FF0000000000000 / Float.sqrt (Float.ofInt z))
  aten_cos := Plumbline.aten_cos
  aten_erf := Plumbline.aten_erf
  aten_exp := Plumbline.aten_exp
  aten_expm1 := Plumbline.aten_expm1
  aten_log := Plumbline.aten_log
  aten_log1p := Plumbline.aten_log1p
  aten_log2 := Plumbline.aten_log2
  aten_pow := Plumbline.aten_pow
  aten_rsqrt := Plumbline.aten_rsqrt
  aten_sin := Plumbline.aten_sin
  aten_tanh := Plumbline.aten_tanh

-- What the members are at Float32, for simp and grind.
@[simp, grind =]
theorem lit_eq (bits : UInt32) (num : Int) (den : Nat) : (Scalar.lit bits num den : Float32) = Float32.ofBits bits := rfl
@[simp, grind =]
theorem nan_eq : (Scalar.nan : Float32) = Float32.ofBits 0x7FC00000 := rfl
@[simp, grind =]
theorem top_eq : (Scalar.top : Float32) = Float32.ofBits 0x7F800000 := rfl
@[simp, grind =]
theorem bottom_eq : (Scalar.bottom : Float32) = Float32.ofBits 0xFF800000 := rfl
@[simp, grind =]
theorem add_eq (a b : Float32) : Scalar.add a b = a + b := rfl
@[simp, grind =]
theorem sub_eq (a b : Float32) : Scalar.sub a b = a - b := rfl
@[simp, grind =]
theorem mul_eq (a b : Float32) : Scalar.mul a b = a * b := rfl
@[simp, grind =]
theorem div_eq (a b : Float32) : Scalar.div a b = a / b := rfl
@[simp, grind =]
theorem neg_eq (a : Float32) : Scalar.neg a = -a := rfl
@[simp, grind =]
theorem abs_eq (a : Float32) : Scalar.abs a = Float32.abs a := rfl
@[simp, grind =]
theorem sqrt_eq (a : Float32) : Scalar.sqrt a = Float32.sqrt a := rfl
@[simp, grind =]
theorem fma_eq (a b c : Float32) : Scalar.fma a b c = Plumbline.fma a b c := rfl
@[simp, grind =]
theorem lt_eq (a b : Float32) : Scalar.lt a b = decide (a < b) := rfl
@[simp, grind =]
theorem le_eq (a b : Float32) : Scalar.le a b = decide (a ≤ b) := rfl
@[simp, grind =]
theorem eq_eq (a b : Float32) : Scalar.eq a b = (a == b) := rfl
@[simp, grind =]
theorem isNaN_eq (a : Float32) : Scalar.isNaN a = Float32.isNaN a := rfl
@[simp, grind =]
theorem ofInt_eq (z : Int) : (Scalar.ofInt z : Float32) = Float32.ofInt z := rfl
@[simp, grind =]
theorem inverseRoot_eq (z : Int) : (Scalar.inverseRoot z : Float32) = Plumbline.narrow (Float.ofBits 0x3FF0000000000000 / Float.sqrt (Float.ofInt z)) := rfl
@[simp, grind =]
theorem aten_cos_eq (a : Float32) : Scalar.aten_cos a = Plumbline.aten_cos a := rfl
@[simp, grind =]
theorem aten_erf_eq (a : Float32) : Scalar.aten_erf a = Plumbline.aten_erf a := rfl
@[simp, grind =]
theorem aten_exp_eq (a : Float32) : Scalar.aten_exp a = Plumbline.aten_exp a := rfl
@[simp, grind =]
theorem aten_expm1_eq (a : Float32) : Scalar.aten_expm1 a = Plumbline.aten_expm1 a := rfl
@[simp, grind =]
theorem aten_log_eq (a : Float32) : Scalar.aten_log a = Plumbline.aten_log a := rfl
@[simp, grind =]
theorem aten_log1p_eq (a : Float32) : Scalar.aten_log1p a = Plumbline.aten_log1p a := rfl
@[simp, grind =]
theorem aten_log2_eq (a : Float32) : Scalar.aten_log2 a = Plumbline.aten_log2 a := rfl
@[simp, grind =]
theorem aten_pow_eq (a b : Float32) : Scalar.aten_pow a b = Plumbline.aten_pow a b := rfl
@[simp, grind =]
theorem aten_rsqrt_eq (a : Float32) : Scalar.aten_rsqrt a = Plumbline.aten_rsqrt a := rfl
@[simp, grind =]
theorem aten_sin_eq (a : Float32) : Scalar.aten_sin a = Plumbline.aten_sin a := rfl
@[simp, grind =]
theorem aten_tanh_eq (a : Float32) : Scalar.aten_tanh a = Plumbline.aten_tanh a := rfl

end Plumbline
