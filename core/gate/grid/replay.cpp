#include "core/gate/grid/replay.h"

#include "core/gate/grid/launch_terms.h"

#include <algorithm>
#include <bit>

namespace plumbline::gate::grid {

using ir::IeeeDomain;
using ir::ScalarType;

namespace {

constexpr int64_t mostThreads = 1 << 16;  ///< of a grid that is run as a whole
constexpr int64_t mostElements = 1 << 20; ///< of buffers that are stored
constexpr uint64_t mostSteps = 20'000'000;
constexpr int64_t largestMade = int64_t{1} << 36; ///< elements of a tensor that a wrapper makes
constexpr uint64_t probeSteps = 200'000;

uint64_t floatBits(ScalarType type, double value) {
  if (type == ScalarType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

int64_t product(const std::array<int64_t, 3>& extents) {
  int64_t result = 1;
  for (int64_t each : extents)
    result = result > mostThreads ? result : result * std::min(each, mostThreads + 1);
  return result;
}

} // namespace

std::map<std::string, ir::ScalarValue> Replay::scalarsFor(const std::map<std::string, int64_t>& sizes) const {
  std::map<std::string, ir::ScalarValue> scalars;
  for (int i = 0; i < function().parameterCount; ++i) {
    const ir::Local& parameter = function().locals[static_cast<size_t>(i)];
    if (parameter.type.pointer)
      continue;
    const auto given = std::find_if(sizes.begin(), sizes.end(), [&](const auto& each) {
      return each.first.starts_with(parameter.name + "#");
    });
    if (ir::isFloat(parameter.type.scalar)) {
      ir::ScalarValue value;
      value.type = parameter.type.scalar;
      value.bits = floatBits(parameter.type.scalar, 1.5);
      scalars[parameter.name] = value;
    } else if (ir::isSixteenBitFloat(parameter.type.scalar)) {
      scalars[parameter.name] = {parameter.type.scalar, 0x3C00, {}};
    } else {
      scalars[parameter.name] = ir::ScalarValue::integer(given == sizes.end() ? 1 : given->second);
    }
  }
  return scalars;
}

std::optional<SourceRange> Replay::undecidedFact(const std::map<std::string, int64_t>& symbols) const {
  const auto known = [&](const std::string& name) -> std::optional<int64_t> {
    const auto found = symbols.find(name);
    return found == symbols.end() ? std::nullopt : std::optional(found->second);
  };
  for (const ir::HostFact& fact : m_contract.facts)
    for (const ir::HostCheck& check : fact.reliesOn) {
      const Expected<int64_t> value = ir::evaluate(*check.value, known);
      if (fact.condition && !(value && *value >= check.low && *value <= check.high))
        return check.where;
    }
  return std::nullopt;
}

/// What is assumed of tensors without being said: their dimensions are at least 1, they have at most 2^30
/// elements, and their number is the product of the sizes, of which some may have no name.
bool Replay::inDefaultRange(const std::map<std::string, int64_t>& symbols) const {
  std::map<std::string, std::pair<__int128, int64_t>> products; // by tensor: product and number of sizes
  for (const ir::SizeSymbol& symbol : m_contract.symbols) {
    const bool isNumel = symbol.name.ends_with(".numel");
    const size_t at = symbol.name.find(".size.");
    if (symbol.tensor.empty() || (!isNumel && at == std::string::npos))
      continue;
    const int64_t value = symbols.at(symbol.name);
    if (value < 1 || value > largestNumel)
      return false;
    if (isNumel)
      continue;
    auto& [product, count] = products.emplace(symbol.name.substr(0, at), std::pair{1, 0}).first->second;
    product = std::min<__int128>(product * value, __int128{1} << 60);
    ++count;
  }
  return std::ranges::all_of(products, [&](const auto& entry) {
    const auto& [product, count] = entry.second;
    const auto numel = symbols.find(entry.first + ".numel");
    const auto dim = symbols.find(entry.first + ".dim");
    if (numel == symbols.end())
      return product <= largestNumel;
    const bool whole = dim != symbols.end() && dim->second == count;
    return numel->second % product == 0 && (!whole || numel->second == product);
  });
}

std::optional<ir::ConcreteLaunch> Replay::launch(const std::map<std::string, int64_t>& sizes) const {
  if (m_context != nullptr)
    return m_context->launch(sizes);
  std::map<std::string, int64_t> symbols;
  for (const ir::SizeSymbol& symbol : m_contract.symbols) {
    const auto given = sizes.find(symbol.name);
    symbols[symbol.name] =
        given != sizes.end() ? given->second : std::clamp<int64_t>(1, symbol.low, symbol.high);
  }
  if (!inDefaultRange(symbols))
    return std::nullopt;
  Expected<ir::ConcreteLaunch> bound =
      ir::bindLaunch(m_contract, function(), symbols, scalarsFor(sizes), m_kernel.maxThreadsPerBlock);
  // torch raises an error for a tensor that no memory holds.
  if (!bound || std::ranges::any_of(bound->buffers,
                                    [](const auto& entry) { return entry.second.length > largestMade; }))
    return std::nullopt;
  // Where the host's arithmetic goes wrong inside a check, whether the launch is reached is not known; that
  // it goes wrong there is a fault of its own.
  if (const std::optional<SourceRange> at = undecidedFact(symbols)) {
    std::erase_if(bound->findings, [&](const ir::RunFinding& finding) { return finding.where != *at; });
    if (bound->findings.empty())
      return std::nullopt;
  }
  return *std::move(bound);
}

ir::Memory<IeeeDomain> Replay::memoryFor(const ir::ConcreteLaunch& launch, const FixedElements& elements,
                                         Contents contents, bool dense) const {
  ir::Memory<IeeeDomain> memory;
  for (int i = 0; i < function().parameterCount; ++i) {
    const ir::Local& parameter = function().locals[static_cast<size_t>(i)];
    const auto binding = launch.buffers.find(parameter.name);
    if (!parameter.type.pointer || binding == launch.buffers.end())
      continue;
    const ir::BufferBinding& buffer = binding->second;
    if (buffer.sameAs != parameter.name) {
      memory.bind(parameter.name, memory.indexOf(buffer.sameAs));
      continue;
    }
    const ScalarType type = parameter.type.scalar;
    const auto fixed = elements.find(parameter.name);
    const bool zeroed = buffer.zeroInitialised;
    const auto content = [type, seed = static_cast<uint64_t>(i) + 1, zeroed, contents,
                          given = fixed != elements.end() ? fixed->second
                                                          : std::map<int64_t, int64_t>()](int64_t index) {
      const auto known = given.find(index);
      if (known != given.end())
        return ir::cellFromBits(type, static_cast<uint64_t>(known->second));
      return initialCell(type, zeroed ? Contents::Zeros : contents, seed, index);
    };
    std::optional<ir::Buffer<IeeeDomain>> made;
    if (dense) {
      std::vector<ir::Buffer<IeeeDomain>::Cell> cells(static_cast<size_t>(buffer.length));
      for (size_t k = 0; k < cells.size(); ++k)
        cells[k] = content(static_cast<int64_t>(k));
      made.emplace(parameter.name, type, std::move(cells));
    } else {
      made.emplace(parameter.name, type, buffer.length, content);
    }
    made->setAlignment(std::max<int64_t>(buffer.align, ir::byteSize(type)));
    made->setInitialised(buffer.role != ir::BufferRole::Output || buffer.zeroInitialised);
    memory.bind(parameter.name, memory.add(std::move(*made)));
  }
  return memory;
}

std::optional<ReplayRun> Replay::run(const std::map<std::string, int64_t>& sizes,
                                     const FixedElements& elements, const std::vector<ir::ThreadId>& threads,
                                     Contents contents, const ir::Schedule& schedule) const {
  const std::optional<ir::ConcreteLaunch> bound = launch(sizes);
  if (!bound)
    return std::nullopt;
  return runBound(*bound, elements, threads, contents, schedule, Extent::WholeIfSmall);
}

std::optional<ReplayRun> Replay::probe(const std::map<std::string, int64_t>& sizes,
                                       const std::vector<ir::ThreadId>& threads) const {
  const std::optional<ir::ConcreteLaunch> bound = launch(sizes);
  return bound ? runBound(*bound, {}, threads, Contents::Small, {}, Extent::ThreadsBriefly) : std::nullopt;
}

std::optional<ReplayRun> Replay::runBound(const ir::ConcreteLaunch& bound, const FixedElements& elements,
                                          const std::vector<ir::ThreadId>& threads, Contents contents,
                                          const ir::Schedule& schedule, Extent extent) const {
  ReplayRun run{bound.symbols, bound.findings};
  if (!run.findings.empty())
    return run;
  int64_t stored = 0;
  for (const auto& [parameter, buffer] : bound.buffers)
    stored += std::min(buffer.length, mostElements + 1);
  const bool whole = extent == Extent::WholeIfSmall && stored <= mostElements &&
                     product(bound.grid) * product(bound.block) <= mostThreads;
  if (!whole && threads.empty())
    return std::nullopt;
  const auto interpreter = ir::Interpreter<IeeeDomain>::make(m_module, m_kernel.function);
  if (!interpreter)
    return std::nullopt;
  ir::Memory<IeeeDomain> memory = memoryFor(bound, elements, contents, whole);
  ir::RunOptions<IeeeDomain> options;
  options.schedule = schedule;
  options.stepLimit = extent == Extent::WholeIfSmall ? mostSteps : probeSteps;
  options.stop = m_stop;
  options.exitedThreadsOk = m_exitedThreadsOk;
  Expected<ir::RunResult> result = whole ? interpreter->run(bound, memory, options)
                                         : interpreter->runThreads(bound, memory, threads, options);
  if (!result)
    return std::nullopt;
  run.findings = result->findings;
  return run;
}

std::vector<std::map<std::string, int64_t>> Replay::edgeSizes(size_t most) const {
  std::vector<std::map<std::string, int64_t>> result;
  if (m_context != nullptr)
    return result;
  std::vector<std::string> names;
  for (const ir::SizeSymbol& symbol : m_contract.symbols)
    if (!symbol.name.ends_with(".numel") && !symbol.name.ends_with(".dim") &&
        !symbol.name.ends_with(".defined"))
      names.push_back(symbol.name);
  const auto attempt = [&](int64_t value, const std::string& first, const std::string& second) {
    std::map<std::string, int64_t> sizes;
    for (const ir::SizeSymbol& symbol : m_contract.symbols)
      sizes[symbol.name] = std::clamp<int64_t>(symbol.name == first || symbol.name == second ? value : 1,
                                               symbol.low, symbol.high);
    consistent(sizes);
    if (result.size() < most && std::ranges::find(result, sizes) == result.end() && launch(sizes))
      result.push_back(std::move(sizes));
  };
  for (const ir::SizeSymbol& symbol : m_contract.symbols)
    if (symbol.name.find('.') == std::string::npos) // an argument of the wrapper
      for (const int64_t value : {int64_t{0}, int64_t{-1}, symbol.low, symbol.high})
        attempt(value, symbol.name, symbol.name);
  // 46341 is the least number whose square leaves 32 bits; a tensor has at most 2^30 elements.
  for (const std::string& name : names)
    for (const int64_t value : {int64_t{46400}, int64_t{1} << 30})
      attempt(value, name, name);
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      for (const int64_t value : {46400, 32767})
        attempt(value, names[i], names[j]);
  return result;
}

std::vector<std::map<std::string, int64_t>> Replay::smallSizes(size_t most) const {
  if (m_context != nullptr)
    return m_context->smallSizes(most);
  static constexpr std::array<int64_t, 28> interesting = {1,   2,   3,   4,   5,   6,   7,   8,  10, 15,
                                                          16,  17,  31,  32,  33,  48,  63,  64, 65, 100,
                                                          127, 128, 129, 255, 256, 257, 300, 513};
  std::vector<std::map<std::string, int64_t>> result;
  const size_t count = m_contract.symbols.size();
  const size_t tries = count == 0 ? 1 : (count == 1 ? interesting.size() : 40 * interesting.size());
  for (size_t attempt = 0; attempt < tries && result.size() < most; ++attempt) {
    std::map<std::string, int64_t> sizes;
    for (size_t i = 0; i < count; ++i) {
      const ir::SizeSymbol& symbol = m_contract.symbols[i];
      // The first tries are the diagonal, then mixtures.
      const size_t pick = attempt < interesting.size()
                              ? attempt
                              : static_cast<size_t>(mixed(attempt, i) % interesting.size());
      int64_t value = interesting[pick];
      if (symbol.name.ends_with(".defined") && attempt % 2 == 0)
        value = 0;
      if (symbol.name.ends_with(".dim"))
        value = static_cast<int64_t>(attempt % 5);
      if (symbol.low > 0 && attempt % 2 == 0 && value < symbol.low)
        value = symbol.low + value - 1;
      sizes[symbol.name] = std::clamp(value, symbol.low, symbol.high);
    }
    consistent(sizes);
    if (std::find(result.begin(), result.end(), sizes) == result.end() && launch(sizes))
      result.push_back(std::move(sizes));
  }
  return result;
}

/// The number of elements of a tensor is the product of its sizes.
void Replay::consistent(std::map<std::string, int64_t>& sizes) const {
  std::map<std::string, int64_t> products;
  for (const auto& [name, value] : sizes)
    if (const size_t at = name.find(".size."); at != std::string::npos) {
      int64_t& product = products.emplace(name.substr(0, at), 1).first->second;
      product *= std::min<int64_t>(value, int64_t{1} << 30);
      product = std::min<int64_t>(product, int64_t{1} << 31);
    }
  for (const auto& [tensor, product] : products)
    if (const auto numel = sizes.find(tensor + ".numel"); numel != sizes.end())
      numel->second = product;
}

} // namespace plumbline::gate::grid
