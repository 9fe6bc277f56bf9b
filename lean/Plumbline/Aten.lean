-- not yet compiled
-- Made from Plumbline's tables; a test compares.
-- ATen's functions without agreed bits: one unknown function a spelling. A document that takes two spellings
-- for one function says so in a requires clause.

namespace Plumbline

opaque aten_cos : Float32 → Float32
opaque aten_erf : Float32 → Float32
opaque aten_exp : Float32 → Float32
opaque aten_expm1 : Float32 → Float32
opaque aten_log : Float32 → Float32
opaque aten_log1p : Float32 → Float32
opaque aten_log2 : Float32 → Float32
opaque aten_pow : Float32 → Float32 → Float32
opaque aten_rsqrt : Float32 → Float32
opaque aten_sin : Float32 → Float32
opaque aten_tanh : Float32 → Float32

end Plumbline
