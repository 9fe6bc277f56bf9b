#include "core/gate/concrete_run.h"

#include <algorithm>
#include <set>

namespace plumbline::gate {

using logic::Sort;
using logic::TermId;
using logic::TermStore;

std::unordered_map<TermId, TermId> sizeReplacement(TermStore& store, const Problem& problem,
                                                   const Sizes& sizes) {
  std::unordered_map<TermId, TermId> replacement;
  for (const auto& [name, value] : sizes)
    replacement.emplace(store.var(Sort::Int, name), store.integer(value));
  for (TermId definition : problem.definitions) {
    const TermId variable = store[definition].args[0];
    const TermId product = store[definition].args[1];
    replacement.emplace(variable, store.substitute(product, replacement));
  }
  return replacement;
}

namespace {

/// Values of the scalar parameters that the contract itself does not fix.
std::map<std::string, ir::ScalarValue> scalarValues(TermStore& store, const Problem& problem,
                                                    const Sizes& sizes) {
  std::map<std::string, ir::ScalarValue> result;
  for (const ir::ScalarContract& scalar : problem.contract.scalars) {
    const auto bound = problem.parameters.find(scalar.parameter);
    if (bound == problem.parameters.end())
      continue;
    const logic::Term term = store[bound->second.scalar];
    ir::ScalarValue value;
    if (term.op == logic::Op::FloatConst) {
      value = {term.sort == Sort::F32 ? ir::ScalarType::F32 : ir::ScalarType::F64, term.payload,
               store.symbolText(term.symbol)};
    } else if (const auto integer = evaluateAt(store, problem, bound->second.scalar, sizes)) {
      value = ir::ScalarValue::integer(*integer);
    }
    result[scalar.parameter] = value;
    if (!scalar.wrapperName.empty())
      result[scalar.wrapperName] = value;
  }
  return result;
}

template <class D> Expected<ir::Interpreter<D>> interpreterOf(const Problem& problem) {
  return ir::Interpreter<D>::make(*problem.module, problem.kernel->function);
}

const ir::Function& functionOf(const Problem& problem) {
  return problem.module->functions[static_cast<size_t>(problem.kernel->function)];
}

/// Every buffer once, sparse, with the given initial content; bound to all its parameters.
template <class D>
ir::Memory<D>
sparseMemory(const Problem& problem, const ir::ConcreteLaunch& launch,
             const std::function<typename ir::Buffer<D>::Content(const std::string&)>& contentOf) {
  ir::Memory<D> memory;
  std::map<std::string, int> made;
  for (const auto& [parameter, binding] : launch.buffers) {
    const std::string& tensor = problem.parameters.at(parameter).buffer;
    if (!made.contains(tensor)) {
      ir::Buffer<D> buffer(tensor, ir::ScalarType::F32, binding.length, contentOf(tensor));
      buffer.setInitialised(problem.parameters.at(parameter).initialReadable);
      made[tensor] = memory.add(std::move(buffer));
    }
    memory.bind(parameter, made[tensor]);
  }
  return memory;
}

} // namespace

std::optional<int64_t> evaluateAt(TermStore& store, const Problem& problem, TermId term, const Sizes& sizes) {
  const TermId value = store.substitute(term, sizeReplacement(store, problem, sizes));
  if (const auto truth = store.boolValue(value))
    return *truth ? 1 : 0;
  return store.intValue(value);
}

bool admissible(TermStore& store, const Problem& problem, const Sizes& sizes) {
  return std::all_of(problem.hypotheses.begin(), problem.hypotheses.end(), [&](const Hypothesis& known) {
    return !known.condition || evaluateAt(store, problem, *known.condition, sizes) == 1;
  });
}

namespace {

/// Numbers that the hypotheses mention, and their neighbours: sizes that satisfy them are often there.
std::vector<int64_t> hypothesisConstants(TermStore& store, const Problem& problem) {
  std::set<int64_t> values;
  for (const Hypothesis& known : problem.hypotheses) {
    if (!known.condition || known.origin == "default size range")
      continue;
    for (TermId id : store.postOrder(*known.condition))
      if (const auto value = store.intValue(id); value && *value > 0 && *value < (1 << 20))
        values.insert({*value - 1, *value, *value + 1});
  }
  values.erase(0);
  return {values.begin(), values.end()};
}

} // namespace

std::vector<Sizes> smallSizes(TermStore& store, const Problem& problem, size_t limit, int64_t largestNumel) {
  static constexpr int64_t interesting[] = {1,    2,    3,    4,    5,    6,    7,    8,   9,    15,
                                            16,   17,   31,   32,   33,   63,   64,   65,  100,  127,
                                            128,  129,  255,  256,  257,  511,  512,  513, 1000, 1023,
                                            1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097};
  static constexpr int64_t outer[] = {1, 2, 3, 5, 17};
  std::vector<Sizes> result;
  std::vector<int64_t> lasts(std::begin(interesting), std::end(interesting));
  std::vector<int64_t> others(std::begin(outer), std::end(outer));
  for (int64_t constant : hypothesisConstants(store, problem)) {
    lasts.push_back(constant);
    others.push_back(constant);
  }
  if (problem.sizeVariables.empty()) {
    result.push_back({});
    return result;
  }
  auto consider = [&](const Sizes& sizes) {
    if (result.size() < limit && admissible(store, problem, sizes))
      result.push_back(sizes);
  };
  const size_t count = problem.sizeVariables.size();
  for (int64_t other : others)
    for (int64_t last : lasts) {
      if (count == 1 && other != others[0])
        break;
      for (size_t position = count; position-- > 0;) {
        int64_t product = 1;
        Sizes sizes;
        for (size_t i = 0; i < count; ++i) {
          const int64_t value = i == position ? last : other;
          const vc::Bounds bounds = problem.bounds.contains(problem.sizeVariables[i])
                                        ? problem.bounds.at(problem.sizeVariables[i])
                                        : vc::Bounds{};
          sizes[problem.sizeVariables[i]] = std::max(value, bounds.low.value_or(value));
          product = std::min(product, largestNumel) * sizes[problem.sizeVariables[i]];
        }
        if (product <= largestNumel && std::find(result.begin(), result.end(), sizes) == result.end())
          consider(sizes);
      }
    }
  return result;
}

Expected<ir::ConcreteLaunch> launchAt(TermStore& store, const Problem& problem, const Sizes& sizes) {
  std::map<std::string, int64_t> symbols;
  for (const auto& [name, term] : problem.contractSymbols) {
    const auto value = evaluateAt(store, problem, term, sizes);
    if (!value)
      return fail(ErrorKind::Internal, "size-unbound", "the size '" + name + "' has no value at these sizes");
    symbols[name] = *value;
  }
  return ir::bindLaunch(problem.contract, functionOf(problem), symbols, scalarValues(store, problem, sizes),
                        problem.kernel->maxThreadsPerBlock);
}

Expected<GridRun> runGrid(TermStore& store, const Problem& problem, const Sizes& sizes,
                          const TensorBits& inputs, const StopToken& stop) {
  Expected<ir::ConcreteLaunch> launch = launchAt(store, problem, sizes);
  if (!launch)
    return fail(launch.error());
  GridRun run;
  run.launch = *launch;
  if (!launch->findings.empty()) {
    run.result.findings = launch->findings;
    return run;
  }
  const auto interpreter = interpreterOf<ir::IeeeDomain>(problem);
  if (!interpreter)
    return fail(interpreter.error());
  auto contentOf = [&](const std::string& tensor) -> ir::Buffer<ir::IeeeDomain>::Content {
    const auto found = inputs.find(tensor);
    const std::vector<uint64_t> bits = found != inputs.end() ? found->second : std::vector<uint64_t>();
    return [bits](int64_t index) {
      return ir::Buffer<ir::IeeeDomain>::Cell{
          static_cast<size_t>(index) < bits.size() ? bits[static_cast<size_t>(index)] : 0, 0};
    };
  };
  ir::Memory<ir::IeeeDomain> memory = sparseMemory<ir::IeeeDomain>(problem, *launch, contentOf);
  ir::RunOptions<ir::IeeeDomain> options;
  options.stop = stop;
  auto result = interpreter->run(*launch, memory, options);
  if (!result)
    return fail(result.error());
  run.result = *std::move(result);
  for (size_t i = 0; i < memory.size(); ++i) {
    const auto& buffer = memory[static_cast<int>(i)];
    std::vector<uint64_t>& bits = run.buffers[buffer.name()];
    for (int64_t index = 0; index < buffer.length(); ++index)
      bits.push_back(buffer.read(index).number);
  }
  return run;
}

Expected<ir::RunResult> runThreads(TermStore& store, const Problem& problem, const Sizes& sizes,
                                   const std::vector<ir::ThreadId>& threads, const StopToken& stop) {
  Expected<ir::ConcreteLaunch> launch = launchAt(store, problem, sizes);
  if (!launch)
    return fail(launch.error());
  const auto interpreter = interpreterOf<ir::IeeeDomain>(problem);
  if (!interpreter)
    return fail(interpreter.error());
  auto zero = [](const std::string&) -> ir::Buffer<ir::IeeeDomain>::Content {
    return [](int64_t) { return ir::Buffer<ir::IeeeDomain>::Cell{}; };
  };
  ir::Memory<ir::IeeeDomain> memory = sparseMemory<ir::IeeeDomain>(problem, *launch, zero);
  ir::RunOptions<ir::IeeeDomain> options;
  options.stop = stop;
  return interpreter->runThreads(*launch, memory, threads, options);
}

Expected<RealGridRun> runGridReal(TermStore& store, const Problem& problem, const Sizes& sizes,
                                  const std::map<std::string, std::vector<f32::Rational>>& inputs,
                                  const StopToken& stop) {
  Expected<ir::ConcreteLaunch> launch = launchAt(store, problem, sizes);
  if (!launch)
    return fail(launch.error());
  const auto interpreter = interpreterOf<ir::RealDomain>(problem);
  if (!interpreter)
    return fail(interpreter.error());
  auto contentOf = [&](const std::string& tensor) -> ir::Buffer<ir::RealDomain>::Content {
    const auto found = inputs.find(tensor);
    const std::vector<f32::Rational> values =
        found != inputs.end() ? found->second : std::vector<f32::Rational>();
    return [values](int64_t index) {
      ir::Buffer<ir::RealDomain>::Cell cell;
      if (static_cast<size_t>(index) < values.size())
        cell.number.value = values[static_cast<size_t>(index)];
      return cell;
    };
  };
  ir::Memory<ir::RealDomain> memory = sparseMemory<ir::RealDomain>(problem, *launch, contentOf);
  ir::RunOptions<ir::RealDomain> options;
  options.stop = stop;
  auto result = interpreter->run(*launch, memory, options);
  if (!result)
    return fail(result.error());
  RealGridRun run;
  run.result = *std::move(result);
  for (size_t i = 0; i < memory.size(); ++i) {
    const auto& buffer = memory[static_cast<int>(i)];
    for (int64_t index = 0; index < buffer.length(); ++index)
      run.buffers[buffer.name()].push_back(buffer.read(index).number);
  }
  return run;
}

} // namespace plumbline::gate
