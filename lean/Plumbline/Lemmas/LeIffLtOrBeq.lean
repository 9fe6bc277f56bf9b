-- not yet compiled

import Plumbline.Model.LtIff
import Plumbline.Model.LeIff
import Plumbline.Model.BeqUnpack

namespace Plumbline

theorem f32_le_iff_lt_or_beq (a b : Float32) : a ≤ b ↔ a < b ∨ (a == b) = true := by
  rw [f32_le_iff a b, f32_lt_iff a b, f32_beq_unpack a b]
  unfold Float.Model.UnpackedFloat.lt Float.Model.UnpackedFloat.le Float.Model.UnpackedFloat.beq
  generalize Float.Model.UnpackedFloat.compare a.toModel.unpack b.toModel.unpack = o
  cases o with
  | none => decide
  | some c => cases c <;> decide

end Plumbline
