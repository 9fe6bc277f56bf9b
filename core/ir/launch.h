// Launch contract: what the host promises about one kernel launch. Read from the C++ wrapper around <<<...>>>
// or given with --launch FILE. JSON form: resources/schema/launch.schema.json.
#pragma once

#include "core/base/json.h"
#include "core/ir/size_expr.h"

#include <array>
#include <map>

namespace plumbline::ir {

/// A named integer with inclusive bounds.
struct SizeSymbol {
  std::string name;
  int64_t low = 0;
  int64_t high = 0;
  /// Where the value comes from. `tensor`: a wrapper tensor parameter ("x.numel", "x.size.0", "x.dim");
  /// `parameter`: a wrapper scalar parameter; empty: a free size of a --launch file.
  std::string tensor;
  std::string parameter;
};

enum class BufferRole : uint8_t { Input, Output, InOut };
std::string_view name(BufferRole role); ///< "input", "output", "inout"

struct BufferContract {
  std::string parameter; ///< kernel parameter
  SizeExprPtr length;    ///< elements
  int64_t align = 4;     ///< bytes
  BufferRole role = BufferRole::Input;
  /// Graph input name, "output:<i>", or empty: bound by position. From a wrapper: its tensor parameter, or
  /// "output:<i>".
  std::string tensor;
  /// Shape of the tensor, when the wrapper made it: the shape of that wrapper tensor parameter, or the sizes.
  std::string shapeLike;
  std::vector<SizeExprPtr> shape;
  bool zeroInitialised = false; ///< from `zeros`; otherwise an output has arbitrary contents
};

/// The value of a scalar kernel parameter.
struct ScalarContract {
  enum class Kind : uint8_t { Integer, Float, WrapperParameter, Free };
  std::string parameter;
  Kind kind = Kind::Free;
  SizeExprPtr integer;     ///< Integer
  double floating = 0;     ///< Float: the double the host passes, before conversion to the parameter's type
  std::string text;        ///< Float: as written, for the real reading
  std::string wrapperName; ///< WrapperParameter: passed through unchanged
  /// WrapperParameter: value of its default argument, when it has one.
  std::optional<double> wrapperDefault;
};

/// A conversion or arithmetic step on the host that is exact only inside [low, high].
struct HostCheck {
  enum class Kind : uint8_t {
    Exact,   ///< outside, the host's value is another one, or has no meaning: an overflow
    Divisor, ///< zero is a division by zero; other values outside the range are fine and not modelled
    Model,   ///< outside, the host does something that the expression does not say
  };
  SizeExprPtr value;
  int64_t low = 0;
  int64_t high = 0;
  std::string what; ///< e.g. "conversion of x.numel() to int"
  SourceRange where;
  Kind kind = Kind::Exact;
  /// Outside (for a divisor: at zero) the wrapper's execution ends or has no meaning, whatever depends on the
  /// value: a division or signed arithmetic, as against a conversion or unsigned arithmetic.
  bool traps = false;
  int order = 0; ///< the greatest `order` of the facts that the wrapper had checked before
};

/// A fact the wrapper checks itself (TORCH_CHECK and the like).
struct HostFact {
  std::string text;      ///< as written
  SizeExprPtr condition; ///< null when it is not about sizes (contiguity, dtype, device)
  SourceRange where;
  /// The condition speaks about exact values only if these hold: what the host compared may have wrapped. To
  /// be used as the implication reliesOn -> condition.
  std::vector<HostCheck> reliesOn = {};
  int order = 0; ///< in which order the wrapper checks its facts, from 1; 0: it holds from the start
};

struct LaunchContract {
  std::string kernel;  ///< name of the instantiated kernel
  std::string wrapper; ///< C++ function it was read from; empty for a --launch file
  SourceRange where;
  std::array<SizeExprPtr, 3> block;
  std::array<SizeExprPtr, 3> grid;
  SizeExprPtr sharedBytes;
  std::vector<SizeSymbol> symbols;
  std::vector<HostFact> facts; ///< `assume` of a --launch file, checks of a wrapper
  std::vector<HostCheck> checks;
  std::vector<BufferContract> buffers;
  std::vector<ScalarContract> scalars;
  /// Parameters of the wrapper in order: tensors and scalars by name. Bound by position to graph inputs.
  std::vector<std::string> wrapperTensors;
  std::vector<std::string> wrapperParameters; ///< all parameters, in order
  /// Number of tensors the wrapper returns; -1 when it returns none (writes in place).
  int returnedTensors = -1;
  /// What is returned, in order: "output:<i>" for a tensor that the wrapper made, else the tensor parameter's
  /// name.
  std::vector<std::string> returned;
  /// Of a --launch file: kernel parameters that may point at one array. Other buffers do not overlap.
  std::vector<std::vector<std::string>> aliases;
};

/// What the buffer's memory is called where buffers may share it; empty: it is its own. A wrapper that passes
/// one tensor to two parameters makes them one array.
std::string sharedMemory(const LaunchContract& contract, const BufferContract& buffer);
/// Whether the host made the buffer's memory itself and did not write it: it starts with arbitrary contents.
bool startsUnwritten(const LaunchContract& contract, const BufferContract& buffer);
/// The contract of the same launch where the parameters of each of its `aliases` are one array. Error:
/// "launch-alias" for parameters of two lengths.
Expected<LaunchContract> withSharedArrays(LaunchContract contract);

/// nullptr when the contract does not name the parameter.
const BufferContract* findBuffer(const LaunchContract& contract, std::string_view parameter);
/// What a scalar kernel parameter receives: its entry in `scalars`, else the size symbol of the same name,
/// else Free.
ScalarContract scalarFor(const LaunchContract& contract, const std::string& parameter);

Json toJson(const LaunchContract& contract);
/// One entry of a launches.json "kernels" object, or the JSON that toJson writes. Block and grid may have one
/// to three entries. A scalar is "free", a number, an expression, or decimal text ("0.01", which keeps its
/// exact value). Errors: "launch-json", also for a size that is used but not
/// declared, and for an unknown key. Only the gate reads `aliases`.
Expected<LaunchContract> launchFromJson(const std::string& kernel, const Json& json);

} // namespace plumbline::ir
