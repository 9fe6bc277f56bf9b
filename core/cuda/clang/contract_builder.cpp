// From what was read in a wrapper to a launch contract; anything that does not fit is named and gives no
// contract.
#include "core/cuda/clang/host_state.h"
#include "core/cuda/clang/pointer_use.h"

#include <algorithm>
#include <limits>

namespace plumbline::cuda {

using ir::BufferContract;
using ir::BufferRole;
using ir::LaunchContract;
using ir::ScalarContract;
using ir::ScalarType;
using ir::SizeExpr;
using ir::SizeExprPtr;
using ir::SizeSymbol;

namespace {

using Kind = HostValue::Kind;

class ContractBuilder {
public:
  ContractBuilder(const HostState& given, const ir::Module& module) : m_state(given), m_module(module) {}

  std::optional<LaunchContract> build(std::vector<Rejection>& unread) {
    const LaunchSite site = m_state.launches.front();
    const ir::Kernel& kernel = m_module.kernels[site.kernel];
    if (kernel.function < 0) {
      unread.push_back(
          {"kernel-rejected", "launch of '" + kernel.name + "', which was rejected", site.where});
      return std::nullopt;
    }
    m_contract.kernel = kernel.name;
    m_contract.wrapper = m_state.wrapper;
    m_contract.where = site.where;
    configuration(site);
    returnedTensors();
    const std::vector<PointerUse> use = pointerUse(m_module, kernel.function);
    for (size_t i = 0; i < site.arguments.size(); ++i)
      argument(site.arguments[i], use[i]);
    checkAliases();
    checkOutputs(site.where);
    wrapperNames();
    emptyReturns(site.where);
    finish();
    unread.insert(unread.end(), m_problems.begin(), m_problems.end());
    return m_problems.empty() ? std::optional(m_contract) : std::nullopt;
  }

private:
  void refuse(std::string id, std::string construct, const SourceRange& where) {
    m_problems.push_back({std::move(id), std::move(construct), where});
  }
  void refuse(const HostValue& value) { m_problems.push_back(value.refusal); }

  SizeExprPtr use(const HostValue& value) {
    if (value.kind != Kind::Integer) {
      refuse(value.kind == Kind::Unknown
                 ? value.refusal
                 : Rejection{"host-value", "value that is no integer", m_contract.where});
      return ir::sizeConstant(0);
    }
    m_checks.insert(value.checks.begin(), value.checks.end());
    return value.size;
  }
  void refuse(const Rejection& rejection) { m_problems.push_back(rejection); }

  void configuration(const LaunchSite& site) {
    for (size_t i = 0; i < 3; ++i) {
      m_contract.grid[i] = ir::sizeConstant(1);
      m_contract.block[i] = ir::sizeConstant(1);
    }
    dimensions(site.grid, m_contract.grid);
    dimensions(site.block, m_contract.block);
    m_contract.sharedBytes = use(site.shared);
  }

  void dimensions(const HostValue& value, std::array<SizeExprPtr, 3>& into) {
    if (value.kind != Kind::Dim3)
      return refuse(value.kind == Kind::Unknown ? value.refusal
                                                : Rejection{"host-value", "launch size", m_contract.where});
    for (size_t i = 0; i < 3; ++i)
      into[i] = use(value.parts[i]);
  }

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
    }
    m_contract.returnedTensors = static_cast<int>(m_returned.size());
    for (size_t i = 0; i < m_returned.size(); ++i) {
      const HostTensor& tensor = m_state.tensors[static_cast<size_t>(m_returned[i])];
      const bool parameter = tensor.origin == HostTensor::Origin::Parameter;
      m_contract.returned.push_back(parameter ? tensor.name : "output:" + std::to_string(i));
    }
  }

  void argument(const LaunchArgument& argument, const PointerUse& use) {
    if (argument.value.kind == Kind::Unknown && !argument.floating)
      return refuse(argument.value);
    if (argument.type.pointer)
      return buffer(argument, use);
    if (argument.floating)
      return constantScalar(argument);
    if (argument.value.kind == Kind::Parameter)
      return passedScalar(argument);
    if (argument.value.kind == Kind::Integer && !ir::isFloat(argument.type.scalar))
      return integerScalar(argument);
    refuse("kernel-argument", "argument for '" + argument.parameter + "'", argument.where);
  }

