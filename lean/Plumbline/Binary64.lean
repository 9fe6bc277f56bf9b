-- CUDA's double. Lean's Float is binary64, but its conversions from and to Float32 have no definition that a
-- proof could use: a document that needs them has no proof command.

namespace Plumbline

opaque widen : Float32 → Float
opaque narrow : Float → Float32

@[grind]
def fmaxf_f64 (a : Float) (b : Float) : Float :=
  if Float.isNaN a = true then b else (if Float.isNaN b = true then a else (if a < b then b else (if b < a then a else (if a = Float.ofBits 0x8000000000000000 then b else a))))

@[grind]
def fminf_f64 (a : Float) (b : Float) : Float :=
  if Float.isNaN a = true then b else (if Float.isNaN b = true then a else (if a < b then a else (if b < a then b else (if a = Float.ofBits 0x8000000000000000 then a else b))))

@[grind]
def std_max_f64 (a : Float) (b : Float) : Float :=
  if a < b then b else a

@[grind]
def std_min_f64 (a : Float) (b : Float) : Float :=
  if b < a then b else a

def truncI32_f64 (a : Float) : Int :=
  Int32.toInt (Float.toInt32 a)

def truncU32_f64 (a : Float) : Int :=
  Int.ofNat (UInt32.toNat (Float.toUInt32 a))

def truncI64_f64 (a : Float) : Int :=
  Int64.toInt (Float.toInt64 a)

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
