#include "core/spec/in_place.h"
#include "core/spec/operators.h"
#include "core/spec/tensor_operators.h"
#include "core/spec/torch_cuda.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;
using torch::DType;

tl::unexpected<Error> mismatch(const NodeContext& context, const std::string& what) {
  return fail(ErrorKind::Rejected, "shape-mismatch", context.where() + ": " + what,
              "export the module again");
}

/// Shapes written by the operator's own rule, independent of what PyTorch recorded.
Expected<Shape> inferShape(NodeContext& context, const torch::Graph& graph, ShapeRule rule) {
  if (rule == ShapeRule::Size) {
    Shape shape;
    if (const auto* sizes = std::get_if<std::vector<torch::SizeArg>>(&context.argument("size")))
      for (const auto& size : *sizes)
        shape.push_back(size.size);
    return shape;
  }
  std::optional<Shape> shape = Shape{};
  for (const std::string& tensor : context.tensors()) {
    const Shape& next = graph.tensors.at(tensor).sizes;
    const Shape before = *shape;
    shape = broadcast(before, next);
    if (!shape)
      return mismatch(context, "shapes " + print(before) + " and " + print(next) + " do not fit together");
  }
  return *shape;
}

/// float32, truth values and int64 (indices) have terms.
bool hasTerms(DType dtype) {
  return dtype == DType::F32 || dtype == DType::Bool || dtype == DType::I64;
}

tl::unexpected<Error> badDtype(const std::string& where, DType dtype) {
  return fail(ErrorKind::Rejected, "dtype-unsupported",
              where + " has dtype " + std::string(torch::name(dtype)), "use float32 tensors");
}

/// The tensors that the outputs depend on.
std::set<std::string> neededTensors(const torch::Graph& graph) {
  std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node)
    if (std::ranges::any_of(node->outputs, [&](const auto& output) { return needed.contains(output); }))
      for (const auto& input : node->inputs)
        for (const std::string& tensor : torch::tensorsOf(input.value))
          needed.insert(tensor);
  return needed;
}

/// Denotes one graph; see `denote`.
class Denoter {
public:
  Denoter(logic::TermStore& terms, const torch::Graph& graph, const DenoteOptions& options)
      : m_terms(terms), m_graph(graph), m_elements(terms, graph, options.target),
        m_needed(neededTensors(graph)), m_writes(graph, m_needed) {}

  Expected<Spec> run() {
    for (const auto& input : m_graph.inputs)
      if (auto ok = addInput(input); !ok)
        return fail(ok.error());
    for (const auto& node : m_graph.nodes)
      if (auto ok = isNeeded(node) ? addNode(node) : skipNode(node); !ok)
        return fail(ok.error());
    m_spec.stages = m_elements.stages();
    for (const std::string& output : m_graph.outputs)
      m_spec.outputs.push_back({tensor(output), m_elements.own(output)});
    m_spec.symbols = m_graph.symbols;
    m_spec.hints = m_graph.hints;
    m_spec.generalised = m_graph.generalised;
    m_spec.fixedInputs = m_graph.fixedInputs;
    for (const auto& fact : m_graph.facts)
      if (const TermId term = sizeTerm(m_terms, *fact); m_terms[term].sort == Sort::Bool)
        m_spec.facts.push_back(term);
    m_spec.facts.insert(m_spec.facts.end(), m_elements.facts().begin(), m_elements.facts().end());
    collectLeaves();
    m_spec.elements.insert(m_elements.all().begin(), m_elements.all().end());
    return std::move(m_spec);
  }

private:
  bool isNeeded(const torch::Node& node) const {
    return std::ranges::any_of(node.outputs, [&](const auto& output) { return m_needed.contains(output); });
  }

  /// A node that no output depends on has no part in the meaning, unless it writes into something that an
  /// output may read. Counters kept in a buffer (batch normalisation) are of another dtype than everything
  /// that is read.
  Expected<void> skipNode(const torch::Node& node) {
    if (m_writes.problem(node).empty())
      return {};
    const auto written =
        node.inputs.empty() ? std::vector<std::string>{} : torch::tensorsOf(node.inputs[0].value);
    const bool counter = written.size() == 1 && isBuffer(written[0]) && !m_needed.contains(written[0]) &&
                         m_graph.tensors.at(written[0]).dtype == DType::I64;
    return counter ? Expected<void>{} : mutation(node);
  }

