#include "core/gate/bind.h"

#include "core/f32/soft_float.h"
#include "core/ir/integer_ops.h"
#include "core/spec/shape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace plumbline::gate {

using ir::SizeExpr;
using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr int64_t maxGridX = 2147483647;
constexpr int64_t maxGridYZ = 65535;
constexpr int64_t maxThreadsPerBlock = 1024;
constexpr int64_t maxBlockZ = 64;
constexpr int64_t maxSharedBytes = 48 * 1024;

tl::unexpected<Error> bindingError(std::string id, std::string message, std::string next) {
  return fail(ErrorKind::File, std::move(id), std::move(message), std::move(next));
}

TermId between(TermStore& store, int64_t low, TermId value, int64_t high) {
  return store.land(store.ile(store.integer(low), value), store.ile(value, store.integer(high)));
}

class Binder {
public:
  Binder(TermStore& store, const spec::Spec& spec, const ir::Module& module, const ir::Kernel& kernel,
         const ir::LaunchContract& contract, const BindOptions& options)
      : m_store(store), m_options(options) {
    m_problem.spec = spec;
    m_problem.module = &module;
    m_problem.kernel = &kernel;
    m_problem.contract = contract;
  }

  Expected<Problem> run() {
    for (auto step : {&Binder::bindTensors, &Binder::bindSizes, &Binder::bindBuffers, &Binder::bindScalars,
                      &Binder::bindGeometry, &Binder::bindFacts, &Binder::bindHostChecks,
                      &Binder::bindAssumptions, &Binder::nameProducts})
      if (Expected<void> done = (this->*step)(); !done)
        return fail(done.error());
    return std::move(m_problem);
  }

private:
  const ir::LaunchContract& contract() const { return m_problem.contract; }
  const ir::Function& function() const {
    return m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
  }

  // --- Tensors ---

  /// Which graph tensor each buffer of the contract is: a wrapper's tensors by position, a launch file's by
  /// name or by position among the inputs.
  Expected<void> bindTensors() {
    for (const spec::SpecInput& input : m_problem.spec.inputs) {
      if (!input.contiguous)
        return bindingError("binding-contiguous",
                            "input '" + input.tensor.name +
                                "' was captured with strides that are not row-major",
                            "capture the module with contiguous inputs");
      m_problem.bufferShapes[input.tensor.name] = input.tensor.shape;
      hypothesis(input.tensor.name + " is contiguous", "captured graph");
    }
    for (size_t i = 0; i < m_problem.spec.outputs.size(); ++i)
      m_problem.bufferShapes["output:" + std::to_string(i)] = m_problem.spec.outputs[i].tensor.shape;
    return contract().wrapper.empty() ? bindLaunchFileTensors() : bindWrapperTensors();
  }

  Expected<void> bindWrapperTensors() {
    const auto& inputs = m_problem.spec.inputs;
    const auto& tensors = contract().wrapperTensors;
    const size_t outputs = m_problem.spec.outputs.size();
    const bool returns = contract().returnedTensors > 0;
    const size_t expected = inputs.size() + (returns ? 0 : outputs);
    if (returns && static_cast<size_t>(contract().returnedTensors) != outputs)
      return bindingError("binding-tensors",
                          "the wrapper returns " + std::to_string(contract().returnedTensors) +
                              " tensors, the module " + std::to_string(outputs),
                          "check that the two files belong together");
    if (tensors.size() != expected && tensors.size() != inputs.size())
      return bindingError(
          "binding-tensors",
          "wrapper '" + contract().wrapper + "' takes " + std::to_string(tensors.size()) +
              " tensors, but the module has " + std::to_string(inputs.size()) + " inputs" +
              (returns ? "" : " and " + std::to_string(outputs) + " outputs"),
          "parameters bind by position to graph inputs; check that the two files belong together");
    const std::vector<size_t> order = positionalOrder();
    for (size_t i = 0; i < tensors.size(); ++i) {
      size_t position = i < order.size() ? order[i] : i;
      if (const auto found = m_options.wrapperTensors.find(tensors[i]);
          found != m_options.wrapperTensors.end())
        position = static_cast<size_t>(found->second);
      if (position < inputs.size())
        m_tensorOf[tensors[i]] = inputs[position].tensor.name;
      else
        m_tensorOf[tensors[i]] = "output:" + std::to_string(position - inputs.size());
    }
    return {};
  }

