-- not yet compiled
-- 2^24 + 1 rounds back to 2^24.

namespace Plumbline

set_option maxRecDepth 100000 in
theorem f32_add_not_assoc : (Float32.ofBits 0x4B800000 + Float32.ofBits 0x3F800000) + Float32.ofBits 0x3F800000 ≠ Float32.ofBits 0x4B800000 + (Float32.ofBits 0x3F800000 + Float32.ofBits 0x3F800000) := by
  first | decide +kernel | decide | rfl

end Plumbline
