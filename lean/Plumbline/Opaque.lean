-- Functions without agreed bits: one unknown function a spelling. A document that takes two spellings for one
-- function says so in a requires clause.

namespace Plumbline

-- a * b + c with one rounding; Lean 4.34 has no such function.
opaque fma : Float32 → Float32 → Float32 → Float32

-- CUDA
opaque expf : Float32 → Float32
opaque exp2f : Float32 → Float32
opaque expm1f : Float32 → Float32
opaque logf : Float32 → Float32
opaque log2f : Float32 → Float32
opaque log1pf : Float32 → Float32
opaque tanhf : Float32 → Float32
opaque erff : Float32 → Float32
opaque sinf : Float32 → Float32
opaque cosf : Float32 → Float32
opaque rsqrtf : Float32 → Float32
opaque powf : Float32 → Float32 → Float32
opaque fast_expf : Float32 → Float32
opaque fast_logf : Float32 → Float32
opaque fast_fdividef : Float32 → Float32 → Float32

-- ATen
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
