#include "core/spec/operators.h"

#include <unordered_map>

namespace plumbline::spec {

std::vector<Operator> allOperators() {
  std::vector<Operator> all;
  for (auto family : {arithmeticOperators(), comparisonOperators(), limitOperators(), activationOperators(),
                      creationOperators()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

const Operator* findOperator(std::string_view target) {
  static const auto index = [] {
    std::unordered_map<std::string_view, Operator> map;
    for (const Operator& each : allOperators())
      map.emplace(each.target, each);
    return map;
  }();
  auto it = index.find(target);
  return it == index.end() ? nullptr : &it->second;
}

} // namespace plumbline::spec
