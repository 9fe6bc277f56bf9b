#include "core/ir/interpreter_lanes.h"

#include "core/ir/integer_ops.h"

namespace plumbline::ir {

int shuffleSource(SyncOp op, int lane, int64_t argument, int64_t width) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0)
    return -1;
  const auto size = static_cast<int>(width);
  const int first = lane & ~(size - 1);
  const int last = first + size - 1;
  if (op == SyncOp::Shuffle) // modulo width, also of a negative lane
    return first + static_cast<int>(argument & (width - 1));
  if (argument < 0 || argument >= 32)
    return -1;
  const auto distance = static_cast<int>(argument);
  switch (op) {
  case SyncOp::ShuffleUp: return lane - distance < first ? lane : lane - distance;
  case SyncOp::ShuffleDown: return lane + distance > last ? lane : lane + distance;
  default: return (lane ^ distance) > last ? lane : lane ^ distance; // earlier sections can be read
  }
}

int64_t atomicInteger(SyncOp op, ScalarType type, int64_t old, int64_t operand) {
  const auto a = static_cast<uint64_t>(old);
  const auto b = static_cast<uint64_t>(operand);
  const bool before = isSigned(type) ? old < operand : a < b;
  uint64_t made = b; // AtomicExchange
  switch (op) {
  case SyncOp::AtomicAdd: made = a + b; break;
  case SyncOp::AtomicSub: made = a - b; break;
  case SyncOp::AtomicMin: made = before ? a : b; break;
  case SyncOp::AtomicMax: made = before ? b : a; break;
  case SyncOp::AtomicAnd: made = a & b; break;
  case SyncOp::AtomicOr: made = a | b; break;
  case SyncOp::AtomicXor: made = a ^ b; break;
  case SyncOp::AtomicIncrement: made = a >= b ? 0 : a + 1; break;
  case SyncOp::AtomicDecrement: made = a == 0 || a > b ? b : a - 1; break;
  default: break;
  }
  return wrapTo(type, static_cast<int64_t>(made));
}

} // namespace plumbline::ir
