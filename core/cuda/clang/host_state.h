// What is known while a wrapper is read: abstract values of its variables, and what a launch was given. No
// Clang here.
#pragma once

#include "core/cuda/clang/answer.h"
#include "core/cuda/clang/host_path.h"
#include "core/ir/kernel.h"
#include "core/ir/launch.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace plumbline::cuda {

/// An abstract value of host code. Whatever is not understood is Unknown and says why.
struct HostValue {
  enum class Kind : uint8_t {
    Unknown,   ///< refusal
    Ignored,   ///< streams, guards, error codes: no part of the contract. success: an error code, 0
    Integer,   ///< size, checks, scalar (its C type)
    Condition, ///< known, or what its truth (size) and its falsehood (otherwise) imply; null: nothing known
    Property,  ///< of the tensors that are compared, text: "dtype:Float", "device", "device-type:CUDA", ...
    Number,    ///< a floating constant: number, text (its digits); scalar: its type now
    Parameter, ///< a float or double parameter of the wrapper, named text; scalar: its type now
    Tensor,    ///< tensor: index
    Pointer,   ///< into tensor; scalar: the element type, Void for an untyped pointer
    Sizes,     ///< of tensor
    Options,   ///< TensorOptions: dtype, device
    Dim3,      ///< parts: three Integers
    List, ///< parts: tensors or integers; with text: a list parameter of that name, whose parts are names
    Null, ///< a null pointer, or an optional argument that is not given
    Text, ///< text: part of a call of torch that is only passed on
  };
  /// The device that TensorOptions say: none, that of the tensors that are compared (CUDA), or another.
  enum class Setting : uint8_t { Unset, Expected, Other };
  Kind kind = Kind::Unknown;
  Rejection refusal;
  ir::SizeExprPtr size;
  std::set<size_t> checks; ///< indices into HostState::checks that this value relies on
  ir::ScalarType scalar = ir::ScalarType::Void;
  ir::SizeExprPtr otherwise;
  std::optional<bool> known; ///< Condition: the same for all tensors that are compared
  bool success = false;
  bool rounded = false; ///< Parameter: passed through a narrower type on the way
  double number = 0;
  std::string dtype; ///< Options: as in HostTensor; "?" unknown, empty: unset
  Setting device = Setting::Unset;
  bool untyped = false; ///< Pointer: became typed by a cast, which nothing checks
  std::string text;
  int tensor = -1;
  std::vector<HostValue> parts;
};

struct HostTensor {
  enum class Origin : uint8_t {
    Parameter,
    Empty,
    Zeros,
    Operator, ///< torch made it
    View,     ///< the elements of `base` in the same order, with other sizes
  };
  std::string name; ///< of the parameter, or of the variable that first holds it; no two tensors share one
  Origin origin = Origin::Parameter;
  int like = -1; ///< has the sizes of this tensor
  /// Sizes given one by one; used when `like` is -1, for what the wrapper makes itself and where `sized`.
  std::vector<HostValue> dims;
  bool sized = false;         ///< Operator: `dims` are its sizes
  int base = -1;              ///< View
  int shares = -1;            ///< Operator: may share memory with this tensor
  bool rowMajor = true;       ///< certainly contiguous in row-major order
  bool optional = false;      ///< a parameter that may be left out
  std::string dtype{"Float"}; ///< name in c10::ScalarType; "?" where torch decides
  Rejection elsewhere;        ///< with an id: it is not certainly on the GPU
  SourceRange where;
};

/// A function that stays torch's or a library's.
struct HostOperator {
  std::string name;
  std::vector<HostValue> arguments;
  std::vector<int> results;
  std::vector<int> modifies;
  bool view = false; ///< the result may share memory with the first argument
  SourceRange where;
};

/// `if (<elements of a tensor> == 0) return ...;`
struct EmptyReturn {
  std::string symbol;      ///< the number of elements
  std::set<size_t> checks; ///< that the condition relies on
  HostValue value;         ///< what the wrapper then returns; Ignored when it is nothing
  SourceRange where;
};

