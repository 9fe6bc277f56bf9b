-- not yet compiled

namespace Plumbline

theorem unpacked_compare_some (u v : Float.Model.UnpackedFloat) (hu : Float.Model.UnpackedFloat.isNaN u = false)
    (hv : Float.Model.UnpackedFloat.isNaN v = false) : ¬ Float.Model.UnpackedFloat.compare u v = none := by
  cases u <;> cases v <;> first
    | exact absurd hu (by decide)
    | exact absurd hv (by decide)
    | exact Option.some_ne_none _
    | (rename_i s t; cases s <;> cases t <;> exact Option.some_ne_none _)
    | (rename_i s m e _ t; cases s <;> cases t <;> exact Option.some_ne_none _)
    | (rename_i s t n f _; cases s <;> cases t <;> exact Option.some_ne_none _)
    | (rename_i s m e _ t n f _; cases s <;> cases t <;> exact Option.some_ne_none _)
    | (rename_i s t; cases s <;> cases t <;> simp [Float.Model.UnpackedFloat.compare])
    | (rename_i s m e _ t n f _; cases s <;> cases t <;> simp [Float.Model.UnpackedFloat.compare])

end Plumbline
