-- not yet compiled

import Plumbline.Model.LtIff
import Plumbline.Model.UnpackedCompareSwap

namespace Plumbline

@[grind →]
theorem f32_lt_asymm (a b : Float32) (h : a < b) : ¬ b < a := by
  revert h
  rw [f32_lt_iff a b, f32_lt_iff b a]
  unfold Float.Model.UnpackedFloat.lt
  rw [unpacked_compare_swap a.toModel.unpack b.toModel.unpack]
  generalize Float.Model.UnpackedFloat.compare a.toModel.unpack b.toModel.unpack = o
  cases o with
  | none => decide
  | some c => cases c <;> decide

end Plumbline
