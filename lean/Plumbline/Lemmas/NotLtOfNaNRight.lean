-- not yet compiled

import Plumbline.Model.LtIff
import Plumbline.Model.IsNaNUnpack

namespace Plumbline

@[grind =>]
theorem f32_not_lt_of_nan_right (a b : Float32) (h : Float32.isNaN b = true) : ¬ a < b := by
  revert h
  rw [f32_lt_iff a b, f32_is_nan_unpack b]
  generalize a.toModel.unpack = u
  generalize b.toModel.unpack = v
  cases u <;> cases v <;> first
    | (intro h; exact absurd h (by decide))
    | (intro h; change false = true at h; cases h)
    | (intro _ back; change false = true at back; cases back)
    | (rename_i s m e _; cases s <;> (intro _ back; change false = true at back; cases back))
    | simp [Float.Model.UnpackedFloat.isNaN, Float.Model.UnpackedFloat.lt, Float.Model.UnpackedFloat.compare]

end Plumbline
