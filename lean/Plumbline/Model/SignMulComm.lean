-- not yet compiled

namespace Plumbline

theorem sign_mul_comm (s t : Float.Model.UnpackedFloat.Sign) : s * t = t * s := by
  cases s <;> cases t <;> rfl

end Plumbline
