-- not yet compiled

namespace Plumbline

theorem f32_lt_iff (a b : Float32) :
    a < b ↔ Float.Model.UnpackedFloat.lt a.toModel.unpack b.toModel.unpack = true := by
  constructor
  · intro h
    first
      | exact of_decide_eq_true h
      | exact h
      | simpa using h
  · intro h
    first
      | exact show decide (a.toModel < b.toModel) = true from decide_eq_true h
      | exact h

end Plumbline
