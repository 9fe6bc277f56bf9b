// From one way through a wrapper to its program: launches and functions left to torch, over named tensors.
#include "core/cuda/clang/launch_builder.h"

#include <map>

namespace plumbline::cuda {

using ir::HostProgram;
using ir::OperatorArgument;
using ir::ProgramStep;
using ir::ProgramTensor;
using Kind = HostValue::Kind;
using Origin = HostTensor::Origin;

namespace {

class ProgramBuilder : private LaunchBuilder {
public:
  using LaunchBuilder::LaunchBuilder;

  std::optional<HostProgram> build(std::vector<Rejection>& unread) {
    m_program.wrapper = m_state.wrapper;
    m_program.where = m_state.where;
    m_program.when = m_state.path.when;
    wrapperNames(m_program.wrapperParameters, m_program.wrapperTensors);
    for (const HostStep& step : m_state.steps)
      step.launch ? launchStep(m_state.launches[step.index]) : operatorStep(m_state.operators[step.index]);
    returned();
    checkMemory();
    checkOutputs();
    for (size_t i = 0; i < m_state.tensors.size(); ++i)
      if (m_used.contains(static_cast<int>(i)))
        addTensor(static_cast<int>(i));
    finish();
    unread.insert(unread.end(), m_problems.begin(), m_problems.end());
    return m_problems.empty() ? std::optional(std::move(m_program)) : std::nullopt;
  }

private:
  void usedAt(int index, int step) { m_lastUse[storageOf(m_state, index)] = step; }

  void writtenAt(int index, int step) {
    m_written.insert(storageOf(m_state, index));
    m_writes.emplace_back(storageOf(m_state, index), step);
  }

  /// The tensor is named in the program; so are those that its shape or its memory speaks of.
  const std::string& named(int index) {
    for (int each = index; each >= 0 && m_used.insert(each).second; each = tensor(each).base) {
      const int owner = shapeOwner(m_state, each);
      if (owner != each && tensor(owner).origin == Origin::Operator)
        named(owner);
    }
    return tensor(index).name;
  }

  void launchStep(const LaunchSite& launch) {
    ProgramStep step;
    site(launch, step.launch);
    step.nulls = m_nulls;
    for (size_t i = 0; i < m_buffers.size(); ++i) {
      named(m_buffers[i].tensor);
      usedAt(m_buffers[i].tensor, now());
      if (m_buffers[i].use.stored)
        writtenAt(m_buffers[i].tensor, now());
      for (size_t j = 0; j < i; ++j)
        if (memoryOf(m_state, m_buffers[i].tensor) == memoryOf(m_state, m_buffers[j].tensor) &&
            (m_buffers[i].use.stored || m_buffers[j].use.stored))
          refuse("aliased-buffers", "one tensor given to two kernel parameters", m_buffers[i].where);
    }
    m_program.steps.push_back(std::move(step));
  }

  OperatorArgument argument(const HostValue& value) {
    OperatorArgument made;
    switch (value.kind) {
    case Kind::Tensor:
      made.kind = OperatorArgument::Kind::Tensor;
      made.text = named(value.tensor);
      usedAt(value.tensor, now());
      break;
    case Kind::Integer:
      made.kind = OperatorArgument::Kind::Integer;
      made.integer = use(value);
      m_expressions.push_back(made.integer);
      break;
    case Kind::Number:
      made.kind = OperatorArgument::Kind::Float;
      made.floating = value.number;
      made.text = value.text;
      break;
    case Kind::List:
      if (value.text.empty()) {
        made.kind = OperatorArgument::Kind::List;
        for (const HostValue& part : value.parts)
          made.parts.push_back(argument(part));
        break;
      }
      [[fallthrough]];
    case Kind::Parameter:
      made.kind = OperatorArgument::Kind::Parameter;
      made.text = value.text;
      if (value.kind == Kind::Parameter && value.rounded &&
          wrapperParameter(value.text)->scalar == ir::ScalarType::F64)
        refuse("scalar-conversion", "argument '" + value.text + "' that was rounded before", m_state.where);
      break;
    case Kind::Options:
      made.kind = OperatorArgument::Kind::Text;
      made.text = "options" + (value.dtype.empty() ? "" : " " + value.dtype);
      break;
    case Kind::Text:
      made.kind = OperatorArgument::Kind::Text;
      made.text = value.text;
      break;
    default: break;
    }
    return made;
  }

