#include "core/workbench/case_forest.h"

namespace plumbline::workbench {

std::string_view name(FloatClass floatClass) {
  switch (floatClass) {
  case FloatClass::NaN: return "NaN";
  case FloatClass::NegativeInfinity: return "-inf";
  case FloatClass::NegativeNormal: return "-normal";
  case FloatClass::NegativeSubnormal: return "-subnormal";
  case FloatClass::NegativeZero: return "-0";
  case FloatClass::PositiveZero: return "+0";
  case FloatClass::PositiveSubnormal: return "+subnormal";
  case FloatClass::PositiveNormal: return "+normal";
  case FloatClass::PositiveInfinity: return "+inf";
  }
  return "NaN";
}

FloatClass classOf(uint32_t bits) {
  const bool negative = bits >> 31 != 0;
  const uint32_t exponent = bits >> 23 & 0xFF;
  const uint32_t fraction = bits & 0x7FFFFF;
  if (exponent == 0xFF && fraction != 0)
    return FloatClass::NaN;
  if (exponent == 0xFF)
    return negative ? FloatClass::NegativeInfinity : FloatClass::PositiveInfinity;
  if (exponent != 0)
    return negative ? FloatClass::NegativeNormal : FloatClass::PositiveNormal;
  if (fraction != 0)
    return negative ? FloatClass::NegativeSubnormal : FloatClass::PositiveSubnormal;
  return negative ? FloatClass::NegativeZero : FloatClass::PositiveZero;
}

std::string_view name(CaseStatus status) {
  switch (status) {
  case CaseStatus::Open: return "open";
  case CaseStatus::Closed: return "closed";
  case CaseStatus::Empty: return "empty";
  case CaseStatus::Witnessed: return "witnessed";
  case CaseStatus::Conflict: return "conflict";
  case CaseStatus::Split: return "split";
  }
  return "open";
}

} // namespace plumbline::workbench
