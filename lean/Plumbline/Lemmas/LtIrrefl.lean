-- not yet compiled

import Plumbline.Lemmas.LtAsymm

namespace Plumbline

@[grind .]
theorem f32_lt_irrefl (a : Float32) : ¬ a < a := by
  intro h
  exact f32_lt_asymm a a h h

end Plumbline
