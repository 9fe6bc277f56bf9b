-- not yet compiled

namespace Plumbline

theorem f32_is_nan_unpack (a : Float32) :
    Float32.isNaN a = Float.Model.UnpackedFloat.isNaN a.toModel.unpack := rfl

end Plumbline
