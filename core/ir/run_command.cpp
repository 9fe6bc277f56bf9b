#include "core/ir/run_command.h"

#include "core/ir/integer_ops.h"

#include <charconv>

namespace plumbline::ir {
namespace {

constexpr size_t kShownElements = 8;

/// The tensor for a buffer: by the kernel parameter's name, else by the wrapper's.
const Tensor* tensorFor(const std::string& parameter, const std::string& tensor, const Tensors& tensors) {
  for (const std::string& key : {parameter, tensor})
    if (auto found = tensors.find(key); !key.empty() && found != tensors.end())
      return &found->second;
  return nullptr;
}

std::optional<int64_t> integerValue(const Tensor& tensor) {
  if (tensor.bits.size() != 1 || isAnyFloat(tensor.type))
    return std::nullopt;
  return wrapTo(tensor.type, static_cast<int64_t>(tensor.bits[0]));
}

/// "x.numel", "x.dim", "x.size.0" of the wrapper's tensor x.
std::optional<int64_t> shapeFact(const std::string& path, const LaunchContract& contract,
                                 const Tensors& tensors) {
  const size_t dot = path.find('.');
  if (dot == std::string::npos)
    return std::nullopt;
  const std::string wrapperTensor = path.substr(0, dot);
  const std::string fact = path.substr(dot + 1);
  const Tensor* tensor = tensorFor(wrapperTensor, "", tensors);
  for (const BufferContract& buffer : contract.buffers)
    if (!tensor && buffer.tensor == wrapperTensor)
      tensor = tensorFor(buffer.parameter, "", tensors);
  if (!tensor)
    return std::nullopt;
  if (fact == "numel")
    return static_cast<int64_t>(tensor->bits.size());
  if (fact == "dim")
    return static_cast<int64_t>(tensor->shape.size());
  size_t axis = 0;
  const std::string prefix = "size.";
  if (!fact.starts_with(prefix) ||
      std::from_chars(fact.data() + prefix.size(), fact.data() + fact.size(), axis).ec != std::errc() ||
      axis >= tensor->shape.size())
    return std::nullopt;
  return tensor->shape[axis];
}

std::optional<int64_t> deduceSymbol(const SizeSymbol& symbol, const LaunchContract& contract,
                                    const TensorFile& inputs) {
  if (auto given = inputs.symbols.find(symbol.name); given != inputs.symbols.end())
    return given->second;
  for (const std::string& key : {symbol.name, symbol.parameter})
    if (auto scalar = inputs.tensors.find(key); !key.empty() && scalar != inputs.tensors.end())
      if (std::optional<int64_t> value = integerValue(scalar->second))
        return value;
  if (std::optional<int64_t> value = shapeFact(symbol.tensor, contract, inputs.tensors))
    return value;
  for (const BufferContract& buffer : contract.buffers) {
    const bool direct = buffer.length->kind == SizeExpr::Kind::Symbol && buffer.length->symbol == symbol.name;
    if (const Tensor* tensor = direct ? tensorFor(buffer.parameter, buffer.tensor, inputs.tensors) : nullptr)
      return static_cast<int64_t>(tensor->bits.size());
  }
  return std::nullopt;
}

/// Scalars are tensors of one element. Their text stays empty: the bits are what was given.
std::map<std::string, ScalarValue> scalarsOf(const Tensors& tensors) {
  std::map<std::string, ScalarValue> scalars;
  for (const auto& [name, tensor] : tensors)
    if (tensor.bits.size() == 1) {
      const bool floating = isAnyFloat(tensor.type);
      const int64_t integer = wrapTo(tensor.type, static_cast<int64_t>(tensor.bits[0]));
      scalars[name] = {tensor.type, floating ? tensor.bits[0] : static_cast<uint64_t>(integer), {}};
    }
  return scalars;
}

Expected<BufferContents> contentsFor(const LaunchContract& contract, const Function& kernel,
                                     const Tensors& tensors) {
  BufferContents contents;
  for (int i = 0; i < kernel.parameterCount; ++i) {
    const Local& parameter = kernel.locals[static_cast<size_t>(i)];
    const BufferContract* buffer = parameter.type.pointer ? findBuffer(contract, parameter.name) : nullptr;
    const Tensor* tensor = buffer ? tensorFor(parameter.name, buffer->tensor, tensors) : nullptr;
    if (!tensor)
      continue;
    if (tensor->type != parameter.type.scalar)
      return fail(ErrorKind::Usage, "tensor-dtype",
                  parameter.name + " holds " + std::string(dtypeName(parameter.type.scalar)) +
                      ", its tensor is " + std::string(dtypeName(tensor->type)),
                  "give a tensor of that dtype");
    contents[parameter.name] = tensor->bits;
  }
  return contents;
}

/// The given tensor's shape for an output that has one, else one dimension.
Tensors outputsOf(const RunRequest& request, const ConcreteLaunch& launch, const Memory<IeeeDomain>& memory) {
  Tensors outputs;
  for (const auto& [parameter, binding] : launch.buffers) {
    const Buffer<IeeeDomain>& buffer = memory[memory.indexOf(parameter)];
    if (binding.role == BufferRole::Input)
      continue;
    Tensor tensor{buffer.type(), {buffer.length()}, bitsOf(buffer)};
    if (const Tensor* given = tensorFor(parameter, binding.tensor, request.inputs.tensors))
      tensor.shape = given->shape;
    outputs.emplace(parameter, std::move(tensor));
  }
  return outputs;
}

double sixteenBitValue(ScalarType type, uint64_t bits) {
  uint64_t wide = 0;
  IeeeDomain::convert(type, ScalarType::F64, bits, wide);
  return std::bit_cast<double>(wide);
}

std::string shortened(const Tensor& tensor) {
  std::string text = "[";
  char digits[24];
  for (size_t i = 0; i < tensor.bits.size() && i < kShownElements; ++i) {
    if (tensor.type == ScalarType::F32)
      snprintf(digits, sizeof digits, "%.9g",
               static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(tensor.bits[i]))));
    else if (tensor.type == ScalarType::F64)
      snprintf(digits, sizeof digits, "%.17g", std::bit_cast<double>(tensor.bits[i]));
    else if (isSixteenBitFloat(tensor.type))
      snprintf(digits, sizeof digits, "%.5g", sixteenBitValue(tensor.type, tensor.bits[i]));
    text += i ? ", " : "";
    text += isAnyFloat(tensor.type)
                ? std::string(digits)
                : integerText(tensor.type, wrapTo(tensor.type, static_cast<int64_t>(tensor.bits[i])));
  }
  return text + (tensor.bits.size() > kShownElements ? ", ...]" : "]");
}

