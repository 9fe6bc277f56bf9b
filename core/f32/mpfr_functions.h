// What the files of this folder share of MPFR. Not for other folders: they see elementary.h and interval.h.
#pragma once

#include <mpfr.h>
#include <string_view>

namespace plumbline::f32 {

/// A function by its canonical name; one of the two pointers is set.
struct MpfrFunction {
  std::string_view name;
  int (*unary)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  int (*binary)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};

/// nullptr for an unknown name.
const MpfrFunction* findMpfrFunction(std::string_view canonical);

/// MPFR caches constants for each thread. To be called before its functions: what this thread caches is then
/// given back when the thread ends.
void releaseMpfrCacheAtThreadEnd();

} // namespace plumbline::f32
