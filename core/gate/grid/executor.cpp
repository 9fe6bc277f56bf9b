#include "core/gate/grid/executor_impl.h"

#include "core/ir/integer_ops.h"

#include <algorithm>

namespace plumbline::gate::grid {

using ir::ScalarType;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t mostAccesses = 4000;
constexpr size_t mostTerms = 3'000'000;
constexpr size_t mostParts = 3000; ///< of a question

vc::Bounds rangeOf(ScalarType type) {
  if (type == ScalarType::Bool)
    return {0, 1};
  if (type == ScalarType::U64)
    return {0, std::nullopt};
  return {ir::lowestValue(type), ir::highestValue(type)};
}

Object::Space spaceOf(ir::ArraySpace space) {
  switch (space) {
  case ir::ArraySpace::Shared: return Object::Space::Shared;
  case ir::ArraySpace::Constant: return Object::Space::Constant;
  case ir::ArraySpace::Thread: return Object::Space::Thread;
  }
  return Object::Space::Thread;
}

} // namespace

TermId bytesOf(TermStore& store, const ir::ArrayVariable& array, const SymbolicLaunch& launch) {
  return array.length() < 0 ? launch.sharedBytes
                            : store.integer(array.length() * ir::byteSize(array.element));
}

Executor::Executor(TermStore& store, SymbolTable& symbols, ArithmeticProver& prover, const ir::Module& module,
                   const SymbolicLaunch& launch, const ExecutorOptions& options)
    : m_store(store), m_symbols(symbols), m_prover(prover), m_module(module), m_launch(launch),
      m_options(options), m_structure(module, options.exitedThreadsOk), m_true(store.boolean(true)),
      m_false(store.boolean(false)) {}

Program Executor::run(const ir::Function& function, const ir::LaunchContract& contract) {
  Frame frame{function, std::vector<Value>(function.locals.size(), Value{-1, zero(), m_false}), m_false};
  bindParameters(frame, contract);
  bindArrays(function);
  statements(frame, function.body, m_true);
  return std::move(m_program);
}

void Executor::unsupported(std::string id, std::string construct, const SourceRange& where) {
  throw Unsupported{{std::move(id), std::move(construct), where}};
}

void Executor::bindArrays(const ir::Function& function) {
  int dynamic = -1;
  for (const ir::ArrayVariable& array : function.arrays) {
    if (array.length() < 0 && dynamic >= 0) { // all of them start at the same address
      m_arrayObjects.push_back(dynamic);
      continue;
    }
    Object object;
    object.name = uniqueName(array.name);
    object.space = spaceOf(array.space);
    object.element = array.element;
    object.bytes = bytesOf(m_store, array, m_launch);
    object.alignment =
        std::max<int64_t>(array.alignment, array.length() < 0 ? 16 : ir::byteSize(array.element));
    object.role = ir::BufferRole::InOut;
    object.initialised = array.space == ir::ArraySpace::Constant;
    object.where = array.where;
    m_arrayObjects.push_back(static_cast<int>(m_program.objects.size()));
    if (array.length() < 0)
      dynamic = m_arrayObjects.back();
    m_symbols.setElementRange(object.name, rangeOf(array.element));
    m_program.objects.push_back(std::move(object));
  }
}

/// Two arrays of one name in different scopes are two.
std::string Executor::uniqueName(const std::string& name) const {
  const auto taken = [&](const std::string& text) {
    return std::any_of(m_program.objects.begin(), m_program.objects.end(),
                       [&](const Object& each) { return each.name == text; });
  };
  std::string result = name;
  for (int i = 2; taken(result); ++i)
    result = name + " (" + std::to_string(i) + ")";
  return result;
}

void Executor::bindParameters(Frame& frame, const ir::LaunchContract& contract) {
  for (int i = 0; i < frame.function.parameterCount; ++i) {
    const ir::Local& local = frame.function.locals[static_cast<size_t>(i)];
    if (local.type.pointer) {
      bindBuffer(frame, i, contract);
      continue;
    }
    Value& value = frame.locals[static_cast<size_t>(i)];
    const auto known = m_launch.scalars.find(local.name);
    const bool fixed = known != m_launch.scalars.end() && ir::isInteger(local.type.scalar);
    value = {-1, fixed ? known->second : unknownOf(local.type.scalar, local.name, Level::Grid), m_true};
  }
}

