#include "core/velvet/signatures.h"

#include <algorithm>
#include <array>

namespace plumbline::velvet {
namespace {

struct Row {
  const char* type;
  const char* names; ///< separated by spaces
};

constexpr auto rows = std::to_array<Row>({
    // lean/
    {"Int → Int → Int", "Plumbline.cDiv Plumbline.cMod Plumbline.int_max Plumbline.int_min"},
    {"Int → Int", "Plumbline.int_abs"},
    {"Int → Prop", "Plumbline.FitsI8 Plumbline.FitsU8 Plumbline.FitsI16 Plumbline.FitsU16 Plumbline.FitsI32 "
                   "Plumbline.FitsU32 Plumbline.FitsI64 Plumbline.FitsU64"},
    {"A → (Int → A → A) → Nat → A", "Plumbline.fold"},
    {"Float32 → Float32", "Plumbline.ftz32"},
    {"Float32 → Float32 → Float32 → Float32",
     "Plumbline.fma Plumbline.fma32 Plumbline.norm3df Plumbline.rnorm3df"},
    {"Float32 → Float32 → Float32 → Float32 → Float32", "Plumbline.norm4df Plumbline.rnorm4df"},
    {"Float32 → Float32 → Float32", "Plumbline.fmaxf Plumbline.fminf Plumbline.std_max Plumbline.std_min "
                                    "Plumbline.powf Plumbline.fast_fdividef "
                                    "Plumbline.atan2f Plumbline.hypotf Plumbline.rhypotf "
                                    "Plumbline.nextafterf Plumbline.fast_powf Plumbline.aten_pow"},
    {"Float32 → Int", "Plumbline.truncI32 Plumbline.truncU32 Plumbline.truncI64"},
    {"Float32 → Float", "Plumbline.widen"},
    {"Float → Float32", "Plumbline.narrow"},
    {"Float32 → Float32",
     "Plumbline.expf Plumbline.fast_expf Plumbline.exp2f Plumbline.expm1f Plumbline.logf Plumbline.fast_logf "
     "Plumbline.log2f Plumbline.log1pf Plumbline.tanhf Plumbline.erff Plumbline.sinf Plumbline.cosf "
     "Plumbline.rsqrtf "
     "Plumbline.tanf Plumbline.asinf Plumbline.acosf Plumbline.atanf Plumbline.sinhf Plumbline.coshf "
     "Plumbline.asinhf "
     "Plumbline.acoshf Plumbline.atanhf Plumbline.exp10f Plumbline.log10f Plumbline.cbrtf Plumbline.rcbrtf "
     "Plumbline.erfcf Plumbline.erfcxf Plumbline.erfinvf Plumbline.erfcinvf Plumbline.normcdff "
     "Plumbline.normcdfinvf "
     "Plumbline.lgammaf Plumbline.tgammaf Plumbline.sinpif Plumbline.cospif Plumbline.j0f Plumbline.j1f "
     "Plumbline.y0f "
     "Plumbline.y1f Plumbline.cyl_bessel_i0f Plumbline.cyl_bessel_i1f Plumbline.logbf Plumbline.fast_exp10f "
     "Plumbline.fast_log2f Plumbline.fast_log10f Plumbline.fast_sinf Plumbline.fast_cosf Plumbline.fast_tanf "
     "Plumbline.fast_frsqrt_rn Plumbline.aten_cos Plumbline.aten_erf Plumbline.aten_exp Plumbline.aten_expm1 "
     "Plumbline.aten_log Plumbline.aten_log1p Plumbline.aten_log2 Plumbline.aten_rsqrt Plumbline.aten_sin "
     "Plumbline.aten_tanh"},
    {"Float → Float",
     "Plumbline.acos_f64 Plumbline.acosh_f64 Plumbline.asin_f64 Plumbline.asinh_f64 Plumbline.atan_f64 "
     "Plumbline.atanh_f64 Plumbline.cbrt_f64 Plumbline.cos_f64 Plumbline.cosh_f64 Plumbline.cospi_f64 "
     "Plumbline.cyl_bessel_i0_f64 Plumbline.cyl_bessel_i1_f64 Plumbline.erf_f64 Plumbline.erfc_f64 "
     "Plumbline.erfcinv_f64 Plumbline.erfcx_f64 Plumbline.erfinv_f64 Plumbline.exp10_f64 Plumbline.exp2_f64 "
     "Plumbline.exp_f64 Plumbline.expm1_f64 Plumbline.j0_f64 Plumbline.j1_f64 Plumbline.lgamma_f64 "
     "Plumbline.log10_f64 Plumbline.log1p_f64 Plumbline.log2_f64 Plumbline.log_f64 Plumbline.logb_f64 "
     "Plumbline.normcdf_f64 Plumbline.normcdfinv_f64 Plumbline.rcbrt_f64 Plumbline.rsqrt_f64 "
     "Plumbline.sin_f64 "
     "Plumbline.sinh_f64 Plumbline.sinpi_f64 Plumbline.tan_f64 Plumbline.tanh_f64 Plumbline.tgamma_f64 "
     "Plumbline.y0_f64 Plumbline.y1_f64"},
    {"Float → Float → Float",
     "Plumbline.fmaxf_f64 Plumbline.fminf_f64 Plumbline.std_max_f64 Plumbline.std_min_f64 "
     "Plumbline.atan2_f64 "
     "Plumbline.hypot_f64 Plumbline.nextafter_f64 Plumbline.pow_f64 Plumbline.rhypot_f64"},
    {"Float → Float → Float → Float", "Plumbline.fma_f64 Plumbline.norm3d_f64 Plumbline.rnorm3d_f64"},
    {"Float → Float → Float → Float → Float", "Plumbline.norm4d_f64 Plumbline.rnorm4d_f64"},
    {"Float → Int", "Plumbline.truncI32_f64 Plumbline.truncU32_f64 Plumbline.truncI64_f64"},
    {"UInt32 → Int → Nat → S", "Plumbline.Scalar.lit"},
    {"S", "Plumbline.Scalar.nan Plumbline.Scalar.top Plumbline.Scalar.bottom"},
    {"S → S", "Plumbline.Scalar.neg Plumbline.Scalar.abs Plumbline.Scalar.sqrt Plumbline.Scalar.aten_cos "
              "Plumbline.Scalar.aten_erf Plumbline.Scalar.aten_exp Plumbline.Scalar.aten_expm1 "
              "Plumbline.Scalar.aten_log "
              "Plumbline.Scalar.aten_log1p Plumbline.Scalar.aten_log2 Plumbline.Scalar.aten_rsqrt "
              "Plumbline.Scalar.aten_sin Plumbline.Scalar.aten_tanh"},
    {"S → S → S", "Plumbline.Scalar.add Plumbline.Scalar.sub Plumbline.Scalar.mul Plumbline.Scalar.div "
                  "Plumbline.Scalar.aten_pow"},
    {"S → S → S → S", "Plumbline.Scalar.fma"},
    {"S → S → Bool", "Plumbline.Scalar.lt Plumbline.Scalar.le Plumbline.Scalar.eq"},
    {"S → Bool", "Plumbline.Scalar.isNaN"},
    {"Int → S", "Plumbline.Scalar.ofInt Plumbline.Scalar.inverseRoot"},
    // Lean
    {"UInt32 → Float32", "Float32.ofBits"},
    {"UInt64 → Float", "Float.ofBits"},
    {"Float32 → UInt32", "Float32.toBits Float32.toUInt32"},
    {"Float → UInt64", "Float.toBits"},
    {"Float → UInt32", "Float.toUInt32"},
    {"Int → Float32", "Float32.ofInt"},
    {"Int → Float", "Float.ofInt"},
    {"Nat → Float32", "Float32.ofNat"},
    {"Nat → Float", "Float.ofNat"},
    {"Float32 → Bool", "Float32.isNaN Float32.isFinite Float32.isInf"},
    {"Float → Bool", "Float.isNaN Float.isFinite Float.isInf"},
    {"Float32 → Float32", "Float32.abs Float32.sqrt"},
    {"Float → Float", "Float.abs Float.sqrt"},
    {"Float32 → Int32", "Float32.toInt32"},
    {"Float32 → Int64", "Float32.toInt64"},
    {"Float → Int32", "Float.toInt32"},
    {"Float → Int64", "Float.toInt64"},
    {"Int32 → Int", "Int32.toInt"},
    {"Int64 → Int", "Int64.toInt"},
    {"UInt32 → Nat", "UInt32.toNat"},
    {"UInt64 → Nat", "UInt64.toNat"},
    {"Nat → UInt32", "UInt32.ofNat Nat.toUInt32"},
    {"Int → Nat", "Int.toNat Int.natAbs"},
    {"Nat → Int", "Int.ofNat"},
    {"Int → Int → Int", "Int.tdiv Int.tmod Int.ediv Int.emod Int.fdiv Int.fmod"},
    {"Nat → Nat", "Nat.succ Nat.pred"},
    {"Prop → Bool", "decide"},
    {"Bool → Bool", "not"},
    {"Bool → Bool → Bool", "and or xor Bool.xor"},
    {"Array A → Nat", "Array.size"},
    {"Array A → Nat → A → Array A", "Array.set!"},
    {"Array A → A → Array A", "Array.push"},
    {"Nat → A → Array A", "Array.replicate"},
    {"Array A → Nat → Nat → Array A", "Array.extract"},
    {"Array A → Bool", "Array.isEmpty"},
    {"A", "default"},
    {"A → A", "id"},
    {"A → A → A", "max min"},
    {"Bool", "true false"},
    {"Prop", "True False"},
    {"Type", "Nat Int Bool Float32 Float Unit UInt32 UInt64 Int32 Int64 String"},
    {"Type", "Prop"},
});

constexpr auto knownTypes = std::to_array<std::string_view>(
    {"Nat",  "Int",   "Bool",   "Prop",  "Float32", "Float",  "Unit", "UInt8", "UInt16", "UInt32", "UInt64",
     "Int8", "Int16", "Int32",  "Int64", "USize",   "String", "Char", "Type",  "Sort",   "Array",  "Option",
     "List", "Fin",   "BitVec", "→",     "×",       "Rat",    "Real", "ℝ",     "Finset", "Set"});

} // namespace

const std::map<std::string, Signature, std::less<>>& signatures() {
  static const std::map<std::string, Signature, std::less<>> table = [] {
    std::map<std::string, Signature, std::less<>> made;
    for (const Row& row : rows) {
      const LeanType type = readType(row.type);
      std::string_view names = row.names;
      while (!names.empty()) {
        const size_t end = std::min(names.find(' '), names.size());
        made.emplace(names.substr(0, end), Signature{type});
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    }
    return made;
  }();
  return table;
}

bool isKnownType(std::string_view head) {
  return std::ranges::find(knownTypes, head) != knownTypes.end();
}

} // namespace plumbline::velvet
