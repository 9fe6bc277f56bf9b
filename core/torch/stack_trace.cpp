#include "core/torch/stack_trace.h"

#include <algorithm>
#include <charconv>

namespace plumbline::torch {
namespace {

constexpr size_t longest = 160; ///< bytes of a source line that are kept

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(result, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return result;
}

/// Cut between two characters, not inside one.
std::string shortened(std::string_view text) {
  if (text.size() <= longest)
    return printable(text);
  size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return printable(text.substr(0, end)) + "...";
}

/// Where PyTorch is installed, or its own sources; and what no file holds, such as "<eval_with_key>.1".
bool isUserFile(std::string_view file) {
  std::string path(file);
  std::ranges::replace(path, '\\', '/');
  for (const char* part : {"-packages/torch/", "/torch/nn/modules/", "/torch/nn/functional.py"})
    if (path.find(part) != std::string::npos)
      return false;
  return !path.empty() && path[0] != '<';
}

/// `File "model.py", line 12, in forward`, possibly after spaces. The quote that ends the name is the last
/// one.
SourceLine frameOf(std::string_view line) {
  constexpr std::string_view opening = "File \"";
  constexpr std::string_view middle = "\", line ";
  line = trimmed(line);
  const size_t end = line.rfind(middle);
  if (!line.starts_with(opening) || end == std::string_view::npos || end < opening.size())
    return {};
  const std::string_view digits = line.substr(end + middle.size());
  int number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || number < 1)
    return {};
  return {printable(line.substr(opening.size(), end - opening.size())), number, ""};
}

} // namespace

SourceLine userLine(std::string_view trace) {
  SourceLine last;
  bool textFollows = false;
  while (!trace.empty()) {
    const size_t end = std::min(trace.find('\n'), trace.size());
    const std::string_view line = trace.substr(0, end);
    trace.remove_prefix(std::min(end + 1, trace.size()));
    SourceLine frame = frameOf(line);
    if (frame.known()) {
      textFollows = isUserFile(frame.file);
      if (textFollows)
        last = std::move(frame);
    } else if (textFollows) {
      last.text = shortened(trimmed(line));
      textFollows = false;
    }
  }
  return last;
}

} // namespace plumbline::torch
