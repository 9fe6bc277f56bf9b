-- not yet compiled

import Plumbline.Model.LtIff
import Plumbline.Model.BeqUnpack
import Plumbline.Model.IsNaNUnpack
import Plumbline.Model.UnpackedCompareSwap
import Plumbline.Model.UnpackedCompareSome

namespace Plumbline

theorem f32_trichotomy (a b : Float32) (ha : Float32.isNaN a = false) (hb : Float32.isNaN b = false) : a < b ∨ b < a ∨ (a == b) = true := by
  rw [f32_is_nan_unpack] at ha hb
  have known := unpacked_compare_some a.toModel.unpack b.toModel.unpack ha hb
  revert known
  rw [f32_lt_iff a b, f32_lt_iff b a, f32_beq_unpack a b]
  unfold Float.Model.UnpackedFloat.lt Float.Model.UnpackedFloat.beq
  rw [unpacked_compare_swap a.toModel.unpack b.toModel.unpack]
  generalize Float.Model.UnpackedFloat.compare a.toModel.unpack b.toModel.unpack = o
  cases o with
  | none => decide
  | some c => cases c <;> decide

end Plumbline
