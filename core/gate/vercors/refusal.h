// How the parts of core/gate/vercors stop: an exception inside this folder only, made an error by
// annotatedKernel.
#pragma once

#include "core/base/error.h"

namespace plumbline::gate::vercors {

struct Refused {
  Rejection rejection;
};

[[noreturn]] inline void refuse(std::string id, std::string construct, const SourceRange& where = {}) {
  throw Refused{{std::move(id), std::move(construct), where}};
}

} // namespace plumbline::gate::vercors
