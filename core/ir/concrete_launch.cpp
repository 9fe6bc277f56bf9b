#include "core/ir/concrete_launch.h"

#include "core/ir/integer_ops.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

constexpr int64_t kMostThreads = 1024;
constexpr std::array<int64_t, 3> kLargestBlock = {1024, 1024, 64};
constexpr std::array<int64_t, 3> kLargestGrid = {INT32_MAX, 65535, 65535};
constexpr int64_t kMostSharedBytes = 49152; // more needs an opt-in attribute, which no contract carries
constexpr int64_t kMostElements = int64_t{1} << 28;

class Binder {
public:
  Binder(const LaunchContract& contract, const Function& kernel,
         const std::map<std::string, int64_t>& symbols, const std::map<std::string, ScalarValue>& scalars,
         int maxThreadsPerBlock)
      : m_contract(contract), m_kernel(kernel), m_symbols(symbols), m_scalars(scalars),
        m_maxThreads(maxThreadsPerBlock > 0 ? maxThreadsPerBlock : kMostThreads) {}

  Expected<ConcreteLaunch> run() {
    Expected<void> done = checkSymbols();
    for (Expected<void> (Binder::*step)() :
         {&Binder::checkFacts, &Binder::hostChecks, &Binder::dimensions, &Binder::parameters})
      if (done)
        done = (this->*step)();
    // After a division by zero, or a value beyond its type, on the host there are no sizes to go on with.
    const bool lost = !done && !m_launch.findings.empty() &&
                      (done.error().id == "size-division" || done.error().id == "size-overflow");
    if (!done && !lost)
      return fail(done.error());
    m_launch.symbols = m_symbols;
    return std::move(m_launch);
  }

private:
  Expected<int64_t> value(const SizeExpr& expr) const {
    return evaluate(expr, [this](const std::string& name) -> std::optional<int64_t> {
      auto found = m_symbols.find(name);
      return found == m_symbols.end() ? std::nullopt : std::optional<int64_t>(found->second);
    });
  }

  void finding(FindingKind kind, std::string message, const SourceRange& where) {
    RunFinding made;
    made.kind = kind;
    made.message = std::move(message);
    made.where = where;
    made.hasThread = false;
    m_launch.findings.push_back(std::move(made));
  }

  Expected<void> checkSymbols() {
    for (const SizeSymbol& symbol : m_contract.symbols) {
      auto found = m_symbols.find(symbol.name);
      if (found == m_symbols.end())
        return fail(ErrorKind::Usage, "size-unbound", "the size '" + symbol.name + "' has no value",
                    "give it in the inputs under \"symbols\"");
      if (found->second < symbol.low || found->second > symbol.high)
        return fail(ErrorKind::Usage, "size-range",
                    "the size " + symbol.name + " = " + std::to_string(found->second) + " lies outside [" +
                        std::to_string(symbol.low) + ", " + std::to_string(symbol.high) + "]",
                    "use a size that the launch contract allows");
    }
    return {};
  }

  Expected<void> checkFacts() {
    for (const HostFact& fact : m_contract.facts) {
      // Where the host's own arithmetic wraps, that is a finding of its own, and the fact says nothing.
      if (!fact.condition || !std::all_of(fact.reliesOn.begin(), fact.reliesOn.end(),
                                          [this](const HostCheck& check) { return inRange(check); }))
        continue;
      Expected<int64_t> holds = value(*fact.condition);
      if (!holds)
        return fail(holds.error());
      if (*holds == 0)
        return fail(ErrorKind::Usage, "launch-precondition",
                    "'" + fact.text + "' does not hold for these sizes",
                    "use sizes that the launch contract allows");
    }
    return {};
  }

  bool inRange(const HostCheck& check) {
    const Expected<int64_t> result = value(*check.value);
    return result && *result >= check.low && *result <= check.high;
  }

