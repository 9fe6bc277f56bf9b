#include "tests/mutation/base.h"

namespace plumbline::mutation {
namespace {

std::filesystem::path sample(const std::string& name) {
  return std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "resources/samples" / name;
}

std::filesystem::path own(const std::string& name) {
  return std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "tests/mutation/bases" / name;
}

} // namespace

std::span<const Base> allBases() {
  static const std::vector<Base> bases = {
      {"relu-keeps-nan", sample("relu-keeps-nan"), 1, 1, false, "relu"},
      {"leaky-relu-commuted", sample("leaky-relu-commuted"), 1, 1, false, "leakyRelu"},
      {"leaky-relu-max", sample("leaky-relu-max"), 1, 1, false, "leakyRelu"},
      {"vector-add", sample("vector-add"), 1, 2, false, "add"},
      {"twice", sample("twice"), 1, 1, false, "twice"},
      {"half", sample("half"), 1, 1, false, "half"},
      {"abs", own("abs"), 1, 1, false, "absolute"},
      {"affine", own("affine"), 1, 1, false, "affine"},
      {"hardtanh", own("hardtanh"), 1, 1, false, "hardtanh"},
      {"relu6", own("relu6"), 1, 1, false, "relu6"},
      {"maximum", own("maximum"), 1, 2, false, "maximum"},
      {"where", own("where"), 1, 2, false, "where"},
      {"fused-tail", own("fused-tail"), 1, 3, false, "fusedTail"},
      {"bias-row", own("bias-row"), 2, 2, true, "add"},
      {"grid-2d", own("grid-2d"), 2, 2, true, "subtract"},
  };
  return bases;
}

} // namespace plumbline::mutation
