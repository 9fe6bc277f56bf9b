#include "core/cuda/clang/launch_builder.h"

#include <algorithm>

namespace plumbline::cuda {

using ir::BufferContract;
using ir::BufferRole;
using ir::ScalarContract;
using ir::ScalarType;
using ir::SizeExprPtr;
using Kind = HostValue::Kind;

namespace {

/// What reads contracts takes at most 4096 characters.
constexpr size_t longestExpression = 4000;

} // namespace

SizeExprPtr LaunchBuilder::use(const HostValue& value) {
  if (value.kind != Kind::Integer) {
    refuse(value.kind == Kind::Unknown
               ? value.refusal
               : Rejection{"host-value", "value that is no integer", m_into ? m_into->where : m_state.where});
    return ir::sizeConstant(0);
  }
  m_checks.insert(value.checks.begin(), value.checks.end());
  return value.size;
}

void LaunchBuilder::site(const LaunchSite& site, ir::LaunchContract& contract) {
  const ir::Kernel& kernel = m_module.kernels[site.kernel];
  m_into = &contract;
  m_buffers.clear();
  m_nulls.clear();
  contract.kernel = kernel.name;
  contract.wrapper = m_state.wrapper;
  contract.where = site.where;
  contract.sharedBytes = ir::sizeConstant(0);
  for (size_t i = 0; i < 3; ++i) {
    contract.grid[i] = ir::sizeConstant(1);
    contract.block[i] = ir::sizeConstant(1);
  }
  if (kernel.function < 0)
    return refuse("kernel-rejected", "launch of '" + kernel.name + "', which was rejected", site.where);
  dimensions(site.grid, contract.grid);
  dimensions(site.block, contract.block);
  contract.sharedBytes = use(site.shared);
  const std::vector<PointerUse> uses = pointerUse(m_module, kernel.function);
  for (size_t i = 0; i < site.arguments.size(); ++i)
    argument(site.arguments[i], uses[i]);
}

void LaunchBuilder::dimensions(const HostValue& value, std::array<SizeExprPtr, 3>& into) {
  if (value.kind != Kind::Dim3)
    return refuse(value.kind == Kind::Unknown ? value.refusal
                                              : Rejection{"host-value", "launch size", m_into->where});
  for (size_t i = 0; i < 3; ++i)
    into[i] = use(value.parts[i]);
}

void LaunchBuilder::argument(const LaunchArgument& argument, const PointerUse& use) {
  if (argument.value.kind == Kind::Unknown && !argument.floating)
    return refuse(argument.value.refusal);
  if (argument.type.pointer && argument.value.kind == Kind::Null)
    return m_nulls.push_back(argument.parameter);
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

void LaunchBuilder::buffer(const LaunchArgument& argument, const PointerUse& use) {
  if (argument.value.kind != Kind::Pointer)
    return refuse("kernel-argument", "argument for '" + argument.parameter + "'", argument.where);
  // A cast of an untyped pointer is trusted for float32, the type of every tensor that is compared.
  const bool guessed = argument.value.untyped && argument.type.scalar != ScalarType::F32;
  if (argument.value.scalar != argument.type.scalar || guessed)
    return refuse("kernel-argument", "pointer of another type for '" + argument.parameter + "'",
                  argument.where);
  const int storage = storageOf(m_state, argument.value.tensor);
  BufferContract buffer;
  buffer.parameter = argument.parameter;
  const HostValue length = numelOf(m_state, storage, argument.where);
  buffer.length = this->use(length);
  // A tensor's memory may start anywhere in its storage: only the element's own alignment is certain.
  buffer.align = std::max(1, ir::bitWidth(argument.type.scalar) / 8);
  buffer.role = use.loaded && use.stored ? BufferRole::InOut
                : use.stored             ? BufferRole::Output
                                         : BufferRole::Input;
  buffer.zeroInitialised = tensor(storage).origin == HostTensor::Origin::Zeros;
  buffer.tensor = tensor(storage).name;
  m_buffers.push_back({storage, use, argument.where});
  m_into->buffers.push_back(std::move(buffer));
}

void LaunchBuilder::constantScalar(const LaunchArgument& argument) {
  ScalarContract scalar;
  scalar.parameter = argument.parameter;
  scalar.kind = ScalarContract::Kind::Float;
  scalar.floating = *argument.floating;
  scalar.text = argument.text;
  m_into->scalars.push_back(std::move(scalar));
}

void LaunchBuilder::passedScalar(const LaunchArgument& argument) {
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
  m_into->scalars.push_back(std::move(scalar));
}

void LaunchBuilder::integerScalar(const LaunchArgument& argument) {
  ScalarContract scalar;
  scalar.parameter = argument.parameter;
  scalar.kind = ScalarContract::Kind::Integer;
  scalar.integer = use(argument.value);
  m_into->scalars.push_back(std::move(scalar));
}

void LaunchBuilder::shapeOf(int index, std::string& like, std::vector<SizeExprPtr>& shape) {
  const int owner = shapeOwner(m_state, index);
  if (isOpaque(tensor(owner))) {
    like = owner == index ? "" : tensor(owner).name;
    return;
  }
  for (const HostValue& dim : tensor(owner).dims)
    shape.push_back(use(dim));
}

const WrapperParameter* LaunchBuilder::wrapperParameter(const std::string& name) const {
  for (const WrapperParameter& parameter : m_state.parameters)
    if (parameter.name == name)
      return &parameter;
  return nullptr;
}

void LaunchBuilder::wrapperNames(std::vector<std::string>& parameters,
                                 std::vector<std::string>& tensors) const {
  for (const WrapperParameter& parameter : m_state.parameters) {
    parameters.push_back(parameter.name);
    if (parameter.tensor)
      tensors.push_back(parameter.name);
  }
}

void LaunchBuilder::expressionsOf(const ir::LaunchContract& contract, std::vector<SizeExprPtr>& into) {
  into.insert(into.end(), contract.grid.begin(), contract.grid.end());
  into.insert(into.end(), contract.block.begin(), contract.block.end());
  into.push_back(contract.sharedBytes);
  for (const BufferContract& buffer : contract.buffers) {
    into.push_back(buffer.length);
    into.insert(into.end(), buffer.shape.begin(), buffer.shape.end());
  }
  for (const ScalarContract& scalar : contract.scalars)
    into.push_back(scalar.integer);
}

namespace {

/// A value that was read several times is checked once.
void addCheck(std::vector<ir::HostCheck>& checks, const ir::HostCheck& check) {
  const bool divides = check.kind == ir::HostCheck::Kind::Divisor;
  const auto known = std::find_if(checks.begin(), checks.end(), [&](const ir::HostCheck& each) {
    return each.kind == check.kind && each.where == check.where && each.what == check.what &&
           (divides || (each.low == check.low && each.high == check.high)) &&
           ir::print(*each.value) == ir::print(*check.value);
  });
  if (known == checks.end())
    return checks.push_back(check);
  known->low = std::max(known->low, check.low);
  known->high = std::min(known->high, check.high);
  if (check.traps)
    known->order = known->traps ? std::min(known->order, check.order) : check.order;
  known->traps = known->traps || check.traps;
}

} // namespace

void LaunchBuilder::environment(const std::vector<SizeExprPtr>& expressions,
                                std::vector<ir::SizeSymbol>& symbols, std::vector<ir::HostFact>& facts,
                                std::vector<ir::HostCheck>& checks) {
  m_checks.insert(m_state.required.begin(), m_state.required.end());
  for (size_t index : m_checks)
    addCheck(checks, m_state.checks[index]);
  facts.insert(facts.begin(), m_state.facts.begin(), m_state.facts.end());
  std::set<std::string> names;
  const auto note = [&](const SizeExprPtr& expr) {
    if (!expr)
      return;
    if (ir::print(*expr).size() > longestExpression)
      refuse("host-value", "a size of more than " + std::to_string(longestExpression) + " characters",
             m_state.where);
    for (const std::string& name : ir::symbolsOf(*expr))
      names.insert(name);
  };
  for (const SizeExprPtr& each : expressions)
    note(each);
  for (const ir::HostCheck& check : checks)
    note(check.value);
  for (const ir::HostFact& fact : facts) {
    note(fact.condition);
    for (const ir::HostCheck& check : fact.reliesOn)
      note(check.value);
  }
  for (const std::string& name : names)
    symbols.push_back(symbolFor(m_state, name));
}

} // namespace plumbline::cuda
