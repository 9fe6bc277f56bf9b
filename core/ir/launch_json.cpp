// The JSON form of launch contracts: the short form a person writes and the full form the importer writes.
#include "core/ir/launch.h"

#include <cmath>
#include <cstdlib>
#include <set>

namespace plumbline::ir {
namespace {

/// What is wrong with an entry. Caught in launchFromJson, like nlohmann's own exceptions.
struct Bad {
  std::string what;
};

// ---- writing

Json exprToJson(const SizeExprPtr& expr) {
  if (!expr)
    return nullptr;
  return expr->kind == SizeExpr::Kind::Constant ? Json(expr->value) : Json(print(*expr));
}

Json symbolToJson(const SizeSymbol& symbol) {
  if (symbol.tensor.empty() && symbol.parameter.empty())
    return Json::array({symbol.low, symbol.high});
  return {{"range", {symbol.low, symbol.high}}, {"tensor", symbol.tensor}, {"parameter", symbol.parameter}};
}

Json checkToJson(const HostCheck& check) {
  return {{"value", exprToJson(check.value)},
          {"range", {check.low, check.high}},
          {"what", check.what},
          {"where", plumbline::toJson(check.where)}};
}

Json factToJson(const HostFact& fact) {
  Json json{{"text", fact.text},
            {"condition", exprToJson(fact.condition)},
            {"where", plumbline::toJson(fact.where)}};
  for (const HostCheck& check : fact.reliesOn)
    json["relies_on"].push_back(checkToJson(check));
  return json;
}

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

/// JSON has no infinities and NaN; they travel as words.
Json doubleToJson(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-Infinity" : "Infinity";
  return value;
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

// ---- reading

SizeExprPtr exprFromJson(const Json& json, const std::string& place) {
  if (json.is_null())
    return nullptr;
  if (json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    throw Bad{place + " is outside the 64-bit range"};
  if (json.is_number_integer())
    return sizeConstant(json.get<int64_t>());
  if (!json.is_string())
    throw Bad{place + " is neither an integer nor an expression"};
  Expected<SizeExprPtr> parsed = parseSizeExpr(json.get<std::string>());
  if (!parsed)
    throw Bad{place + ", " + parsed.error().message};
  return *parsed;
}

SizeExprPtr numberFromJson(const Json& json, const std::string& place) {
  SizeExprPtr made = exprFromJson(json, place);
  if (!made || isCondition(*made))
    throw Bad{place + " is not a number"};
  return made;
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

std::pair<int64_t, int64_t> rangeFromJson(const Json& json, const std::string& place) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number_integer() || !json[1].is_number_integer())
    throw Bad{place + " needs a range [low, high] of integers"};
  const auto low = json[0].get<int64_t>();
  const auto high = json[1].get<int64_t>();
  if (low > high)
    throw Bad{place + " has an empty range"};
  return {low, high};
}

bool isSymbolName(const std::string& text) {
  Expected<SizeExprPtr> parsed = parseSizeExpr(text);
  return parsed && (*parsed)->kind == SizeExpr::Kind::Symbol && (*parsed)->symbol == text;
}

SizeSymbol symbolFromJson(const std::string& name, const Json& json) {
  SizeSymbol symbol;
  symbol.name = name;
  if (!isSymbolName(name))
    throw Bad{"'" + name + "' cannot name a size"};
  std::tie(symbol.low, symbol.high) =
      rangeFromJson(json.is_object() ? json.at("range") : json, "size " + name);
  if (json.is_object()) {
    symbol.tensor = json.value("tensor", "");
    symbol.parameter = json.value("parameter", "");
  }
  return symbol;
}

HostCheck checkFromJson(const Json& json) {
  HostCheck check;
  check.value = numberFromJson(json.at("value"), "checks");
  std::tie(check.low, check.high) = rangeFromJson(json.at("range"), "checks");
  check.what = json.value("what", "");
  check.where = sourceRangeFromJson(json.value("where", Json::object()));
  return check;
}

HostFact factFromJson(const Json& json) {
  HostFact fact;
  if (json.is_string()) {
    fact.text = json.get<std::string>();
    fact.condition = exprFromJson(json, "assume");
  } else {
    fact.text = json.at("text").get<std::string>();
    fact.condition = exprFromJson(json.value("condition", Json()), "assume");
    fact.where = sourceRangeFromJson(json.value("where", Json::object()));
    for (const Json& check : json.value("relies_on", Json::array()))
      fact.reliesOn.push_back(checkFromJson(check));
  }
  if (fact.condition && !isCondition(*fact.condition))
    throw Bad{"assume '" + fact.text + "' is not a condition"};
  return fact;
}

BufferRole roleFromJson(const std::string& parameter, const std::string& text) {
  for (BufferRole role : {BufferRole::Input, BufferRole::Output, BufferRole::InOut})
    if (name(role) == text)
      return role;
  throw Bad{"buffer " + parameter + " has the unknown role '" + text + "'"};
}

BufferContract bufferFromJson(const std::string& parameter, const Json& json) {
  BufferContract buffer;
  buffer.parameter = parameter;
  buffer.length = numberFromJson(json.at("len"), "length of " + parameter);
  buffer.align = json.value("align", int64_t{4});
  if (buffer.align < 1 || (buffer.align & (buffer.align - 1)) != 0)
    throw Bad{"alignment of " + parameter + " is not a power of two"};
  buffer.role = roleFromJson(parameter, json.at("role").get<std::string>());
  buffer.tensor = json.value("tensor", "");
  buffer.zeroInitialised = json.value("zeros", false);
  buffer.shapeLike = json.value("shape_like", "");
  for (const Json& size : json.value("shape", Json::array()))
    buffer.shape.push_back(numberFromJson(size, "shape of " + parameter));
  return buffer;
}

/// The value of decimal text such as "0.01", "-1e-3", "2.5f", "Infinity"; nothing for anything else.
std::optional<double> decimalValue(const std::string& text) {
  if (text == "Infinity" || text == "-Infinity")
    return text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  if (text == "NaN")
    return std::nan("");
  if (text.find_first_of("0123456789") == std::string::npos ||
      text.find_first_not_of("+-.0123456789eE") != std::string::npos)
    return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional<double>(value) : std::nullopt;
}

ScalarContract floatScalar(double value, std::string text) {
  ScalarContract scalar;
  scalar.kind = ScalarContract::Kind::Float;
  scalar.floating = value;
  scalar.text = std::move(text);
  return scalar;
}

double doubleFromJson(const Json& json) {
  if (json.is_number())
    return json.get<double>();
  std::optional<double> value = decimalValue(json.get<std::string>());
  if (!value)
    throw Bad{"'" + json.get<std::string>() + "' is not a number"};
  return *value;
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

LaunchContract readContract(const std::string& kernel, const Json& json) {
  LaunchContract contract;
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
  checkDeclared(contract);
  return contract;
}

tl::unexpected<Error> bad(const std::string& kernel, const std::string& what) {
  return fail(ErrorKind::File, "launch-json", "launch contract of " + kernel + ": " + what,
              "see the form in resources/schema/launch.schema.json");
}

bool declaresAlias(const Json& json) {
  auto found = json.find("alias");
  return found != json.end() && !found->is_null() &&
         !((found->is_array() || found->is_object()) && found->empty());
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
  return json;
}

Expected<LaunchContract> launchFromJson(const std::string& kernel, const Json& json) {
  if (!json.is_object())
    return bad(kernel, "not a JSON object");
  if (declaresAlias(json))
    return fail(ErrorKind::Rejected, "launch-alias",
                "launch contract of " + kernel + " declares overlapping arrays",
                "arrays must be disjoint for now");
  try {
    return readContract(kernel, json);
  } catch (const Json::exception& error) {
    return bad(kernel, error.what());
  } catch (const Bad& error) {
    return bad(kernel, error.what);
  }
}

} // namespace plumbline::ir
