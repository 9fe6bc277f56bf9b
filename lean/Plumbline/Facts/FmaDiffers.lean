-- not yet compiled
-- (1 + 2^-23)^2 - (1 + 2^-22): what a fused product keeps and a rounded one loses.

import Plumbline.Fma

namespace Plumbline

set_option maxRecDepth 100000 in
theorem fma_differs : Plumbline.fma (Float32.ofBits 0x3F800001) (Float32.ofBits 0x3F800001) (Float32.ofBits 0xBF800002) = Float32.ofBits 0x28800000 ∧ Float32.ofBits 0x3F800001 * Float32.ofBits 0x3F800001 + Float32.ofBits 0xBF800002 = Float32.ofBits 0x00000000 := by
  first | decide +kernel | decide | rfl

end Plumbline
