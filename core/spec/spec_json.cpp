#include "core/spec/spec_json.h"

#include "core/logic/term_json.h"

namespace plumbline::spec {
namespace {

using logic::TermId;

/// Collects roots; a term is written as its position among them.
class Roots {
public:
  Json add(TermId term) {
    m_roots.push_back(term);
    return m_roots.size() - 1;
  }
  const std::vector<TermId>& all() const { return m_roots; }

private:
  std::vector<TermId> m_roots;
};

Json tensorToJson(const SpecTensor& tensor, Roots& roots) {
  Json shape = Json::array();
  for (TermId size : tensor.shape)
    shape.push_back(roots.add(size));
  return {{"name", tensor.name},
          {"dtype", torch::name(tensor.dtype)},
          {"shape", shape},
          {"numel", roots.add(tensor.numel)}};
}

Json inputToJson(const SpecInput& input, Roots& roots) {
  Json json = tensorToJson(input.tensor, roots);
  json["kind"] = torch::name(input.kind);
  json["key"] = input.key;
  json["contiguous"] = input.contiguous;
  return json;
}

Json stageToJson(const Stage& stage, Roots& roots) {
  Json json = tensorToJson(stage.tensor, roots);
  json["node"] = stage.node;
  json["kind"] = name(stage.kind);
  json["count"] = roots.add(stage.count);
  json["init"] = roots.add(stage.init);
  json["guard"] = roots.add(stage.guard);
  json["term"] = roots.add(stage.term);
  json["next"] = roots.add(stage.next);
  return json;
}

Json symbolsToJson(const Spec& spec) {
  Json json = Json::object();
  for (const auto& [symbol, range] : spec.symbols) {
    auto hint = spec.hints.find(symbol);
    json[symbol] = {{"low", range.low},
                    {"high", range.high ? Json(*range.high) : Json()},
                    {"captured", hint == spec.hints.end() ? Json() : Json(hint->second)}};
  }
  return json;
}

} // namespace

Json toJson(const logic::TermStore& terms, const Spec& spec) {
  Roots roots;
  Json json{{"inputs", Json::array()}, {"outputs", Json::array()}, {"choices", Json::array()}};
  for (const SpecInput& input : spec.inputs)
    json["inputs"].push_back(inputToJson(input, roots));
  json["stages"] = Json::array();
  for (const Stage& stage : spec.stages)
    json["stages"].push_back(stageToJson(stage, roots));
  for (const SpecOutput& output : spec.outputs) {
    json["outputs"].push_back(tensorToJson(output.tensor, roots));
    json["outputs"].back()["element"] = roots.add(output.element);
  }
  for (const ZeroChoice& choice : spec.choices)
    json["choices"].push_back({{"variable", choice.variable},
                               {"op", choice.op},
                               {"node", choice.node},
                               {"index", roots.add(choice.index)}});
  json["opaque"] = spec.opaque;
  json["assumptions"] = spec.assumptions;
  json["symbols"] = symbolsToJson(spec);
  json["facts"] = Json::array();
  for (TermId fact : spec.facts)
    json["facts"].push_back(roots.add(fact));
  json["open_constants"] = spec.openConstants;
  json["generalised"] = spec.generalised;
  json["terms"] = logic::toJson(terms, roots.all());
  return json;
}

} // namespace plumbline::spec
