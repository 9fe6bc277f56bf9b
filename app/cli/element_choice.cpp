#include "app/cli/element_choice.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace plumbline::cli {
namespace {

tl::unexpected<Error> usage(const std::string& message) {
  return fail(ErrorKind::Usage, "usage", message,
              "write --at 3,5 with one number for each dimension, or one row-major number");
}

/// Comma-separated numbers that are not negative.
std::optional<std::vector<int64_t>> readNumbers(std::string_view text) {
  std::vector<int64_t> numbers;
  for (const char* at = text.data();; ++at) {
    int64_t number = 0;
    const auto [end, code] = std::from_chars(at, text.data() + text.size(), number);
    if (code != std::errc() || number < 0)
      return std::nullopt;
    numbers.push_back(number);
    at = end;
    if (at == text.data() + text.size())
      return numbers;
    if (*at != ',')
      return std::nullopt;
  }
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (const int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

} // namespace

Expected<ElementChoice> ElementChoice::parse(const std::vector<std::string>& texts) {
  ElementChoice result;
  for (const std::string& text : texts) {
    const size_t colon = text.rfind(':');
    const std::string output = colon == std::string::npos ? std::string() : text.substr(0, colon);
    auto numbers = readNumbers(std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1));
    if (!numbers || colon == 0)
      return usage("'" + text + "' is not the place of an element");
    result.m_places.push_back({text, output, *std::move(numbers)});
  }
  return result;
}

Expected<void> ElementChoice::checkOutputs(const std::vector<std::string>& outputs) const {
  for (const Place& place : m_places)
    if (!place.output.empty() && std::ranges::find(outputs, place.output) == outputs.end())
      return usage("the module has no output '" + place.output + "'");
  return {};
}

Expected<std::vector<int64_t>> ElementChoice::indices(const std::string& output,
                                                      const std::vector<int64_t>& shape) const {
  std::vector<int64_t> result;
  if (isEverything()) {
    result.resize(static_cast<size_t>(
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>())));
    std::iota(result.begin(), result.end(), 0);
  }
  for (const Place& place : m_places) {
    if (!place.output.empty() && place.output != output)
      continue;
    Expected<int64_t> index = indexOf(place, shape);
    if (!index)
      return fail(index.error());
    result.push_back(*index);
  }
  return result;
}

Expected<int64_t> ElementChoice::indexOf(const Place& place, const std::vector<int64_t>& shape) {
  const int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
  const bool isFlat = place.numbers.size() == 1 && shape.size() != 1;
  bool isInside = isFlat ? place.numbers[0] < count : place.numbers.size() == shape.size();
  int64_t index = isFlat ? place.numbers[0] : 0;
  for (size_t k = 0; !isFlat && isInside && k < shape.size(); ++k) {
    isInside = place.numbers[k] < shape[k];
    index = index * shape[k] + place.numbers[k];
  }
  if (!isInside)
    return usage("'" + place.text + "' is no element of an output of shape " + shapeText(shape));
  return index;
}

} // namespace plumbline::cli
