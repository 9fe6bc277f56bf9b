// The captured PyTorch program. JSON form (ours): resources/schema/graph.schema.json.
#pragma once

#include "core/base/json.h"
#include "core/ir/size_expr.h"

#include <map>
#include <variant>

namespace plumbline::torch {

enum class DType : uint8_t { U8, I8, I16, I32, I64, F16, F32, F64, Bool, BF16, Other };
std::string_view name(DType dtype); ///< "float32", ...

std::optional<DType> dtypeFromName(std::string_view name);

/// Shape and dtype as PyTorch recorded them. Sizes are constants or expressions over the graph's symbols.
struct TensorInfo {
  DType dtype = DType::F32;
  std::vector<ir::SizeExprPtr> sizes;
  /// Whether the captured strides are row-major. Elements are numbered row-major whatever the strides were,
  /// so a kernel that reads an input's storage by a flat index needs this to hold.
  bool contiguous = true;
};

/// An argument of a node. `text` is the shortest decimal that reads back as `value` (what Python prints), or
/// "Infinity", "-Infinity", "NaN": the real reading of the number.
struct FloatScalar {
  double value = 0;
  std::string text;
};
/// Makes the text from the value.
FloatScalar floatScalar(double value);
/// Reads such a text; nothing when it is not a number.
std::optional<double> floatFromText(std::string_view text);
struct TensorRef {
  std::string name;
};
struct TensorRefs {
  std::vector<TensorRef> items;
};
struct NoneArg {};
/// An integer, or (for a comparison of sizes) a truth value, given by the sizes.
struct SizeArg {
  ir::SizeExprPtr size;
};
/// A memory format or a layout, as PyTorch's schema numbers it. Changes no value.
struct FormatArg {
  std::string kind; ///< "memory_format" or "layout"
  int64_t value = 0;
};
/// Devices are plain text ("cpu").
using Argument = std::variant<NoneArg, TensorRef, TensorRefs, bool, int64_t, FloatScalar, std::string,
                              SizeArg, DType, FormatArg, std::vector<SizeArg>, std::vector<FloatScalar>>;

struct NamedArgument {
  std::string name;
  Argument value;
};

/// A line of the module's source, as PyTorch recorded it when it captured the program.
struct SourceLine {
  std::string file;
  int line = 0;     ///< from 1; 0: unknown
  std::string text; ///< what stands there, without indentation and shortened; may be empty

  bool known() const { return line > 0; }
  bool operator==(const SourceLine&) const = default;
};

struct Node {
  std::string name;   ///< its first output, or "node <k>" when it has none; for messages
  std::string target; ///< "aten.relu.default"
  std::vector<NamedArgument> inputs;
  std::vector<std::string> outputs; ///< tensor names
  SourceLine where{};               ///< of the user's code that computes it
};

enum class InputKind : uint8_t { User, Parameter, Buffer, Constant };

struct GraphInput {
  std::string name;
  InputKind kind = InputKind::User;
  std::string key; ///< state_dict key of a parameter or buffer, name of a lifted constant
};
std::string_view name(InputKind kind); ///< "user", "parameter", "buffer", "constant"

/// A small float32 tensor that the program holds itself.
struct GraphConstant {
  std::vector<int64_t> shape;
  std::vector<uint32_t> bits; ///< row-major
};

/// A number or None given to forward(): the captured program holds for this value only.
struct FixedInput {
  std::string name;
  std::string text;
};

struct SymbolRange {
  int64_t low = 1;
  std::optional<int64_t> high;
};

struct Graph {
  std::string source;             ///< file it came from
  std::vector<GraphInput> inputs; ///< tensors only, in order
  std::vector<FixedInput> fixedInputs;
  std::map<std::string, GraphConstant>
      constants; ///< by input name; a capture from a file may lack the values
  std::vector<std::string> outputs;
  std::vector<Node> nodes; ///< in execution order
  std::map<std::string, TensorInfo> tensors;
  std::map<std::string, SymbolRange> symbols; ///< symbolic sizes; empty for a static capture
  std::map<std::string, int64_t> hints;       ///< captured value of each symbol
  std::vector<ir::SizeExprPtr> facts; ///< conditions on the sizes under which the program was captured
  bool generalised = false;           ///< symbols were introduced after a static capture (spec::generalise)
  std::string mode = "as captured";   ///< "train", "eval" or "as captured"
};

/// The node's argument of that name; nullptr when it was left out (ATen's default then holds, see the op
/// table).
const Argument* findArgument(const Node& node, std::string_view name);

/// Names of the tensors that an argument reads.
std::vector<std::string> tensorsOf(const Argument& argument);

/// The operator writes into its first argument: its name ends in '_'. detach_ only drops the gradient
/// history.
bool mutates(const Node& node);

/// Reads exported-program JSON (PyTorch's serialised schema, with or without the outer "graph_module").
/// Nodes that compute sizes are dropped: the value PyTorch recorded for them stands in the arguments;
/// run-time assertions on sizes become facts. The result has passed `checkGraph`. Errors: "graph-json" naming
/// the path, "graph-unsupported" naming the node (changed state, non-tensor outputs, ...).
Expected<Graph> graphFromExportedJson(const Json& json, const std::string& source);

/// Our own form (resources/schema/graph.schema.json).
Json toJson(const Graph& graph);
/// Errors: "graph-json" naming the path. The result has passed `checkGraph`.
Expected<Graph> graphFromJson(const Json& json);

/// Every tensor is defined once, before its use, and has a recorded shape. Error: "graph-json".
Expected<void> checkGraph(const Graph& graph);

/// Opens MODEL by its kind: .json (exported program or our own form), .pt2 (PyTorch 2.6 archive). `.py` goes
/// through capture.h. Errors: also "archive-torn", "archive-version", "model-kind".
Expected<Graph> readGraphFile(const std::string& path);

} // namespace plumbline::torch
