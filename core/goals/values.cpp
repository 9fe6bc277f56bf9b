#include "core/goals/values.h"

#include <algorithm>

namespace plumbline::goals {

using logic::Sort;
using logic::TermId;

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Whether the first parenthesis closes at the end.
bool isWrapped(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')')
    return false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < text.size())
      return false;
  }
  return true;
}

/// The first × outside of parentheses.
size_t product(std::string_view text) {
  constexpr std::string_view times = "×";
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && text.substr(i).starts_with(times))
      return i;
  }
  return std::string_view::npos;
}

} // namespace

std::optional<Type> typeFrom(std::string_view text) {
  text = trimmed(text);
  if (isWrapped(text))
    return typeFrom(text.substr(1, text.size() - 2));
  if (const size_t at = product(text); at != std::string_view::npos) {
    const auto first = typeFrom(text.substr(0, at));
    const auto second = typeFrom(text.substr(at + std::string_view("×").size()));
    if (!first || !second)
      return std::nullopt;
    return Type{Kind::Pair, {*first, *second}};
  }
  if (text.starts_with("Array ")) {
    const auto element = typeFrom(text.substr(6));
    if (!element || element->kind == Kind::Array || element->kind == Kind::Pair ||
        element->kind == Kind::Prop || element->kind == Kind::Unit)
      return std::nullopt;
    return Type{Kind::Array, {*element}};
  }
  constexpr std::pair<std::string_view, Kind> names[] = {
      {"Nat", Kind::Nat},   {"ℕ", Kind::Nat},     {"Int", Kind::Int},     {"ℤ", Kind::Int},
      {"Bool", Kind::Bool}, {"Prop", Kind::Prop}, {"Float32", Kind::F32}, {"Float", Kind::F64},
      {"S", Kind::F32},     {"Unit", Kind::Unit}};
  for (const auto& [name, kind] : names)
    if (name == text)
      return Type{kind, {}};
  return std::nullopt;
}

Sort sortOf(Kind kind) {
  switch (kind) {
  case Kind::F32: return Sort::F32;
  case Kind::F64: return Sort::F64;
  case Kind::Bool:
  case Kind::Prop: return Sort::Bool;
  default: return Sort::Int;
  }
}

ArrayId Arrays::add(Node made) {
  m_nodes.push_back(std::move(made));
  return static_cast<ArrayId>(m_nodes.size() - 1);
}

TermId Arrays::natural(TermId term) {
  const TermId fact = m_store.ile(m_store.integer(0), term);
  if (!m_store.boolValue(fact) && std::ranges::find(m_facts, fact) == m_facts.end())
    m_facts.push_back(fact);
  return term;
}

ArrayId Arrays::arbitrary(const std::string& name, Kind element) {
  natural(m_store.var(Sort::Int, name + ".size"));
  return add({.form = Form::Arbitrary, .element = element, .name = name});
}

ArrayId Arrays::literal(Kind element, std::vector<TermId> elements) {
  return add({.form = Form::Literal, .element = element, .elements = std::move(elements)});
}

ArrayId Arrays::replicate(Kind element, TermId size, TermId value) {
  return add({.form = Form::Replicate, .element = element, .first = size, .value = value});
}

ArrayId Arrays::set(ArrayId array, TermId index, TermId value) {
  // A literal at a known place stays a literal, so that concrete runs stay small.
  const Node& from = node(array);
  if (const auto at = m_store.intValue(index); at && from.form == Form::Literal) {
    if (*at < 0 || static_cast<size_t>(*at) >= from.elements.size())
      return array;
    Node copy = from;
    copy.elements[static_cast<size_t>(*at)] = value;
    return add(std::move(copy));
  }
  const auto [entry, isNew] = m_sets.try_emplace({array, index, value});
  if (isNew) {
    const Kind element = from.element;
    entry->second = add({.form = Form::Set, .element = element, .first = index, .value = value, .a = array});
  }
  return entry->second;
}

ArrayId Arrays::choose(TermId condition, ArrayId a, ArrayId b) {
  if (const auto known = m_store.boolValue(condition))
    return *known ? a : b;
  if (a == b)
    return a;
  return add({.form = Form::Choose, .element = node(a).element, .first = condition, .a = a, .b = b});
}

std::optional<std::string> Arrays::arbitraryName(ArrayId array) const {
  const Node& from = node(array);
  return from.form == Form::Arbitrary ? std::optional(from.name) : std::nullopt;
}

TermId Arrays::size(ArrayId array) {
  const Node& from = node(array);
  switch (from.form) {
  case Form::Arbitrary: return m_store.var(Sort::Int, from.name + ".size");
  case Form::Literal: return m_store.integer(static_cast<int64_t>(from.elements.size()));
  case Form::Replicate: return from.first;
  case Form::Set: return size(from.a);
  case Form::Choose: {
    const TermId a = size(from.a);
    return m_store.ite(from.first, a, size(from.b));
  }
  }
  return m_store.integer(0);
}

TermId Arrays::defaultOf(Kind element) {
  switch (element) {
  case Kind::F32: return m_store.var(Sort::F32, "default : Float32");
  case Kind::F64: return m_store.var(Sort::F64, "default : Float");
  case Kind::Bool: return m_store.boolean(false);
  default: return m_store.integer(0);
  }
}

TermId Arrays::read(ArrayId array, TermId index) {
  if (const auto found = m_reads.find({array, index}); found != m_reads.end())
    return found->second;
  const Node from = node(array);
  const TermId result = readNode(from, index);
  m_reads[{array, index}] = result;
  return result;
}

TermId Arrays::readNode(const Node& from, TermId index) {
  switch (from.form) {
  case Form::Arbitrary: {
    const TermId load = m_store.load(sortOf(from.element), from.name, index);
    if (from.element == Kind::Nat)
      natural(load);
    const TermId inside = m_store.ilt(index, m_store.var(Sort::Int, from.name + ".size"));
    return m_store.ite(inside, load, defaultOf(from.element));
  }
  case Form::Literal: return readLiteral(from, index);
  case Form::Replicate:
    return m_store.ite(m_store.ilt(index, from.first), from.value, defaultOf(from.element));
  case Form::Set: {
    const TermId same = m_store.ieq(index, from.first);
    if (m_store.boolValue(same) == false)
      return read(from.a, index);
    const TermId hit = m_store.land(same, m_store.ilt(index, size(from.a)));
    return m_store.ite(hit, from.value, read(from.a, index));
  }
  case Form::Choose: {
    const TermId a = read(from.a, index);
    return m_store.ite(from.first, a, read(from.b, index));
  }
  }
  return defaultOf(from.element);
}

TermId Arrays::readLiteral(const Node& from, TermId index) {
  if (const auto at = m_store.intValue(index))
    return *at >= 0 && static_cast<size_t>(*at) < from.elements.size()
               ? from.elements[static_cast<size_t>(*at)]
               : defaultOf(from.element);
  TermId result = defaultOf(from.element);
  for (size_t i = from.elements.size(); i-- > 0;)
    result =
        m_store.ite(m_store.ieq(index, m_store.integer(static_cast<int64_t>(i))), from.elements[i], result);
  return result;
}

} // namespace plumbline::goals
