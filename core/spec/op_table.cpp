#include "core/spec/op_table.h"

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <unordered_map>

namespace plumbline::spec {
namespace {

using torch::Argument;

/// The table is part of the program: a row that cannot be read is a bug in it.
[[noreturn]] void badRow(std::string_view target, std::string_view what) {
  std::cerr << "aten.def: " << target << ": " << what << '\n';
  std::abort();
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

template <class T> bool parseWhole(std::string_view text, T& value) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

Argument parseDefault(std::string_view target, std::string_view text) {
  if (text == "None")
    return torch::NoneArg{};
  if (text == "True" || text == "False")
    return text == "True";
  if (text == "contiguous_format" || text == "preserve_format")
    return torch::FormatArg{"memory_format", 0};
  if (text == "[]")
    return std::vector<torch::SizeArg>{};
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\''))
    return std::string(text.substr(1, text.size() - 2));
  if (int64_t integer = 0; parseWhole(text, integer))
    return integer;
  if (double real = 0; parseWhole(text, real))
    return torch::floatScalar(real);
  badRow(target, "a default value is not understood");
}

OpParameter parseParameter(std::string_view target, std::string_view text) {
  OpParameter parameter;
  if (size_t equals = text.find('='); equals != std::string_view::npos) {
    parameter.defaultValue = parseDefault(target, trim(text.substr(equals + 1)));
    text = trim(text.substr(0, equals));
  }
  size_t space = text.rfind(' ');
  if (space == std::string_view::npos)
    badRow(target, "a parameter lacks its type");
  parameter.type = trim(text.substr(0, space));
  parameter.name = text.substr(space + 1);
  return parameter;
}

OpSchema parseRow(std::string_view target, std::string_view parameters) {
  OpSchema schema{std::string(target), {}};
  while (!parameters.empty()) {
    size_t comma = parameters.find(',');
    std::string_view text = trim(parameters.substr(0, comma));
    if (text != "*") // keyword-only from here on: no difference for us
      schema.parameters.push_back(parseParameter(target, text));
    parameters.remove_prefix(comma == std::string_view::npos ? parameters.size() : comma + 1);
  }
  return schema;
}

} // namespace

const std::vector<OpSchema>& opSchemas() {
  static const std::vector<OpSchema> schemas = {
#define PLUMBLINE_ATEN(target, parameters) parseRow(target, parameters),
#include "resources/optable/aten.def"
#undef PLUMBLINE_ATEN
  };
  return schemas;
}

const OpSchema* findSchema(std::string_view target) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const OpSchema*> map;
    for (const OpSchema& schema : opSchemas())
      map.emplace(schema.target, &schema);
    return map;
  }();
  auto it = index.find(target);
  return it == index.end() ? nullptr : it->second;
}

} // namespace plumbline::spec
