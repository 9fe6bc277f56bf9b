// Machine code for one comparison, by LLVM's ORC JIT for the processor at hand.
#pragma once

#include "app/sweep/lowering.h"

#include <string>

namespace plumbline::sweep {

/// The two loops, callable from any thread. See lowering.h for their contracts.
struct Loops {
  void (*left)(uint32_t first, uint32_t count, void* buffer) = nullptr;
  uint32_t (*right)(uint32_t first, uint32_t count, const void* buffer) = nullptr;
};

/// Owns the JIT. Used by one thread; the code it made may be called from any.
class Jit {
public:
  /// Errors: "jit" with LLVM's message.
  static Expected<std::unique_ptr<Jit>> create();
  ~Jit();
  Jit(const Jit&) = delete;
  Jit& operator=(const Jit&) = delete;

  /// Compiles both sides (at the same time). The code lives until the next call or the end of the object.
  Expected<Loops> compile(const Comparison& comparison);

  /// For the record: "LLVM 19.1.7, znver4".
  const std::string& machine() const;

private:
  struct Implementation;
  explicit Jit(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> m_implementation;
};

} // namespace plumbline::sweep
