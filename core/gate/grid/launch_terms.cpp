#include "core/gate/grid/launch_terms.h"

#include "core/gate/bind.h"
#include "core/ir/integer_ops.h"

#include <algorithm>

namespace plumbline::gate::grid {

using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

// CUDA's limits for every architecture since compute capability 3.0; more shared memory needs an opt-in.
constexpr int64_t mostThreads = 1024;
constexpr std::array<int64_t, 3> largestBlock = {1024, 1024, 64};
constexpr std::array<int64_t, 3> largestGrid = {INT32_MAX, 65535, 65535};
constexpr int64_t mostSharedBytes = 49152;

class Builder {
public:
  Builder(TermStore& store, SymbolTable& symbols, ArithmeticProver& prover,
          const ir::LaunchContract& contract, const ir::Function& kernel, int maxThreads)
      : m_store(store), m_symbols(symbols), m_prover(prover), m_contract(contract), m_kernel(kernel),
        m_maxThreads(maxThreads > 0 ? maxThreads : mostThreads) {}

  Expected<LaunchTerms> run() {
    sizes();
    tensorShapes();
    for (Expected<void> (Builder::*step)() :
         {&Builder::facts, &Builder::extents, &Builder::lengths, &Builder::scalars, &Builder::checks})
      if (Expected<void> done = (this->*step)(); !done)
        return fail(done.error());
    limits();
    coordinates();
    return std::move(m_terms);
  }

private:
  /// Tensor sizes without a bound of their own get the default range.
  void sizes() {
    for (const ir::SizeSymbol& symbol : m_contract.symbols) {
      vc::Bounds range{symbol.low, symbol.high};
      const bool isSize = symbol.name.ends_with(".numel") || symbol.name.find(".size.") != std::string::npos;
      if (symbol.name.ends_with(".dim"))
        range = {std::max<int64_t>(symbol.low, 0), std::min<int64_t>(symbol.high, 64)};
      else if (!symbol.tensor.empty() && isSize)
        range = {std::max<int64_t>(symbol.low, 1), std::min(symbol.high, largestNumel)};
      m_symbols.make(Sort::Int, symbol.name, Level::Grid, outside, range);
      m_prover.bound(symbol.name, range);
      m_known.insert(symbol.name);
    }
    if (std::any_of(m_contract.symbols.begin(), m_contract.symbols.end(),
                    [](const ir::SizeSymbol& each) { return !each.tensor.empty(); }))
      m_terms.hypotheses.push_back("every dimension of a given tensor >= 1, its numel <= 2^30");
    if (!m_contract.wrapper.empty())
      m_terms.hypotheses.push_back("tensors have the element types that the kernel's pointers have");
  }

  /// The number of elements of a tensor is the product of its sizes, of which some may have no name.
  void tensorShapes() {
    std::map<std::string, std::vector<std::string>> dimensions;
    for (const std::string& name : m_known)
      if (const size_t at = name.find(".size."); at != std::string::npos)
        dimensions[name.substr(0, at)].push_back(name);
    for (const auto& [tensor, names] : dimensions) {
      if (!m_known.contains(tensor + ".numel"))
        continue;
      TermId product = m_store.integer(1);
      for (const std::string& name : names)
        product = m_store.imul(product, m_store.var(Sort::Int, name));
      const std::string restName = tensor + ".other-sizes";
      const TermId rest = m_symbols.make(Sort::Int, restName, Level::Grid, outside, {1, largestNumel});
      m_prover.bound(restName, {1, largestNumel});
      m_prover.assume(m_store.ieq(m_store.var(Sort::Int, tensor + ".numel"), m_store.imul(product, rest)));
      m_rest[tensor] = {rest, static_cast<int64_t>(names.size())};
    }
  }

  Expected<TermId> term(const ir::SizeExpr& expr) {
    return sizeExprTerm(m_store, expr, [this](const std::string& name) -> std::optional<TermId> {
      return m_known.contains(name) ? std::optional(m_store.var(Sort::Int, name)) : std::nullopt;
    });
  }

