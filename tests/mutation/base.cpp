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
      {"relu-keeps-nan", sample("relu-keeps-nan"), true, 1, 1, false, "relu"},
      {"leaky-relu-commuted", sample("leaky-relu-commuted"), true, 1, 1, false, "leakyRelu"},
      {"leaky-relu-max", sample("leaky-relu-max"), true, 1, 1, false, "leakyRelu"},
      {"vector-add", sample("vector-add"), true, 1, 2, false, "add"},
      {"twice", sample("twice"), true, 1, 1, false, "twice"},
      {"half", sample("half"), true, 1, 1, false, "half"},
      {"abs", own("abs"), false, 1, 1, false, "absolute"},
      {"affine", own("affine"), false, 1, 1, false, "affine"},
      {"hardtanh", own("hardtanh"), false, 1, 1, false, "hardtanh"},
      {"relu6", own("relu6"), false, 1, 1, false, "relu6"},
      {"maximum", own("maximum"), false, 1, 2, false, "maximum"},
      {"where", own("where"), false, 1, 2, false, "where"},
      {"fused-tail", own("fused-tail"), false, 1, 3, false, "fusedTail"},
      {"bias-row", own("bias-row"), false, 2, 2, true, "add"},
      {"grid-2d", own("grid-2d"), false, 2, 2, true, "subtract"},
  };
  return bases;
}

} // namespace plumbline::mutation
