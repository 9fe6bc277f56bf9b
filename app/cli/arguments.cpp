#include "app/cli/arguments.h"

#include <algorithm>
#include <charconv>

namespace plumbline::cli {

namespace {

tl::unexpected<Error> usage(const std::string& message) {
  return fail(ErrorKind::Usage, "usage", message, "`plumbline help` shows the commands and their options");
}

} // namespace

std::string Arguments::value(const std::string& option, std::string otherwise) const {
  const auto found = values.find(option);
  return found != values.end() ? found->second.back() : std::move(otherwise);
}

Expected<Arguments> parseArguments(const std::vector<std::string>& words, const ArgumentRules& rules) {
  Arguments result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--") || word == "--") {
      result.positional.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const std::string option = word.substr(0, equals);
    if (rules.flags.contains(option) && equals == std::string::npos) {
      result.flags.insert(option);
      continue;
    }
    if (!rules.values.contains(option) && !rules.repeated.contains(option))
      return usage("unknown option '" + option + "'");
    if (equals == std::string::npos && i + 1 >= words.size())
      return usage("option '" + option + "' needs a value");
    std::vector<std::string>& given = result.values[option];
    given.push_back(equals == std::string::npos ? words[++i] : word.substr(equals + 1));
    if (given.size() > 1 && !rules.repeated.contains(option))
      return usage("option '" + option + "' is given twice");
  }
  if (result.positional.size() != rules.positional)
    return usage("expected " + std::to_string(rules.positional) + " arguments, got " +
                 std::to_string(result.positional.size()));
  return result;
}

bool asksJson(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

tl::unexpected<Error> missingOption(const std::string& option) {
  return fail(ErrorKind::Usage, "usage", "option '" + option + "' is needed",
              "`plumbline help` shows the command");
}

Expected<unsigned> parsePositive(const std::string& option, const std::string& text) {
  unsigned value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value == 0)
    return usage("option '" + option + "' needs a positive whole number, not '" + text + "'");
  return value;
}

} // namespace plumbline::cli
