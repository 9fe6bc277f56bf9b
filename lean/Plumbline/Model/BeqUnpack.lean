-- not yet compiled

namespace Plumbline

theorem f32_beq_unpack (a b : Float32) :
    (a == b) = Float.Model.UnpackedFloat.beq a.toModel.unpack b.toModel.unpack := rfl

end Plumbline
