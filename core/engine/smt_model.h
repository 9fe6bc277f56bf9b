// Values in the answers of SMT solvers.
#pragma once

#include "core/engine/smt_text.h"

namespace plumbline::engine {

/// One value. `payload` is as in logic::Term: the bits of a float (one canonical NaN), the int64_t of an Int,
/// 0 or 1 for a Bool. Floats under Real have `rational` instead: "3", "-1/3", in lowest terms.
struct SmtValue {
  logic::Sort sort = logic::Sort::Bool;
  uint64_t payload = 0;
  std::string rational;

  bool operator==(const SmtValue&) const = default;
};

/// Values of SmtQuery::variables, in that order.
using SmtModel = std::vector<SmtValue>;

/// Reads the answer to (get-value (e1 e2 ...)) for the query's variables. Understands (fp s e m), (_ +oo 8
/// 24),
/// (_ NaN 8 24), (_ -zero 8 24), bit vectors as #b and #x, integers, decimals, (- a) and (/ a b). Errors:
/// "model-unreadable" (also for algebraic numbers, which have no rational value) and "model-int-range" (an
/// integer beyond 64 bits).
Expected<SmtModel> parseModel(std::string_view answer, const SmtQuery& query);

} // namespace plumbline::engine