  /// Inputs of forward() first, in order, then parameters and buffers in theirs.
  std::vector<size_t> positionalOrder() const {
    std::vector<size_t> order;
    for (const bool user : {true, false})
      for (size_t i = 0; i < m_problem.spec.inputs.size(); ++i)
        if ((m_problem.spec.inputs[i].kind == torch::InputKind::User) == user)
          order.push_back(i);
    return order;
  }

  Expected<void> bindLaunchFileTensors() {
    const std::vector<size_t> order = positionalOrder();
    size_t nextInput = 0;
    size_t nextOutput = 0;
    for (ir::BufferContract& buffer : m_problem.contract.buffers) {
      if (!buffer.tensor.empty())
        continue;
      if (buffer.role == ir::BufferRole::Output) {
        buffer.tensor = "output:" + std::to_string(nextOutput++);
      } else if (nextInput < order.size()) {
        buffer.tensor = m_problem.spec.inputs[order[nextInput++]].tensor.name;
      } else {
        return bindingError("binding-tensors",
                            "buffer '" + buffer.parameter + "' has no graph input left to bind to",
                            "give it a \"tensor\" in the launch file");
      }
    }
    return {};
  }

  /// The tensor a buffer holds: graph input name or "output:<i>".
  Expected<std::string> tensorOfBuffer(const ir::BufferContract& buffer) {
    const auto found = m_tensorOf.find(buffer.tensor);
    const std::string& tensor = found != m_tensorOf.end() ? found->second : buffer.tensor;
    if (!m_problem.bufferShapes.contains(tensor))
      return bindingError("binding-tensors",
                          "buffer '" + buffer.parameter + "' is bound to '" + tensor +
                              "', which the module does not have",
                          "check the launch contract");
    return tensor;
  }

  // --- Sizes ---

  void setBounds(const std::string& variable, int64_t low, int64_t high) {
    vc::Bounds& bounds = m_problem.bounds[variable];
    bounds.low = std::max(bounds.low.value_or(low), low);
    bounds.high = std::min(bounds.high.value_or(high), high);
  }

  void hypothesis(std::string text, std::string origin, std::optional<TermId> condition = std::nullopt) {
    for (const Hypothesis& known : m_problem.hypotheses)
      if (known.text == text)
        return;
    m_problem.hypotheses.push_back({std::move(text), std::move(origin), condition});
  }

  Expected<void> bindSizes() {
    if (m_problem.spec.symbols.contains(elementName))
      return bindingError("binding-size", std::string("the graph has a size called '") + elementName + "'",
                          "export the module with other names for its dimensions");
    for (const auto& [symbol, range] : m_problem.spec.symbols) {
      const int64_t low = std::max<int64_t>(1, range.low);
      const int64_t high = std::min(range.high.value_or(m_options.largestNumel), m_options.largestNumel);
      const TermId variable = m_store.var(Sort::Int, symbol);
      setBounds(symbol, low, high);
      m_problem.sizeVariables.push_back(symbol);
      // A limit of ours is no property of the graph: it may not stand against the captured shape.
      const bool ours = !range.high || *range.high > m_options.largestNumel;
      if (ours && low > 1)
        hypothesis(symbol + " >= " + std::to_string(low), "captured graph",
                   m_store.ile(m_store.integer(low), variable));
      hypothesis(std::to_string(low) + " <= " + symbol + " <= " + std::to_string(high),
                 ours ? "default size range" : "captured graph", between(m_store, low, variable, high));
    }
    for (TermId fact : m_problem.spec.facts)
      hypothesis(m_store.print(fact), "captured graph", fact);
    for (const auto& [tensor, shape] : m_problem.bufferShapes)
      boundNumel(shape);
    bindFreeSymbols();
    return {};
  }

