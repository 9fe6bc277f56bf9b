#include "core/gate/vercors/names.h"

#include "core/gate/vercors/refusal.h"

#include <algorithm>
#include <array>
#include <set>

namespace plumbline::gate::vercors {
namespace {

constexpr auto reserved = std::to_array<std::string_view>({"bag",       "bool",
                                                           "context",   "context_everywhere",
                                                           "ensures",   "exists",
                                                           "forall",    "fraction",
                                                           "given",     "inhale",
                                                           "exhale",    "kernel_invariant",
                                                           "lock",      "loop_invariant",
                                                           "map",       "none",
                                                           "option",    "process",
                                                           "pure",      "read",
                                                           "requires",  "resource",
                                                           "result",    "seq",
                                                           "set",       "sum",
                                                           "then",      "tuple",
                                                           "type",      "value",
                                                           "with",      "without",
                                                           "write",     "yields",
                                                           "Perm",      "PointsTo",
                                                           "Value",     "NULL",
                                                           "blockDim",  "blockIdx",
                                                           "gridDim",   "threadIdx",
                                                           "assume",    "assert",
                                                           "decreases", "old",
                                                           "thread",    "k_",
                                                           "c1_",       "c2_",
                                                           "c3_",       "c4_"});

} // namespace

std::string plainName(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (fits)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (name.size() > 1 && name.back() == '_')
    name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name.insert(0, "v_");
  if (std::ranges::find(reserved, name) != reserved.end())
    name += '_';
  return name;
}

std::vector<std::string> localNames(const ir::Function& function) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  auto add = [&](const std::string& text) {
    const std::string base = plainName(text);
    std::string name = base;
    for (int i = 1; !taken.insert(name).second; ++i)
      name = base + "_" + std::to_string(i);
    names.push_back(std::move(name));
  };
  for (const ir::Local& local : function.locals)
    add(local.name);
  for (const ir::ArrayVariable& array : function.arrays)
    add(array.name);
  return names;
}

std::vector<std::string> bodyNames(const ir::Function& function) {
  std::vector<std::string> names = localNames(function);
  std::set<int> assigned;
  for (const ir::Stmt& s : function.stmts)
    if (s.local >= 0 && s.local < function.parameterCount)
      assigned.insert(s.local);
  for (const int parameter : assigned) {
    std::string& name = names[static_cast<size_t>(parameter)];
    do
      name += "_now";
    while (std::ranges::count(names, name) > 1);
  }
  return names;
}

std::string typeName(const ir::Type& type, const SourceRange& where) {
  if (type.lanes != 1)
    refuse("vercors-vector", "a vector access", where);
  const char* scalar = nullptr;
  switch (type.scalar) {
  case ir::ScalarType::Void: scalar = "void"; break;
  case ir::ScalarType::Bool: scalar = "_Bool"; break;
  case ir::ScalarType::I8: scalar = "char"; break;
  case ir::ScalarType::U8: scalar = "unsigned char"; break;
  case ir::ScalarType::I16: scalar = "short"; break;
  case ir::ScalarType::U16: scalar = "unsigned short"; break;
  case ir::ScalarType::I32: scalar = "int"; break;
  case ir::ScalarType::U32: scalar = "unsigned int"; break;
  case ir::ScalarType::I64: scalar = "long"; break;
  case ir::ScalarType::U64: scalar = "unsigned long"; break;
  case ir::ScalarType::F32: scalar = "float"; break;
  case ir::ScalarType::F64: scalar = "double"; break;
  case ir::ScalarType::F16:
  case ir::ScalarType::BF16: refuse("vercors-type", "half precision", where);
  }
  return std::string(scalar) + (type.pointer ? "*" : "");
}

} // namespace plumbline::gate::vercors
