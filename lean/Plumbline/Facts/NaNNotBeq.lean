-- not yet compiled

namespace Plumbline

set_option maxRecDepth 100000 in
theorem f32_nan_not_beq : (Float32.ofBits 0x7FC00000 == Float32.ofBits 0x7FC00000) = false := by
  first | decide +kernel | decide | rfl

end Plumbline
