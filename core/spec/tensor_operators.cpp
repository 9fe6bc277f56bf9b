#include "core/spec/tensor_operators.h"

#include <unordered_map>

namespace plumbline::spec {

std::vector<TensorOperator> allTensorOperators() {
  std::vector<TensorOperator> all;
  for (auto family :
       {viewOperators(),          partOperators(),         axisOperators(),      copyOperators(),
        placementOperators(),     reductionOperators(),    extremeOperators(),   statisticsOperators(),
        normOperators(),          softmaxOperators(),      scanOperators(),      normalisationOperators(),
        lossOperators(),          crossEntropyOperators(), distanceOperators(),  gatedOperators(),
        linearAlgebraOperators(), einsumOperators(),       attentionOperators(), convolutionOperators(),
        poolingOperators()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

const TensorOperator* findTensorOperator(std::string_view target) {
  static const auto index = [] {
    std::unordered_map<std::string_view, TensorOperator> map;
    for (const TensorOperator& each : allTensorOperators())
      map.emplace(each.target, each);
    return map;
  }();
  const auto found = index.find(target);
  return found == index.end() ? nullptr : &found->second;
}

std::string_view name(FoldKind kind) {
  switch (kind) {
  case FoldKind::Sum: return "sum";
  case FoldKind::Product: return "product";
  case FoldKind::Maximum: return "maximum";
  case FoldKind::Minimum: return "minimum";
  case FoldKind::General: return "general";
  }
  return "general";
}

} // namespace plumbline::spec
