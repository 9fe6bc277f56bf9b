-- not yet compiled

import Plumbline.Model.SignMulComm

namespace Plumbline

theorem unpacked_mul_comm (fmt : Float.Model.Format) (u v : Float.Model.UnpackedFloat) :
    Float.Model.UnpackedFloat.mul fmt u v = Float.Model.UnpackedFloat.mul fmt v u := by
  cases u <;> cases v <;> first
    | (rename_i s m e _ t n f _
       show Float.Model.UnpackedFloat.roundWithAccuracy fmt (s * t) (m * n) (e + f) .exact
          = Float.Model.UnpackedFloat.roundWithAccuracy fmt (t * s) (n * m) (f + e) .exact
       rw [sign_mul_comm s t, Nat.mul_comm m n, Int.add_comm e f])
    | exact congrArg Float.Model.UnpackedFloat.infinity (sign_mul_comm _ _)
    | exact congrArg Float.Model.UnpackedFloat.zero (sign_mul_comm _ _)
    | rfl
    | simp [Float.Model.UnpackedFloat.mul, sign_mul_comm, Nat.mul_comm, Int.add_comm]

end Plumbline