  void boundNumel(const std::vector<TermId>& shape) {
    const TermId product = numel(shape);
    if (m_problem.spec.symbols.empty() || m_store.isConst(product) || m_store[product].op == Op::Var)
      return;
    hypothesis(m_store.print(product) + " <= " + std::to_string(m_options.largestNumel), "default size range",
               m_store.ile(product, m_store.integer(m_options.largestNumel)));
  }

  TermId numel(const std::vector<TermId>& shape) {
    TermId product = m_store.integer(1);
    for (TermId size : shape)
      product = m_store.imul(product, size);
    return product;
  }

  /// Free symbols of a launch file. One that is the whole length of a buffer is that tensor's number of
  /// elements.
  void bindFreeSymbols() {
    for (const ir::SizeSymbol& symbol : contract().symbols) {
      if (!symbol.tensor.empty() || !symbol.parameter.empty())
        continue;
      for (const ir::BufferContract& buffer : contract().buffers) {
        const Expected<std::string> tensor = tensorOfBuffer(buffer);
        if (tensor && buffer.length->kind == SizeExpr::Kind::Symbol && buffer.length->symbol == symbol.name &&
            !m_problem.contractSymbols.contains(symbol.name)) {
          m_problem.contractSymbols[symbol.name] = numel(m_problem.bufferShapes[*tensor]);
          hypothesis(symbol.name + " is the number of elements of " + *tensor, "launch contract");
        }
      }
      if (!m_problem.contractSymbols.contains(symbol.name)) {
        const bool taken = m_problem.spec.symbols.contains(symbol.name) || symbol.name == elementName;
        const std::string variable = taken ? "launch:" + symbol.name : symbol.name;
        m_problem.contractSymbols[symbol.name] = m_store.var(Sort::Int, variable);
        setBounds(variable, symbol.low, symbol.high);
        m_problem.sizeVariables.push_back(variable);
      }
      hypothesis(std::to_string(symbol.low) + " <= " + symbol.name + " <= " + std::to_string(symbol.high),
                 "launch contract",
                 between(m_store, symbol.low, m_problem.contractSymbols[symbol.name], symbol.high));
    }
  }

  /// A name of the launch contract. Names of the graph mean nothing there: a wrapper's integer called s0 is
  /// not the graph's dimension s0.
  std::optional<TermId> symbolTerm(const std::string& name) {
    if (const auto found = m_problem.contractSymbols.find(name); found != m_problem.contractSymbols.end())
      return found->second;
    const std::optional<TermId> term =
        contract().wrapper.empty() ? tensorProperty(name, {}) : wrapperName(name);
    if (term)
      m_problem.contractSymbols[name] = *term;
    return term;
  }

  std::optional<TermId> wrapperName(const std::string& name) {
    if (const auto property = tensorProperty(name, m_tensorOf))
      return property;
    const auto scalar = m_options.wrapperScalars.find(name);
    if (scalar == m_options.wrapperScalars.end())
      return std::nullopt;
    const double number = scalar->second.first;
    if (number != std::floor(number) || std::abs(number) >= 1e15)
      return std::nullopt;
    return m_store.integer(static_cast<int64_t>(number));
  }

  /// "NAME.numel", "NAME.size.K", "NAME.dim". `names` gives the graph tensor of a wrapper's parameter; empty:
  /// NAME is a graph tensor itself.
  std::optional<TermId> tensorProperty(const std::string& name,
                                       const std::map<std::string, std::string>& names) {
    const size_t dot = name.find('.');
    if (dot == std::string::npos)
      return std::nullopt;
    std::string tensor = name.substr(0, dot);
    if (!names.empty()) {
      const auto found = names.find(tensor);
      if (found == names.end())
        return std::nullopt;
      tensor = found->second;
    }
    const auto shape = m_problem.bufferShapes.find(tensor);
    return shape != m_problem.bufferShapes.end() ? propertyOf(shape->second, name.substr(dot + 1))
                                                 : std::nullopt;
  }

