// What a C++ wrapper does from its call to its return, where that is more than one launch: launches and
// functions left to torch, in order, over named tensors, on one way through its branches. A wrapper that is
// one launch has a LaunchContract instead (launch.h). JSON form: resources/schema/program.schema.json.
#pragma once

#include "core/ir/kernel.h"
#include "core/ir/launch.h"

namespace plumbline::ir {

/// A tensor that is no parameter of the wrapper.
struct ProgramTensor {
  enum class Origin : uint8_t {
    Empty,    ///< made with arbitrary contents
    Zeros,    ///< made of zeros
    Operator, ///< what a function left to torch gives
    View,     ///< the elements of `base` in the same order, with another shape
  };
  std::string name; ///< of the variable, or one like it; unique in the program, also among the parameters
  Origin origin = Origin::Empty;
  std::string base;                   ///< View
  ScalarType type = ScalarType::Void; ///< element type; Void where torch decides
  SizeExprPtr length;                 ///< elements; for an Operator mostly the symbol "NAME.numel"
  std::string shapeLike;              ///< has the shape of this parameter or Operator tensor
  std::vector<SizeExprPtr> shape;     ///< else these sizes; empty for an Operator: torch decides
  bool rowMajor = true;               ///< certainly contiguous; otherwise its order in memory is torch's
  SourceRange where;
};
std::string_view name(ProgramTensor::Origin origin); ///< "empty", "zeros", "operator", "view"

/// An argument of a function left to torch, as the wrapper gives it.
struct OperatorArgument {
  enum class Kind : uint8_t {
    Tensor,    ///< text: a tensor of the program or a parameter
    Integer,   ///< integer
    Float,     ///< floating, text: its digits
    Parameter, ///< text: a scalar or list parameter of the wrapper, passed through
    List,      ///< parts
    Nothing,   ///< an optional argument that is not given
    Text,      ///< text: a string, a data type, a device, options
  };
  Kind kind = Kind::Nothing;
  std::string text;
  SizeExprPtr integer;
  double floating = 0;
  std::vector<OperatorArgument> parts;
};

/// A function whose meaning is not the importer's: `y = matmul(x, w)`, `mul_(y, 2)`, `cublasSgemm(...)`.
/// Arguments are positional, the object of a method first; arguments left out at the end have C++'s defaults.
struct TorchOperator {
  std::string name; ///< as in C++, without namespace; operators by their method: "add", "mul_", "select"
  std::vector<OperatorArgument> arguments;
  std::vector<std::string> results;  ///< tensors it makes
  std::vector<std::string> modifies; ///< tensors it changes in place
  bool view = false;                 ///< the result may share memory with the first argument
  SourceRange where;
};

struct ProgramStep {
  enum class Kind : uint8_t { Launch, Operator };
  Kind kind = Kind::Launch;
  /// Complete by itself: symbols, facts and checks are the program's. A buffer's `tensor` is a parameter of
  /// the wrapper or a tensor of the program, never "output:<i>".
  LaunchContract launch;
  std::vector<std::string> nulls; ///< pointer parameters of the kernel that get a null pointer
  TorchOperator call;
};

struct HostProgram {
  std::string wrapper;
  SourceRange where;
  /// Conditions under which the wrapper goes this way, all exact (the checks of what they compare are among
  /// `checks`). Empty: always. The ways of one wrapper exclude each other; on sizes that no program or unread
  /// way covers, the wrapper raises an error. "x.defined" is 1 when the optional tensor x is given, else 0.
  std::vector<HostFact> when;
  std::vector<SizeSymbol> symbols;
  std::vector<HostFact> facts; ///< what the wrapper checks itself
  std::vector<HostCheck> checks;
  std::vector<ProgramTensor> tensors;
  std::vector<ProgramStep> steps; ///< in order; each sees what the earlier ones wrote
  std::vector<std::string> wrapperTensors;
  std::vector<std::string> wrapperParameters; ///< all parameters, in order
  bool returns = false;                       ///< false: it writes in place and returns nothing
  std::vector<std::string> returned;          ///< tensors, in order
};

/// A way through a wrapper that could not be read.
struct UnreadWay {
  std::string wrapper;
  std::vector<HostFact> when; ///< as in HostProgram; empty: whenever no program applies
  std::vector<Rejection> reasons;
};

const ProgramTensor* findTensor(const HostProgram& program, std::string_view name);

/// The same as one launch; its preconditions become facts. Errors (Rejected): what goes beyond it, under the
/// id "several-launches", "torch-operator", "scratch-buffer", "null-argument", "hidden-output" or
/// "returned-value", with the place.
Expected<LaunchContract> singleLaunch(const HostProgram& program);

Json toJson(const HostProgram& program);
Json toJson(const UnreadWay& way);
/// What toJson writes. Error: "launch-json".
Expected<HostProgram> programFromJson(const Json& json);
Expected<UnreadWay> unreadWayFromJson(const Json& json);

/// For people: one line a tensor and a step.
std::string print(const HostProgram& program);

} // namespace plumbline::ir
