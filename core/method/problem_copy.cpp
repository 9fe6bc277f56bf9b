#include "core/method/problem_copy.h"

namespace plumbline::method {
namespace {

using logic::TermId;
using logic::TermStore;

class Copier {
public:
  Copier(const TermStore& from, TermStore& to) : m_from(from), m_to(to) {}

  void operator()(TermId& root) {
    for (TermId id : m_from.postOrder(root)) {
      if (m_made.contains(id))
        continue;
      logic::Term term = m_from[id];
      term.symbol = m_to.symbol(m_from.symbolText(term.symbol));
      for (TermId& arg : term.args)
        arg = m_made.at(arg);
      m_made.emplace(id, m_to.make(std::move(term)));
    }
    root = m_made.at(root);
  }

  void operator()(std::vector<TermId>& roots) {
    for (TermId& root : roots)
      (*this)(root);
  }

  void operator()(spec::SpecTensor& tensor) {
    (*this)(tensor.shape);
    (*this)(tensor.numel);
  }

private:
  const TermStore& m_from;
  TermStore& m_to;
  std::unordered_map<TermId, TermId> m_made;
};

void copySpec(spec::Spec& spec, Copier& copy) {
  for (spec::SpecInput& input : spec.inputs)
    copy(input.tensor);
  for (spec::SpecOutput& output : spec.outputs) {
    copy(output.tensor);
    copy(output.element);
  }
  for (spec::ZeroChoice& choice : spec.choices)
    copy(choice.index);
  copy(spec.facts);
}

} // namespace

gate::Problem copyProblem(const TermStore& from, const gate::Problem& problem, TermStore& to) {
  gate::Problem result = problem;
  Copier copy(from, to);
  copySpec(result.spec, copy);
  for (size_t axis = 0; axis < 3; ++axis) {
    copy(result.geometry.blockDim[axis]);
    copy(result.geometry.gridDim[axis]);
  }
  for (auto& [parameter, binding] : result.parameters)
    copy(binding.buffer.empty() ? binding.scalar : binding.length);
  for (gate::Hypothesis& known : result.hypotheses)
    if (known.condition)
      copy(*known.condition);
  for (gate::HostObligation& obligation : result.hostObligations)
    copy(obligation.holds);
  copy(result.definitions);
  for (auto& [symbol, term] : result.contractSymbols)
    copy(term);
  for (auto& [tensor, shape] : result.bufferShapes)
    copy(shape);
  return result;
}

} // namespace plumbline::method
