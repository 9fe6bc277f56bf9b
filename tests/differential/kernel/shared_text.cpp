#include "tests/differential/kernel/shared_text.h"

#include <regex>
#include <vector>

namespace plumbline::differential {
namespace {

/// At the commas outside brackets.
std::vector<std::string> declarators(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '[' || c == '(' || c == '{' ? 1 : c == ']' || c == ')' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

} // namespace

std::string withDynamicShared(const std::string& source) {
  static const std::regex declaration(
      R"(extern\s+__shared__\s+(?:(?:__align__|alignas)\(\d+\)\s+)?([\w\s:]+?)\s*\b(\w+)\s*\[\s*\]\s*;)");
  return std::regex_replace(source, declaration, "$1* $2 = fiber::dynamicShared<$1>();");
}

std::string withSharedInstances(const std::string& source) {
  static const std::regex declaration(
      R"(__shared__\s+(?:(?:__align__|alignas)\(\d+\)\s+)?((?:unsigned\s+|signed\s+|long\s+)*\w+)\s+([^;]+);)");
  static const std::regex declarator(R"(\s*(\w+)\s*((?:\[[^\]]+\])*)\s*)");
  std::string text;
  std::string rest = withDynamicShared(source);
  int number = 0;
  for (std::smatch found; std::regex_search(rest, found, declaration);) {
    text += found.prefix();
    for (const std::string& each : declarators(found[2])) {
      std::smatch parts;
      if (!std::regex_match(each, parts, declarator))
        return source; // not understood: it does not compile
      const std::string type = found[1].str() + parts[2].str();
      text += "auto& " + parts[1].str() + " = fiber::sharedInstance<" + type + ", " +
              std::to_string(number++) + ">(); ";
    }
    rest = found.suffix();
  }
  return text + rest;
}

} // namespace plumbline::differential