  void operatorStep(const HostOperator& given) {
    ProgramStep step;
    step.kind = ProgramStep::Kind::Operator;
    step.call.name = given.name;
    step.call.view = given.view;
    step.call.where = given.where;
    for (const HostValue& each : given.arguments)
      step.call.arguments.push_back(argument(each));
    for (int each : given.results) {
      step.call.results.push_back(named(each));
      m_created[each] = now();
    }
    for (int each : given.modifies) {
      step.call.modifies.push_back(named(each));
      writtenAt(each, now());
    }
    m_program.steps.push_back(std::move(step));
  }

  void returned() {
    m_program.returns = m_state.returned.has_value();
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
      m_program.returned.push_back(named(part.tensor));
      usedAt(part.tensor, now());
    }
  }

  /// What is written must not be seen through another tensor that may share its memory: one that was there
  /// before the write and is used at it or after it.
  void checkMemory() {
    for (const auto& [written, step] : m_writes)
      for (const auto& [other, last] : m_lastUse) {
        const bool shares = other != written && memoryOf(m_state, other) == memoryOf(m_state, written);
        const auto made = m_created.find(other);
        if (shares && last >= step && (made == m_created.end() || made->second < step))
          refuse("aliased-buffers",
                 "'" + tensor(written).name + "' is written and may share memory with '" +
                     tensor(other).name + "', which is used afterwards",
                 tensor(other).where);
      }
  }

  void checkOutputs() {
    const bool nothing = m_written.empty() && m_program.returned.empty();
    const bool unwritten = m_written.empty() && !m_state.launches.empty();
    if (m_problems.empty() && (nothing || unwritten))
      refuse("no-output", "kernel that writes no tensor",
             m_state.launches.empty() ? m_state.where : m_state.launches.front().where);
  }

  void addTensor(int index) {
    const HostTensor& given = tensor(index);
    ProgramTensor made;
    made.name = given.name;
    made.where = given.where;
    switch (given.origin) {
    case Origin::Parameter: return;
    case Origin::Empty: made.origin = ProgramTensor::Origin::Empty; break;
    case Origin::Zeros: made.origin = ProgramTensor::Origin::Zeros; break;
    case Origin::Operator: made.origin = ProgramTensor::Origin::Operator; break;
    case Origin::View: made.origin = ProgramTensor::Origin::View; break;
    }
    made.base = given.base >= 0 ? tensor(given.base).name : "";
    made.type = scalarOfDtype(given.dtype);
    made.rowMajor = given.rowMajor;
    if (!given.elsewhere.id.empty())
      refuse(given.elsewhere);
    const HostValue length = numelOf(m_state, index, given.where);
    made.length = use(length);
    shapeOf(index, made.shapeLike, made.shape);
    m_expressions.push_back(made.length);
    m_expressions.insert(m_expressions.end(), made.shape.begin(), made.shape.end());
    m_program.tensors.push_back(std::move(made));
  }

  void finish() {
    for (const ir::HostFact& fact : m_program.when)
      m_expressions.push_back(fact.condition);
    for (const ProgramStep& step : m_program.steps)
      if (step.kind == ProgramStep::Kind::Launch)
        expressionsOf(step.launch, m_expressions);
    environment(m_expressions, m_program.symbols, m_program.facts, m_program.checks);
    for (ProgramStep& step : m_program.steps) {
      step.launch.symbols = m_program.symbols;
      step.launch.facts = m_program.facts;
      step.launch.checks = m_program.checks;
      step.launch.wrapperTensors = m_program.wrapperTensors;
      step.launch.wrapperParameters = m_program.wrapperParameters;
    }
  }

  /// The number of the step that is being made.
  int now() const { return static_cast<int>(m_program.steps.size()); }

  HostProgram m_program;
  std::set<int> m_used;
  std::set<int> m_written;                   ///< storages
  std::vector<std::pair<int, int>> m_writes; ///< storage and step
  std::map<int, int> m_lastUse;              ///< of a storage, by step
  std::map<int, int> m_created;              ///< results of functions left to torch, by step
  std::vector<ir::SizeExprPtr> m_expressions;
};

} // namespace

std::optional<HostProgram> buildProgram(const HostState& state, const ir::Module& module,
                                        std::vector<Rejection>& unread) {
  if (!state.problems.empty()) {
    unread.insert(unread.end(), state.problems.begin(), state.problems.end());
    return std::nullopt;
  }
  return ProgramBuilder(state, module).build(unread);
}

} // namespace plumbline::cuda
