-- not yet compiled
-- The reading `real`: specs at Mathlib's real numbers. There is no NaN and no infinity: a spec that uses one has no
-- real reading, whatever value stands for it here. A root of a negative number and a division by zero have Mathlib's
-- values (0), where Plumbline's own real reading has none.

import Plumbline.Scalar
import Mathlib.Analysis.SpecialFunctions.Log.Base
import Mathlib.Analysis.SpecialFunctions.Trigonometric.Basic

namespace Plumbline

-- Mathlib has no error function.
noncomputable opaque real_erf : ℝ → ℝ

open Classical in
noncomputable instance : Scalar ℝ where
  lit := fun _ num den => (num : ℝ) / (den : ℝ)
  nan := 0
  top := 0
  bottom := 0
  add := fun a b => a + b
  sub := fun a b => a - b
  mul := fun a b => a * b
  div := fun a b => a / b
  neg := fun a => -a
  abs := fun a => |a|
  sqrt := fun a => Real.sqrt a
  fma := fun a b c => a * b + c
  lt := fun a b => decide (a < b)
  le := fun a b => decide (a ≤ b)
  eq := fun a b => decide (a = b)
  isNaN := fun _ => false
  ofInt := fun z => (z : ℝ)
  inverseRoot := fun z => 1 / Real.sqrt (z : ℝ)
  aten_cos := fun a => Real.cos a
  aten_erf := fun a => real_erf a
  aten_exp := fun a => Real.exp a
  aten_expm1 := fun a => Real.exp a - 1
  aten_log := fun a => Real.log a
  aten_log1p := fun a => Real.log (1 + a)
  aten_log2 := fun a => Real.logb 2 a
  aten_pow := fun a b => Real.rpow a b
  aten_rsqrt := fun a => 1 / Real.sqrt a
  aten_sin := fun a => Real.sin a
  aten_tanh := fun a => Real.tanh a

end Plumbline
