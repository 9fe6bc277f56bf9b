#include "core/ir/program_run.h"

#include "core/ir/concrete_launch.h"
#include "core/ir/integer_ops.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>

namespace plumbline::ir {
namespace {

tl::unexpected<Error> refused(std::string id, std::string what, const SourceRange& where) {
  Error error{ErrorKind::Rejected, id, what, "run the launches one by one with --launch", where, {}};
  error.rejections = {{std::move(id), std::move(what), where}};
  return fail(std::move(error));
}

/// The elements of a tensor that is no view.
struct Storage {
  ScalarType type = ScalarType::F32;
  std::vector<uint64_t> bits;
  std::vector<bool> written;

  bool complete() const {
    return std::all_of(written.begin(), written.end(), [](bool one) { return one; });
  }
};

class Runner {
public:
  Runner(const Module& module, const HostProgram& program, const TensorFile& inputs, const Schedule& schedule,
         const StopToken& stop)
      : m_module(module), m_program(program), m_inputs(inputs), m_schedule(schedule), m_stop(stop) {}

  Expected<ProgramRun> run() {
    for (const SizeSymbol& symbol : m_program.symbols)
      if (const std::optional<int64_t> value = valueOf(symbol))
        m_symbols[symbol.name] = *value;
    for (const HostFact& fact : m_program.when)
      if (Expected<void> done = precondition(fact); !done)
        return fail(done.error());
    for (const std::string& name : m_program.wrapperTensors)
      if (const auto given = m_inputs.tensors.find(name); given != m_inputs.tensors.end())
        m_storages[name] = {given->second.type, given->second.bits,
                            std::vector<bool>(given->second.bits.size(), true)};
    for (const ProgramTensor& tensor : m_program.tensors)
      if (Expected<void> done = make(tensor); !done)
        return fail(done.error());
    int launches = 0;
    for (const ProgramStep& step : m_program.steps) {
      launches += step.kind == ProgramStep::Kind::Launch ? 1 : 0;
      Expected<void> done = step.kind == ProgramStep::Kind::Launch ? launch(step) : operate(step.call);
      if (!done)
        return fail(done.error());
      if (!m_run.findings.empty()) {
        m_run.faultyLaunch = launches;
        return std::move(m_run);
      }
    }
    return finish();
  }

private:
  Expected<int64_t> value(const SizeExpr& expr) const {
    return evaluate(expr, [this](const std::string& name) -> std::optional<int64_t> {
      const auto found = m_symbols.find(name);
      return found == m_symbols.end() ? std::nullopt : std::optional(found->second);
    });
  }

  Expected<void> precondition(const HostFact& fact) const {
    const Expected<int64_t> holds = value(*fact.condition);
    if (!holds)
      return fail(holds.error());
    if (*holds == 0)
      return fail(ErrorKind::Usage, "launch-precondition",
                  "'" + fact.text + "' does not hold for these sizes",
                  "use sizes on which the wrapper goes this way");
    return {};
  }

  /// "x.numel", "x.dim", "x.size.0", "x.defined"; "stride.1", "stride.len"; a scalar parameter.
  std::optional<int64_t> valueOf(const SizeSymbol& symbol) const {
    if (const auto given = m_inputs.symbols.find(symbol.name); given != m_inputs.symbols.end())
      return given->second;
    const size_t dot = symbol.name.find('.');
    const std::string fact = dot == std::string::npos ? "" : symbol.name.substr(dot + 1);
    const auto found = m_inputs.tensors.find(symbol.name.substr(0, dot));
    if (found == m_inputs.tensors.end())
      return fact == "defined" ? std::optional<int64_t>(0) : std::nullopt;
    const Tensor& tensor = found->second;
    if (fact == "defined")
      return 1;
    if (fact == "numel" || fact == "len")
      return static_cast<int64_t>(tensor.bits.size());
    if (fact == "dim")
      return static_cast<int64_t>(tensor.shape.size());
    const std::string digits = fact.starts_with("size.") ? fact.substr(5) : fact;
    size_t index = 0;
    const bool number =
        !digits.empty() &&
        std::from_chars(digits.data(), digits.data() + digits.size(), index).ec == std::errc();
    if (fact.starts_with("size."))
      return number && index < tensor.shape.size() ? std::optional(tensor.shape[index]) : std::nullopt;
    if (isFloat(tensor.type) || index >= tensor.bits.size() || (!fact.empty() && !number))
      return std::nullopt;
    return wrapTo(tensor.type, static_cast<int64_t>(tensor.bits[index]));
  }

