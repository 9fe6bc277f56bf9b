// The body of a function as C.
#pragma once

#include "core/gate/vercors/annotations.h"

#include <set>

namespace plumbline::gate::vercors {

/// What is known of a kernel when its body is written.
struct BodyNotes {
  std::map<ir::StmtId, Clauses> statements; ///< before loops and barriers
  std::set<int> bitExprs;                   ///< operations on bits that are exact as / * %
};

/// The whole function, without a contract. `callees`: the device functions that it calls are added. Without
/// notes, of a kernel, only to see whether it has something that is not exported. Throws Refused.
std::string functionText(const ir::Module& module, const ir::Function& function, bool isKernel,
                         std::set<int>& callees, const BodyNotes* notes);

/// An annotation: "/*@", the clauses with ';', "@*/".
std::string annotationText(const Clauses& clauses, int depth);

} // namespace plumbline::gate::vercors