  Expected<void> facts() {
    for (const ir::HostFact& fact : m_contract.facts) {
      if (!fact.condition) {
        m_terms.hypotheses.push_back(fact.text);
        continue;
      }
      Expected<TermId> condition = term(*fact.condition);
      if (!condition)
        return fail(condition.error());
      TermId relies = m_store.boolean(true);
      for (const ir::HostCheck& check : fact.reliesOn) {
        Expected<TermId> value = term(*check.value);
        if (!value)
          return fail(value.error());
        relies = m_store.land(relies, inRange(*value, check.low, check.high));
      }
      m_prover.assume(m_store.lor(m_store.lnot(relies), *condition));
      m_terms.hypotheses.push_back(fact.text);
    }
    for (const auto& [tensor, rest] : m_rest)
      if (m_known.contains(tensor + ".dim")) {
        const TermId dim = m_store.var(Sort::Int, tensor + ".dim");
        const TermId all = m_store.ieq(dim, m_store.integer(rest.second));
        m_prover.assume(m_store.lor(m_store.lnot(all), m_store.ieq(rest.first, m_store.integer(1))));
      }
    return {};
  }

  TermId inRange(TermId value, int64_t low, int64_t high) {
    return m_store.land(m_store.ile(m_store.integer(low), value), m_store.ile(value, m_store.integer(high)));
  }

  /// A constant or a size as it is, anything else under a name of its own.
  Expected<TermId> extent(const ir::SizeExprPtr& expr, const std::string& name, int64_t most) {
    if (!expr)
      return m_store.integer(1);
    Expected<TermId> value = term(*expr);
    if (!value)
      return fail(value.error());
    // The default size range keeps the second and third extent of a wrapper's grid legal.
    const bool assumed = !m_contract.wrapper.empty() && (name == "gridDim.y" || name == "gridDim.z");
    if (assumed) {
      m_prover.assume(m_store.ile(*value, m_store.integer(most)));
      if (!m_store.intValue(*value))
        m_terms.hypotheses.push_back(name + " <= " + std::to_string(most));
    }
    require("illegal-launch", inRange(*value, 1, most), m_contract.where,
            name + " must lie in [1, " + std::to_string(most) + "]");
    if (m_store.intValue(*value) || m_store[*value].op == logic::Op::Var) {
      m_terms.legal.push_back(inRange(*value, 1, most));
      return *value;
    }
    const TermId variable = m_symbols.make(Sort::Int, name, Level::Grid, outside, {1, most});
    m_terms.legalBounds[name] = {1, most};
    m_terms.legal.push_back(m_store.ieq(variable, *value));
    return variable;
  }

  void require(std::string kind, TermId holds, const SourceRange& where, std::string message,
               const ir::HostCheck* check = nullptr) {
    if (m_store.boolValue(holds) != true)
      m_terms.requirements.push_back({std::move(kind), holds, where, std::move(message),
                                      check ? check->order : 0, check != nullptr && check->traps});
  }

  Expected<void> extents() {
    for (size_t i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      Expected<TermId> block = extent(m_contract.block[i], "blockDim." + axis, largestBlock[i]);
      Expected<TermId> grid = extent(m_contract.grid[i], "gridDim." + axis, largestGrid[i]);
      if (!block || !grid)
        return fail(block ? grid.error() : block.error());
      m_terms.launch.blockDim[i] = *block;
      m_terms.launch.gridDim[i] = *grid;
    }
    m_terms.launch.sharedBytes = m_store.integer(0);
    if (!m_contract.sharedBytes)
      return {};
    Expected<TermId> bytes = term(*m_contract.sharedBytes);
    if (!bytes)
      return fail(bytes.error());
    m_terms.launch.sharedBytes = *bytes;
    return {};
  }

  Expected<void> lengths() {
    for (const ir::BufferContract& buffer : m_contract.buffers) {
      Expected<TermId> length = term(*buffer.length);
      if (!length)
        return fail(length.error());
      require("illegal-launch", m_store.ile(m_store.integer(0), *length), m_contract.where,
              "the length of " + buffer.parameter + " is not negative");
      m_terms.legal.push_back(m_store.ile(m_store.integer(0), *length));
      m_terms.launch.lengths[buffer.parameter] = *length;
    }
    return {};
  }