  void buffer(const LaunchArgument& argument, const PointerUse& use) {
    if (argument.value.kind != Kind::Pointer)
      return refuse("kernel-argument", "argument for '" + argument.parameter + "'", argument.where);
    const HostTensor& tensor = m_state.tensors[static_cast<size_t>(argument.value.tensor)];
    // A cast of an untyped pointer is trusted for float32, the type of every tensor that is compared.
    const bool guessed = argument.value.untyped && argument.type.scalar != ScalarType::F32;
    if (argument.value.scalar != argument.type.scalar || guessed)
      return refuse("kernel-argument", "pointer of another type for '" + argument.parameter + "'",
                    argument.where);
    BufferContract buffer;
    buffer.parameter = argument.parameter;
    const HostValue length = numelOf(m_state, argument.value.tensor, argument.where);
    buffer.length = this->use(length);
    // A tensor's memory may start anywhere in its storage: only the element's own alignment is certain.
    buffer.align = std::max(1, ir::bitWidth(argument.type.scalar) / 8);
    buffer.role = use.loaded && use.stored ? BufferRole::InOut
                  : use.stored             ? BufferRole::Output
                                           : BufferRole::Input;
    buffer.zeroInitialised = tensor.origin == HostTensor::Origin::Zeros;
    if (tensor.origin == HostTensor::Origin::Parameter) {
      buffer.tensor = tensor.name;
    } else {
      const auto place = std::find(m_returned.begin(), m_returned.end(), argument.value.tensor);
      if (place == m_returned.end())
        return refuse("scratch-buffer", "tensor for '" + argument.parameter + "' that is not returned",
                      argument.where);
      buffer.tensor = "output:" + std::to_string(place - m_returned.begin());
      shapeOf(argument.value.tensor, buffer);
    }
    if (use.stored)
      m_written.insert(argument.value.tensor);
    m_buffers.push_back({argument.value.tensor, use, argument.where});
    m_contract.buffers.push_back(std::move(buffer));
  }

  /// The shape of a tensor that the wrapper made.
  void shapeOf(int tensor, BufferContract& buffer) {
    const HostTensor& owner = m_state.tensors[static_cast<size_t>(shapeOwner(m_state, tensor))];
    if (owner.origin == HostTensor::Origin::Parameter) {
      buffer.shapeLike = owner.name;
      return;
    }
    for (const HostValue& dim : owner.dims)
      buffer.shape.push_back(this->use(dim));
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
    for (int tensor : m_returned)
      if (!m_written.contains(tensor))
        refuse("returned-value", "returned tensor that the kernel does not write", m_state.returnedAt);
    for (int tensor : m_written) {
      const bool given = m_state.tensors[static_cast<size_t>(tensor)].origin == HostTensor::Origin::Parameter;
      const bool returned = std::find(m_returned.begin(), m_returned.end(), tensor) != m_returned.end();
      if (given && !m_returned.empty() && !returned)
        refuse("hidden-output", "tensor parameter that is written but not returned", where);
    }
    const std::set<int> distinct(m_returned.begin(), m_returned.end());
    if (distinct.size() != m_returned.size())
      refuse("returned-value", "one tensor returned twice", m_state.returnedAt);
    if (m_written.empty())
      refuse("no-output", "kernel that writes no tensor", where);
  }

  const WrapperParameter* wrapperParameter(const std::string& name) const {
    for (const WrapperParameter& parameter : m_state.parameters)
      if (parameter.name == name)
        return &parameter;
    return nullptr;
  }

  void constantScalar(const LaunchArgument& argument) {
    ScalarContract scalar;
    scalar.parameter = argument.parameter;
    scalar.kind = ScalarContract::Kind::Float;
    scalar.floating = *argument.floating;
    scalar.text = argument.text;
    m_contract.scalars.push_back(std::move(scalar));
  }

  void passedScalar(const LaunchArgument& argument) {
    const WrapperParameter* parameter = wrapperParameter(argument.value.text);
    // float -> double keeps the rounding to float, which the contract cannot say.
    const bool exact = argument.type.scalar == ScalarType::F32 ||
                       (argument.type.scalar == ScalarType::F64 && !argument.value.rounded && parameter &&
                        parameter->scalar == ScalarType::F64);
    if (!parameter || !exact)
      return refuse("scalar-conversion", "argument for '" + argument.parameter + "' that was rounded before",
                    argument.where);
    ScalarContract scalar;
    scalar.parameter = argument.parameter;
    scalar.kind = ScalarContract::Kind::WrapperParameter;
    scalar.wrapperName = parameter->name;
    scalar.wrapperDefault = parameter->defaultValue;
    m_contract.scalars.push_back(std::move(scalar));
  }