  Expected<void> make(const ProgramTensor& tensor) {
    if (tensor.origin != ProgramTensor::Origin::Empty && tensor.origin != ProgramTensor::Origin::Zeros)
      return {};
    Expected<int64_t> length = value(*tensor.length);
    if (!length)
      return fail(length.error());
    constexpr int64_t most = int64_t{1} << 28;
    if (*length < 0 || *length > most || tensor.type == ScalarType::Void)
      return fail(ErrorKind::Usage, "run-too-large", "the tensor '" + tensor.name + "' cannot be made",
                  "run with other sizes");
    const auto count = static_cast<size_t>(*length);
    m_storages[tensor.name] = {tensor.type, std::vector<uint64_t>(count, 0),
                               std::vector<bool>(count, tensor.origin == ProgramTensor::Origin::Zeros)};
    return {};
  }

  std::string storageOf(const std::string& name) const {
    const ProgramTensor* tensor = findTensor(m_program, name);
    return tensor && tensor->origin == ProgramTensor::Origin::View ? storageOf(tensor->base) : name;
  }

  std::map<std::string, ScalarValue> scalars() const {
    std::map<std::string, ScalarValue> result;
    for (const auto& [name, tensor] : m_inputs.tensors)
      if (tensor.bits.size() == 1) {
        const int64_t integer = wrapTo(tensor.type, static_cast<int64_t>(tensor.bits[0]));
        result[name] = {
            tensor.type, isFloat(tensor.type) ? tensor.bits[0] : static_cast<uint64_t>(integer), {}};
      }
    return result;
  }

  const Kernel* kernelNamed(const std::string& name) const {
    const auto found = std::find_if(m_module.kernels.begin(), m_module.kernels.end(),
                                    [&](const Kernel& kernel) { return kernel.name == name; });
    return found == m_module.kernels.end() || found->function < 0 ? nullptr : &*found;
  }

  Expected<void> launch(const ProgramStep& step) {
    const LaunchContract& contract = step.launch;
    const Kernel* kernel = kernelNamed(contract.kernel);
    if (!step.nulls.empty())
      return refused("null-argument", "null pointer for '" + step.nulls.front() + "'", contract.where);
    if (kernel == nullptr)
      return refused("kernel-rejected", "launch of '" + contract.kernel + "', which was rejected",
                     contract.where);
    const Function& function = m_module.functions[static_cast<size_t>(kernel->function)];
    Expected<ConcreteLaunch> bound =
        bindLaunch(contract, function, m_symbols, scalars(), kernel->maxThreadsPerBlock);
    if (!bound)
      return fail(bound.error());
    m_run.findings = bound->findings;
    if (!m_run.findings.empty())
      return {};
    Expected<BufferContents> contents = contentsOf(contract, function);
    if (!contents)
      return fail(contents.error());
    Expected<Memory<IeeeDomain>> memory = makeMemory(*bound, function, *contents);
    Expected<Interpreter<IeeeDomain>> interpreter = Interpreter<IeeeDomain>::make(m_module, kernel->function);
    if (!memory || !interpreter)
      return fail(memory ? interpreter.error() : memory.error());
    markWritten(contract, *memory);
    RunOptions<IeeeDomain> options;
    options.schedule = m_schedule;
    options.stop = m_stop;
    Expected<RunResult> result = interpreter->run(*bound, *memory, options);
    if (!result)
      return fail(result.error());
    // A tensor may be written by several launches: what is complete is seen at the end.
    std::copy_if(result->findings.begin(), result->findings.end(), std::back_inserter(m_run.findings),
                 [](const RunFinding& finding) { return finding.kind != FindingKind::Incomplete; });
    for (const BufferContract& buffer : contract.buffers) {
      Storage& storage = m_storages[buffer.tensor];
      const Buffer<IeeeDomain>& after = (*memory)[memory->indexOf(buffer.parameter)];
      if (buffer.role == BufferRole::Input)
        continue;
      storage.bits = bitsOf(after);
      for (int64_t i = 0; i < after.length(); ++i)
        if (after.written(i))
          storage.written[static_cast<size_t>(i)] = true;
    }
    return {};
  }

  /// What earlier steps left unwritten is still not to be read.
  void markWritten(const LaunchContract& contract, Memory<IeeeDomain>& memory) const {
    for (const BufferContract& buffer : contract.buffers) {
      const Storage& storage = m_storages.at(buffer.tensor);
      Buffer<IeeeDomain>& made = memory[memory.indexOf(buffer.parameter)];
      made.setInitialised(storage.complete());
      made.setWrittenBefore(storage.written);
    }
  }