  Expected<void> scalars() {
    for (int i = 0; i < m_kernel.parameterCount; ++i) {
      const ir::Local& parameter = m_kernel.locals[static_cast<size_t>(i)];
      if (parameter.type.pointer || !ir::isInteger(parameter.type.scalar))
        continue;
      const ir::ScalarContract scalar = ir::scalarFor(m_contract, parameter.name);
      if (scalar.kind != ir::ScalarContract::Kind::Integer)
        continue;
      Expected<TermId> value = term(*scalar.integer);
      if (!value)
        return fail(value.error());
      const TermId fits =
          inRange(*value, ir::lowestValue(parameter.type.scalar), ir::highestValue(parameter.type.scalar));
      require("overflow", fits, parameter.where, "the value fits the parameter " + parameter.name);
      m_terms.legal.push_back(fits);
      m_terms.launch.scalars[parameter.name] = *value;
    }
    return {};
  }

  Expected<void> checks() {
    for (const ir::HostCheck& check : m_contract.checks) {
      Expected<TermId> value = term(*check.value);
      if (!value)
        return fail(value.error());
      const TermId fits = inRange(*value, check.low, check.high);
      if (check.kind == ir::HostCheck::Kind::Divisor)
        require("division-by-zero", m_store.lnot(m_store.ieq(*value, m_store.integer(0))), check.where,
                check.what + " is not zero", &check);
      require(check.kind == ir::HostCheck::Kind::Exact ? "overflow" : "", fits, check.where,
              check.what + " fits", check.kind == ir::HostCheck::Kind::Exact ? &check : nullptr);
    }
    return {};
  }

  void limits() {
    const auto& block = m_terms.launch.blockDim;
    const TermId threads = m_store.imul(block[0], m_store.imul(block[1], block[2]));
    require("illegal-launch", m_store.ile(threads, m_store.integer(m_maxThreads)), m_contract.where,
            "a block may have at most " + std::to_string(m_maxThreads) + " threads");
    m_terms.legal.push_back(m_store.ile(threads, m_store.integer(m_maxThreads)));
    TermId bytes = m_terms.launch.sharedBytes;
    for (const ir::ArrayVariable& array : m_kernel.arrays)
      if (array.space == ir::ArraySpace::Shared && array.length() >= 0)
        bytes = m_store.iadd(bytes, m_store.integer(array.length() * ir::byteSize(array.element)));
    require("illegal-launch", inRange(bytes, 0, mostSharedBytes), m_contract.where,
            "a block may have at most " + std::to_string(mostSharedBytes) + " bytes of shared memory");
  }

  void coordinates() {
    for (size_t i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      coordinate("threadIdx." + axis, m_terms.launch.blockDim[i], largestBlock[i], Level::Thread);
      coordinate("blockIdx." + axis, m_terms.launch.gridDim[i], largestGrid[i], Level::Block);
    }
  }

  void coordinate(const std::string& name, TermId extent, int64_t most, Level level) {
    const vc::Bounds range{0, m_store.intValue(extent).value_or(most) - 1};
    const TermId variable = m_symbols.make(Sort::Int, name, level, outside, range);
    m_terms.legalBounds[name] = range;
    m_terms.legalBounds[SymbolTable::secondName(name)] = range;
    m_symbols.addFact(variable, m_store.ilt(variable, extent));
  }

  TermStore& m_store;
  SymbolTable& m_symbols;
  ArithmeticProver& m_prover;
  const ir::LaunchContract& m_contract;
  const ir::Function& m_kernel;
  int64_t m_maxThreads;
  std::set<std::string> m_known;
  std::map<std::string, std::pair<TermId, int64_t>> m_rest;
  LaunchTerms m_terms;
};

} // namespace

void assumeLegal(ArithmeticProver& prover, const LaunchTerms& terms) {
  for (const auto& [name, range] : terms.legalBounds)
    prover.bound(name, range);
  for (logic::TermId fact : terms.legal)
    prover.assume(fact);
}

Expected<LaunchTerms> launchTerms(TermStore& store, SymbolTable& symbols, ArithmeticProver& prover,
                                  const ir::LaunchContract& contract, const ir::Function& kernel,
                                  int maxThreadsPerBlock) {
  return Builder(store, symbols, prover, contract, kernel, maxThreadsPerBlock).run();
}

} // namespace plumbline::gate::grid