Json symbolsToJson(const std::map<std::string, int64_t>& symbols) {
  Json json = Json::object();
  for (const auto& [name, value] : symbols)
    json[name] = value;
  return json;
}

Json toJson(const OrderDependence& order) {
  const auto thread = [](const ThreadId& id) { return Json{{"block", id.block}, {"thread", id.thread}}; };
  return {{"buffer", order.buffer},
          {"index", order.index},
          {"count", order.count},
          {"spans", Json::array({plumbline::toJson(order.where), plumbline::toJson(order.otherWhere)})},
          {"threads", Json::array({thread(order.thread), thread(order.otherThread)})}};
}

std::string dimensions(const std::array<int64_t, 3>& d) {
  return std::to_string(d[0]) + " x " + std::to_string(d[1]) + " x " + std::to_string(d[2]);
}

} // namespace

std::vector<RunFinding> RunReport::findings() const {
  std::vector<RunFinding> all = launch.findings;
  all.insert(all.end(), result.findings.begin(), result.findings.end());
  return all;
}

Expected<LaunchContract> launchFromFile(const Json& json, const std::string& kernel) {
  auto kernels = json.find("kernels");
  if (!json.is_object() || kernels == json.end())
    return launchFromJson(kernel, json);
  if (!kernels->is_object() || !kernels->contains(kernel))
    return fail(ErrorKind::Usage, "launch-missing", "the launch file has no contract for " + kernel,
                "add it under \"kernels\"");
  return launchFromJson(kernel, (*kernels)[kernel]);
}

Expected<const Kernel*> findKernel(const Module& module, const std::string& name) {
  const Kernel* found = nullptr;
  std::string names;
  for (const Kernel& kernel : module.kernels) {
    names += (names.empty() ? "" : ", ") + kernel.name;
    if (kernel.name == name || (name.empty() && module.kernels.size() == 1))
      found = &kernel;
  }
  if (!found)
    return fail(ErrorKind::Usage, "kernel-missing",
                name.empty() ? "the source does not have exactly one kernel" : "no kernel is called " + name,
                "choose with --kernel from: " + names);
  if (found->function < 0) {
    Error error{ErrorKind::Rejected,
                "kernel-rejected",
                "kernel " + found->name + " is outside the accepted fragment",
                "rewrite the constructs named",
                std::nullopt,
                found->rejections};
    return fail(std::move(error));
  }
  return found;
}

