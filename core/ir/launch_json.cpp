// The JSON form of launch contracts: the short form a person writes and the full form the importer writes.
#include "core/ir/launch_json.h"

#include <algorithm>
#include <set>

namespace plumbline::ir {

using launch_json::Bad;
using launch_json::checkFromJson;
using launch_json::checkToJson;
using launch_json::decimalValue;
using launch_json::doubleFromJson;
using launch_json::doubleToJson;
using launch_json::exprToJson;
using launch_json::factFromJson;
using launch_json::factToJson;
using launch_json::numberFromJson;
using launch_json::symbolFromJson;
using launch_json::symbolToJson;

namespace {

Json bufferToJson(const BufferContract& buffer) {
  Json json{{"len", exprToJson(buffer.length)}, {"align", buffer.align}, {"role", name(buffer.role)}};
  if (!buffer.tensor.empty())
    json["tensor"] = buffer.tensor;
  if (buffer.zeroInitialised)
    json["zeros"] = true;
  if (!buffer.shapeLike.empty())
    json["shape_like"] = buffer.shapeLike;
  for (const SizeExprPtr& size : buffer.shape)
    json["shape"].push_back(exprToJson(size));
  return json;
}

Json scalarToJson(const ScalarContract& scalar) {
  switch (scalar.kind) {
  case ScalarContract::Kind::Free: return "free";
  case ScalarContract::Kind::Integer: return exprToJson(scalar.integer);
  case ScalarContract::Kind::Float: return {{"float", doubleToJson(scalar.floating)}, {"text", scalar.text}};
  case ScalarContract::Kind::WrapperParameter: break;
  }
  Json json{{"wrapper", scalar.wrapperName}};
  if (scalar.wrapperDefault)
    json["default"] = doubleToJson(*scalar.wrapperDefault);
  return json;
}

std::array<SizeExprPtr, 3> dimensionsFromJson(const Json& json, const char* key) {
  const Json& found = json.at(key);
  const Json entries = found.is_array() ? found : Json::array({found});
  if (entries.empty() || entries.size() > 3)
    throw Bad{std::string(key) + " has one to three entries"};
  std::array<SizeExprPtr, 3> made;
  for (size_t i = 0; i < 3; ++i)
    made[i] = i < entries.size() ? numberFromJson(entries[i], key) : sizeConstant(1);
  return made;
}

BufferRole roleFromJson(const std::string& parameter, const std::string& text) {
  for (BufferRole role : {BufferRole::Input, BufferRole::Output, BufferRole::InOut})
    if (name(role) == text)
      return role;
  throw Bad{"buffer " + parameter + " has the unknown role '" + text + "'"};
}

/// A misspelt key must not change what is promised.
void onlyKeys(const Json& json, const std::set<std::string>& known, const std::string& place) {
  if (!json.is_object())
    throw Bad{place + " is not an object"};
  for (const auto& [key, value] : json.items())
    if (!known.contains(key))
      throw Bad{place + " has the unknown key '" + key + "'"};
}

const Json& required(const Json& json, const char* key, const std::string& place) {
  const auto found = json.find(key);
  if (found == json.end())
    throw Bad{place + " lacks '" + key + "'"};
  return *found;
}

BufferContract bufferFromJson(const std::string& parameter, const Json& json) {
  BufferContract buffer;
  buffer.parameter = parameter;
  const std::string place = "buffer " + parameter;
  onlyKeys(json, {"len", "align", "role", "tensor", "zeros", "shape_like", "shape"}, place);
  buffer.length = numberFromJson(required(json, "len", place), "length of " + parameter);
  buffer.align = json.value("align", int64_t{4});
  if (buffer.align < 1 || (buffer.align & (buffer.align - 1)) != 0)
    throw Bad{"alignment of " + parameter + " is not a power of two"};
  buffer.role = roleFromJson(parameter, required(json, "role", place).get<std::string>());
  buffer.tensor = json.value("tensor", "");
  buffer.zeroInitialised = json.value("zeros", false);
  buffer.shapeLike = json.value("shape_like", "");
  for (const Json& size : json.value("shape", Json::array()))
    buffer.shape.push_back(numberFromJson(size, "shape of " + parameter));
  return buffer;
}

ScalarContract floatScalar(double value, std::string text) {
  ScalarContract scalar;
  scalar.kind = ScalarContract::Kind::Float;
  scalar.floating = value;
  scalar.text = std::move(text);
  return scalar;
}

ScalarContract scalarFromObject(const std::string& parameter, const Json& json) {
  if (json.contains("float"))
    return floatScalar(doubleFromJson(json["float"]), json.value("text", ""));
  if (!json.contains("wrapper"))
    throw Bad{"scalar " + parameter + " has neither 'float' nor 'wrapper'"};
  ScalarContract scalar;
  scalar.kind = ScalarContract::Kind::WrapperParameter;
  scalar.wrapperName = json["wrapper"].get<std::string>();
  if (json.contains("default"))
    scalar.wrapperDefault = doubleFromJson(json["default"]);
  return scalar;
}

ScalarContract scalarFromText(const std::string& parameter, const std::string& text) {
  ScalarContract scalar;
  if (text == "free")
    return scalar;
  Expected<SizeExprPtr> parsed = parseSizeExpr(text);
  const bool word = text == "Infinity" || text == "NaN";
  if (parsed && !word && !isCondition(**parsed)) {
    scalar.kind = ScalarContract::Kind::Integer;
    scalar.integer = *parsed;
    return scalar;
  }
  std::optional<double> value = decimalValue(text);
  if (!value)
    throw Bad{"scalar " + parameter + " is neither 'free', an integer expression nor a decimal number"};
  return floatScalar(*value, text);
}

ScalarContract scalarFromJson(const std::string& parameter, const Json& json) {
  ScalarContract scalar;
  if (json.is_object())
    scalar = scalarFromObject(parameter, json);
  else if (json.is_string())
    scalar = scalarFromText(parameter, json.get<std::string>());
  else if (json.is_number_float())
    scalar = floatScalar(json.get<double>(), json.dump());
  else {
    scalar.kind = ScalarContract::Kind::Integer;
    scalar.integer = numberFromJson(json, "scalar " + parameter);
  }
  scalar.parameter = parameter;
  return scalar;
}

// ---- a whole contract

/// Calls `visit(expr, place)` for each expression of the contract that is there.
template <class Visit> void forEachExpr(const LaunchContract& contract, Visit visit) {
  for (size_t i = 0; i < 3; ++i) {
    visit(contract.block[i], "block");
    visit(contract.grid[i], "grid");
  }
  visit(contract.sharedBytes, "shared_bytes");
  for (const HostFact& fact : contract.facts) {
    visit(fact.condition, "assume");
    for (const HostCheck& check : fact.reliesOn)
      visit(check.value, "assume");
  }
  for (const HostCheck& check : contract.checks)
    visit(check.value, "checks");
  for (const BufferContract& buffer : contract.buffers) {
    visit(buffer.length, "length of " + buffer.parameter);
    for (const SizeExprPtr& size : buffer.shape)
      visit(size, "shape of " + buffer.parameter);
  }
  for (const ScalarContract& scalar : contract.scalars)
    visit(scalar.integer, "scalar " + scalar.parameter);
}

void checkDeclared(const LaunchContract& contract) {
  std::set<std::string> declared;
  for (const SizeSymbol& symbol : contract.symbols)
    if (!declared.insert(symbol.name).second)
      throw Bad{"size " + symbol.name + " is declared twice"};
  forEachExpr(contract, [&](const SizeExprPtr& expr, const std::string& place) {
    if (expr)
      for (const std::string& symbol : symbolsOf(*expr))
        if (!declared.contains(symbol))
          throw Bad{std::string(place)
                        .append(" uses the size ")
                        .append(symbol)
                        .append(", which 'symbols' does not declare")};
  });
}

void readParts(LaunchContract& contract, const Json& json) {
  const Json none = Json::object();
  const Json symbols = json.value("symbols", none);
  const Json buffers = json.value("buffers", none);
  const Json scalars = json.value("scalars", none);
  for (const auto& [name, value] : symbols.items())
    contract.symbols.push_back(symbolFromJson(name, value));
  for (const Json& fact : json.value("assume", Json::array()))
    contract.facts.push_back(factFromJson(fact));
  for (const Json& check : json.value("checks", Json::array()))
    contract.checks.push_back(checkFromJson(check));
  for (const auto& [parameter, value] : buffers.items())
    contract.buffers.push_back(bufferFromJson(parameter, value));
  for (const auto& [parameter, value] : scalars.items())
    contract.scalars.push_back(scalarFromJson(parameter, value));
}

/// A list of groups; each names two or more buffers, a buffer stands in at most one.
std::vector<std::vector<std::string>> aliasesFrom(const Json& json, const LaunchContract& contract) {
  std::vector<std::vector<std::string>> groups;
  const auto found = json.find("alias");
  if (found == json.end() || found->is_null() || found->empty())
    return groups;
  groups = found->get<std::vector<std::vector<std::string>>>();
  std::set<std::string> seen;
  for (const std::vector<std::string>& group : groups) {
    if (group.size() < 2)
      throw Bad{"a group of \"alias\" names one buffer"};
    for (const std::string& parameter : group) {
      if (findBuffer(contract, parameter) == nullptr)
        throw Bad{"\"alias\" names '" + parameter + "', which is no buffer"};
      if (!seen.insert(parameter).second)
        throw Bad{"\"alias\" names '" + parameter + "' twice"};
    }
  }
  return groups;
}

LaunchContract readContract(const std::string& kernel, const Json& json) {
  LaunchContract contract;
  onlyKeys(json,
           {"kernel", "wrapper", "where", "block", "grid", "shared_bytes", "symbols", "assume", "checks",
            "buffers", "scalars", "alias", "wrapper_tensors", "wrapper_parameters", "returned",
            "returned_tensors", "expect", "note"},
           "it");
  required(json, "block", "it");
  required(json, "grid", "it");
  contract.kernel = kernel;
  contract.wrapper = json.value("wrapper", "");
  contract.where = sourceRangeFromJson(json.value("where", Json::object()));
  contract.block = dimensionsFromJson(json, "block");
  contract.grid = dimensionsFromJson(json, "grid");
  contract.sharedBytes =
      json.contains("shared_bytes") ? numberFromJson(json["shared_bytes"], "shared_bytes") : sizeConstant(0);
  readParts(contract, json);
  contract.wrapperTensors = json.value("wrapper_tensors", std::vector<std::string>());
  contract.wrapperParameters = json.value("wrapper_parameters", std::vector<std::string>());
  contract.returnedTensors = json.value("returned_tensors", -1);
  contract.returned = json.value("returned", std::vector<std::string>());
  contract.aliases = aliasesFrom(json, contract);
  checkDeclared(contract);
  return contract;
}

tl::unexpected<Error> bad(const std::string& kernel, const std::string& what) {
  return fail(ErrorKind::File, "launch-json", "launch contract of " + kernel + ": " + what,
              "see the form in resources/schema/launch.schema.json");
}

} // namespace

std::string_view name(BufferRole role) {
  switch (role) {
  case BufferRole::Input: return "input";
  case BufferRole::Output: return "output";
  case BufferRole::InOut: break;
  }
  return "inout";
}

const BufferContract* findBuffer(const LaunchContract& contract, std::string_view parameter) {
  for (const BufferContract& buffer : contract.buffers)
    if (buffer.parameter == parameter)
      return &buffer;
  return nullptr;
}

namespace {
constexpr std::string_view aliasPrefix = "alias:";
}

std::string sharedMemory(const LaunchContract& contract, const BufferContract& buffer) {
  return !contract.wrapper.empty() || buffer.tensor.starts_with(aliasPrefix) ? buffer.tensor : "";
}

bool startsUnwritten(const LaunchContract& contract, const BufferContract& buffer) {
  const bool made = !contract.wrapper.empty() && buffer.tensor.starts_with("output:");
  return !buffer.zeroInitialised && (made || buffer.role == BufferRole::Output);
}

Expected<LaunchContract> withSharedArrays(LaunchContract contract) {
  for (const std::vector<std::string>& group : contract.aliases) {
    const std::string length = print(*findBuffer(contract, group.front())->length);
    const bool filled = std::any_of(group.begin(), group.end(), [&](const std::string& parameter) {
      return findBuffer(contract, parameter)->role != BufferRole::Output;
    });
    for (BufferContract& buffer : contract.buffers) {
      if (std::find(group.begin(), group.end(), buffer.parameter) == group.end())
        continue;
      if (filled && buffer.role == BufferRole::Output)
        buffer.role = BufferRole::InOut;
      if (print(*buffer.length) != length)
        return fail(ErrorKind::Usage, "launch-alias",
                    "'" + buffer.parameter + "' and '" + group.front() +
                        "' may be one array, but differ in length",
                    "give both the same \"len\"");
      buffer.tensor = std::string(aliasPrefix) + group.front();
    }
  }
  contract.aliases.clear();
  return contract;
}

ScalarContract scalarFor(const LaunchContract& contract, const std::string& parameter) {
  for (const ScalarContract& scalar : contract.scalars)
    if (scalar.parameter == parameter)
      return scalar;
  ScalarContract made;
  made.parameter = parameter;
  for (const SizeSymbol& symbol : contract.symbols)
    if (symbol.name == parameter) {
      made.kind = ScalarContract::Kind::Integer;
      made.integer = sizeSymbol(parameter);
    }
  return made;
}

Json toJson(const LaunchContract& contract) {
  Json json{{"kernel", contract.kernel},
            {"wrapper", contract.wrapper},
            {"where", plumbline::toJson(contract.where)}};
  for (size_t i = 0; i < 3; ++i)
    json["block"].push_back(exprToJson(contract.block[i]));
  for (size_t i = 0; i < 3; ++i)
    json["grid"].push_back(exprToJson(contract.grid[i]));
  json["shared_bytes"] = contract.sharedBytes ? exprToJson(contract.sharedBytes) : Json(0);
  Json& symbols = json["symbols"] = Json::object();
  for (const SizeSymbol& symbol : contract.symbols)
    symbols[symbol.name] = symbolToJson(symbol);
  Json& facts = json["assume"] = Json::array();
  for (const HostFact& fact : contract.facts)
    facts.push_back(factToJson(fact));
  Json& checks = json["checks"] = Json::array();
  for (const HostCheck& check : contract.checks)
    checks.push_back(checkToJson(check));
  Json& buffers = json["buffers"] = Json::object();
  for (const BufferContract& buffer : contract.buffers)
    buffers[buffer.parameter] = bufferToJson(buffer);
  Json& scalars = json["scalars"] = Json::object();
  for (const ScalarContract& scalar : contract.scalars)
    scalars[scalar.parameter] = scalarToJson(scalar);
  json["wrapper_tensors"] = contract.wrapperTensors;
  json["wrapper_parameters"] = contract.wrapperParameters;
  json["returned_tensors"] = contract.returnedTensors;
  json["returned"] = contract.returned;
  if (!contract.aliases.empty())
    json["alias"] = contract.aliases;
  return json;
}

Expected<LaunchContract> launchFromJson(const std::string& kernel, const Json& json) {
  if (!json.is_object())
    return bad(kernel, "not a JSON object");
  try {
    return readContract(kernel, json);
  } catch (const Json::exception& error) {
    return bad(kernel, error.what());
  } catch (const Bad& error) {
    return bad(kernel, error.what);
  }
}

} // namespace plumbline::ir
