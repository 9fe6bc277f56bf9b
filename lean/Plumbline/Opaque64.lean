-- not yet compiled
-- Made from Plumbline's tables; a test compares.
-- The same on CUDA's double.

namespace Plumbline

opaque fma_f64 : Float → Float → Float → Float
opaque exp_f64 : Float → Float
opaque log_f64 : Float → Float
opaque tanh_f64 : Float → Float
opaque rsqrt_f64 : Float → Float
opaque pow_f64 : Float → Float → Float
opaque sin_f64 : Float → Float
opaque cos_f64 : Float → Float
opaque tan_f64 : Float → Float
opaque asin_f64 : Float → Float
opaque acos_f64 : Float → Float
opaque atan_f64 : Float → Float
opaque sinh_f64 : Float → Float
opaque cosh_f64 : Float → Float
opaque asinh_f64 : Float → Float
opaque acosh_f64 : Float → Float
opaque atanh_f64 : Float → Float
opaque exp2_f64 : Float → Float
opaque exp10_f64 : Float → Float
opaque expm1_f64 : Float → Float
opaque log2_f64 : Float → Float
opaque log10_f64 : Float → Float
opaque log1p_f64 : Float → Float
opaque cbrt_f64 : Float → Float
opaque rcbrt_f64 : Float → Float
opaque erf_f64 : Float → Float
opaque erfc_f64 : Float → Float
opaque erfcx_f64 : Float → Float
opaque erfinv_f64 : Float → Float
opaque erfcinv_f64 : Float → Float
opaque normcdf_f64 : Float → Float
opaque normcdfinv_f64 : Float → Float
opaque lgamma_f64 : Float → Float
opaque tgamma_f64 : Float → Float
opaque sinpi_f64 : Float → Float
opaque cospi_f64 : Float → Float
opaque j0_f64 : Float → Float
opaque j1_f64 : Float → Float
opaque y0_f64 : Float → Float
opaque y1_f64 : Float → Float
opaque cyl_bessel_i0_f64 : Float → Float
opaque cyl_bessel_i1_f64 : Float → Float
opaque logb_f64 : Float → Float
opaque atan2_f64 : Float → Float → Float
opaque hypot_f64 : Float → Float → Float
opaque rhypot_f64 : Float → Float → Float
opaque nextafter_f64 : Float → Float → Float
opaque norm3d_f64 : Float → Float → Float → Float
opaque rnorm3d_f64 : Float → Float → Float → Float
opaque norm4d_f64 : Float → Float → Float → Float → Float
opaque rnorm4d_f64 : Float → Float → Float → Float → Float

end Plumbline
