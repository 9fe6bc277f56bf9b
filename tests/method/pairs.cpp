#include "tests/method/pairs.h"

#include "core/velvet/names.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

namespace plumbline::method_test {

namespace fs = std::filesystem;

namespace {

const fs::path root = PLUMBLINE_SOURCE_DIR;

void addSamples(std::vector<Pair>& pairs) {
  for (const auto& entry : fs::directory_iterator(root / "resources" / "samples")) {
    if (!entry.is_directory())
      continue;
    Pair pair{entry.path().filename().string(),
              (entry.path() / "graph.json").string(),
              (entry.path() / "kernel.cu").string(),
              true,
              {}};
    const auto expected = parseJson(readFile(entry.path() / "expect.json").value_or(""), "expect.json");
    if (expected && expected->contains("ieee"))
      pair.ieee = expected->at("ieee").at("relation").get<std::string>();
    pairs.push_back(std::move(pair));
  }
}

/// "// key: value" on top of a case.
std::string expectation(const fs::path& path, const std::string& key) {
  std::istringstream lines(readFile(path.string()).value_or(""));
  for (std::string line; std::getline(lines, line) && line.starts_with("// ");)
    if (line.starts_with("// " + key + ": "))
      return line.substr(5 + key.size());
  return {};
}

void addCases(std::vector<Pair>& pairs, const fs::path& folder) {
  const fs::path models = root / "tests" / "check" / "models";
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu")
      pairs.push_back({entry.path().stem().string(),
                       (models / (expectation(entry.path(), "model") + ".json")).string(),
                       entry.path().string(), false, expectation(entry.path(), "ieee")});
}

} // namespace

const std::vector<Pair>& allPairs() {
  static const std::vector<Pair> pairs = [] {
    std::vector<Pair> made;
    addSamples(made);
    addCases(made, root / "tests" / "check" / "cases");
    addCases(made, root / "tests" / "method" / "cases");
    std::ranges::sort(made, {}, &Pair::name);
    return made;
  }();
  return pairs;
}

session::CheckOptions optionsFor(const Pair& pair) {
  session::CheckOptions options;
  options.model = pair.model;
  options.kernel = pair.kernel;
  return options;
}

session::CheckPool& sharedPool() {
  static session::CheckPool pool;
  return pool;
}

std::unique_ptr<Bound> bind(const Pair& pair) {
  auto bound = std::make_unique<Bound>();
  const session::CheckOptions options = optionsFor(pair);
  Expected<void> done = session::readModel(bound->comparison, options, sharedPool().children, {}, {});
  if (done)
    done = session::readKernel(bound->comparison, options, sharedPool().children, {}, {});
  if (!done)
    bound->error = done.error();
  return bound;
}

const std::map<std::string, LeanFile>& leanFiles() {
  static const std::map<std::string, LeanFile> files = [] {
    std::map<std::string, LeanFile> made;
    for (const auto& entry : fs::directory_iterator(root / "lean" / "Plumbline"))
      if (entry.path().extension() == ".lean" && entry.path().filename() != "Audit.lean" &&
          entry.path().filename() != "Sweep.lean")
        made[entry.path().filename().string()] = readLeanFile(readFile(entry.path().string()).value_or(""));
    return made;
  }();
  return files;
}

std::vector<LeanFile> leanFileList() {
  std::vector<LeanFile> list;
  for (const auto& [name, file] : leanFiles())
    list.push_back(file);
  return list;
}

namespace {

/// Of a comparison that was read to the end.
gate::Problem& problemOf(session::Comparison& comparison) {
  if (!comparison.problem)
    std::abort();
  return *comparison.problem;
}

uint32_t bitsAt(const gate::TensorBits& inputs, const std::string& tensor, size_t index) {
  const auto found = inputs.find(tensor);
  return found != inputs.end() && index < found->second.size() ? static_cast<uint32_t>(found->second[index])
                                                               : 0;
}

/// Gives the method's parameters their values from the bound problem, by name.
class Arguments {
public:
  Arguments(session::Comparison& comparison, const gate::Sizes& sizes, const ir::ConcreteLaunch& launch,
            const gate::TensorBits& inputs)
      : m_comparison(comparison), m_problem(problemOf(comparison)), m_sizes(sizes), m_launch(launch),
        m_inputs(inputs) {}