  void integerScalar(const LaunchArgument& argument) {
    ScalarContract scalar;
    scalar.parameter = argument.parameter;
    scalar.kind = ScalarContract::Kind::Integer;
    scalar.integer = use(argument.value);
    m_contract.scalars.push_back(std::move(scalar));
  }

  void wrapperNames() {
    for (const WrapperParameter& parameter : m_state.parameters) {
      m_contract.wrapperParameters.push_back(parameter.name);
      if (parameter.tensor)
        m_contract.wrapperTensors.push_back(parameter.name);
    }
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
                      [&](const HostValue& part, int tensor) {
                        return part.kind == Kind::Tensor &&
                               shapeOwner(m_state, part.tensor) == shapeOwner(m_state, tensor);
                      });
  }

  void finish() {
    for (size_t index : m_checks)
      m_contract.checks.push_back(m_state.checks[index]);
    m_contract.facts.insert(m_contract.facts.begin(), m_state.facts.begin(), m_state.facts.end());
    std::set<std::string> names;
    const auto note = [&](const SizeExprPtr& expr) {
      if (expr)
        for (const std::string& name : ir::symbolsOf(*expr))
          names.insert(name);
    };
    for (const SizeExprPtr& each : m_contract.grid)
      note(each);
    for (const SizeExprPtr& each : m_contract.block)
      note(each);
    note(m_contract.sharedBytes);
    for (const ir::HostCheck& check : m_contract.checks)
      note(check.value);
    for (const ir::HostFact& fact : m_contract.facts) {
      note(fact.condition);
      for (const ir::HostCheck& check : fact.reliesOn)
        note(check.value);
    }
    for (const BufferContract& buffer : m_contract.buffers)
      note(buffer.length);
    for (const ScalarContract& scalar : m_contract.scalars)
      note(scalar.integer);
    for (const std::string& name : names)
      m_contract.symbols.push_back(symbol(name));
  }

  SizeSymbol symbol(const std::string& name) const {
    SizeSymbol symbol{name, 0, std::numeric_limits<int64_t>::max(), {}, {}};
    if (const WrapperParameter* parameter = wrapperParameter(name); parameter && !parameter->tensor) {
      symbol.parameter = name;
      const int width = ir::bitWidth(parameter->scalar);
      if (parameter->scalar == ScalarType::Bool)
        symbol.high = 1;
      else if (ir::isSigned(parameter->scalar))
        symbol.low = width == 64 ? std::numeric_limits<int64_t>::min() : -(int64_t{1} << (width - 1));
      if (width > 1 && width < 64)
        symbol.high = (int64_t{1} << (ir::isSigned(parameter->scalar) ? width - 1 : width)) - 1;
      return symbol;
    }
    symbol.tensor = name.substr(0, name.find('.'));
    return symbol;
  }

  struct Buffer {
    int tensor;
    PointerUse use;
    SourceRange where;
  };

  HostState m_state; // a copy: element counts may add checks
  const ir::Module& m_module;
  LaunchContract m_contract;
  std::vector<int> m_returned;
  std::set<int> m_written;
  std::vector<Buffer> m_buffers;
  std::set<size_t> m_checks;
  std::vector<Rejection> m_problems;
};

} // namespace

void buildContract(const HostState& state, const ir::Module& module, std::vector<LaunchContract>& launches,
                   std::vector<Rejection>& unread) {
  if (!state.problems.empty()) {
    unread.insert(unread.end(), state.problems.begin(), state.problems.end());
    return;
  }
  if (state.launches.size() > 1) {
    for (const LaunchSite& site : state.launches)
      unread.push_back(
          {"several-launches", "one of several launches in '" + state.wrapper + "'", site.where});
    return;
  }
  if (std::optional<LaunchContract> contract = ContractBuilder(state, module).build(unread))
    launches.push_back(std::move(*contract));
}

} // namespace plumbline::cuda
