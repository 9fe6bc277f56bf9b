// From a wrapper that is one launch to its contract; anything that does not fit is named and gives no
// contract.
#include "core/cuda/clang/launch_builder.h"

#include <algorithm>

namespace plumbline::cuda {

using ir::BufferContract;
using ir::BufferRole;
using ir::LaunchContract;
using ir::SizeExpr;

namespace {

using Kind = HostValue::Kind;

class ContractBuilder : private LaunchBuilder {
public:
  using LaunchBuilder::LaunchBuilder;

  std::optional<LaunchContract> build(std::vector<Rejection>& unread) {
    const LaunchSite launch = m_state.launches.front();
    site(launch, m_contract);
    returnedTensors();
    if (m_problems.empty()) {
      if (!m_nulls.empty())
        refuse("null-argument", "null pointer for '" + m_nulls.front() + "'", launch.where);
      nameBuffers();
      checkAliases();
      checkOutputs(launch.where);
    }
    wrapperNames(m_contract.wrapperParameters, m_contract.wrapperTensors);
    emptyReturns(launch.where);
    std::vector<ir::SizeExprPtr> expressions;
    expressionsOf(m_contract, expressions);
    environment(expressions, m_contract.symbols, m_contract.facts, m_contract.checks);
    unread.insert(unread.end(), m_problems.begin(), m_problems.end());
    return m_problems.empty() ? std::optional(m_contract) : std::nullopt;
  }

private:
  void returnedTensors() {
    if (!m_state.returned)
      return;
    const HostValue& value = *m_state.returned;
    const std::vector<HostValue> parts =
        value.kind == Kind::List ? value.parts : std::vector<HostValue>{value};
    for (const HostValue& part : parts) {
      if (part.kind != Kind::Tensor)
        return refuse(
            part.kind == Kind::Unknown
                ? part.refusal
                : Rejection{"returned-value", "returned value that is no tensor", m_state.returnedAt});
      m_returned.push_back(part.tensor);
      m_storages.push_back(storageOf(m_state, part.tensor));
    }
    m_contract.returnedTensors = static_cast<int>(m_returned.size());
    for (size_t i = 0; i < m_returned.size(); ++i) {
      const HostTensor& stored = tensor(m_storages[i]);
      const bool parameter = stored.origin == HostTensor::Origin::Parameter;
      if (parameter && m_storages[i] != m_returned[i])
        refuse("returned-value", "a tensor parameter in another shape is returned", m_state.returnedAt);
      m_contract.returned.push_back(parameter ? stored.name : "output:" + std::to_string(i));
    }
  }

  /// "output:<i>" for tensors that the wrapper makes.
  void nameBuffers() {
    for (size_t i = 0; i < m_buffers.size(); ++i) {
      BufferContract& buffer = m_contract.buffers[i];
      if (m_buffers[i].use.stored)
        m_written.insert(m_buffers[i].tensor);
      if (tensor(m_buffers[i].tensor).origin == HostTensor::Origin::Parameter)
        continue;
      const auto place = std::find(m_storages.begin(), m_storages.end(), m_buffers[i].tensor);
      if (place == m_storages.end()) {
        refuse("scratch-buffer", "tensor for '" + buffer.parameter + "' that is not returned",
               m_buffers[i].where);
        continue;
      }
      buffer.tensor = "output:" + std::to_string(place - m_storages.begin());
      shapeOf(m_returned[static_cast<size_t>(place - m_storages.begin())], buffer.shapeLike, buffer.shape);
    }
  }

  /// Two kernel parameters may point to one tensor only when neither is written through.
  void checkAliases() {
    for (size_t i = 0; i < m_buffers.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (m_buffers[i].tensor == m_buffers[j].tensor &&
            (m_buffers[i].use.stored || m_buffers[j].use.stored))
          refuse("aliased-buffers", "one tensor given to two kernel parameters", m_buffers[i].where);
  }

  /// Every returned tensor must be written by this launch, and every parameter written must be what is
  /// returned.
  void checkOutputs(const SourceRange& where) {
    if (!m_problems.empty())
      return;
    for (int each : m_storages)
      if (!m_written.contains(each))
        refuse("returned-value", "returned tensor that the kernel does not write", m_state.returnedAt);
    for (int each : m_written) {
      const bool given = tensor(each).origin == HostTensor::Origin::Parameter;
      const bool returned = std::find(m_storages.begin(), m_storages.end(), each) != m_storages.end();
      if (given && !m_returned.empty() && !returned)
        refuse("hidden-output", "tensor parameter that is written but not returned", where);
    }
    const std::set<int> distinct(m_storages.begin(), m_storages.end());
    if (distinct.size() != m_storages.size())
      refuse("returned-value", "one tensor returned twice", m_state.returnedAt);
    if (m_written.empty())
      refuse("no-output", "kernel that writes no tensor", where);
  }

  /// `if (n == 0) return y;` is harmless exactly when there is then nothing to compute.
  void emptyReturns(const SourceRange& where) {
    for (const EmptyReturn& early : m_state.emptyReturns) {
      const std::string& symbol = early.symbol;
      m_checks.insert(early.checks.begin(), early.checks.end());
      if (early.value.kind != Kind::Ignored && !hasReturnedShape(early.value))
        refuse("host-branch", "early return of another shape", early.where);
      for (const BufferContract& buffer : m_contract.buffers)
        if (buffer.role != BufferRole::Input &&
            !(buffer.length->kind == SizeExpr::Kind::Symbol && buffer.length->symbol == symbol))
          refuse("host-branch", "early return that may leave an output unwritten", where);
      m_contract.facts.push_back(
          {symbol + " > 0", ir::sizeBinary(SizeExpr::Kind::Gt, ir::sizeSymbol(symbol), ir::sizeConstant(0)),
           where});
    }
  }

  /// The same tensors' shapes as the last return's.
  bool hasReturnedShape(const HostValue& value) const {
    const std::vector<HostValue> parts =
        value.kind == Kind::List ? value.parts : std::vector<HostValue>{value};
    return std::equal(parts.begin(), parts.end(), m_returned.begin(), m_returned.end(),
                      [&](const HostValue& part, int returned) {
                        return part.kind == Kind::Tensor &&
                               shapeOwner(m_state, part.tensor) == shapeOwner(m_state, returned);
                      });
  }

  LaunchContract m_contract;
  std::vector<int> m_returned;
  std::vector<int> m_storages; ///< of what is returned
  std::set<int> m_written;
};

} // namespace

std::optional<LaunchContract> buildContract(const HostState& state, const ir::Module& module,
                                            std::vector<Rejection>& unread) {
  if (!state.problems.empty()) {
    unread.insert(unread.end(), state.problems.begin(), state.problems.end());
    return std::nullopt;
  }
  if (!state.operators.empty()) {
    const HostOperator& first = state.operators.front();
    unread.push_back({"torch-operator", "'" + first.name + "', which is left to torch", first.where});
    return std::nullopt;
  }
  if (state.launches.size() != 1) {
    for (const LaunchSite& site : state.launches)
      unread.push_back(
          {"several-launches", "one of several launches in '" + state.wrapper + "'", site.where});
    return std::nullopt;
  }
  return ContractBuilder(state, module).build(unread);
}

} // namespace plumbline::cuda
