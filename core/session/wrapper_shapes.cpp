#include "core/session/wrapper_shapes.h"

#include "core/ir/tensor_io.h"

#include <set>

namespace plumbline::session {
namespace {

const char* operatorText(ir::SizeExpr::Kind kind) {
  using Kind = ir::SizeExpr::Kind;
  switch (kind) {
  case Kind::Add: return "+";
  case Kind::Sub: return "-";
  case Kind::Mul: return "*";
  case Kind::Div: return "/";
  case Kind::Rem: return "%";
  case Kind::Max: return "max";
  case Kind::Min: return "min";
  case Kind::CeilDiv: return "ceil";
  case Kind::Lt: return "<";
  case Kind::Le: return "<=";
  case Kind::Gt: return ">";
  case Kind::Ge: return ">=";
  case Kind::Eq: return "==";
  case Kind::Ne: return "!=";
  default: return "&&";
  }
}

Json tree(const ir::SizeExpr& expr) {
  if (expr.kind == ir::SizeExpr::Kind::Constant)
    return expr.value;
  if (expr.kind == ir::SizeExpr::Kind::Symbol)
    return expr.symbol;
  return Json::array({operatorText(expr.kind), tree(*expr.args[0]), tree(*expr.args[1])});
}

Json trees(const std::vector<ir::SizeExprPtr>& sizes) {
  Json list = Json::array();
  for (const ir::SizeExprPtr& size : sizes)
    list.push_back(tree(*size));
  return list;
}

/// Conditions that hold whatever the host's arithmetic does.
Json conditions(const std::vector<ir::HostFact>& facts) {
  Json list = Json::array();
  for (const ir::HostFact& fact : facts)
    if (fact.condition && fact.reliesOn.empty())
      list.push_back(tree(*fact.condition));
  return list;
}

Json returnedTensor(const std::string& like, const Json& shape, ir::ScalarType type) {
  return {{"like", like.empty() ? Json() : Json(like)},
          {"shape", shape},
          {"type", type == ir::ScalarType::Void ? Json() : Json(ir::dtypeName(type))}};
}

ir::ScalarType elementType(const ir::Module& module, const std::string& kernel,
                           const std::string& parameter) {
  for (const ir::Kernel& each : module.kernels)
    if (each.name == kernel && each.function >= 0)
      for (const ir::Local& local : module.functions[static_cast<size_t>(each.function)].locals)
        if (local.name == parameter)
          return local.type.scalar;
  return ir::ScalarType::Void;
}

Json wayOf(const ir::Module& module, const ir::LaunchContract& launch) {
  Json modifies = Json::array();
  Json returned = Json::array();
  for (const ir::BufferContract& buffer : launch.buffers)
    if (buffer.role != ir::BufferRole::Input && !buffer.tensor.starts_with("output:"))
      modifies.push_back(buffer.tensor);
  for (const std::string& name : launch.returned)
    for (const ir::BufferContract& buffer : launch.buffers)
      if (buffer.tensor == name)
        returned.push_back(returnedTensor(buffer.shapeLike, trees(buffer.shape),
                                          elementType(module, launch.kernel, buffer.parameter)));
  return {{"when", Json::array()},
          {"facts", conditions(launch.facts)},
          {"unread", ""},
          {"modifies", std::move(modifies)},
          {"returned", std::move(returned)}};
}

std::string storageOf(const ir::HostProgram& program, const std::string& name) {
  const ir::ProgramTensor* tensor = ir::findTensor(program, name);
  return tensor && tensor->origin == ir::ProgramTensor::Origin::View ? storageOf(program, tensor->base)
                                                                     : name;
}

Json wayOf(const ir::HostProgram& program) {
  std::set<std::string> written;
  for (const ir::ProgramStep& step : program.steps) {
    for (const ir::BufferContract& buffer : step.launch.buffers)
      if (buffer.role != ir::BufferRole::Input)
        written.insert(buffer.tensor);
    for (const std::string& name : step.call.modifies)
      written.insert(storageOf(program, name));
  }
  Json modifies = Json::array();
  for (const std::string& name : program.wrapperTensors)
    if (written.contains(name))
      modifies.push_back(name);
  Json returned = Json::array();
  for (const std::string& name : program.returned) {
    const ir::ProgramTensor* tensor = ir::findTensor(program, name);
    if (tensor == nullptr) { // a parameter, as it is
      returned.push_back(returnedTensor(name, Json::array(), ir::ScalarType::F32));
      continue;
    }
    const bool made = tensor->origin != ir::ProgramTensor::Origin::Operator;
    const bool ofTorch = ir::findTensor(program, tensor->shapeLike) != nullptr ||
                         (!made && tensor->shapeLike.empty() && tensor->shape.empty());
    returned.push_back(
        returnedTensor(tensor->shapeLike, ofTorch ? Json() : trees(tensor->shape), tensor->type));
  }
  return {{"when", conditions(program.when)},
          {"facts", conditions(program.facts)},
          {"unread", ""},
          {"modifies", std::move(modifies)},
          {"returned", std::move(returned)}};
}

} // namespace

Json wrapperShapes(const cuda::ImportedCuda& imported) {
  Json all = Json::object();
  const auto entry = [&](const std::string& wrapper, const std::vector<std::string>& parameters) -> Json& {
    Json& made = all[wrapper];
    if (made.is_null())
      made = {{"parameters", parameters}, {"ways", Json::array()}};
    return made["ways"];
  };
  for (const ir::LaunchContract& launch : imported.launches)
    entry(launch.wrapper, launch.wrapperParameters).push_back(wayOf(imported.module, launch));
  for (const ir::HostProgram& program : imported.programs)
    entry(program.wrapper, program.wrapperParameters).push_back(wayOf(program));
  // After the programs: an unread way without conditions is what they leave.
  for (const ir::UnreadWay& way : imported.unreadWays)
    if (all.contains(way.wrapper) && !way.reasons.empty())
      all[way.wrapper]["ways"].push_back({{"when", conditions(way.when)},
                                          {"facts", Json::array()},
                                          {"unread", way.reasons.front().construct},
                                          {"modifies", Json::array()},
                                          {"returned", Json::array()}});
  return all;
}

} // namespace plumbline::session