  /// A name in --assume: the graph's symbols and tensors, then the names of the launch contract.
  std::optional<TermId> userName(const std::string& name) {
    if (m_problem.spec.symbols.contains(name))
      return m_store.var(Sort::Int, name);
    if (const auto property = tensorProperty(name, {}))
      return property;
    return symbolTerm(name);
  }

  std::optional<TermId> propertyOf(const std::vector<TermId>& shape, const std::string& property) {
    if (property == "numel")
      return numel(shape);
    if (property == "dim")
      return m_store.integer(static_cast<int64_t>(shape.size()));
    if (property == "defined")
      return m_store.integer(1); // a tensor of the module is given
    constexpr std::string_view prefix = "size.";
    if (!property.starts_with(prefix))
      return std::nullopt;
    const std::string digits = property.substr(prefix.size());
    if (digits.empty() || digits.size() > 3 ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return std::nullopt;
    const size_t axis = static_cast<size_t>(std::stoi(digits));
    return axis < shape.size() ? std::optional(shape[axis]) : std::nullopt;
  }

  Expected<TermId> term(const SizeExpr& expr) {
    Expected<TermId> made =
        sizeExprTerm(m_store, expr, [this](const std::string& name) { return symbolTerm(name); });
    return made ? decideSigns(*made) : made;
  }

  /// Decides "0 < size" by the bounds of the sizes: the usual ceil(n / 256) becomes one division.
  TermId decideSigns(TermId root) {
    std::unordered_map<TermId, TermId> decided;
    for (TermId id : m_store.postOrder(root)) {
      const logic::Term node = m_store[id];
      if (node.op == Op::ILt && m_store.intValue(node.args[0]) == 0 &&
          vc::boundsOf(m_store, node.args[1], m_problem.bounds).low.value_or(0) > 0)
        decided.emplace(id, m_store.boolean(true));
    }
    return m_store.substitute(root, decided);
  }

  // --- Parameters ---

  Expected<void> bindBuffers() {
    for (const ir::BufferContract& buffer : contract().buffers) {
      Expected<std::string> tensor = tensorOfBuffer(buffer);
      if (!tensor)
        return fail(tensor.error());
      Expected<TermId> length = term(*buffer.length);
      if (!length)
        return fail(length.error());
      const bool isOutput = tensor->starts_with("output:");
      vc::ParameterBinding binding;
      binding.buffer = *tensor;
      binding.length = *length;
      binding.zeroInitialised = buffer.zeroInitialised;
      // What the wrapper itself made with `empty` has no contents, also where the kernel reads it.
      const bool made = !contract().wrapper.empty() && buffer.tensor.starts_with("output:");
      binding.initialReadable =
          !isOutput || buffer.zeroInitialised || (buffer.role == ir::BufferRole::InOut && !made);
      m_problem.parameters[buffer.parameter] = binding;
      m_problem.hostObligations.push_back(
          {"output-shape", m_store.ieq(*length, numel(m_problem.bufferShapes[*tensor])), contract().where,
           "buffer '" + buffer.parameter + "' must have as many elements as " + *tensor});
      if (Expected<void> done = checkShape(buffer, *tensor); !done)
        return done;
      if (buffer.role != ir::BufferRole::Input)
        if (Expected<void> done = bindOutput(buffer, *tensor); !done)
          return done;
    }
    if (m_problem.outputs.size() != m_problem.spec.outputs.size())
      return bindingError("binding-tensors",
                          "the kernel writes " + std::to_string(m_problem.outputs.size()) +
                              " tensors, the module returns " + std::to_string(m_problem.spec.outputs.size()),
                          "check that the two files belong together");
    return checkElementTypes();
  }

  /// A tensor that the wrapper made must have the shape of the module's output, not only as many elements.
  Expected<void> checkShape(const ir::BufferContract& buffer, const std::string& tensor) {
    if (contract().wrapper.empty() || !buffer.tensor.starts_with("output:"))
      return {};
    std::vector<TermId> made;
    if (!buffer.shapeLike.empty()) {
      const auto like = m_tensorOf.find(buffer.shapeLike);
      if (like != m_tensorOf.end() && m_problem.bufferShapes.contains(like->second))
        made = m_problem.bufferShapes.at(like->second);
    }
    for (const ir::SizeExprPtr& size : buffer.shape) {
      Expected<TermId> value = term(*size);
      if (!value)
        return fail(value.error());
      made.push_back(*value);
    }
    m_problem.hostObligations.push_back({"output-shape", sameShape(made, m_problem.bufferShapes.at(tensor)),
                                         contract().where,
                                         "the returned tensor must have the shape of the module's output"});
    return {};
  }

  /// Which output of the module a written buffer is: by its place among what the wrapper returns; a wrapper
  /// that returns nothing writes the module's only output, or tensor parameters after the inputs.
  Expected<void> bindOutput(const ir::BufferContract& buffer, const std::string& tensor) {
    size_t index = 0;
    const auto& returned = contract().returned;
    const auto place = std::find(returned.begin(), returned.end(), buffer.tensor);
    if (place != returned.end()) {
      index = static_cast<size_t>(place - returned.begin());
    } else if (tensor.starts_with("output:")) {
      index = static_cast<size_t>(std::stoul(tensor.substr(7)));
    } else if (m_problem.spec.outputs.size() > 1 || !returned.empty()) {
      return bindingError("binding-tensors",
                          "'" + buffer.parameter + "' is written, and which output it is cannot be told",
                          "give it a \"tensor\" in a --launch file");
    }
    if (index >= m_problem.spec.outputs.size())
      return bindingError("binding-tensors",
                          "'" + buffer.parameter + "' is an output that the module does not have",
                          "check that the two files belong together");
    if (!tensor.starts_with("output:"))
      m_problem.hostObligations.push_back(
          {"output-shape",
           sameShape(m_problem.bufferShapes.at(tensor),
                     m_problem.bufferShapes.at("output:" + std::to_string(index))),
           contract().where, "the tensor written in place must have the shape of the module's output"});
    m_problem.outputs.push_back({index, tensor});
    return {};
  }

  TermId sameShape(const std::vector<TermId>& made, const std::vector<TermId>& wanted) {
    TermId same = m_store.boolean(made.size() == wanted.size());
    for (size_t i = 0; i < made.size() && i < wanted.size(); ++i)
      same = m_store.land(same, m_store.ieq(made[i], wanted[i]));
    return same;
  }

  Expected<void> checkElementTypes() {
    auto wrongType = [](const spec::SpecTensor& tensor) {
      return bindingError("binding-dtype",
                          "tensor '" + tensor.name + "' of the module is " +
                              std::string(torch::name(tensor.dtype)),
                          "only float32 tensors are covered");
    };
    for (const spec::SpecOutput& output : m_problem.spec.outputs)
      if (output.tensor.dtype != torch::DType::F32)
        return wrongType(output.tensor);
    for (const auto& [parameter, binding] : m_problem.parameters)
      for (const spec::SpecInput& input : m_problem.spec.inputs)
        if (binding.buffer == input.tensor.name && input.tensor.dtype != torch::DType::F32)
          return wrongType(input.tensor);
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& local = function().locals[static_cast<size_t>(i)];
      if (local.type.pointer && m_problem.parameters.contains(local.name) &&
          local.type.scalar != ir::ScalarType::F32)
        return bindingError("binding-dtype",
                            "kernel parameter '" + local.name + "' points to " +
                                std::string(ir::name(local.type.scalar)) + ", the tensor holds float32",
                            "only float32 tensors are covered");
    }
    return {};
  }

