// Names of lean/ that documents use. tests/method compares them with the Lean text.
#pragma once

#include "core/ir/intrinsics.h"
#include "core/logic/term.h"

#include <optional>
#include <span>
#include <string>

namespace plumbline::method {

/// Type of a value of the kernel: "Int", "Bool", "Float32", "Float".
std::string leanType(ir::ScalarType type);
/// Predicate that an integer fits a C type: "Plumbline.FitsI32".
std::string fitsName(ir::ScalarType type);

/// The function of lean/ for an intrinsic that is no operator of Lean's: "Plumbline.fmaxf",
/// "Plumbline.fast_expf".
std::string intrinsicName(const ir::Intrinsic& intrinsic);
/// The same for an opaque function by its spelling in terms: "expf" or "aten.exp".
std::string opaqueName(std::string_view spelling, logic::Sort sort);

/// Member of the class Plumbline.Scalar for an operator of a spec: "Plumbline.Scalar.add".
std::optional<std::string> scalarOperation(logic::Op op);
/// Member for an opaque function of a spec, "Plumbline.Scalar.aten_exp"; nothing when the class has none.
std::optional<std::string> scalarOpaque(std::string_view spelling);

/// An opaque function of specs that the class has a member for.
struct ScalarFunction {
  std::string_view spelling; ///< "aten.exp"
  int arguments = 1;
};
std::span<const ScalarFunction> scalarFunctions();
/// "aten_exp" of "aten.exp".
std::string scalarMember(std::string_view spelling);

/// The module of lean/ that declares a name, "Plumbline.Integers" for "Plumbline.cDiv". Nothing for a name
/// that is not Plumbline's.
std::optional<std::string> leanModule(std::string_view name);

} // namespace plumbline::method