  Expected<BufferContents> contentsOf(const LaunchContract& contract, const Function& function) const {
    BufferContents contents;
    for (const BufferContract& buffer : contract.buffers) {
      const auto storage = m_storages.find(buffer.tensor);
      const auto parameter = std::find_if(function.locals.begin(), function.locals.end(),
                                          [&](const Local& local) { return local.name == buffer.parameter; });
      if (storage == m_storages.end() || parameter == function.locals.end())
        return refused("torch-operator", "'" + buffer.tensor + "', which torch makes", contract.where);
      if (storage->second.type != parameter->type.scalar)
        return fail(ErrorKind::Usage, "tensor-dtype",
                    "'" + buffer.tensor + "' is not of the type of '" + buffer.parameter + "'",
                    "give a tensor of that dtype");
      contents[buffer.parameter] = storage->second.bits;
    }
    return contents;
  }

  /// What has the same meaning everywhere: filling and copying.
  Expected<void> operate(const TorchOperator& call) {
    const bool fills = (call.name == "zero_" && call.arguments.size() == 1) ||
                       (call.name == "fill_" && call.arguments.size() == 2);
    if (fills && call.modifies.size() == 1 && m_storages.contains(storageOf(call.modifies[0]))) {
      Storage& storage = m_storages[storageOf(call.modifies[0])];
      const std::optional<uint64_t> bits = fillBits(call, storage.type);
      if (bits) {
        storage.bits.assign(storage.bits.size(), *bits);
        storage.written.assign(storage.bits.size(), true);
        return {};
      }
    }
    if (call.name == "clone" && call.arguments.size() == 1 && call.results.size() == 1) {
      const auto source = m_storages.find(storageOf(call.arguments[0].text));
      const ProgramTensor* made = findTensor(m_program, call.results[0]);
      if (source != m_storages.end() && made && made->rowMajor) {
        m_storages[made->name] = Storage(source->second);
        return {};
      }
    }
    return refused("torch-operator", "'" + call.name + "', which is left to torch", call.where);
  }

  static std::optional<uint64_t> fillBits(const TorchOperator& call, ScalarType type) {
    if (type != ScalarType::F32)
      return std::nullopt;
    if (call.arguments.size() == 1)
      return 0;
    const OperatorArgument& given = call.arguments[1];
    if (given.kind == OperatorArgument::Kind::Float)
      return std::bit_cast<uint32_t>(static_cast<float>(given.floating));
    if (given.kind == OperatorArgument::Kind::Integer && given.integer->kind == SizeExpr::Kind::Constant)
      return std::bit_cast<uint32_t>(static_cast<float>(given.integer->value));
    return std::nullopt;
  }

  Expected<ProgramRun> finish() {
    for (const auto& [name, storage] : m_storages) {
      Tensor tensor{storage.type, {static_cast<int64_t>(storage.bits.size())}, storage.bits};
      if (const auto given = m_inputs.tensors.find(name); given != m_inputs.tensors.end())
        tensor.shape = given->second.shape;
      m_run.tensors.emplace(name, std::move(tensor));
    }
    for (const std::string& name : m_program.returned) {
      const auto found = m_run.tensors.find(storageOf(name));
      if (found == m_run.tensors.end())
        return refused("torch-operator", "'" + name + "', which torch makes", m_program.where);
      Tensor tensor = found->second;
      if (!m_storages[storageOf(name)].complete()) {
        RunFinding incomplete;
        incomplete.kind = FindingKind::Incomplete;
        incomplete.message = "not all elements of '" + name + "' are written";
        incomplete.where = m_program.where;
        incomplete.hasThread = false;
        m_run.findings.push_back(std::move(incomplete));
      }
      const ProgramTensor* shown = findTensor(m_program, name);
      if (shown && m_inputs.tensors.contains(shown->shapeLike))
        tensor.shape = m_inputs.tensors.at(shown->shapeLike).shape;
      if (shown && !shown->shape.empty()) {
        tensor.shape.clear();
        for (const SizeExprPtr& size : shown->shape) {
          Expected<int64_t> length = value(*size);
          if (!length)
            return fail(length.error());
          tensor.shape.push_back(*length);
        }
      }
      m_run.returned.push_back(std::move(tensor));
    }
    return std::move(m_run);
  }

  const Module& m_module;
  const HostProgram& m_program;
  const TensorFile& m_inputs;
  const Schedule& m_schedule;
  const StopToken& m_stop;
  std::map<std::string, int64_t> m_symbols;
  std::map<std::string, Storage> m_storages; ///< by name
  ProgramRun m_run;
};

} // namespace

Expected<ProgramRun> runProgram(const Module& module, const HostProgram& program, const TensorFile& inputs,
                                const Schedule& schedule, const StopToken& stop) {
  return Runner(module, program, inputs, schedule, stop).run();
}

} // namespace plumbline::ir
