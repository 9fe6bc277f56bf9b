// The captured PyTorch program. JSON form (ours): resources/schema/graph.schema.json.
#pragma once

#include "core/base/json.h"
#include "core/ir/size_expr.h"

#include <map>
#include <variant>

namespace plumbline::torch {

enum class DType : uint8_t { U8, I8, I16, I32, I64, F16, F32, F64, Bool, BF16, Other };
std::string_view name(DType dtype); ///< "float32", ...

/// Shape and dtype as PyTorch recorded them. Sizes are constants or expressions over the graph's symbols.
struct TensorInfo {
  DType dtype = DType::F32;
  std::vector<ir::SizeExprPtr> sizes;
};

/// An argument of a node. A scalar float keeps the exact text of the JSON number for the real reading.
struct FloatScalar {
  double value = 0;
  std::string text;
};
struct TensorRef {
  std::string name;
};
struct TensorRefs {
  std::vector<TensorRef> items;
};
struct NoneArg {};
struct SizeArg {
  ir::SizeExprPtr size;
};
using Argument = std::variant<NoneArg, TensorRef, TensorRefs, bool, int64_t, FloatScalar, std::string, SizeArg,
                              std::vector<SizeArg>, std::vector<FloatScalar>>;

struct NamedArgument {
  std::string name;
  Argument value;
};

struct Node {
  std::string target; ///< "aten.relu.default"
  std::vector<NamedArgument> inputs;
  std::vector<std::string> outputs; ///< tensor names
};

enum class InputKind : uint8_t { User, Parameter, Buffer, Constant };

struct GraphInput {
  std::string name;
  InputKind kind = InputKind::User;
  std::string key; ///< state_dict key of a parameter or buffer
};

struct SymbolRange {
  int64_t low = 1;
  std::optional<int64_t> high;
};

struct Graph {
  std::string source;             ///< file it came from
  std::vector<GraphInput> inputs; ///< in order
  std::vector<std::string> outputs;
  std::vector<Node> nodes; ///< in execution order
  std::map<std::string, TensorInfo> tensors;
  std::map<std::string, SymbolRange> symbols; ///< symbolic sizes; empty for a static capture
  std::map<std::string, int64_t> hints;       ///< captured value of each symbol
  std::string mode = "as captured";           ///< "train", "eval" or "as captured"
};

/// Reads exported-program JSON (PyTorch's serialised schema, with or without the outer "graph_module").
/// Errors: "graph-json" naming the path, "graph-unsupported" naming the node (mutation, non-tensor outputs, ...).
Expected<Graph> graphFromExportedJson(const Json& json, const std::string& source);

/// Opens MODEL by its kind: .json, .pt2 (PyTorch 2.6 archive). `.py` goes through capture.h.
/// Errors: also "archive-torn", "archive-version".
Expected<Graph> readGraphFile(const std::string& path);

} // namespace plumbline::torch
