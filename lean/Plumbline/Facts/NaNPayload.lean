-- not yet compiled

namespace Plumbline

set_option maxRecDepth 100000 in
theorem f32_nan_payload : Float32.ofBits 0xFFFFFFFF = Float32.ofBits 0x7FC00000 := by
  first | decide +kernel | decide | rfl

end Plumbline