std::map<std::string, int64_t> deduceSymbols(const LaunchContract& contract, const TensorFile& inputs) {
  std::map<std::string, int64_t> symbols;
  for (const SizeSymbol& symbol : contract.symbols)
    if (std::optional<int64_t> value = deduceSymbol(symbol, contract, inputs))
      symbols[symbol.name] = *value;
  return symbols;
}

Expected<RunReport> runKernel(const RunRequest& request, const StopToken& stop) {
  Expected<const Kernel*> kernel = findKernel(*request.module, request.kernel);
  if (!kernel)
    return fail(kernel.error());
  const Function& function = request.module->functions[static_cast<size_t>((*kernel)->function)];
  RunReport report;
  report.kernel = (*kernel)->name;
  Expected<ConcreteLaunch> launch =
      bindLaunch(request.launch, function, deduceSymbols(request.launch, request.inputs),
                 scalarsOf(request.inputs.tensors), (*kernel)->maxThreadsPerBlock);
  if (!launch)
    return fail(launch.error());
  report.launch = *launch;
  if (!launch->findings.empty())
    return report;
  Expected<BufferContents> contents = contentsFor(request.launch, function, request.inputs.tensors);
  if (!contents)
    return fail(contents.error());
  Expected<Memory<IeeeDomain>> memory = makeMemory(*launch, function, *contents);
  if (!memory)
    return fail(memory.error());
  Expected<Interpreter<IeeeDomain>> interpreter =
      Interpreter<IeeeDomain>::make(*request.module, (*kernel)->function);
  if (!interpreter)
    return fail(interpreter.error());
  RunOptions<IeeeDomain> options;
  options.schedule = request.schedule;
  options.exitedThreadsOk = request.exitedThreadsOk;
  options.stop = stop;
  Expected<RunResult> result = interpreter->run(*launch, *memory, options);
  if (!result)
    return fail(result.error());
  report.result = std::move(*result);
  report.outputs = outputsOf(request, *launch, *memory);
  report.ran = true;
  return report;
}

Json toJson(const RunReport& report) {
  Json outputs = Json::object();
  for (const auto& [name, tensor] : report.outputs)
    outputs[name] = toJson(tensor);
  Json findings = Json::array();
  for (const RunFinding& finding : report.findings())
    findings.push_back(toJson(finding));
  Json orders = Json::array();
  for (const OrderDependence& order : report.result.orderDependent)
    orders.push_back(toJson(order));
  return {{"schema", 1},
          {"kernel", report.kernel},
          {"ran", report.ran},
          {"grid", report.launch.grid},
          {"block", report.launch.block},
          {"symbols", symbolsToJson(report.launch.symbols)},
          {"outputs", std::move(outputs)},
          {"findings", std::move(findings)},
          {"more_findings", report.result.moreFindings},
          {"order_dependent", std::move(orders)},
          {"threads", report.result.threads},
          {"steps", report.result.steps}};
}

std::string print(const RunReport& report) {
  std::string text = report.kernel + ": grid " + dimensions(report.launch.grid) + ", block " +
                     dimensions(report.launch.block) + ", " + std::to_string(report.result.threads) +
                     " threads\n";
  for (const auto& [name, tensor] : report.outputs)
    text += name + ": " + std::string(dtypeName(tensor.type)) + " " + Json(tensor.shape).dump() + " = " +
            shortened(tensor) + "\n";
  for (const RunFinding& finding : report.findings())
    text += print(finding) + "\n";
  if (report.result.moreFindings > 0)
    text += "and " + std::to_string(report.result.moreFindings) + " more findings\n";
  for (const OrderDependence& order : report.result.orderDependent)
    text += toString(order.where) + ": the result depends on the order of threads: float atomics on " +
            order.buffer + "[" + std::to_string(order.index) + "] (" + std::to_string(order.count) +
            " times)\n";
  if (!report.ran)
    text += "the kernel was not run: the launch is not valid\n";
  return text;
}

} // namespace plumbline::ir
