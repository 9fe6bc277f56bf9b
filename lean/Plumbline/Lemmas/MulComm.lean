-- not yet compiled

import Plumbline.Model.UnpackedMulComm

namespace Plumbline

@[grind =]
theorem f32_mul_comm (a b : Float32) : a * b = b * a := by
  first
    | exact congrArg (fun u => Float32.ofModel (Float32.Model.pack u))
        (unpacked_mul_comm Float.Model.Format.binary32 a.toModel.unpack b.toModel.unpack)
    | (show Float32.ofModel (Float32.Model.pack
          (Float.Model.UnpackedFloat.mul Float.Model.Format.binary32 a.toModel.unpack b.toModel.unpack)) = _
       rw [unpacked_mul_comm]
       rfl)

end Plumbline
