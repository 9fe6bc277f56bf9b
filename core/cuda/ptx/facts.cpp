#include "core/cuda/ptx/facts.h"

#include <algorithm>

namespace plumbline::cuda {
namespace {

/// The parts of an opcode: "fma", "rn", "f32".
std::vector<std::string_view> partsOf(std::string_view opcode) {
  std::vector<std::string_view> parts;
  while (!opcode.empty()) {
    const size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
  }
  return parts;
}

class Opcode {
public:
  explicit Opcode(std::string_view opcode) : m_parts(partsOf(opcode)) {}

  bool is(std::initializer_list<std::string_view> roots) const {
    return !m_parts.empty() && std::find(roots.begin(), roots.end(), m_parts[0]) != roots.end();
  }
  bool has(std::initializer_list<std::string_view> modifiers) const {
    return std::any_of(m_parts.begin() + (m_parts.empty() ? 0 : 1), m_parts.end(),
                       [&](std::string_view part) {
                         return std::find(modifiers.begin(), modifiers.end(), part) != modifiers.end();
                       });
  }
  bool onFloats() const {
    return has({"f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2", "f64", "tf32", "e4m3", "e5m2"});
  }

private:
  std::vector<std::string_view> m_parts;
};

bool holds(PtxTrait trait, const Opcode& opcode) {
  switch (trait) {
  case PtxTrait::Fused: return opcode.is({"fma", "mad"});
  case PtxTrait::MayFuse: return opcode.is({"add", "sub", "mul"}) && !opcode.has({"rn", "rz", "rm", "rp"});
  case PtxTrait::Approximate: return opcode.has({"approx", "full"});
  case PtxTrait::Flush: return opcode.has({"ftz"});
  case PtxTrait::Division: return opcode.is({"div", "rcp"});
  case PtxTrait::Root: return opcode.is({"sqrt", "rsqrt"});
  case PtxTrait::Saturate: return opcode.has({"sat"});
  case PtxTrait::Directed: return opcode.has({"rz", "rm", "rp"}) && !opcode.is({"cvt"});
  case PtxTrait::MinMax: return opcode.is({"min", "max"});
  case PtxTrait::Atomic: return opcode.is({"atom", "red"});
  case PtxTrait::Matrix: return opcode.is({"mma", "wmma", "wgmma", "tcgen05"});
  }
  return false;
}

SourceRange rangeOf(const PtxLocation& at, const PtxModule& module, const std::string& source) {
  const auto file = module.files.find(at.file);
  if (file == module.files.end() || at.line == 0)
    return {source};
  const bool isSource = file->second.ends_with(ptxSourceName);
  return {isSource ? source : file->second, at.line, at.column, at.line, at.column + 1};
}

std::string traitList(const PtxFact& fact) {
  std::string text;
  for (const PtxTrait trait : fact.traits)
    text += (text.empty() ? "" : ", ") + std::string(name(trait));
  return text;
}

std::string headLine(const PtxText& text) {
  std::string line = "nvcc " + text.version + " " + text.arch;
  for (const std::string& flag : text.flags)
    line += " " + flag;
  return line;
}

} // namespace

std::string_view name(PtxTrait trait) {
  switch (trait) {
  case PtxTrait::Fused: return "fused";
  case PtxTrait::MayFuse: return "may-fuse";
  case PtxTrait::Approximate: return "approximate";
  case PtxTrait::Flush: return "flush";
  case PtxTrait::Division: return "division";
  case PtxTrait::Root: return "root";
  case PtxTrait::Saturate: return "saturate";
  case PtxTrait::Directed: return "directed";
  case PtxTrait::MinMax: return "min-max";
  case PtxTrait::Atomic: return "atomic";
  case PtxTrait::Matrix: return "matrix";
  }
  return "";
}

const std::vector<PtxTrait>& ptxTraits() {
  static const std::vector<PtxTrait> all = {PtxTrait::Fused,    PtxTrait::MayFuse,  PtxTrait::Approximate,
                                            PtxTrait::Flush,    PtxTrait::Division, PtxTrait::Root,
                                            PtxTrait::Saturate, PtxTrait::Directed, PtxTrait::MinMax,
                                            PtxTrait::Atomic,   PtxTrait::Matrix};
  return all;
}

std::vector<PtxTrait> traitsOf(std::string_view opcode) {
  const Opcode parts(opcode);
  std::vector<PtxTrait> traits;
  if (parts.onFloats())
    for (const PtxTrait trait : ptxTraits())
      if (holds(trait, parts))
        traits.push_back(trait);
  return traits;
}

std::vector<KernelFacts> factsOf(const PtxModule& module, const std::string& source) {
  std::vector<KernelFacts> kernels;
  for (const PtxFunction& function : module.functions) {
    if (!function.isEntry)
      continue;
    KernelFacts kernel{kernelName(function.symbol), function.symbol, {}, {}, function.body.size()};
    kernel.counts.resize(ptxTraits().size());
    for (const PtxInstruction& instruction : function.body) {
      std::vector<PtxTrait> traits = traitsOf(instruction.opcode);
      if (traits.empty())
        continue;
      for (const PtxTrait trait : traits)
        ++kernel.counts[static_cast<size_t>(trait)];
      kernel.facts.push_back(
          {instruction.opcode, std::move(traits), rangeOf(instruction.where, module, source),
           instruction.inlinedAt.file == 0 ? SourceRange{} : rangeOf(instruction.inlinedAt, module, source),
           instruction.ptxLine});
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Json toJson(const std::vector<KernelFacts>& kernels, const PtxText& text, const std::string& file) {
  Json list = Json::array();
  for (const KernelFacts& kernel : kernels) {
    Json counts = Json::object();
    for (const PtxTrait trait : ptxTraits())
      counts[std::string(name(trait))] = kernel.counts[static_cast<size_t>(trait)];
    Json facts = Json::array();
    for (const PtxFact& fact : kernel.facts) {
      Json traits = Json::array();
      for (const PtxTrait trait : fact.traits)
        traits.push_back(name(trait));
      Json item{{"opcode", fact.opcode},
                {"traits", traits},
                {"where", toJson(fact.where)},
                {"ptx_line", fact.ptxLine}};
      if (fact.inlinedAt.known())
        item["inlined_at"] = toJson(fact.inlinedAt);
      facts.push_back(std::move(item));
    }
    list.push_back({{"name", kernel.name},
                    {"symbol", kernel.symbol},
                    {"instructions", kernel.instructions},
                    {"counts", counts},
                    {"facts", facts}});
  }
  return {
      {"schema", 1},
      {"file", file},
      {"compiler", {{"name", "nvcc"}, {"version", text.version}, {"arch", text.arch}, {"flags", text.flags}}},
      {"kernels", list}};
}

std::string print(const std::vector<KernelFacts>& kernels, const PtxText& text, const std::string& file) {
  std::string result = file + ": " + headLine(text) + "\n";
  for (const KernelFacts& kernel : kernels) {
    result += "  kernel " + kernel.name + ": " + std::to_string(kernel.instructions) + " instructions";
    for (const PtxTrait trait : ptxTraits())
      if (const size_t count = kernel.counts[static_cast<size_t>(trait)]; count > 0)
        result += ", " + std::to_string(count) + " " + std::string(name(trait));
    result += "\n";
    for (const PtxFact& fact : kernel.facts) {
      result += "    " + toString(fact.where) + ": " + fact.opcode + " (" + traitList(fact) + ")";
      if (fact.inlinedAt.known())
        result += ", inlined at " + toString(fact.inlinedAt);
      result += "\n";
    }
  }
  return result;
}

} // namespace plumbline::cuda