  std::map<std::string, Value> run(const velvet::Method& method) {
    addLaunch();
    addSizes();
    addParameters();
    for (const spec::SpecInput& input : m_problem.spec.inputs)
      addArray(input.tensor.name, input.tensor.name, at(input.tensor.numel), false);
    addKernelArrays(method);
    std::map<std::string, Value> result;
    for (const velvet::Binder& binder : method.binders)
      if (const Value* value = find(binder.name))
        result[binder.name] = *value;
    return result;
  }

private:
  /// A name that was taken carries a number: "Int_1" for the kernel's Int.
  const Value* find(const std::string& name) const {
    const size_t end = name.find_last_not_of("0123456789");
    const bool numbered = end != std::string::npos && end + 1 < name.size() && name[end] == '_';
    for (const std::string& candidate : {name, numbered ? name.substr(0, end) : name})
      if (const auto found = m_values.find(candidate); found != m_values.end())
        return &found->second;
    return nullptr;
  }

  /// -1 for a term without value: no length and no size is that.
  int64_t at(logic::TermId term) {
    return gate::evaluateAt(m_comparison.store, m_problem, term, m_sizes).value_or(-1);
  }

  void addLaunch() {
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::string letter(1, "xyz"[axis]);
      m_values["gridDim_" + letter] = natValue(m_launch.grid[axis]);
      m_values["blockDim_" + letter] = natValue(m_launch.block[axis]);
    }
  }

  void addSizes() {
    for (const std::string& variable : m_problem.sizeVariables)
      m_values[velvet::identifierFrom(variable)] = intValue(m_sizes.at(variable));
    for (const logic::TermId definition : m_problem.definitions)
      m_values[velvet::identifierFrom(m_comparison.store.symbolText(
          m_comparison.store[definition].args[0]))] = intValue(at(m_comparison.store[definition].args[1]));
  }

  void addParameters() {
    const ir::Function& function =
        m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
    for (int i = 0; i < function.parameterCount; ++i) {
      const ir::Local& local = function.locals[static_cast<size_t>(i)];
      const vc::ParameterBinding& binding = m_problem.parameters.at(local.name);
      if (local.type.pointer) {
        addArray(local.name, binding.buffer, at(binding.length), binding.zeroInitialised);
        continue;
      }
      const std::string name = velvet::identifierFrom(local.name);
      const logic::Term& term = m_comparison.store[binding.scalar];
      if (term.op == logic::Op::FloatConst)
        m_values[name] = floatValue(static_cast<uint32_t>(term.payload));
      else
        m_values[name] = intValue(at(binding.scalar));
    }
  }

  /// Contents that the method may not depend on.
  void addKernelArrays(const velvet::Method& method) {
    const ir::Function& function =
        m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
    for (const ir::ArrayVariable& array : function.arrays) {
      const std::string name = velvet::identifierFrom(array.name) + "In";
      for (const velvet::Binder& binder : method.binders)
        if (binder.name == name || binder.name.starts_with(name + "_"))
          m_values.emplace(binder.name, anyContents(binder.type, lengthOf(array, method, binder.name)));
    }
  }

  /// Of one array, or of one for each thread of the block where the method indexes it by thread.
  int64_t lengthOf(const ir::ArrayVariable& array, const velvet::Method& method,
                   const std::string& name) const {
    if (array.extents.empty())
      return m_launch.sharedBytes / 4;
    const int64_t threads = m_launch.block[0] * m_launch.block[1] * m_launch.block[2];
    for (const velvet::Clause& clause : method.requirements)
      if (clause.label.ends_with("_" + name + "_size") &&
          velvet::print(*clause.prop).find("blockDim") != std::string::npos)
        return array.length() * threads;
    return array.length();
  }

  Value anyContents(const std::string& type, int64_t length) {
    if (type == "Array Float32") {
      std::vector<uint32_t> bits;
      for (int64_t i = 0; i < length; ++i)
        bits.push_back(static_cast<uint32_t>(m_random()));
      return arrayValue(std::move(bits));
    }
    std::vector<Wide> cells;
    for (int64_t i = 0; i < length; ++i)
      cells.push_back(type == "Array Bool" ? static_cast<Wide>(m_random() % 2)
                                           : static_cast<Wide>(static_cast<int32_t>(m_random())));
    return cellsValue(type == "Array Bool"    ? Kind::Bool
                      : type == "Array Float" ? Kind::F64
                                              : Kind::Int,
                      std::move(cells));
  }

