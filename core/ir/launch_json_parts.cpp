#include "core/ir/launch_json.h"

#include <cmath>
#include <cstdlib>

namespace plumbline::ir::launch_json {

namespace {

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

} // namespace

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
  Json json{{"value", exprToJson(check.value)},
            {"range", {check.low, check.high}},
            {"what", check.what},
            {"where", plumbline::toJson(check.where)}};
  if (check.kind != HostCheck::Kind::Exact)
    json["kind"] = check.kind == HostCheck::Kind::Divisor ? "divisor" : "model";
  if (check.traps)
    json["traps"] = true;
  if (check.order != 0)
    json["order"] = check.order;
  return json;
}

Json factToJson(const HostFact& fact) {
  Json json{{"text", fact.text},
            {"condition", exprToJson(fact.condition)},
            {"where", plumbline::toJson(fact.where)}};
  for (const HostCheck& check : fact.reliesOn)
    json["relies_on"].push_back(checkToJson(check));
  if (fact.order != 0)
    json["order"] = fact.order;
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
  const std::string kind = json.value("kind", "");
  if (!kind.empty() && kind != "divisor" && kind != "model")
    throw Bad{"a check of unknown kind '" + kind + "'"};
  check.kind = kind.empty() ? HostCheck::Kind::Exact
                            : (kind == "model" ? HostCheck::Kind::Model : HostCheck::Kind::Divisor);
  check.traps = json.value("traps", false);
  check.order = json.value("order", 0);
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
    fact.order = json.value("order", 0);
  }
  if (fact.condition && !isCondition(*fact.condition))
    throw Bad{"assume '" + fact.text + "' is not a condition"};
  return fact;
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

double doubleFromJson(const Json& json) {
  if (json.is_number())
    return json.get<double>();
  std::optional<double> value = decimalValue(json.get<std::string>());
  if (!value)
    throw Bad{"'" + json.get<std::string>() + "' is not a number"};
  return *value;
}

} // namespace plumbline::ir::launch_json