  Expected<void> hostChecks() {
    std::optional<Error>
        undefined; // a quotient whose divisor is zero: that is found where the divisor is checked
    for (const HostCheck& check : m_contract.checks) {
      Expected<int64_t> result = value(*check.value);
      if (!result && result.error().id == "size-division") {
        undefined = undefined ? undefined : result.error();
        continue;
      }
      if (!result && result.error().id != "size-overflow")
        return fail(result.error());
      const bool zeroDivisor = check.kind == HostCheck::Kind::Divisor && result && *result == 0;
      if (result && *result >= check.low && *result <= check.high && !zeroDivisor)
        continue;
      if (zeroDivisor)
        finding(FindingKind::DivisionByZero, check.what + " is zero", check.where);
      else if (check.kind != HostCheck::Kind::Exact)
        return fail(ErrorKind::Rejected, "launch-unmodelled", check.what + " is outside what is modelled",
                    "use other sizes");
      else
        finding(FindingKind::Overflow,
                check.what + (result ? ": " + std::to_string(*result) : ": a value beyond 64 bits") +
                    " does not fit",
                check.where);
    }
    if (undefined && m_launch.findings.empty())
      return fail(*undefined);
    return {};
  }

  Expected<void> dimensions() {
    for (size_t i = 0; i < 3; ++i) {
      Expected<int64_t> grid = value(*m_contract.grid[i]);
      Expected<int64_t> block = value(*m_contract.block[i]);
      if (!grid || !block)
        return fail(grid ? block.error() : grid.error());
      m_launch.grid[i] = *grid;
      m_launch.block[i] = *block;
    }
    if (m_contract.sharedBytes) {
      Expected<int64_t> shared = value(*m_contract.sharedBytes);
      if (!shared)
        return fail(shared.error());
      m_launch.sharedBytes = *shared;
    }
    checkLimits();
    return {};
  }

  void limit(const std::string& what, int64_t size, int64_t low, int64_t high) {
    if (size < low || size > high)
      finding(FindingKind::LaunchLimit,
              what + " is " + std::to_string(size) + ", outside [" + std::to_string(low) + ", " +
                  std::to_string(high) + "]",
              m_contract.where);
  }

  int64_t staticSharedBytes() const {
    int64_t bytes = 0;
    for (const ArrayVariable& array : m_kernel.arrays)
      if (array.space == ArraySpace::Shared && !array.extents.empty())
        bytes += array.length() * byteSize(array.element);
    return bytes;
  }

  void checkLimits() {
    for (size_t i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      limit("gridDim." + axis, m_launch.grid[i], 1, kLargestGrid[i]);
      limit("blockDim." + axis, m_launch.block[i], 1, kLargestBlock[i]);
    }
    limit("the dynamic shared memory in bytes", m_launch.sharedBytes, 0, kMostSharedBytes);
    if (const int64_t bytes = staticSharedBytes(); bytes > 0 && m_launch.sharedBytes >= 0)
      limit("the shared memory in bytes, with the kernel's own arrays", bytes + m_launch.sharedBytes, 0,
            kMostSharedBytes);
    if (m_launch.findings.empty()) // the product cannot overflow then
      limit("the number of threads of a block", m_launch.block[0] * m_launch.block[1] * m_launch.block[2], 1,
            m_maxThreads);
  }

  Expected<void> parameters() {
    if (!m_contract.aliases.empty())
      return fail(ErrorKind::Rejected, "launch-alias",
                  "arrays of " + m_contract.kernel + " may be one array, by the launch contract",
                  "only 'plumbline gate' reads \"alias\"; describe one of the cases");
    for (int i = 0; i < m_kernel.parameterCount; ++i) {
      const Local& parameter = m_kernel.locals[static_cast<size_t>(i)];
      Expected<void> done = parameter.type.pointer ? bindBuffer(parameter) : bindScalar(parameter);
      if (!done)
        return done;
    }
    return {};
  }

