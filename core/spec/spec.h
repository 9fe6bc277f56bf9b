// Denotations: what a captured program computes, element by element, as scalar terms.
#pragma once

#include "core/logic/term.h"
#include "core/torch/graph.h"

#include <map>
#include <string>
#include <vector>

namespace plumbline::spec {

/// A tensor as the terms see it. Elements are numbered row-major.
struct SpecTensor {
  std::string name;
  torch::DType dtype = torch::DType::F32;
  std::vector<logic::TermId> shape; ///< Int terms over the size symbols
  logic::TermId numel{};            ///< their product
};

/// Read by terms as Load(sort, name, flat index): F32, Int for int64, Bool for truth values.
struct SpecInput {
  SpecTensor tensor;
  torch::InputKind kind = torch::InputKind::User;
  std::string key;        ///< see torch::GraphInput
  bool contiguous = true; ///< see torch::TensorInfo
};

/// One tensor that forward() returns.
struct SpecOutput {
  SpecTensor tensor;
  /// The element at flat index Var(Int, "i"), 0 <= i < numel. Sort F32, or Bool for a comparison.
  logic::TermId element{};
};

/// A Bool variable of the element terms that stands for the sign of a zero that ATen leaves open. The spec
/// allows every value it can give to the term.
struct ZeroChoice {
  std::string variable; ///< name of the Bool Var: base, and the index in brackets when it is not "i"
  std::string base;     ///< "zero:relu_1"; a node with two stages has two
  std::string op;       ///< ATen operator without overload: "relu"
  std::string node;
  logic::TermId index{}; ///< flat index of the element in the node's result
};

/// How the terms of a fold are combined. Only Sum and Product round; Maximum and Minimum keep a NaN.
enum class FoldKind : uint8_t { Sum, Product, Maximum, Minimum, General };
std::string_view name(FoldKind kind); ///< "sum", "product", "maximum", "minimum", "general"

/// A tensor whose elements are left folds in index order:
///   acc = init; for (k = 0; k < count; ++k) if (guard) acc = next;
/// over Var(Int, "i"), the flat index of the element, and inside the fold Var(Int, "k") and the accumulator,
/// Var "acc" of the tensor's sort. Read by later terms as Load(sort, name, index).
struct Stage {
  SpecTensor tensor; ///< named as the graph's tensor, or "softmax:max" for a step on the way to one
  std::string node;
  FoldKind kind = FoldKind::Sum;
  logic::TermId count{}; ///< Int over sizes and "i", never negative
  logic::TermId init{};
  logic::TermId guard{}; ///< Bool: the term is there (a padded tap is not)
  logic::TermId term{};  ///< what is combined; under General the same as `next`
  logic::TermId next{};
};

struct Spec {
  std::vector<SpecInput> inputs;
  std::vector<Stage> stages; ///< in execution order; none in an element-wise program
  std::vector<SpecOutput> outputs;
  std::vector<ZeroChoice> choices;      ///< those that occur in an output
  std::vector<std::string> opaque;      ///< spellings that occur in an output, e.g. "aten.exp"; sorted
  std::vector<std::string> assumptions; ///< "zero-sign:relu", "torch-cuda: ..."; sorted
  std::map<std::string, torch::SymbolRange> symbols;
  std::map<std::string, int64_t> hints; ///< captured value of each symbol
  std::vector<logic::TermId> facts; ///< Bool terms: conditions under which the program was captured, or is
                                    ///< defined at all (contracted sizes are equal)
  std::vector<torch::FixedInput> fixedInputs;
  bool generalised = false; ///< see torch::Graph
  /// Constants of the program that stand as inputs because their values are unknown or not all alike: a
  /// difference found for arbitrary values of these does not show that the program differs.
  std::vector<std::string> openConstants;
  /// The element of every tensor that an output depends on, at its own flat index: which subterm is which
  /// node.
  std::map<std::string, logic::TermId> elements;
};

/// Name of the Int Var that is the flat index of an output element.
inline constexpr const char* indexName = "i";
/// Names of the Vars inside a fold: the step, and the accumulator.
inline constexpr const char* stepName = "k";
inline constexpr const char* accumulatorName = "acc";

/// Whose formulas the operators have.
enum class Target : uint8_t {
  Defined,   ///< the defined mathematics
  TorchCuda, ///< PyTorch's CUDA kernels, where they have another formula (torch_cuda.h)
};

struct DenoteOptions {
  Target target = Target::Defined;
};

/// The meaning of every output of the graph, by the op table. Recorded shapes and dtypes are compared with
/// inferred ones. Errors: "operator-unsupported" naming node and operator, "shape-mismatch",
/// "dtype-unsupported", "argument-unsupported"; under a target "profile-unsupported".
Expected<Spec> denote(logic::TermStore& terms, const torch::Graph& graph, const DenoteOptions& options = {});

/// A static graph of shape-polymorphic operators with one symbol for each dimension of the inputs of
/// forward(): the rank is kept, dimensions that must agree share a symbol, captured sizes of 1 and those of
/// parameters stay. The hints are the captured sizes. Nothing when the graph has symbols already, an operator
/// is not polymorphic, or a number in the program may have been computed from a captured size (it equals a
/// size, a product of sizes, or the inverse, square or root of one), since the exporter does not show that.
std::optional<torch::Graph> generalise(const torch::Graph& graph);

} // namespace plumbline::spec
