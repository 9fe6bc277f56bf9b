// Launches for kernels that somebody else wrote: sizes from the wrapper's contract where it was read, else
// guesses.
#pragma once

#include "core/ir/concrete_launch.h"

#include <optional>
#include <random>

namespace plumbline::differential {

struct LaunchSample {
  ir::ConcreteLaunch launch;
  ir::BufferContents contents;
};

/// Makes launches of one kernel from a seed. A guess need not suit the kernel: the interpreter says whether
/// it does.
class LaunchSampler {
public:
  /// `contract` may be null. All are kept by reference. `ample`: elements of a buffer whose length is
  /// guessed.
  LaunchSampler(const ir::Module& module, const ir::Kernel& kernel, const ir::LaunchContract* contract,
                uint64_t seed, int64_t ample = 40000);

  /// Nothing where the contract allows no launch of the sizes that were drawn.
  std::optional<LaunchSample> next();

private:
  struct Geometry {
    bool threadY = false, threadZ = false, blockY = false, blockZ = false;
  };

  void look(int function);
  std::optional<ir::ConcreteLaunch> fromContract();
  std::map<std::string, int64_t> sizes();
  ir::ConcreteLaunch guessed();
  void chooseBlock(ir::ConcreteLaunch& launch);
  ir::ScalarValue scalar(const ir::Local& parameter, int64_t threads);
  int64_t integer(const std::string& name, int64_t threads);
  std::vector<uint64_t> contents(ir::ScalarType type, int64_t length);
  uint64_t element(ir::ScalarType type);
  int64_t pick(std::initializer_list<int64_t> from);

  const ir::Module& m_module;
  const ir::Kernel& m_kernel;
  const ir::Function& m_function;
  const ir::LaunchContract* m_contract;
  std::mt19937_64 m_random;
  Geometry m_geometry;
  int m_integers = 0; ///< parameters
  int m_attempt = 0;
  int64_t m_ample;
};

} // namespace plumbline::differential
