#include "core/ir/host_program.h"

#include <algorithm>
#include <set>

namespace plumbline::ir {
namespace {

/// From a program of one launch to its contract.
class Simplifier {
public:
  explicit Simplifier(const HostProgram& program) : m_program(program) {}

  Expected<LaunchContract> run() {
    const ProgramStep* launch = nullptr;
    for (const ProgramStep& step : m_program.steps) {
      if (step.kind == ProgramStep::Kind::Operator)
        return refused("torch-operator", "'" + step.call.name + "', which is left to torch", step.call.where);
      if (launch != nullptr)
        return refused("several-launches", "one of several launches in '" + m_program.wrapper + "'",
                       step.launch.where);
      launch = &step;
    }
    if (launch == nullptr)
      return refused("several-launches", "'" + m_program.wrapper + "' launches nothing on this way",
                     m_program.where);
    if (!launch->nulls.empty())
      return refused("null-argument", "null pointer for '" + launch->nulls.front() + "'",
                     launch->launch.where);
    m_contract = launch->launch;
    m_contract.facts = m_program.facts;
    for (const HostFact& fact : m_program.when)
      if (fact.text.find(".defined") == std::string::npos)
        m_contract.facts.push_back(fact);
    dropAbsent();
    if (Expected<void> done = returned(); !done)
      return fail(done.error());
    if (Expected<void> done = buffers(); !done)
      return fail(done.error());
    for (const std::string& name : m_contract.returned)
      if (std::none_of(m_contract.buffers.begin(), m_contract.buffers.end(),
                       [&](const BufferContract& buffer) {
                         return buffer.tensor == name && buffer.role != BufferRole::Input;
                       }))
        return refused("returned-value", "returned tensor that the kernel does not write", m_program.where);
    return m_contract;
  }

private:
  static tl::unexpected<Error> refused(std::string id, std::string what, SourceRange where) {
    Error error{
        ErrorKind::Rejected,
        id,
        "the wrapper does more than one launch: " + what,
        "'plumbline gate' checks all that the wrapper does; to compare one launch, give its contract with "
        "--kernel NAME --launch FILE",
        where,
        {}};
    error.rejections = {{std::move(id), std::move(what), std::move(where)}};
    return fail(std::move(error));
  }

  /// Optional tensors that are not given on this way are no tensors of the launch.
  void dropAbsent() {
    for (const HostFact& fact : m_program.when)
      std::erase_if(m_contract.wrapperTensors,
                    [&](const std::string& name) { return fact.text == name + ".defined != 1"; });
  }

  std::string storageOf(const std::string& name) const {
    const ProgramTensor* tensor = findTensor(m_program, name);
    return tensor && tensor->origin == ProgramTensor::Origin::View ? storageOf(tensor->base) : name;
  }

  Expected<void> returned() {
    m_contract.returned.clear();
    m_contract.returnedTensors = m_program.returns ? static_cast<int>(m_program.returned.size()) : -1;
    for (const std::string& name : m_program.returned) {
      const std::string storage = storageOf(name);
      const bool made = findTensor(m_program, storage) != nullptr;
      if (!made && storage != name)
        return refused("returned-value", "a tensor parameter in another shape is returned", m_program.where);
      if (std::count(m_storages.begin(), m_storages.end(), storage) != 0)
        return refused("returned-value", "one tensor returned twice", m_program.where);
      m_contract.returned.push_back(made ? "output:" + std::to_string(m_storages.size()) : name);
      m_storages.push_back(storage);
    }
    return {};
  }

