-- not yet compiled

namespace Plumbline

theorem unpacked_add_comm (fmt : Float.Model.Format) (u v : Float.Model.UnpackedFloat) :
    Float.Model.UnpackedFloat.add fmt u v = Float.Model.UnpackedFloat.add fmt v u := by
  -- The finite case first: rfl there would unfold the rounding, and running out of steps ends `first`.
  cases u <;> cases v <;> first
    | (rename_i s m e _ t n f _
       show Float.Model.UnpackedFloat.normalize fmt
            (s.apply (Float.Model.UnpackedFloat.decreaseExponent m e (min e f)).1
              + t.apply (Float.Model.UnpackedFloat.decreaseExponent n f (min e f)).1) (min e f) .positive
          = Float.Model.UnpackedFloat.normalize fmt
            (t.apply (Float.Model.UnpackedFloat.decreaseExponent n f (min f e)).1
              + s.apply (Float.Model.UnpackedFloat.decreaseExponent m e (min f e)).1) (min f e) .positive
       rw [Int.min_comm f e, Int.add_comm])
    | rfl
    | (rename_i s t; cases s <;> cases t <;> rfl)
    | (rename_i s m e _ t n f _
       simp only [Float.Model.UnpackedFloat.add, Int.min_comm e f, Int.add_comm])

end Plumbline