  Expected<void> bindBuffer(const Local& parameter) {
    const BufferContract* buffer = findBuffer(m_contract, parameter.name);
    if (!buffer)
      return fail(ErrorKind::Usage, "launch-unbound",
                  "the launch contract says nothing about the pointer " + parameter.name,
                  "add it under \"buffers\"");
    Expected<int64_t> length = value(*buffer->length);
    if (!length)
      return fail(length.error());
    if (*length < 0)
      finding(FindingKind::LaunchLimit, "the length of " + parameter.name + " is negative", m_contract.where);
    const BufferRole role = startsUnwritten(m_contract, *buffer) ? BufferRole::Output : buffer->role;
    BufferBinding made{*length, buffer->align, role, buffer->zeroInitialised, buffer->tensor, parameter.name};
    if (Expected<void> merged = mergeAlias(parameter, made); !merged)
      return merged;
    m_launch.buffers[parameter.name] = std::move(made);
    return {};
  }

  /// The arrays of a --launch file are disjoint; a wrapper aliases by passing one tensor twice.
  Expected<void> mergeAlias(const Local& parameter, BufferBinding& made) {
    const BufferContract* buffer = findBuffer(m_contract, parameter.name);
    if (sharedMemory(m_contract, *buffer).empty())
      return {};
    for (int i = 0;
         i < m_kernel.parameterCount && m_kernel.locals[static_cast<size_t>(i)].name != parameter.name; ++i) {
      const Local& earlier = m_kernel.locals[static_cast<size_t>(i)];
      auto found = m_launch.buffers.find(earlier.name);
      if (found == m_launch.buffers.end() || found->second.tensor != made.tensor)
        continue;
      if (found->second.length != made.length || earlier.type != parameter.type)
        return fail(ErrorKind::Usage, "launch-alias",
                    parameter.name + " and " + earlier.name +
                        " are one tensor with two lengths or element types",
                    "give both the same description");
      made.sameAs = found->second.sameAs;
      return {};
    }
    return {};
  }

  Expected<void> bindScalar(const Local& parameter) {
    const ScalarContract scalar = scalarFor(m_contract, parameter.name);
    for (const std::string& key : {parameter.name, scalar.wrapperName})
      if (auto given = m_scalars.find(key);
          !key.empty() && given != m_scalars.end() && passedFromOutside(scalar)) {
        m_launch.scalars[parameter.name] = given->second;
        return {};
      }
    if (scalar.kind == ScalarContract::Kind::Integer) {
      Expected<int64_t> integer = value(*scalar.integer);
      if (!integer)
        return fail(integer.error());
      m_launch.scalars[parameter.name] = ScalarValue::integer(*integer);
      checkFits(parameter, *integer);
    } else if (scalar.kind == ScalarContract::Kind::Float) {
      m_launch.scalars[parameter.name] = ScalarValue::floating(scalar.floating, scalar.text);
    } else if (scalar.wrapperDefault) {
      m_launch.scalars[parameter.name] = ScalarValue::floating(*scalar.wrapperDefault);
    } else {
      return fail(ErrorKind::Usage, "scalar-unbound",
                  "the scalar parameter " + parameter.name + " has no value",
                  "give it in the inputs as a tensor of shape []");
    }
    return {};
  }

  static bool passedFromOutside(const ScalarContract& scalar) {
    return scalar.kind == ScalarContract::Kind::Free || scalar.kind == ScalarContract::Kind::WrapperParameter;
  }

  void checkFits(const Local& parameter, int64_t integer) {
    if (!isInteger(parameter.type.scalar))
      return;
    const bool lost = wrapTo(parameter.type.scalar, integer) != integer ||
                      (parameter.type.scalar == ScalarType::U64 && integer < 0);
    if (lost)
      finding(FindingKind::Overflow,
              std::to_string(integer) + " does not fit the parameter " + parameter.name + " of type " +
                  toString(parameter.type),
              parameter.where);
  }