  void addArray(const std::string& name, const std::string& tensor, int64_t length, bool zero) {
    std::vector<uint32_t> bits;
    bits.reserve(static_cast<size_t>(std::max<int64_t>(length, 0)));
    for (int64_t i = 0; i < length; ++i)
      bits.push_back(zero ? 0 : bitsAt(m_inputs, tensor, static_cast<size_t>(i)));
    const std::string identifier = velvet::identifierFrom(name);
    m_values.emplace(identifier, arrayValue(bits));
    m_values.emplace(identifier + "In", arrayValue(bits));
  }

  session::Comparison& m_comparison;
  const gate::Problem& m_problem;
  const gate::Sizes& m_sizes;
  const ir::ConcreteLaunch& m_launch;
  const gate::TensorBits& m_inputs;
  std::mt19937_64 m_random{11};
  std::map<std::string, Value> m_values;
};

} // namespace

Expected<BothRuns> runBoth(session::Comparison& comparison, Evaluator& evaluator, const gate::Sizes& sizes,
                           const gate::TensorBits& inputs, int every) {
  Expected<gate::GridRun> grid = gate::runGrid(comparison.store, problemOf(comparison), sizes, inputs, {});
  if (!grid)
    return fail(grid.error());
  BothRuns both;
  both.grid = *std::move(grid);
  Arguments arguments(comparison, sizes, both.grid.launch, inputs);
  both.method = evaluator.run(arguments.run(evaluator.method()), every);
  return both;
}

std::vector<const Value*> resultsOf(const MethodRun& run, size_t count) {
  std::vector<const Value*> parts;
  const Value* rest = &run.result;
  for (size_t i = 0; i + 1 < count; ++i) {
    parts.push_back(&rest->parts[0]);
    rest = &rest->parts[1];
  }
  parts.push_back(rest);
  return parts;
}

std::string differingOutput(const gate::Problem& problem, const BothRuns& both) {
  const std::vector<const Value*> results = resultsOf(both.method, problem.outputs.size());
  for (size_t output = 0; output < results.size(); ++output) {
    const std::vector<uint64_t>& expected = both.grid.buffers.at(problem.outputs[output].buffer);
    const std::string place = "output " + std::to_string(output);
    if (!results[output]->array || results[output]->array->size() != expected.size())
      return place + " has another length";
    for (size_t i = 0; i < expected.size(); ++i) {
      const uint32_t actual = (*results[output]->array)[i];
      if (!f32::Soft<f32::Binary32>::same(actual, static_cast<uint32_t>(expected[i])))
        return place + ", element " + std::to_string(i) + ": " + std::to_string(actual) + " and " +
               std::to_string(expected[i]);
    }
  }
  return {};
}

bool hasForbidden(const ir::RunResult& result) {
  return std::ranges::any_of(result.findings, [](const ir::RunFinding& f) {
    return f.kind == ir::FindingKind::OutOfBounds || f.kind == ir::FindingKind::Overflow ||
           f.kind == ir::FindingKind::DivisionByZero;
  });
}

std::string text(const MethodRun& run) {
  std::string result;
  for (const Failure& failure : run.failures)
    result += failure.kind + " " + failure.label + "\n";
  return result;
}

gate::TensorBits someInputs(session::Comparison& comparison, const gate::Sizes& sizes, uint64_t seed) {
  static constexpr uint32_t special[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x00000000,
                                         0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001,
                                         0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x40c00000,
                                         0x3fc00000, 0xbfc00000, 0x40000000};
  std::mt19937_64 random(seed);
  gate::TensorBits result;
  gate::Problem& problem = problemOf(comparison);
  for (const auto& [tensor, shape] : problem.bufferShapes) {
    int64_t count = 1;
    for (const logic::TermId size : shape)
      count *= gate::evaluateAt(comparison.store, problem, size, sizes).value_or(0);
    const bool zeros = std::ranges::any_of(problem.parameters, [&](const auto& p) {
      return p.second.buffer == tensor && p.second.zeroInitialised;
    });
    std::vector<uint64_t>& bits = result[tensor];
    for (int64_t i = 0; i < count; ++i)
      bits.push_back(zeros               ? 0
                     : random() % 3 == 0 ? static_cast<uint32_t>(random())
                                         : special[random() % std::size(special)]);
  }
  return result;
}

} // namespace plumbline::method_test
