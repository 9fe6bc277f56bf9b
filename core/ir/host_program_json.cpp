// The JSON form of wrapper programs.
#include "core/ir/host_program.h"

#include "core/ir/launch_json.h"

#include <array>
#include <set>

namespace plumbline::ir {
namespace {

using launch_json::Bad;
using launch_json::checkFromJson;
using launch_json::checkToJson;
using launch_json::doubleFromJson;
using launch_json::doubleToJson;
using launch_json::exprToJson;
using launch_json::factFromJson;
using launch_json::factToJson;
using launch_json::numberFromJson;
using launch_json::symbolFromJson;
using launch_json::symbolToJson;

/// What a launch in a program shares with the program.
constexpr std::array<const char*, 6> shared = {"wrapper", "symbols",         "assume",
                                               "checks",  "wrapper_tensors", "wrapper_parameters"};

constexpr std::array<std::pair<OperatorArgument::Kind, const char*>, 3> textKinds = {
    {{OperatorArgument::Kind::Tensor, "tensor"},
     {OperatorArgument::Kind::Parameter, "parameter"},
     {OperatorArgument::Kind::Text, "text"}}};

// ---- writing

Json argumentToJson(const OperatorArgument& argument) {
  for (const auto& [kind, key] : textKinds)
    if (argument.kind == kind)
      return {{key, argument.text}};
  switch (argument.kind) {
  case OperatorArgument::Kind::Integer: return exprToJson(argument.integer);
  case OperatorArgument::Kind::Float:
    return {{"float", doubleToJson(argument.floating)}, {"text", argument.text}};
  case OperatorArgument::Kind::List: {
    Json list = Json::array();
    for (const OperatorArgument& part : argument.parts)
      list.push_back(argumentToJson(part));
    return list;
  }
  default: return nullptr;
  }
}

Json tensorToJson(const ProgramTensor& tensor) {
  Json json{{"name", tensor.name},
            {"origin", name(tensor.origin)},
            {"len", exprToJson(tensor.length)},
            {"row_major", tensor.rowMajor},
            {"where", plumbline::toJson(tensor.where)}};
  if (!tensor.base.empty())
    json["base"] = tensor.base;
  if (tensor.type != ScalarType::Void)
    json["type"] = name(tensor.type);
  if (!tensor.shapeLike.empty())
    json["shape_like"] = tensor.shapeLike;
  for (const SizeExprPtr& size : tensor.shape)
    json["shape"].push_back(exprToJson(size));
  return json;
}

Json stepToJson(const ProgramStep& step) {
  if (step.kind == ProgramStep::Kind::Launch) {
    Json launch = toJson(step.launch);
    for (const char* key : shared)
      launch.erase(key);
    launch.erase("returned");
    launch.erase("returned_tensors");
    Json json{{"launch", std::move(launch)}};
    if (!step.nulls.empty())
      json["nulls"] = step.nulls;
    return json;
  }
  Json arguments = Json::array();
  for (const OperatorArgument& argument : step.call.arguments)
    arguments.push_back(argumentToJson(argument));
  return {{"operator", step.call.name},   {"arguments", std::move(arguments)},
          {"results", step.call.results}, {"modifies", step.call.modifies},
          {"view", step.call.view},       {"where", plumbline::toJson(step.call.where)}};
}

Json factsToJson(const std::vector<HostFact>& facts) {
  Json list = Json::array();
  for (const HostFact& fact : facts)
    list.push_back(factToJson(fact));
  return list;
}

// ---- reading

OperatorArgument argumentFromJson(const Json& json) {
  OperatorArgument argument;
  if (json.is_null())
    return argument;
  if (json.is_array()) {
    argument.kind = OperatorArgument::Kind::List;
    for (const Json& part : json)
      argument.parts.push_back(argumentFromJson(part));
    return argument;
  }
  if (!json.is_object()) {
    argument.kind = OperatorArgument::Kind::Integer;
    argument.integer = numberFromJson(json, "an argument");
    return argument;
  }
  for (const auto& [kind, key] : textKinds)
    if (json.contains(key) && !json.contains("float")) {
      argument.kind = kind;
      argument.text = json[key].get<std::string>();
      return argument;
    }
  argument.kind = OperatorArgument::Kind::Float;
  argument.floating = doubleFromJson(json.at("float"));
  argument.text = json.value("text", "");
  return argument;
}

ProgramTensor::Origin originFromJson(const std::string& text) {
  using Origin = ProgramTensor::Origin;
  for (Origin origin : {Origin::Empty, Origin::Zeros, Origin::Operator, Origin::View})
    if (name(origin) == text)
      return origin;
  throw Bad{"unknown origin '" + text + "'"};
}

ProgramTensor tensorFromJson(const Json& json) {
  ProgramTensor tensor;
  tensor.name = json.at("name").get<std::string>();
  tensor.origin = originFromJson(json.at("origin").get<std::string>());
  tensor.length = numberFromJson(json.at("len"), "length of " + tensor.name);
  tensor.rowMajor = json.value("row_major", true);
  tensor.base = json.value("base", "");
  tensor.where = sourceRangeFromJson(json.value("where", Json::object()));
  if (json.contains("type")) {
    const std::optional<ScalarType> type = scalarTypeFromName(json["type"].get<std::string>());
    if (!type)
      throw Bad{"unknown type of " + tensor.name};
    tensor.type = *type;
  }
  tensor.shapeLike = json.value("shape_like", "");
  for (const Json& size : json.value("shape", Json::array()))
    tensor.shape.push_back(numberFromJson(size, "shape of " + tensor.name));
  return tensor;
}

ProgramStep stepFromJson(const Json& json, const Json& program) {
  ProgramStep step;
  if (json.contains("launch")) {
    Json launch = json["launch"];
    for (const char* key : shared)
      if (program.contains(key))
        launch[key] = program[key];
    Expected<LaunchContract> contract = launchFromJson(launch.at("kernel").get<std::string>(), launch);
    if (!contract)
      throw Bad{contract.error().message};
    step.launch = *std::move(contract);
    step.nulls = json.value("nulls", std::vector<std::string>());
    return step;
  }
  step.kind = ProgramStep::Kind::Operator;
  step.call.name = json.at("operator").get<std::string>();
  for (const Json& argument : json.at("arguments"))
    step.call.arguments.push_back(argumentFromJson(argument));
  step.call.results = json.value("results", std::vector<std::string>());
  step.call.modifies = json.value("modifies", std::vector<std::string>());
  step.call.view = json.value("view", false);
  step.call.where = sourceRangeFromJson(json.value("where", Json::object()));
  return step;
}

void checkDeclared(const HostProgram& program) {
  std::set<std::string> declared;
  for (const SizeSymbol& symbol : program.symbols)
    declared.insert(symbol.name);
  const auto look = [&](const SizeExprPtr& expr) {
    if (expr)
      for (const std::string& symbol : symbolsOf(*expr))
        if (!declared.contains(symbol))
          throw Bad{"the size " + symbol + " is not declared"};
  };
  for (const HostFact& fact : program.when)
    look(fact.condition);
  for (const HostFact& fact : program.facts)
    look(fact.condition);
  for (const HostCheck& check : program.checks)
    look(check.value);
  for (const ProgramTensor& tensor : program.tensors) {
    look(tensor.length);
    for (const SizeExprPtr& size : tensor.shape)
      look(size);
  }
}

HostProgram readProgram(const Json& json) {
  HostProgram program;
  program.wrapper = json.at("wrapper").get<std::string>();
  program.where = sourceRangeFromJson(json.value("where", Json::object()));
  for (const Json& fact : json.value("when", Json::array()))
    program.when.push_back(factFromJson(fact));
  const Json symbols = json.value("symbols", Json::object());
  for (const auto& [name, value] : symbols.items())
    program.symbols.push_back(symbolFromJson(name, value));
  for (const Json& fact : json.value("assume", Json::array()))
    program.facts.push_back(factFromJson(fact));
  for (const Json& check : json.value("checks", Json::array()))
    program.checks.push_back(checkFromJson(check));
  for (const Json& tensor : json.value("tensors", Json::array()))
    program.tensors.push_back(tensorFromJson(tensor));
  for (const Json& step : json.at("steps"))
    program.steps.push_back(stepFromJson(step, json));
  program.wrapperTensors = json.value("wrapper_tensors", std::vector<std::string>());
  program.wrapperParameters = json.value("wrapper_parameters", std::vector<std::string>());
  program.returns = json.value("returns", false);
  program.returned = json.value("returned", std::vector<std::string>());
  checkDeclared(program);
  return program;
}

/// Calls `read`, which throws for a form that is not ours.
template <class Result, class Read> Expected<Result> guarded(const Read& read) {
  std::string why;
  try {
    return read();
  } catch (const Json::exception& error) {
    why = error.what();
  } catch (const Bad& error) {
    why = error.what;
  }
  return fail(ErrorKind::File, "launch-json", "program of a wrapper: " + why,
              "see the form in resources/schema/program.schema.json");
}

} // namespace

Json toJson(const HostProgram& program) {
  Json json{{"wrapper", program.wrapper},
            {"where", plumbline::toJson(program.where)},
            {"when", factsToJson(program.when)},
            {"symbols", Json::object()},
            {"assume", factsToJson(program.facts)},
            {"checks", Json::array()},
            {"tensors", Json::array()},
            {"steps", Json::array()},
            {"wrapper_tensors", program.wrapperTensors},
            {"wrapper_parameters", program.wrapperParameters},
            {"returns", program.returns},
            {"returned", program.returned}};
  for (const SizeSymbol& symbol : program.symbols)
    json["symbols"][symbol.name] = symbolToJson(symbol);
  for (const HostCheck& check : program.checks)
    json["checks"].push_back(checkToJson(check));
  for (const ProgramTensor& tensor : program.tensors)
    json["tensors"].push_back(tensorToJson(tensor));
  for (const ProgramStep& step : program.steps)
    json["steps"].push_back(stepToJson(step));
  return json;
}

Json toJson(const UnreadWay& way) {
  Json reasons = Json::array();
  for (const Rejection& reason : way.reasons)
    reasons.push_back(plumbline::toJson(reason));
  return {{"wrapper", way.wrapper}, {"when", factsToJson(way.when)}, {"reasons", std::move(reasons)}};
}

Expected<HostProgram> programFromJson(const Json& json) {
  return guarded<HostProgram>([&] { return readProgram(json); });
}

Expected<UnreadWay> unreadWayFromJson(const Json& json) {
  return guarded<UnreadWay>([&] {
    UnreadWay way;
    way.wrapper = json.at("wrapper").get<std::string>();
    for (const Json& fact : json.value("when", Json::array()))
      way.when.push_back(factFromJson(fact));
    for (const Json& reason : json.value("reasons", Json::array()))
      way.reasons.push_back(rejectionFromJson(reason));
    return way;
  });
}

} // namespace plumbline::ir
