// Parts of launch contracts in JSON, for the files of this folder that read and write them.
#pragma once

#include "core/ir/launch.h"

namespace plumbline::ir::launch_json {

/// What is wrong with an entry. Thrown and caught within the file that reads, like nlohmann's own exceptions.
struct Bad {
  std::string what;
};

Json exprToJson(const SizeExprPtr& expr);
Json symbolToJson(const SizeSymbol& symbol);
Json checkToJson(const HostCheck& check);
Json factToJson(const HostFact& fact);
Json doubleToJson(double value);

/// null for null; `place` is for messages.
SizeExprPtr exprFromJson(const Json& json, const std::string& place);
SizeExprPtr numberFromJson(const Json& json, const std::string& place);
SizeSymbol symbolFromJson(const std::string& name, const Json& json);
HostCheck checkFromJson(const Json& json);
HostFact factFromJson(const Json& json);
double doubleFromJson(const Json& json);
/// The value of decimal text such as "0.01", "-1e-3", "Infinity"; nothing for anything else.
std::optional<double> decimalValue(const std::string& text);

} // namespace plumbline::ir::launch_json
