-- not yet compiled

import Plumbline.Model.LtIff
import Plumbline.Model.LeIff

namespace Plumbline

@[grind →]
theorem f32_le_of_lt (a b : Float32) (h : a < b) : a ≤ b := by
  revert h
  rw [f32_lt_iff a b, f32_le_iff a b]
  unfold Float.Model.UnpackedFloat.lt Float.Model.UnpackedFloat.le
  generalize Float.Model.UnpackedFloat.compare a.toModel.unpack b.toModel.unpack = o
  cases o with
  | none => decide
  | some c => cases c <;> decide

end Plumbline
