// Symbolic execution of one thread: what an arbitrary thread of the grid reads and writes, as terms over its
// block and thread coordinates, and what must hold for those terms to be the kernel's meaning.
#pragma once

#include "core/base/error.h"
#include "core/ir/kernel.h"
#include "core/logic/term.h"

#include <map>

namespace plumbline::vc {

/// What must be proved before the terms of a SymbolicThread may be trusted.
enum class ObligationKind : uint8_t {
  Bounds,         ///< an access stays inside its buffer
  SignedOverflow, ///< a signed result fits its type (undefined behaviour otherwise)
  UnsignedWrap,   ///< an unsigned result fits its type (defined, but outside this translation)
  Narrowing,      ///< a conversion keeps the value
  DivisionByZero,
  ShiftRange,        ///< the shifted operand and the amount are non-negative and in range
  UninitialisedRead, ///< a local has a value where it is read
  NoReturnValue,     ///< a device function returns a value on every path
  NoAlias,           ///< a read does not touch a cell that this thread wrote under another index
};
std::string_view name(ObligationKind kind); ///< kebab-case, e.g. "signed-overflow"

struct Obligation {
  ObligationKind kind;
  logic::TermId guard; ///< Bool: when the point is reached
  logic::TermId holds; ///< Bool: what must then be true
  SourceRange where;
  std::string message;
  std::string buffer; ///< of Bounds
};

/// One executed `*p = v`.
struct ThreadStore {
  logic::TermId guard;
  std::string buffer;
  logic::TermId index;
  logic::TermId value;
  SourceRange where;
};

/// One executed read of a buffer that did not see an own store.
struct ThreadLoad {
  logic::TermId guard;
  std::string buffer;
  logic::TermId index;
  SourceRange where;
};

/// Coordinates of the thread. The names of Int variables: "blockIdx.x", "threadIdx.x", ...
struct ThreadGeometry {
  std::array<logic::TermId, 3> blockDim;
  std::array<logic::TermId, 3> gridDim;
};

/// A kernel parameter: a buffer (its name in terms and its element count) or a scalar value.
struct ParameterBinding {
  std::string buffer;     ///< empty for a scalar
  logic::TermId length{}; ///< Int, of a buffer
  bool zeroInitialised = false;
  bool initialReadable = true; ///< false: reading a cell before writing it is an uninitialised read
  logic::TermId scalar{};      ///< of a scalar; its sort fits the parameter's type
};

/// A value that an expression of the kernel had. The same term may stem from several places.
struct TermOrigin {
  logic::TermId term{};
  SourceRange where;
  bool isRead = false; ///< a mention of a local, as against an operation or a read of a buffer

  bool operator==(const TermOrigin&) const = default;
};

struct SymbolicThread {
  std::vector<ThreadStore> stores; ///< in program order
  std::vector<ThreadLoad> loads;
  std::vector<Obligation> obligations;
  std::vector<TermOrigin> origins; ///< of Bool, F32 and F64 values, in evaluation order, without repetitions
};

/// Executes `kernel` for one symbolic thread. `parameters` by kernel parameter name.
/// Errors: ErrorKind::Rejected with the constructs that have no symbolic meaning yet.
Expected<SymbolicThread> executeThread(logic::TermStore& store, const ir::Module& module,
                                       const ir::Kernel& kernel,
                                       const std::map<std::string, ParameterBinding>& parameters,
                                       const ThreadGeometry& geometry);

} // namespace plumbline::vc