  bool isBuffer(const std::string& tensor) const {
    return std::ranges::any_of(m_graph.inputs, [&](const auto& input) {
      return input.name == tensor && input.kind == torch::InputKind::Buffer;
    });
  }

  tl::unexpected<Error> mutation(const torch::Node& node) const {
    return fail(ErrorKind::Rejected, "graph-unsupported",
                "node '" + node.name + "' (" + node.target + ") " + m_writes.problem(node),
                "use the operator that makes a new tensor (inplace=False)");
  }

  SpecTensor tensor(const std::string& name) {
    const torch::TensorInfo& info = m_graph.tensors.at(name);
    SpecTensor result{name, info.dtype, {}, numelTerm(m_terms, info.sizes)};
    for (const auto& size : info.sizes)
      result.shape.push_back(sizeTerm(m_terms, *size));
    return result;
  }

  Expected<void> addInput(const torch::GraphInput& input) {
    const torch::TensorInfo& info = m_graph.tensors.at(input.name);
    const bool isData = info.dtype == DType::I64 || info.dtype == DType::Bool;
    if (info.dtype != DType::F32 && !isData && m_needed.contains(input.name))
      return badDtype("input '" + input.name + "'", info.dtype);
    if (info.dtype == DType::F32)
      m_elements.define(input.name, inputElement(input));
    else if (isData) {
      if (input.kind == torch::InputKind::Constant && m_needed.contains(input.name))
        m_spec.openConstants.push_back(input.name);
      m_elements.define(input.name, m_terms.load(info.dtype == DType::Bool ? Sort::Bool : Sort::Int,
                                                 input.name, m_elements.index()));
    }
    m_spec.inputs.push_back({tensor(input.name), input.kind, input.key, info.contiguous});
    return {};
  }

  /// A constant of the program whose elements are all alike is that number; any other stays an input.
  TermId inputElement(const torch::GraphInput& input) {
    auto constant = m_graph.constants.find(input.name);
    if (constant != m_graph.constants.end() && !constant->second.bits.empty() &&
        std::ranges::all_of(constant->second.bits,
                            [&](uint32_t bits) { return bits == constant->second.bits.front(); }))
      return m_terms.f32Bits(constant->second.bits.front());
    if (input.kind == torch::InputKind::Constant && m_needed.contains(input.name))
      m_spec.openConstants.push_back(input.name);
    return m_terms.load(Sort::F32, input.name, m_elements.index());
  }

  Expected<void> addNode(const torch::Node& node) {
    if (!m_writes.problem(node).empty())
      return mutation(node);
    return torch::mutates(node) ? addOperator(withoutWrite(node)) : addOperator(node);
  }

  bool isCuda() const { return m_elements.target() == Target::TorchCuda; }

  Expected<void> addOperator(const torch::Node& node) {
    const CudaRow* row = isCuda() ? findCudaRow(node.target) : nullptr;
    if (row && row->kind == CudaRow::Kind::Refused)
      return fail(ErrorKind::Rejected, "profile-unsupported",
                  "node '" + node.name + "' (" + node.target + "): what PyTorch computes on CUDA has no " +
                      "denotation (" + std::string(row->text) + ")",
                  "use the reading ieee");
    const OpSchema* schema = findSchema(node.target);
    const Operator* element = schema ? findOperator(node.target) : nullptr;
    if (element && node.outputs.size() == 1)
      return addElementwise(node, *element, *schema);
    if (const TensorOperator* whole = schema ? findTensorOperator(node.target) : nullptr)
      return addTensorOperator(node, *whole, *schema);
    return fail(ErrorKind::Rejected, "operator-unsupported",
                "node '" + node.name + "' (" + node.target + "): this operator has no denotation yet",
                "see `plumbline coverage` for the operators that have one");
  }

  Expected<void> addElementwise(const torch::Node& node, const Operator& op, const OpSchema& schema) {
    NodeContext context(m_elements, node, schema);
    context.checkArguments();
    auto shape = inferShape(context, m_graph, op.shape);
    if (!shape)
      return fail(shape.error());
    context.setShape(*shape);
    const TermId element = context.error() ? TermId{} : op.element(context);
    if (context.error())
      return fail(*context.error());
    noteFormula(context);
    return define(context, node.outputs[0], *shape, element);
  }