  Expected<void> buffers() {
    for (BufferContract& buffer : m_contract.buffers) {
      const auto place = std::find(m_storages.begin(), m_storages.end(), buffer.tensor);
      const ProgramTensor* tensor = findTensor(m_program, buffer.tensor);
      if (tensor == nullptr) {
        if (buffer.role != BufferRole::Input && m_program.returns && place == m_storages.end())
          return refused("hidden-output", "tensor parameter that is written but not returned",
                         m_contract.where);
        continue;
      }
      if (place == m_storages.end())
        return refused("scratch-buffer", "tensor for '" + buffer.parameter + "' that is not returned",
                       m_contract.where);
      const auto index = static_cast<size_t>(place - m_storages.begin());
      const ProgramTensor& shown = *findTensor(m_program, m_program.returned[index]);
      if (!shown.shapeLike.empty() && findTensor(m_program, shown.shapeLike) != nullptr)
        return refused("torch-operator", "a shape that torch decides", m_contract.where);
      buffer.tensor = m_contract.returned[index];
      buffer.shapeLike = shown.shapeLike;
      buffer.shape = shown.shape;
    }
    return {};
  }

  const HostProgram& m_program;
  LaunchContract m_contract;
  std::vector<std::string> m_storages; ///< of what is returned
};

std::string conditions(const std::vector<HostFact>& facts) {
  std::string text;
  for (const HostFact& fact : facts)
    text += (text.empty() ? "" : " && ") + fact.text;
  return text;
}

std::string dimensionsText(const std::array<SizeExprPtr, 3>& dimensions) {
  return "(" + print(*dimensions[0]) + ", " + print(*dimensions[1]) + ", " + print(*dimensions[2]) + ")";
}

std::string argumentText(const OperatorArgument& argument) {
  switch (argument.kind) {
  case OperatorArgument::Kind::Integer: return print(*argument.integer);
  case OperatorArgument::Kind::Nothing: return "none";
  case OperatorArgument::Kind::List: {
    std::string text;
    for (const OperatorArgument& part : argument.parts)
      text += (text.empty() ? "" : ", ") + argumentText(part);
    return "[" + text + "]";
  }
  default: return argument.text;
  }
}

std::string stepText(const ProgramStep& step) {
  std::string text;
  if (step.kind == ProgramStep::Kind::Launch) {
    for (const BufferContract& buffer : step.launch.buffers)
      text += (text.empty() ? "" : ", ") + buffer.parameter + " = " + buffer.tensor;
    for (const std::string& parameter : step.nulls)
      text += (text.empty() ? "" : ", ") + parameter + " = null";
    return "launch of " + step.launch.kernel + ": grid " + dimensionsText(step.launch.grid) + " block " +
           dimensionsText(step.launch.block) + " on " + text;
  }
  for (const OperatorArgument& argument : step.call.arguments)
    text += (text.empty() ? "" : ", ") + argumentText(argument);
  std::string results;
  for (const std::string& name : step.call.results)
    results += (results.empty() ? "" : ", ") + name;
  return (results.empty() ? "" : results + " = ") + step.call.name + "(" + text + "), left to torch";
}

} // namespace

std::string_view name(ProgramTensor::Origin origin) {
  switch (origin) {
  case ProgramTensor::Origin::Empty: return "empty";
  case ProgramTensor::Origin::Zeros: return "zeros";
  case ProgramTensor::Origin::Operator: return "operator";
  case ProgramTensor::Origin::View: break;
  }
  return "view";
}

const ProgramTensor* findTensor(const HostProgram& program, std::string_view name) {
  for (const ProgramTensor& tensor : program.tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

Expected<LaunchContract> singleLaunch(const HostProgram& program) {
  return Simplifier(program).run();
}

std::string print(const HostProgram& program) {
  std::string text = program.wrapper;
  if (!program.when.empty())
    text += ", where " + conditions(program.when);
  text += ":\n";
  for (const ProgramTensor& tensor : program.tensors) {
    text += "  " + tensor.name + ": " + std::string(name(tensor.origin));
    text += tensor.base.empty() ? "" : " of " + tensor.base;
    text += ", " + print(*tensor.length) + " elements\n";
  }
  for (const ProgramStep& step : program.steps)
    text += "  " + stepText(step) + "\n";
  std::string returned;
  for (const std::string& tensor : program.returned)
    returned += (returned.empty() ? "" : ", ") + tensor;
  return text + "  returns " + (program.returns ? returned : "nothing") + "\n";
}

} // namespace plumbline::ir
