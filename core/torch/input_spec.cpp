#include "core/torch/input_spec.h"

#include <charconv>

namespace plumbline::torch {

namespace {

constexpr int64_t largestSize = int64_t{1} << 31;

std::optional<DType> shortDtype(std::string_view text) {
  static constexpr std::pair<std::string_view, DType> names[] = {
      {"f16", DType::F16}, {"bf16", DType::BF16}, {"f32", DType::F32}, {"f64", DType::F64},
      {"i8", DType::I8},   {"i16", DType::I16},   {"i32", DType::I32}, {"i64", DType::I64},
      {"u8", DType::U8},   {"bool", DType::Bool}};
  for (const auto& [name, dtype] : names)
    if (name == text)
      return dtype;
  return std::nullopt;
}

std::optional<std::vector<int64_t>> sizes(std::string_view text) {
  std::vector<int64_t> result;
  while (!text.empty()) {
    int64_t size = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (code != std::errc() || size < 0 || size > largestSize)
      return std::nullopt;
    result.push_back(size);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty())
      return result;
    if (text.front() != ',' || text.size() == 1)
      return std::nullopt;
    text.remove_prefix(1);
  }
  return result;
}

} // namespace

Expected<InputSpec> parseInputSpec(const std::string& text) {
  const size_t equals = text.find('=');
  const size_t open = text.find('[');
  const auto bad = [&] {
    return fail(ErrorKind::Usage, "input-spec", "'" + text + "' does not describe an input",
                "write NAME=DTYPE[SIZES], for example x=f32[4096,1024]");
  };
  if (equals == std::string::npos || equals == 0 || open == std::string::npos || open < equals ||
      text.back() != ']')
    return bad();
  const auto dtype = shortDtype(std::string_view(text).substr(equals + 1, open - equals - 1));
  auto shape = sizes(std::string_view(text).substr(open + 1, text.size() - open - 2));
  if (!dtype || !shape)
    return bad();
  return InputSpec{text.substr(0, equals), *dtype, *std::move(shape)};
}

} // namespace plumbline::torch
