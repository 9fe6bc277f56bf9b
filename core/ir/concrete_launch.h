// A launch contract at concrete sizes.
#pragma once

#include "core/ir/finding.h"
#include "core/ir/kernel.h"
#include "core/ir/memory.h"

namespace plumbline::ir {

/// What a pointer parameter points at.
struct BufferBinding {
  int64_t length = 0; ///< elements
  int64_t align = 4;  ///< bytes
  BufferRole role = BufferRole::Input;
  bool zeroInitialised = false;
  std::string tensor;
  std::string sameAs; ///< the first parameter with the same memory (itself when there is no alias)
};

struct ConcreteLaunch {
  std::array<int64_t, 3> grid{1, 1, 1};
  std::array<int64_t, 3> block{1, 1, 1};
  int64_t sharedBytes = 0;
  std::map<std::string, BufferBinding> buffers; ///< by kernel parameter
  std::map<std::string, ScalarValue> scalars;   ///< by kernel parameter
  std::map<std::string, int64_t> symbols;
  /// Host conversions that lose the value, and sizes outside CUDA's limits. A launch with findings must not
  /// be run.
  std::vector<RunFinding> findings;
};

/// Evaluates the contract. `scalars` gives the Free and WrapperParameter scalars, by kernel parameter or by
/// the wrapper parameter's name. `maxThreadsPerBlock`: from __launch_bounds__, 0 none. A wrapper that passes
/// one tensor to two parameters makes them aliases. Errors: "size-unbound", "size-range" (a symbol outside
/// its declared range), "launch-precondition" (a fact of the contract is false), "size-overflow",
/// "size-division", "launch-unmodelled" (Rejected), "launch-unbound" (a pointer parameter that the contract
/// does not describe), "scalar-unbound", "launch-alias".
Expected<ConcreteLaunch> bindLaunch(const LaunchContract& contract, const Function& kernel,
                                    const std::map<std::string, int64_t>& symbols,
                                    const std::map<std::string, ScalarValue>& scalars,
                                    int maxThreadsPerBlock = 0);

/// The initial contents of one buffer as bit patterns (integers: two's complement), by kernel parameter.
using BufferContents = std::map<std::string, std::vector<uint64_t>>;

/// Dense memory for the launch. A parameter without contents is zero: initialised when the contract says
/// `zeros`, otherwise to be written before it is read. Contents of an `output` that is not `zeros` are what
/// `empty` happens to hold: reading them is still a finding. Errors: "buffer-length" (contents of another
/// length), "run-too-large" (more than 2^28 elements together).
Expected<Memory<IeeeDomain>> makeMemory(const ConcreteLaunch& launch, const Function& kernel,
                                        const BufferContents& contents);

/// The cells of a buffer as bit patterns of its element type.
std::vector<uint64_t> bitsOf(const Buffer<IeeeDomain>& buffer);
/// A cell from a bit pattern of the element type.
Buffer<IeeeDomain>::Cell cellFromBits(ScalarType type, uint64_t bits);

} // namespace plumbline::ir
