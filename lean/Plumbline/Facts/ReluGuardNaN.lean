-- not yet compiled
-- v > 0 ? v : 0 turns NaN into 0.

namespace Plumbline

set_option maxRecDepth 100000 in
theorem relu_guard_nan : (if Float32.ofBits 0x00000000 < Float32.ofBits 0x7FC00000 then Float32.ofBits 0x7FC00000 else Float32.ofBits 0x00000000) ≠ Float32.ofBits 0x7FC00000 := by
  first | decide +kernel | decide | rfl

end Plumbline
