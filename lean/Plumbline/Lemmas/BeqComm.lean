-- not yet compiled

import Plumbline.Model.BeqUnpack
import Plumbline.Model.UnpackedCompareSwap

namespace Plumbline

theorem f32_beq_comm (a b : Float32) : (a == b) = (b == a) := by
  rw [f32_beq_unpack a b, f32_beq_unpack b a]
  unfold Float.Model.UnpackedFloat.beq
  rw [unpacked_compare_swap a.toModel.unpack b.toModel.unpack]
  generalize Float.Model.UnpackedFloat.compare a.toModel.unpack b.toModel.unpack = o
  cases o with
  | none => decide
  | some c => cases c <;> decide

end Plumbline
