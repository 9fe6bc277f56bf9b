#include "core/ir/intrinsics.h"

#include <unordered_map>

namespace plumbline::ir {
namespace {

ScalarType typeFromLetter(char letter) {
  switch (letter) {
  case 'f': return ScalarType::F32;
  case 'd': return ScalarType::F64;
  case 'i': return ScalarType::I32;
  case 'u': return ScalarType::U32;
  case 'l': return ScalarType::I64;
  case 'b': return ScalarType::Bool;
  default: return ScalarType::Void;
  }
}

Intrinsic row(std::string_view spelling, std::string_view result, std::string_view arguments,
              Meaning meaning) {
  Intrinsic made{spelling, typeFromLetter(result[0]), {}, meaning};
  for (char letter : arguments)
    made.arguments.push_back(typeFromLetter(letter));
  return made;
}

} // namespace

const std::vector<Intrinsic>& intrinsics() {
  static const std::vector<Intrinsic> rows = {
#define PLUMBLINE_INTRINSIC(spelling, result, arguments, meaning)                                            \
  row(spelling, result, arguments, Meaning::meaning),
#include "core/ir/intrinsics.def"
#undef PLUMBLINE_INTRINSIC
  };
  return rows;
}

const Intrinsic* findIntrinsic(std::string_view spelling) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Intrinsic*> made;
    for (const Intrinsic& intrinsic : intrinsics())
      made.emplace(intrinsic.spelling, &intrinsic);
    return made;
  }();
  auto found = index.find(spelling);
  return found == index.end() ? nullptr : found->second;
}

} // namespace plumbline::ir