  Expected<void> addTensorOperator(const torch::Node& node, const TensorOperator& op,
                                   const OpSchema& schema) {
    TensorContext context(m_elements, node, schema);
    context.checkArguments();
    if (!context.error())
      op.denote(context);
    if (context.error())
      return fail(*context.error());
    noteFormula(context);
    for (size_t k = 0; k < node.outputs.size(); ++k) {
      if (!m_graph.tensors.contains(node.outputs[k]))
        continue;
      if (k >= context.results().size() || !context.results()[k])
        return fail(ErrorKind::Rejected, "operator-unsupported",
                    context.where() + ": its result number " + std::to_string(k) + " has no denotation",
                    "use the other results only");
      const TensorResult& result = *context.results()[k];
      if (auto ok = define(context, node.outputs[k], result.shape, result.element); !ok)
        return ok;
    }
    return {};
  }

  void noteFormula(const NodeContext& context) {
    if (!context.usesCudaFormula())
      return;
    const CudaRow* row = findCudaRow(context.node().target);
    if (!row || row->kind != CudaRow::Kind::Formula)
      std::abort(); // an operator has a formula that the table does not list
    m_cudaAssumptions.insert("torch-cuda: " + std::string(row->text));
  }

  Expected<void> define(const NodeContext& context, const std::string& tensor, const Shape& shape,
                        TermId element) {
    if (auto ok = compareWithRecord(context, tensor, shape, m_terms[element].sort); !ok)
      return ok;
    m_elements.define(tensor, element);
    return {};
  }

  static DType dtypeOf(Sort sort) {
    return sort == Sort::Bool ? DType::Bool : sort == Sort::Int ? DType::I64 : DType::F32;
  }

  Expected<void> compareWithRecord(const NodeContext& context, const std::string& tensor, const Shape& shape,
                                   Sort sort) {
    const torch::TensorInfo& recorded = m_graph.tensors.at(tensor);
    if (!equalShape(shape, recorded.sizes, m_graph.symbols))
      return mismatch(context, "PyTorch recorded the shape " + print(recorded.sizes) +
                                   ", the operator gives " + print(shape));
    if (!hasTerms(recorded.dtype))
      return badDtype(context.where(), recorded.dtype);
    if (dtypeOf(sort) != recorded.dtype)
      return mismatch(context, "PyTorch recorded the dtype " + std::string(torch::name(recorded.dtype)) +
                                   ", the operator gives " + std::string(torch::name(dtypeOf(sort))));
    return {};
  }

  /// Choices and opaque functions that occur in an output.
  void collectLeaves() {
    std::vector<TermId> roots;
    for (const SpecOutput& output : m_spec.outputs)
      roots.push_back(output.element);
    for (const Stage& stage : m_spec.stages)
      for (TermId term : {stage.count, stage.init, stage.guard, stage.next})
        roots.push_back(term);
    std::set<std::string> opaque;
    std::set<std::string> assumptions = m_cudaAssumptions;
    if (isCuda())
      assumptions.insert(cudaScope().begin(), cudaScope().end());
    if (isCuda() && !m_spec.stages.empty())
      assumptions.insert("torch-cuda: sums run in index order");
    for (TermId id : m_terms.postOrder(roots)) {
      const logic::Term& term = m_terms[id];
      if (term.op == Op::Opaque)
        opaque.insert(m_terms.symbolText(id));
      if (term.op == Op::Var && term.sort == Sort::Bool && m_elements.isChoice(id)) {
        m_spec.choices.push_back(m_elements.choiceOf(id));
        assumptions.insert("zero-sign:" + m_spec.choices.back().op);
      }
    }
    m_spec.opaque.assign(opaque.begin(), opaque.end());
    m_spec.assumptions.assign(assumptions.begin(), assumptions.end());
  }

  logic::TermStore& m_terms;
  const torch::Graph& m_graph;
  Elements m_elements;
  std::set<std::string> m_needed;
  Writes m_writes;
  std::set<std::string> m_cudaAssumptions; ///< the formulas used
  Spec m_spec;
};

} // namespace

Expected<Spec> denote(logic::TermStore& terms, const torch::Graph& graph, const DenoteOptions& options) {
  return Denoter(terms, graph, options).run();
}

} // namespace plumbline::spec
