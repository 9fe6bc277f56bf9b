#include "core/gate/grid/contents.h"

#include <bit>

namespace plumbline::gate::grid {

using ir::ScalarType;

namespace {

uint64_t floatBits(ScalarType type, double value) {
  if (type == ScalarType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

} // namespace

uint64_t mixed(uint64_t seed, uint64_t index) {
  uint64_t x = seed * 0x9E3779B97F4A7C15U + index + 0x632BE59BD9B4E019U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

ir::Buffer<ir::IeeeDomain>::Cell initialCell(ScalarType type, Contents contents, uint64_t seed,
                                             int64_t index) {
  const uint64_t random = mixed(seed, static_cast<uint64_t>(index));
  if (contents == Contents::Zeros)
    return ir::cellFromBits(type, 0);
  if (ir::isSixteenBitFloat(type)) // small positive numbers in either format
    return ir::cellFromBits(type, 0x3800 + random % 1024);
  if (ir::isFloat(type))
    return ir::cellFromBits(type, floatBits(type, static_cast<double>(random % 4001) / 1000.0 - 2.0));
  return ir::cellFromBits(type, contents == Contents::Small ? random % 8 : random);
}

std::string findingKind(ir::FindingKind kind) {
  return kind == ir::FindingKind::LaunchLimit ? "illegal-launch" : std::string(ir::name(kind));
}

void describe(Finding& finding, const ir::RunFinding& seen) {
  finding.kind = findingKind(seen.kind);
  finding.message = seen.message;
  finding.spans = {seen.where};
  finding.threads.clear();
  if (seen.hasThread)
    finding.threads.push_back(seen.thread);
  if (seen.hasOther) {
    finding.spans.push_back(seen.otherWhere);
    finding.threads.push_back(seen.otherThread);
  }
  finding.replayed = true;
}

} // namespace plumbline::gate::grid
