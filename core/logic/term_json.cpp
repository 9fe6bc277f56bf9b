#include "core/logic/term_json.h"

#include <cstdio>

namespace plumbline::logic {
namespace {

std::string hex(uint64_t bits, Sort sort) {
  char text[24];
  std::snprintf(text, sizeof text, sort == Sort::F32 ? "0x%08llx" : "0x%016llx",
                static_cast<unsigned long long>(bits));
  return text;
}

Json nodeToJson(const TermStore& store, TermId id, const std::unordered_map<TermId, size_t>& position) {
  const Term& term = store[id];
  Json node{{"op", jsonName(term.op)}, {"sort", sortName(term.sort)}};
  switch (term.op) {
  case Op::BoolConst: node["value"] = term.payload != 0; break;
  case Op::IntConst: node["value"] = static_cast<int64_t>(term.payload); break;
  case Op::FloatConst:
    node["bits"] = hex(term.payload, term.sort);
    if (term.symbol != 0)
      node["text"] = store.symbolText(term.symbol);
    break;
  case Op::Var:
  case Op::Load:
  case Op::Opaque: node["name"] = store.symbolText(term.symbol); break;
  case Op::FloatToInt:
    node["width"] = term.payload & 0xff;
    node["signed"] = (term.payload & 0x100) != 0;
    break;
  default: break;
  }
  if (!term.args.empty()) {
    Json args = Json::array();
    for (TermId arg : term.args)
      args.push_back(position.at(arg));
    node["args"] = std::move(args);
  }
  return node;
}

tl::unexpected<Error> malformed(size_t index, const std::string& what) {
  return fail(ErrorKind::File, "term-json", "term node " + std::to_string(index) + ": " + what);
}

bool isFloat(Sort sort) {
  return sort == Sort::F32 || sort == Sort::F64;
}

/// The sorts the builders would have insisted on.
bool wellSorted(const TermStore& store, const Term& term) {
  auto sortOf = [&](size_t i) { return store[term.args[i]].sort; };
  auto all = [&](Sort sort) {
    for (size_t i = 0; i < term.args.size(); ++i)
      if (sortOf(i) != sort)
        return false;
    return true;
  };
  switch (term.op) {
  case Op::BoolConst: return term.sort == Sort::Bool;
  case Op::IntConst: return term.sort == Sort::Int;
  case Op::FloatConst: return isFloat(term.sort);
  case Op::Var: return true;
  case Op::Load: return sortOf(0) == Sort::Int;
  case Op::Not:
  case Op::And:
  case Op::Or: return term.sort == Sort::Bool && all(Sort::Bool);
  case Op::Ite: return sortOf(0) == Sort::Bool && sortOf(1) == term.sort && sortOf(2) == term.sort;
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IRem: return term.sort == Sort::Int && all(Sort::Int);
  case Op::ILt:
  case Op::ILe:
  case Op::IEq: return term.sort == Sort::Bool && all(Sort::Int);
  case Op::FAdd:
  case Op::FSub:
  case Op::FMul:
  case Op::FDiv:
  case Op::FSqrt:
  case Op::FFma:
  case Op::FNeg:
  case Op::FAbs: return isFloat(term.sort) && all(term.sort);
  case Op::FLt:
  case Op::FLe:
  case Op::FEq:
  case Op::FSame:
  case Op::FIsNan: return term.sort == Sort::Bool && isFloat(sortOf(0)) && all(sortOf(0));
  case Op::FConvert: return isFloat(term.sort) && isFloat(sortOf(0)) && sortOf(0) != term.sort;
  case Op::IntToFloat: return isFloat(term.sort) && sortOf(0) == Sort::Int;
  case Op::FloatToInt: return term.sort == Sort::Int && isFloat(sortOf(0));
  case Op::Opaque: return true;
  }
  return false;
}

/// The bits of "0x" and exactly as many hexadecimal digits as the sort has.
std::optional<uint64_t> bitsFromText(const std::string& text, Sort sort) {
  const size_t digits = sort == Sort::F32 ? 8 : 16;
  if (text.size() != digits + 2 || !text.starts_with("0x") ||
      text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
    return std::nullopt;
  return std::stoull(text, nullptr, 16);
}

/// The payload of a FloatToInt node, or nothing when it names no integer type.
std::optional<uint64_t> targetFromJson(const Json& json) {
  const auto width = json.at("width").get<int64_t>();
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return std::nullopt;
  return static_cast<uint64_t>(width) | (json.at("signed").get<bool>() ? 0x100U : 0U);
}

/// The payload of a leaf or conversion; 0 for the other operators, nothing when the JSON holds no such value.
std::optional<uint64_t> payloadFromJson(Op op, Sort sort, const Json& json) {
  switch (op) {
  case Op::BoolConst: return json.at("value").get<bool>() ? 1 : 0;
  case Op::IntConst: {
    const Json& value = json.at("value");
    const bool fits =
        value.is_number_integer() &&
        (!value.is_number_unsigned() || value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
    return fits ? std::optional(static_cast<uint64_t>(value.get<int64_t>())) : std::nullopt;
  }
  case Op::FloatConst: return bitsFromText(json.at("bits").get<std::string>(), sort);
  case Op::FloatToInt: return targetFromJson(json);
  default: return 0;
  }
}

Expected<Term> nodeFromJson(TermStore& store, const Json& json, size_t index,
                            const std::vector<TermId>& earlier) {
  const auto op = opFromJsonName(json.at("op").get<std::string>());
  const auto sort = sortFromName(json.at("sort").get<std::string>());
  if (!op || !sort)
    return malformed(index, "unknown operator or sort");
  Term term{*op, *sort, 0, 0, {}};
  if (json.contains("args"))
    for (const Json& arg : json.at("args")) {
      const size_t position = arg.get<size_t>();
      if (position >= earlier.size())
        return malformed(index, "argument does not come before it");
      term.args.push_back(earlier[position]);
    }
  const std::optional<uint64_t> payload = payloadFromJson(*op, *sort, json);
  if (!payload)
    return malformed(index, "a constant or an integer type that does not exist");
  term.payload = *payload;
  if (*op == Op::FloatConst)
    term.symbol = store.symbol(json.value("text", ""));
  if (*op == Op::Var || *op == Op::Load || *op == Op::Opaque)
    term.symbol = store.symbol(json.at("name").get<std::string>());
  if (arity(*op) >= 0 && static_cast<size_t>(arity(*op)) != term.args.size())
    return malformed(index, "wrong number of arguments");
  if (!wellSorted(store, term))
    return malformed(index, "ill-sorted arguments");
  return term;
}

} // namespace

Json toJson(const TermStore& store, std::span<const TermId> roots) {
  std::unordered_map<TermId, size_t> position;
  Json nodes = Json::array();
  for (TermId id : store.postOrder(roots)) {
    nodes.push_back(nodeToJson(store, id, position));
    position.emplace(id, position.size());
  }
  Json rootPositions = Json::array();
  for (TermId root : roots)
    rootPositions.push_back(position.at(root));
  return Json{{"nodes", std::move(nodes)}, {"roots", std::move(rootPositions)}};
}

Expected<std::vector<TermId>> termsFromJson(TermStore& store, const Json& json) {
  std::vector<TermId> earlier;
  try {
    for (const Json& node : json.at("nodes")) {
      Expected<Term> term = nodeFromJson(store, node, earlier.size(), earlier);
      if (!term)
        return fail(term.error());
      earlier.push_back(store.make(*std::move(term)));
    }
    std::vector<TermId> roots;
    for (const Json& root : json.at("roots")) {
      const size_t position = root.get<size_t>();
      if (position >= earlier.size())
        return malformed(position, "root out of range");
      roots.push_back(earlier[position]);
    }
    return roots;
  } catch (const std::exception& error) {
    return malformed(earlier.size(), error.what());
  }
}

} // namespace plumbline::logic
