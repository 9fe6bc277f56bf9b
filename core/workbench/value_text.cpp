#include "core/workbench/value_text.h"

#include "core/logic/term_text.h"

#include <bit>
#include <charconv>
#include <cstdio>

namespace plumbline::workbench {

namespace {

std::string decimal(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

} // namespace

std::string bitsText(uint32_t bits) {
  char hex[16];
  std::snprintf(hex, sizeof hex, "0x%08x", bits);
  return std::string(hex) + " (" + logic::decimalText(bits) + ")";
}

std::string bitsText(const std::string& hex) {
  uint32_t bits = 0;
  const char* end = hex.data() + hex.size();
  if (!hex.starts_with("0x") || hex.size() > 10 || std::from_chars(hex.data() + 2, end, bits, 16).ptr != end)
    return hex;
  return bitsText(bits);
}

std::string valueText(const logic::Value& value) {
  switch (value.sort) {
  case logic::Sort::Bool: return value.bits != 0 ? "true" : "false";
  case logic::Sort::Int: return std::to_string(value.asInteger());
  case logic::Sort::F32: return bitsText(static_cast<uint32_t>(value.bits));
  case logic::Sort::F64: {
    char hex[24];
    std::snprintf(hex, sizeof hex, "0x%016llx", static_cast<unsigned long long>(value.bits));
    return std::string(hex) + " (" + decimal(std::bit_cast<double>(value.bits)) + ")";
  }
  }
  return {};
}

std::string tensorText(const session::WitnessTensor& tensor) {
  constexpr size_t shown = 8;
  std::string text = "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(tensor.shape[i]);
  text += "]:";
  const bool isBits = !tensor.bits.empty();
  const size_t count = isBits ? tensor.bits.size() : tensor.rationals.size();
  for (size_t i = 0; i < count && i < shown; ++i)
    text += (i == 0 ? " " : ", ") + (isBits ? bitsText(tensor.bits[i]) : tensor.rationals[i]);
  return text + (count > shown ? ", ..." : "");
}

} // namespace plumbline::workbench
