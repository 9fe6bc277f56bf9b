-- not yet compiled

namespace Plumbline

set_option maxRecDepth 100000 in
theorem f32_zeros_differ : Float32.ofBits 0x80000000 ≠ Float32.ofBits 0x00000000 := by
  first | decide +kernel | decide | rfl

end Plumbline