  Expected<void> bindScalars() {
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& local = function().locals[static_cast<size_t>(i)];
      if (local.type.pointer)
        continue;
      Expected<TermId> value = scalarTerm(ir::scalarFor(contract(), local.name), local.type.scalar);
      if (!value)
        return fail(value.error());
      m_problem.parameters[local.name] = {{}, {}, false, true, *value};
    }
    return {};
  }

  Expected<TermId> scalarTerm(const ir::ScalarContract& scalar, ir::ScalarType type) {
    switch (scalar.kind) {
    case ir::ScalarContract::Kind::Integer: {
      Expected<TermId> value = term(*scalar.integer);
      return value ? convertInteger(*value, type) : value;
    }
    case ir::ScalarContract::Kind::Float: return constantTerm(scalar.floating, scalar.text, type);
    case ir::ScalarContract::Kind::WrapperParameter: return wrapperScalar(scalar, type);
    case ir::ScalarContract::Kind::Free: break;
    }
    return bindingError("binding-scalar",
                        "the launch contract gives no value for kernel parameter '" + scalar.parameter + "'",
                        "give it one under \"scalars\": a comparison needs to know what the host passes");
  }

  Expected<TermId> wrapperScalar(const ir::ScalarContract& scalar, ir::ScalarType type) {
    if (const auto found = m_options.wrapperScalars.find(scalar.wrapperName);
        found != m_options.wrapperScalars.end())
      return constantTerm(found->second.first, found->second.second, type);
    if (scalar.wrapperDefault)
      hypothesis("'" + scalar.wrapperName + "' has its default value " + scalar.text, "wrapper");
    if (scalar.wrapperDefault)
      return constantTerm(*scalar.wrapperDefault, scalar.text, type);
    return bindingError("binding-scalar",
                        "the value of wrapper parameter '" + scalar.wrapperName + "' is not known",
                        "give the candidate as .py with its call, a default argument, or a --launch file");
  }

  Expected<TermId> constantTerm(double value, const std::string& text, ir::ScalarType type) {
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    if (type == ir::ScalarType::F32)
      return m_store.f32Bits(f32::convert<f32::Binary64, f32::Binary32>(bits), text);
    if (type == ir::ScalarType::F64)
      return m_store.f64Bits(f32::Soft<f32::Binary64>::canonical(bits), text);
    if (type == ir::ScalarType::Bool)
      return m_store.boolean(value != 0);
    if (value != std::floor(value) || std::abs(value) > 9.0e15)
      return bindingError("binding-scalar", "the value " + text + " is no integer", "check the call");
    const auto integer = static_cast<int64_t>(value);
    if (integer < ir::lowestValue(type) || integer > ir::highestValue(type))
      return bindingError("binding-scalar", "the value " + text + " does not fit its parameter",
                          "check the call");
    return m_store.integer(integer);
  }

  Expected<TermId> convertInteger(TermId value, ir::ScalarType type) {
    if (type == ir::ScalarType::F32 || type == ir::ScalarType::F64)
      return m_store.intToFloat(type == ir::ScalarType::F32 ? Sort::F32 : Sort::F64, value);
    if (type == ir::ScalarType::Bool)
      return m_store.lnot(m_store.ieq(value, m_store.integer(0)));
    m_problem.hostObligations.push_back(
        {"overflow", between(m_store, ir::lowestValue(type), value, ir::highestValue(type)), contract().where,
         "an integer argument must fit its parameter's type"});
    return value;
  }

  // --- Launch ---

  Expected<void> bindGeometry() {
    constexpr const char* axes[] = {"x", "y", "z"};
    TermId threads = m_store.integer(1);
    for (size_t axis = 0; axis < 3; ++axis) {
      Expected<TermId> block = term(*contract().block[axis]);
      Expected<TermId> grid = block ? term(*contract().grid[axis]) : block;
      if (!grid)
        return fail(grid.error());
      m_problem.geometry.blockDim[axis] = *block;
      m_problem.geometry.gridDim[axis] = *grid;
      threads = m_store.imul(threads, *block);
      legal(between(m_store, 1, *block, axis == 2 ? maxBlockZ : maxThreadsPerBlock),
            std::string("blockDim.") + axes[axis] + " must be in range");
      const int64_t limit = axis == 0 ? maxGridX : maxGridYZ;
      legal(between(m_store, 1, *grid, limit), std::string("gridDim.") + axes[axis] + " must be in range");
      // Part of the default size range: shapes that need more blocks along y or z are left out, and said so.
      if (axis != 0 && !m_store.isConst(*grid) && !m_problem.spec.symbols.empty())
        hypothesis(std::string("gridDim.") + axes[axis] + " <= " + std::to_string(limit),
                   "default size range", m_store.ile(*grid, m_store.integer(limit)));
    }
    const int64_t most = m_problem.kernel->maxThreadsPerBlock > 0
                             ? std::min<int64_t>(m_problem.kernel->maxThreadsPerBlock, maxThreadsPerBlock)
                             : maxThreadsPerBlock;
    legal(m_store.ile(threads, m_store.integer(most)),
          "a block must not have more than " + std::to_string(most) + " threads");
    if (!contract().sharedBytes)
      return {};
    Expected<TermId> shared = term(*contract().sharedBytes);
    if (!shared)
      return fail(shared.error());
    legal(m_store.ile(*shared, m_store.integer(maxSharedBytes)), "shared memory must fit without opting in");
    return {};
  }

  void legal(TermId holds, std::string message) {
    m_problem.hostObligations.push_back({"illegal-launch", holds, contract().where, std::move(message)});
  }

  Expected<void> bindFacts() {
    for (const ir::SizeSymbol& symbol : contract().symbols)
      symbolTerm(symbol.name);
    const std::string origin = contract().wrapper.empty() ? "launch contract" : "wrapper";
    for (const ir::HostFact& fact : contract().facts) {
      std::optional<TermId> condition;
      if (fact.condition) {
        Expected<TermId> value = term(*fact.condition);
        if (!value)
          return fail(value.error());
        if (m_store[*value].sort == Sort::Bool)
          condition = *value;
      }
      for (const ir::HostCheck& check : fact.reliesOn) {
        Expected<TermId> value = term(*check.value);
        if (!value)
          return fail(value.error());
        if (condition)
          condition = m_store.lor(m_store.lnot(between(m_store, check.low, *value, check.high)), *condition);
      }
      hypothesis(fact.text, origin, condition);
    }
    return {};
  }

  Expected<void> bindHostChecks() {
    for (const ir::HostCheck& check : contract().checks) {
      Expected<TermId> value = term(*check.value);
      if (!value)
        return fail(value.error());
      if (check.kind == ir::HostCheck::Kind::Divisor)
        m_problem.hostObligations.push_back({"division-by-zero",
                                             m_store.lnot(m_store.ieq(*value, m_store.integer(0))),
                                             check.where, check.what + " must not be zero"});
      m_problem.hostObligations.push_back({check.kind == ir::HostCheck::Kind::Exact ? "overflow" : "",
                                           between(m_store, check.low, *value, check.high), check.where,
                                           check.what + " must keep the value"});
    }
    return {};
  }

  Expected<void> bindAssumptions() {
    for (const std::string& text : m_options.assume) {
      Expected<ir::SizeExprPtr> expr = ir::parseSizeExpr(text);
      if (!expr)
        return fail(expr.error());
      Expected<TermId> value =
          sizeExprTerm(m_store, **expr, [this](const std::string& name) { return userName(name); });
      if (!value)
        return fail(value.error());
      if (m_store[*value].sort != Sort::Bool)
        return fail(ErrorKind::Usage, "size-expression", "--assume '" + text + "' is not a condition",
                    "write a comparison, such as 'x.numel % 4 == 0'");
      hypothesis(text, "--assume", *value);
    }
    return {};
  }

  // --- Products ---

  /// Gives every non-trivial product of sizes that is some tensor's number of elements a variable of its own,
  /// so that queries stay linear where the single dimensions do not matter.
  Expected<void> nameProducts() {
    std::unordered_map<TermId, TermId> replacement;
    for (const auto& [tensor, shape] : m_problem.bufferShapes) {
      const TermId product = numel(shape);
      if (m_store[product].op != Op::IMul || replacement.contains(product))
        continue;
      const std::string name = "numel(" + m_store.print(product) + ")";
      const TermId variable = m_store.var(Sort::Int, name);
      setBounds(name, 1, m_options.largestNumel);
      m_problem.definitions.push_back(m_store.ieq(variable, product));
      replacement.emplace(product, variable);
    }
    substituteAll(m_store, m_problem, replacement);
    return {};
  }

