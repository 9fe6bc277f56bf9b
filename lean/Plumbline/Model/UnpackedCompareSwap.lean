-- not yet compiled

namespace Plumbline

theorem unpacked_compare_swap (u v : Float.Model.UnpackedFloat) :
    Float.Model.UnpackedFloat.compare v u = (Float.Model.UnpackedFloat.compare u v).map Ordering.swap := by
  cases u with
  | notANumber =>
    cases v <;> first
      | rfl
      | (rename_i t; cases t <;> rfl)
      | (rename_i t n f _; cases t <;> rfl)
      | simp [Float.Model.UnpackedFloat.compare]
  | infinity s =>
    cases s <;> cases v <;> first
      | rfl
      | (rename_i t; cases t <;> rfl)
      | (rename_i t n f _; cases t <;> rfl)
      | simp [Float.Model.UnpackedFloat.compare]
  | zero s =>
    cases v <;> first
      | rfl
      | (rename_i t; cases t <;> rfl)
      | (rename_i t n f _; cases t <;> rfl)
      | simp [Float.Model.UnpackedFloat.compare]
  | finite s m e _ =>
    cases s <;> cases v <;> first
      | rfl
      | (rename_i t; cases t <;> rfl)
      | (rename_i t n f _
         cases t <;> first
           | rfl
           | simp only [Float.Model.UnpackedFloat.compare, Option.map_some, Ordering.swap_then,
               Ordering.swap_swap, Int.compare_swap, Nat.compare_swap]
           | simp [Float.Model.UnpackedFloat.compare, Ordering.swap_then, Int.compare_swap, Nat.compare_swap])

end Plumbline