/// A constant or pass-through argument, pointer or size given to one kernel parameter.
struct LaunchArgument {
  std::string parameter;
  ir::Type type; ///< of the kernel parameter
  HostValue value;
  std::optional<double> floating; ///< a constant for a float parameter
  std::string text;               ///< its spelling
  SourceRange where;
};

struct LaunchSite {
  size_t kernel = 0; ///< index into ir::Module::kernels
  HostValue grid;
  HostValue block;
  HostValue shared;
  std::vector<LaunchArgument> arguments;
  SourceRange where;
};

/// What happens, in order: indices into HostState::launches and HostState::operators.
struct HostStep {
  bool launch = false;
  size_t index = 0;
};

struct WrapperParameter {
  std::string name;
  bool tensor = false;
  bool list = false; ///< of integers
  ir::ScalarType scalar = ir::ScalarType::Void;
  std::optional<double> defaultValue;
};

/// All that was read from one wrapper, on one way through it.
struct HostState {
  std::string wrapper;
  SourceRange where;
  HostPath path;
  int order = 0;      ///< facts that were checked so far, with the branches that were chosen
  bool forks = false; ///< branches that nothing decides are chosen; otherwise they are problems
  bool threw = false; ///< this way ends in an error
  std::vector<WrapperParameter> parameters;
  std::vector<HostTensor> tensors;
  std::vector<ir::HostCheck> checks;
  std::vector<ir::HostFact> facts;
  std::set<size_t> required; ///< indices into `checks` that a choice or a view relies on
  std::vector<LaunchSite> launches;
  std::vector<HostOperator> operators;
  std::vector<HostStep> steps;
  std::vector<EmptyReturn> emptyReturns;
  std::optional<HostValue> returned;
  SourceRange returnedAt;
  std::vector<Rejection> problems;
};

/// The root of a chain of `like`.
int shapeOwner(const HostState& state, int tensor);
/// Number of elements; checks of a product are added to `checks`.
HostValue numelOf(HostState& state, int tensor, const SourceRange& where);
HostValue sizeOf(const HostState& state, int tensor, int64_t dimension, const SourceRange& where);
/// Number of dimensions.
HostValue rankOf(const HostState& state, int tensor);
/// The tensor whose memory it has: the root of a chain of views.
int storageOf(const HostState& state, int tensor);
/// The root of the tensors that may share memory with it.
int memoryOf(const HostState& state, int tensor);
/// The sizes are known one by one, or have the names of a parameter's or an operator's.
bool isOpaque(const HostTensor& owner);
/// The name of an element type of PyTorch as the IR's; Void for those that the IR lacks.
ir::ScalarType scalarOfDtype(const std::string& dtype);

HostValue unknownValue(std::string id, std::string construct, SourceRange where);
HostValue integerValue(ir::SizeExprPtr size, ir::ScalarType type);
/// Arithmetic in C's type `type`, with the check that the result fits.
HostValue integerArithmetic(HostState& state, ir::SizeExpr::Kind op, const HostValue& a, const HostValue& b,
                            ir::ScalarType type, const SourceRange& where, const std::string& text);
/// Whether what is known on the way to it is enough for a check. Its value is taken as exact.
bool cannotFail(const HostPath& path, const ir::HostCheck& check);
/// What is required on this way and not certain, given what is taken of all tensors that a wrapper is given.
std::vector<ir::HostCheck> uncertain(const HostState& state);
/// Conversion to `type`, with a check where it may change the value.
HostValue integerConversion(HostState& state, const HostValue& value, ir::ScalarType type,
                            const SourceRange& where, const std::string& text);

/// The contract of a wrapper that is one launch, or why it is none.
std::optional<ir::LaunchContract> buildContract(const HostState& state, const ir::Module& module,
                                                std::vector<Rejection>& unread);

/// The program of one way through a wrapper, or why there is none.
std::optional<ir::HostProgram> buildProgram(const HostState& state, const ir::Module& module,
                                            std::vector<Rejection>& unread);

/// The declaration of a name that a contract uses.
ir::SizeSymbol symbolFor(const HostState& state, const std::string& name);

} // namespace plumbline::cuda