void Executor::bindBuffer(Frame& frame, int index, const ir::LaunchContract& contract) {
  const ir::Local& local = frame.function.locals[static_cast<size_t>(index)];
  const ir::BufferContract* buffer = ir::findBuffer(contract, local.name);
  const auto length = m_launch.lengths.find(local.name);
  if (buffer == nullptr || length == m_launch.lengths.end())
    unsupported("unbound-parameter",
                "the pointer parameter '" + local.name + "' is not in the launch contract", local.where);
  const std::string tensor = ir::sharedMemory(contract, *buffer);
  const auto same = m_objectOfTensor.find(tensor);
  if (!tensor.empty() && same != m_objectOfTensor.end()) {
    Object& object = m_program.objects[static_cast<size_t>(same->second)];
    if (object.element != local.type.scalar)
      unsupported("launch-alias", "one tensor is passed as two element types", local.where);
    if (buffer->role != ir::BufferRole::Input)
      object.role = object.role == ir::BufferRole::Input ? ir::BufferRole::InOut : object.role;
    frame.locals[static_cast<size_t>(index)] = {same->second, zero(), m_true};
    return;
  }
  Object object;
  object.name = local.name;
  object.element = local.type.scalar;
  object.bytes = m_store.imul(m_store.integer(ir::byteSize(local.type.scalar)), length->second);
  object.alignment = buffer->align;
  object.role = ir::startsUnwritten(contract, *buffer) ? ir::BufferRole::Output : buffer->role;
  object.initialised = object.role != ir::BufferRole::Output || buffer->zeroInitialised;
  object.where = local.where;
  const int number = static_cast<int>(m_program.objects.size());
  m_symbols.setElementRange(object.name, rangeOf(object.element));
  m_program.objects.push_back(std::move(object));
  if (!tensor.empty())
    m_objectOfTensor.emplace(tensor, number);
  frame.locals[static_cast<size_t>(index)] = {number, zero(), m_true};
}

void Executor::checkSize(const SourceRange& where) {
  if (m_program.accesses.size() > mostAccesses || m_store.size() > mostTerms)
    unsupported("too-large", "the thread program has too many cases", where);
  if (m_options.stop.stopRequested())
    unsupported("cancelled", "the check was cancelled", where);
}

bool Executor::proves(TermId guard, TermId goal, bool withSolvers) {
  if (m_store.boolValue(goal) == true || m_store.boolValue(guard) == false)
    return true;
  const auto known = m_proved.find({guard, goal});
  if (known != m_proved.end())
    return known->second;
  // Late, or about an expression of thousands of parts, the answer is "not known".
  const std::array<TermId, 2> asked = {guard, goal};
  if (std::chrono::steady_clock::now() > m_options.deadline || m_store.postOrder(asked).size() > mostParts)
    return false;
  std::vector<TermId> hypotheses = m_symbols.factsFor(asked);
  hypotheses.push_back(guard);
  bool proved = m_prover.quick(hypotheses, goal);
  const bool ask = withSolvers && m_options.solvers;
  if (!proved && ask)
    proved = m_prover.prove(hypotheses, goal, m_options.stop).status == ProofStatus::Proved;
  if (proved || ask)
    m_proved.emplace(std::pair(guard, goal), proved);
  return proved;
}

void Executor::require(Requirement::Kind kind, TermId guard, TermId holds, const SourceRange& where,
                       std::string message) {
  if (m_dry > 0 || m_store.boolValue(holds) == true || m_store.boolValue(guard) == false)
    return;
  if (!m_required.emplace(kind, guard, holds).second)
    return;
  m_program.requirements.push_back({kind, guard, holds, where, std::move(message)});
}

TermId Executor::fits(TermId value, ScalarType type) {
  return m_store.land(m_store.ile(m_store.integer(ir::lowestValue(type)), value),
                      m_store.ile(value, m_store.integer(ir::highestValue(type))));
}

TermId Executor::fresh(Sort sort, const std::string& what, Level level, vc::Bounds bounds) {
  const std::string name = m_options.prefix + what + "#" + std::to_string(m_names++);
  if (sort == Sort::Int && (bounds.low || bounds.high)) {
    m_prover.bound(name, bounds);
    m_prover.bound(SymbolTable::secondName(name), bounds);
  }
  return m_symbols.make(sort, name, level, m_loop, bounds);
}

TermId Executor::unknownOf(ScalarType type, const std::string& what, Level level) {
  if (type == ScalarType::Bool)
    return fresh(Sort::Bool, what, level);
  if (ir::isInteger(type))
    return fresh(Sort::Int, what, level, rangeOf(type));
  return fresh(Sort::F32, what, level);
}

int Executor::addSegment(Segment::Kind kind, int loop) {
  const int number = static_cast<int>(m_program.segments.size());
  m_program.segments.push_back({kind, loop, {}});
  for (int tail : m_tails)
    m_program.segments[static_cast<size_t>(tail)].next.push_back(number);
  m_tails = {number};
  return number;
}

/// The stretch of code that an access now belongs to.
int Executor::segment() {
  if (!m_startNew && m_tails.size() == 1)
    return m_tails[0];
  m_startNew = false;
  return addSegment(Segment::Kind::Code, m_loop);
}

Expected<Program> execute(TermStore& store, SymbolTable& symbols, ArithmeticProver& prover,
                          const ir::Module& module, int kernel, const ir::LaunchContract& contract,
                          const SymbolicLaunch& launch, const ExecutorOptions& options) {
  try {
    return Executor(store, symbols, prover, module, launch, options)
        .run(module.functions[static_cast<size_t>(kernel)], contract);
  } catch (Unsupported& reason) {
    Error error{ErrorKind::Rejected, reason.rejection.id, reason.rejection.construct, "", std::nullopt, {}};
    error.rejections = {reason.rejection};
    return fail(std::move(error));
  }
}

} // namespace plumbline::gate::grid