  const LaunchContract& m_contract;
  const Function& m_kernel;
  const std::map<std::string, int64_t>& m_symbols;
  const std::map<std::string, ScalarValue>& m_scalars;
  int64_t m_maxThreads;
  ConcreteLaunch m_launch;
};

/// What the buffer behind `parameter` starts with.
Expected<Buffer<IeeeDomain>> makeBuffer(const std::string& parameter, ScalarType type,
                                        const BufferBinding& binding, const std::vector<uint64_t>* contents) {
  if (contents && static_cast<int64_t>(contents->size()) != binding.length)
    return fail(ErrorKind::Usage, "buffer-length",
                parameter + " has " + std::to_string(contents->size()) +
                    " elements, the launch contract says " + std::to_string(binding.length),
                "give a tensor of that size");
  std::vector<Buffer<IeeeDomain>::Cell> cells(static_cast<size_t>(binding.length));
  if (contents)
    for (size_t i = 0; i < cells.size(); ++i)
      cells[i] = cellFromBits(type, (*contents)[i]);
  Buffer<IeeeDomain> buffer(parameter, type, std::move(cells));
  buffer.setAlignment(std::max<int64_t>(binding.align, byteSize(type)));
  const bool fromEmpty = binding.role == BufferRole::Output && !binding.zeroInitialised;
  buffer.setInitialised(!fromEmpty && (contents || binding.zeroInitialised));
  return buffer;
}

} // namespace

Expected<ConcreteLaunch> bindLaunch(const LaunchContract& contract, const Function& kernel,
                                    const std::map<std::string, int64_t>& symbols,
                                    const std::map<std::string, ScalarValue>& scalars,
                                    int maxThreadsPerBlock) {
  return Binder(contract, kernel, symbols, scalars, maxThreadsPerBlock).run();
}

Buffer<IeeeDomain>::Cell cellFromBits(ScalarType type, uint64_t bits) {
  Buffer<IeeeDomain>::Cell cell;
  if (isAnyFloat(type))
    cell.number = bits;
  else
    cell.integer = wrapTo(type, static_cast<int64_t>(bits));
  return cell;
}

Expected<Memory<IeeeDomain>> makeMemory(const ConcreteLaunch& launch, const Function& kernel,
                                        const BufferContents& contents) {
  Memory<IeeeDomain> memory;
  int64_t elements = 0;
  for (int i = 0; i < kernel.parameterCount; ++i) {
    const Local& parameter = kernel.locals[static_cast<size_t>(i)];
    auto binding = launch.buffers.find(parameter.name);
    if (!parameter.type.pointer || binding == launch.buffers.end())
      continue;
    if (binding->second.sameAs != parameter.name) {
      memory.bind(parameter.name, memory.indexOf(binding->second.sameAs));
      continue;
    }
    elements += std::min(binding->second.length, kMostElements + 1);
    if (binding->second.length < 0 || elements > kMostElements)
      return fail(ErrorKind::Usage, "run-too-large", "the buffers have more than 2^28 elements together",
                  "run with smaller sizes");
    auto given = contents.find(parameter.name);
    Expected<Buffer<IeeeDomain>> buffer = makeBuffer(parameter.name, parameter.type.scalar, binding->second,
                                                     given == contents.end() ? nullptr : &given->second);
    if (!buffer)
      return fail(buffer.error());
    memory.bind(parameter.name, memory.add(std::move(*buffer)));
  }
  return memory;
}

std::vector<uint64_t> bitsOf(const Buffer<IeeeDomain>& buffer) {
  std::vector<uint64_t> bits(static_cast<size_t>(buffer.length()));
  const int width = bitWidth(buffer.type());
  const uint64_t mask = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (int64_t i = 0; i < buffer.length(); ++i) {
    const auto cell = buffer.read(i);
    bits[static_cast<size_t>(i)] =
        isAnyFloat(buffer.type()) ? cell.number : static_cast<uint64_t>(cell.integer) & mask;
  }
  return bits;
}

} // namespace plumbline::ir
