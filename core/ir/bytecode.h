// Kernel IR flattened to register code, so that a run neither recurses over nodes nor allocates.
// Only the interpreter uses this.
#pragma once

#include "core/ir/intrinsics.h"
#include "core/ir/kernel.h"

namespace plumbline::ir::bytecode {

/// Registers are numbered from the function's frame. `dst`, `a`, `b`, `c` are registers unless said
/// otherwise.
enum class Op : uint8_t {
  Constant,     ///< dst = constants[a]
  Builtin,      ///< dst = coordinate a (see builtinIndex)
  CheckDefined, ///< finding when local a has no value
  Copy,         ///< dst = a
  Negate,       ///< dst = -a
  LogicalNot,
  BitNot,
  IntBinary,    ///< sub: BinaryOp; type: of the operands; from: a shift count's type
  Arithmetic,   ///< sub: Meaning, on floats of `type`; arguments a, b, c (-1: none)
  FloatCompare, ///< sub: BinaryOp; from: type of the operands
  IsNan,        ///< from: type of the operand
  FloatBits,    ///< sub: Meaning SignBit, FloatToBits, BitsToFloat; from, type
  IntFunction,  ///< sub: Meaning IntMax, IntMin, IntAbs
  Opaque,       ///< arguments in registers a .. a+b-1; c: index of the spelling; from: type of the arguments
  Cast,         ///< from, type
  PointerAdd,   ///< dst = a + b times c bytes; from: type of b
  Array,        ///< dst = the first byte of array a
  Load,         ///< dst = the value at a + c bytes; the address a is a multiple of b
  Store,        ///< value b to a + c bytes; the address a is a multiple of dst
  Atomic,       ///< sub: SyncOp; dst (-1: none) = old value at a, operand b, c: what is compared
  Declare,      ///< local a, or array b, has no value
  Call,         ///< function b with its frame at register a; dst: the result
  Meet,         ///< sub: SyncOp; arguments in registers a .. a+b-1; dst: the result, -1 none
  LoopBack,     ///< to a, backwards
  Jump,         ///< to a
  JumpIfFalse,  ///< condition a, to b
  JumpIfTrue,   ///< condition a, to b
  Return,       ///< a: the value, -1 none
  MissingReturn ///< end of a function that returns a value
};

struct Instruction {
  Op op = Op::Jump;
  ScalarType type = ScalarType::Void;
  ScalarType from = ScalarType::Void;
  uint8_t sub = 0;
  int32_t dst = -1;
  int32_t a = -1;
  int32_t b = -1;
  int32_t c = -1;
  int32_t place = -1; ///< index into Program::places
};

struct Constant {
  ScalarType type = ScalarType::Void;
  int64_t integer = 0;
  uint64_t bits = 0;
  std::string text;
};

struct FunctionCode {
  std::vector<Instruction> code;
  int32_t parameterCount = 0;
  int32_t localCount = 0;
  int32_t frameSize = 0; ///< locals and temporaries
  int32_t stackSize = 0; ///< with the deepest chain of calls
};

struct Program {
  std::vector<FunctionCode>
      functions; ///< numbered as in the module; those that `entry` cannot reach are empty
  int entry = -1;
  std::vector<Constant> constants;
  std::vector<std::string> spellings;
  std::vector<SourceRange> places;
  std::vector<Local> parameters;     ///< of the entry
  std::vector<ArrayVariable> arrays; ///< of the entry
  bool meets = false;                ///< threads wait for each other somewhere
  bool meetsInWarps = false;         ///< ... the lanes of a warp
  bool shares = false;               ///< has shared arrays or atomic operations
  /// Bytes of the smallest access through a pointer that was cast; 0 when no pointer is.
  int32_t smallestCastAccess = 0;
};

/// threadIdx.x .z = 0..2, blockIdx 3..5, blockDim 6..8, gridDim 9..11, warpSize 12.
int builtinIndex(std::string_view text);

/// The module has passed `verify`. Error: "kernel-too-large" (shared nodes that unfold to more than a million
/// steps).
Expected<Program> compile(const Module& module, int function);

} // namespace plumbline::ir::bytecode
