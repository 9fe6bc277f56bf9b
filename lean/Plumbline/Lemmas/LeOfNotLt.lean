-- not yet compiled

import Plumbline.Lemmas.Trichotomy
import Plumbline.Lemmas.LeIffLtOrBeq
import Plumbline.Lemmas.BeqComm

namespace Plumbline

theorem f32_le_of_not_lt (a b : Float32) (ha : Float32.isNaN a = false) (hb : Float32.isNaN b = false) (h : ¬ a < b) : b ≤ a := by
  rw [f32_le_iff_lt_or_beq b a, f32_beq_comm b a]
  cases f32_trichotomy a b ha hb with
  | inl less => exact absurd less h
  | inr rest => exact rest

end Plumbline
