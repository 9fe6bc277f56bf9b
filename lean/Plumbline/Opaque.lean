-- not yet compiled
-- Made from Plumbline's tables; a test compares.
-- CUDA's functions without agreed bits: one unknown function a spelling. A document that takes two
-- spellings for one function says so in a requires clause.

namespace Plumbline

opaque expf : Float32 → Float32
opaque fast_expf : Float32 → Float32
opaque exp2f : Float32 → Float32
opaque expm1f : Float32 → Float32
opaque logf : Float32 → Float32
opaque fast_logf : Float32 → Float32
opaque log2f : Float32 → Float32
opaque log1pf : Float32 → Float32
opaque tanhf : Float32 → Float32
opaque erff : Float32 → Float32
opaque sinf : Float32 → Float32
opaque cosf : Float32 → Float32
opaque rsqrtf : Float32 → Float32
opaque powf : Float32 → Float32 → Float32
opaque fast_fdividef : Float32 → Float32 → Float32
opaque tanf : Float32 → Float32
opaque asinf : Float32 → Float32
opaque acosf : Float32 → Float32
opaque atanf : Float32 → Float32
opaque sinhf : Float32 → Float32
opaque coshf : Float32 → Float32
opaque asinhf : Float32 → Float32
opaque acoshf : Float32 → Float32
opaque atanhf : Float32 → Float32
opaque exp10f : Float32 → Float32
opaque log10f : Float32 → Float32
opaque cbrtf : Float32 → Float32
opaque rcbrtf : Float32 → Float32
opaque erfcf : Float32 → Float32
opaque erfcxf : Float32 → Float32
opaque erfinvf : Float32 → Float32
opaque erfcinvf : Float32 → Float32
opaque normcdff : Float32 → Float32
opaque normcdfinvf : Float32 → Float32
opaque lgammaf : Float32 → Float32
opaque tgammaf : Float32 → Float32
opaque sinpif : Float32 → Float32
opaque cospif : Float32 → Float32
opaque j0f : Float32 → Float32
opaque j1f : Float32 → Float32
opaque y0f : Float32 → Float32
opaque y1f : Float32 → Float32
opaque cyl_bessel_i0f : Float32 → Float32
opaque cyl_bessel_i1f : Float32 → Float32
opaque logbf : Float32 → Float32
opaque atan2f : Float32 → Float32 → Float32
opaque hypotf : Float32 → Float32 → Float32
opaque rhypotf : Float32 → Float32 → Float32
opaque nextafterf : Float32 → Float32 → Float32
opaque norm3df : Float32 → Float32 → Float32 → Float32
opaque rnorm3df : Float32 → Float32 → Float32 → Float32
opaque norm4df : Float32 → Float32 → Float32 → Float32 → Float32
opaque rnorm4df : Float32 → Float32 → Float32 → Float32 → Float32
opaque fast_exp10f : Float32 → Float32
opaque fast_log2f : Float32 → Float32
opaque fast_log10f : Float32 → Float32
opaque fast_sinf : Float32 → Float32
opaque fast_cosf : Float32 → Float32
opaque fast_tanf : Float32 → Float32
opaque fast_frsqrt_rn : Float32 → Float32
opaque fast_powf : Float32 → Float32 → Float32

end Plumbline
