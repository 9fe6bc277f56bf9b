// What an arbitrary thread of a grid does to memory, and where threads wait for each other: the result of
// symbolic execution, from which the obligations are made.
#pragma once

#include "core/gate/grid/symbols.h"
#include "core/ir/kernel.h"
#include "core/ir/launch.h"
#include "core/logic/term.h"

namespace plumbline::gate::grid {

/// A launch contract as terms.
struct SymbolicLaunch {
  std::array<logic::TermId, 3> blockDim;
  std::array<logic::TermId, 3> gridDim;
  logic::TermId sharedBytes{};
  std::map<std::string, logic::TermId> lengths; ///< elements of each buffer, by kernel parameter
  std::map<std::string, logic::TermId> scalars; ///< integer parameters that the contract fixes
};

/// A buffer or an array variable.
struct Object {
  enum class Space : uint8_t { Global, Shared, Thread, Constant };
  std::string name; ///< kernel parameter or array variable
  Space space = Space::Global;
  ir::ScalarType element = ir::ScalarType::Void;
  logic::TermId bytes{}; ///< Int: its size
  int64_t alignment = 1; ///< bytes that its address is a multiple of
  ir::BufferRole role = ir::BufferRole::Input;
  bool initialised = true; ///< has contents before the kernel starts
  bool written = false;    ///< by some access of the kernel
  int lives = 0;           ///< declarations gone past so far: an array of a thread starts anew at each
  SourceRange where;
};

/// A read or a write of `width` bytes at `offset`, wherever `guard` holds.
struct Access {
  int object = 0;
  bool write = false;
  bool atomic = false;
  bool floatAtomic = false;
  logic::TermId offset{}; ///< Int: bytes from the start of the object
  int64_t width = 4;
  logic::TermId guard{};   ///< Bool: from the start of the kernel
  int segment = 0;         ///< node of the skeleton
  int loop = outside;      ///< innermost loop
  int life = 0;            ///< Object::lives at this place
  int64_t alignment = 1;   ///< bytes that `address` has to be a multiple of
  logic::TermId address{}; ///< Int: of the whole vector, where one lane of it is accessed
  SourceRange where;
};

/// A stretch of the program without waiting, or a place to wait.
struct Segment {
  enum class Kind : uint8_t { Code, BlockBarrier, WarpBarrier, LoopHead, LoopExit };
  Kind kind = Kind::Code;
  int loop = outside; ///< LoopHead, LoopExit: that loop; otherwise the innermost one around
  std::vector<int> next;
};

/// What must hold at one place of one thread.
struct Requirement {
  enum class Kind : uint8_t {
    Overflow,
    DivisionByZero,
    ShiftRange,
    Uninitialised,
    NoReturnValue,
    Termination,
    Unknown
  };
  Kind kind = Kind::Unknown;
  logic::TermId guard{};
  logic::TermId holds{};
  SourceRange where;
  std::string message;
};

/// All threads of a block (or warp) that come here must agree on the condition.
struct Agreement {
  logic::TermId guard{};
  logic::TermId condition{};
  Level level = Level::Block; ///< Block or Warp
  int loop = outside;
  SourceRange where;   ///< the statement that decides
  SourceRange barrier; ///< a place to wait that depends on it
};

struct Program {
  std::vector<Object> objects;
  std::vector<Access> accesses; ///< in program order
  std::vector<Segment> segments;
  std::vector<Requirement> requirements;
  std::vector<Agreement> agreements;
};

} // namespace plumbline::gate::grid
