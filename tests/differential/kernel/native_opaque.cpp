#include "tests/differential/kernel/native_opaque.h"

#include <array>

namespace plumbline::differential {
namespace {

/// A number in [1/2, 2), with either sign.
uint64_t madeUp(std::string_view spelling, ir::ScalarType type, std::span<const uint64_t> args) {
  uint64_t mixed = std::hash<std::string_view>{}(spelling);
  for (uint64_t arg : args) {
    mixed = (mixed ^ arg) * 0x9E3779B97F4A7C15;
    mixed ^= mixed >> 29;
  }
  return type == ir::ScalarType::F32 ? (mixed & 0x80FFFFFF) + 0x3F000000
                                     : (mixed & 0x801FFFFFFFFFFFFF) + 0x3FE0000000000000;
}

} // namespace

uint64_t opaqueValue(std::string_view spelling, ir::ScalarType type, std::span<const uint64_t> args) {
  static const ir::OpaqueFunction<ir::IeeeDomain> known = ir::IeeeDomain::defaultOpaque();
  std::array<uint64_t, 4> canonical{};
  for (size_t i = 0; i < args.size(); ++i)
    ir::IeeeDomain::literal(type, args[i], {}, canonical[i]);
  const std::span<const uint64_t> given(canonical.data(), args.size());
  return known(spelling, type, given).value_or(madeUp(spelling, type, given));
}

extern "C" uint64_t plumblineOpaqueValue(const char* spelling, int isDouble, const uint64_t* args,
                                         int count) {
  return opaqueValue(spelling, isDouble != 0 ? ir::ScalarType::F64 : ir::ScalarType::F32,
                     std::span(args, static_cast<size_t>(count)));
}

} // namespace plumbline::differential
