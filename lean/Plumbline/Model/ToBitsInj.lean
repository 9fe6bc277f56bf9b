-- not yet compiled

namespace Plumbline

theorem f32_to_bits_inj (a b : Float32) (h : Float32.toBits a = Float32.toBits b) : a = b := by
  cases a with
  | ofModel x =>
    cases b with
    | ofModel y =>
      cases x with
      | mk i hi =>
        cases y with
        | mk j hj =>
          have same : i = j := h
          subst same
          rfl

end Plumbline
