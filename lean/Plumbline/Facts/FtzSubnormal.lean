-- not yet compiled

import Plumbline.Ftz

namespace Plumbline

set_option maxRecDepth 100000 in
theorem ftz_subnormal : Plumbline.ftz32 (Float32.ofBits 0x807FFFFF) = Float32.ofBits 0x80000000 ∧ Plumbline.ftz32 (Float32.ofBits 0x00800000) = Float32.ofBits 0x00800000 := by
  first | decide +kernel | decide | rfl

end Plumbline
