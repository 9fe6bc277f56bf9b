-- not yet compiled
-- 10 / 3 against 10 * (1 / 3).

namespace Plumbline

set_option maxRecDepth 100000 in
theorem third_differs : Float32.ofBits 0x41200000 / Float32.ofBits 0x40400000 = Float32.ofBits 0x40555555 ∧ Float32.ofBits 0x41200000 * (Float32.ofBits 0x3F800000 / Float32.ofBits 0x40400000) = Float32.ofBits 0x40555556 := by
  first | decide +kernel | decide | rfl

end Plumbline
