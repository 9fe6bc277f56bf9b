-- not yet compiled

namespace Plumbline

set_option maxRecDepth 100000 in
theorem f32_zeros_are_beq : (Float32.ofBits 0x80000000 == Float32.ofBits 0x00000000) = true := by
  first | decide +kernel | decide | rfl

end Plumbline
