// What is known while a wrapper is read: abstract values of its variables, and what a launch was given. No
// Clang here.
#pragma once

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
    Parameter, ///< a float or double parameter of the wrapper, named text; scalar: its type now
    Tensor,    ///< tensor: index
    Pointer,   ///< into tensor; scalar: the element type, Void for an untyped pointer
    Sizes,     ///< of tensor
    Options,   ///< TensorOptions: dtype, device
    Dim3,      ///< parts: three Integers
    List,      ///< parts: tensors or integers
  };
  /// What TensorOptions say: nothing, what the tensors that are compared have (binary32, CUDA), or another.
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
  Setting dtype = Setting::Unset;
  Setting device = Setting::Unset;
  bool untyped = false; ///< Pointer: became typed by a cast, which nothing checks
  std::string text;
  int tensor = -1;
  std::vector<HostValue> parts;
};

struct HostTensor {
  enum class Origin : uint8_t { Parameter, Empty, Zeros };
  std::string name; ///< of the parameter
  Origin origin = Origin::Parameter;
  int like = -1;               ///< has the sizes of this tensor
  std::vector<HostValue> dims; ///< sizes given one by one; used when `like` is -1 and it is no parameter
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

struct WrapperParameter {
  std::string name;
  bool tensor = false;
  ir::ScalarType scalar = ir::ScalarType::Void;
  std::optional<double> defaultValue;
};

/// All that was read from one wrapper.
struct HostState {
  std::string wrapper;
  std::vector<WrapperParameter> parameters;
  std::vector<HostTensor> tensors;
  std::vector<ir::HostCheck> checks;
  std::vector<ir::HostFact> facts;
  std::vector<LaunchSite> launches;
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

HostValue unknownValue(std::string id, std::string construct, SourceRange where);
HostValue integerValue(ir::SizeExprPtr size, ir::ScalarType type);
/// Arithmetic in C's type `type`, with the check that the result fits.
HostValue integerArithmetic(HostState& state, ir::SizeExpr::Kind op, const HostValue& a, const HostValue& b,
                            ir::ScalarType type, const SourceRange& where, const std::string& text);
/// Conversion to `type`, with a check where it may change the value.
HostValue integerConversion(HostState& state, const HostValue& value, ir::ScalarType type,
                            const SourceRange& where, const std::string& text);

/// Makes the contract of the only launch, or says by name why there is none.
void buildContract(const HostState& state, const ir::Module& module,
                   std::vector<ir::LaunchContract>& launches, std::vector<Rejection>& unread);

} // namespace plumbline::cuda