public:
  static void substituteAll(TermStore& store, Problem& problem,
                            const std::unordered_map<TermId, TermId>& replacement) {
    auto apply = [&](TermId& id) { id = store.substitute(id, replacement); };
    for (spec::SpecOutput& output : problem.spec.outputs) {
      apply(output.element);
      apply(output.tensor.numel);
    }
    for (auto& [parameter, binding] : problem.parameters) {
      if (binding.buffer.empty())
        apply(binding.scalar);
      else
        apply(binding.length);
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      apply(problem.geometry.blockDim[axis]);
      apply(problem.geometry.gridDim[axis]);
    }
    for (Hypothesis& known : problem.hypotheses)
      if (known.condition)
        apply(*known.condition);
    for (HostObligation& obligation : problem.hostObligations)
      apply(obligation.holds);
    for (auto& [name, term] : problem.contractSymbols)
      apply(term);
  }

private:
  TermStore& m_store;
  const BindOptions& m_options;
  Problem m_problem;
  std::map<std::string, std::string> m_tensorOf; ///< wrapper tensor parameter to graph tensor
};

} // namespace

Expected<TermId> sizeExprTerm(TermStore& store, const SizeExpr& expr,
                              const std::function<std::optional<TermId>(const std::string&)>& symbol) {
  using Kind = SizeExpr::Kind;
  if (expr.kind == Kind::Constant)
    return store.integer(expr.value);
  if (expr.kind == Kind::Symbol) {
    const std::optional<TermId> value = symbol(expr.symbol);
    if (!value)
      return bindingError("binding-size", "the size '" + expr.symbol + "' has no value here",
                          "use the graph's symbols or NAME.numel, NAME.size.K of a tensor");
    return *value;
  }
  Expected<TermId> left = sizeExprTerm(store, *expr.args[0], symbol);
  Expected<TermId> right = left ? sizeExprTerm(store, *expr.args[1], symbol) : left;
  if (!right)
    return right;
  const TermId a = *left;
  const TermId b = *right;
  const bool wantsBool = expr.kind == Kind::And;
  if ((store[a].sort == Sort::Bool) != wantsBool || (store[b].sort == Sort::Bool) != wantsBool)
    return bindingError("binding-size", "'" + ir::print(expr) + "' mixes conditions and integers",
                        "check the expression");
  return spec::sizeOperation(store, expr.kind, a, b);
}

Expected<Problem> bindProblem(TermStore& store, const spec::Spec& spec, const ir::Module& module,
                              const ir::Kernel& kernel, const ir::LaunchContract& contract,
                              const BindOptions& options) {
  return Binder(store, spec, module, kernel, contract, options).run();
}

Problem atCapturedSizes(TermStore& store, const Problem& problem) {
  Problem fixed = problem;
  std::unordered_map<TermId, TermId> replacement;
  for (const auto& [symbol, value] : problem.spec.hints) {
    replacement.emplace(store.var(Sort::Int, symbol), store.integer(value));
    fixed.bounds[symbol] = {value, value};
  }
  for (TermId definition : problem.definitions) {
    const TermId variable = store[definition].args[0];
    const TermId value = store.substitute(store[definition].args[1], replacement);
    replacement.emplace(variable, value);
    if (const auto constant = store.intValue(value))
      fixed.bounds[store.symbolText(variable)] = {*constant, *constant};
  }
  // The default size range does not hold the captured shape back.
  std::erase_if(fixed.hypotheses,
                [](const Hypothesis& known) { return known.origin == "default size range"; });
  Binder::substituteAll(store, fixed, replacement);
  fixed.definitions.clear();
  return fixed;
}

} // namespace plumbline::gate
