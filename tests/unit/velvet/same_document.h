// Whether two trees of method documents say the same, wherever their parts stand.
#pragma once

#include "core/velvet/syntax.h"

#include <algorithm>

namespace plumbline::velvet_test {

/// Where no variable is in scope, "x.a" reads as one name, "(x).a" as a field.
inline velvet::ExprPtr withFieldsAsNames(const velvet::ExprPtr& expr) {
  auto made = std::make_shared<velvet::Expr>(*expr);
  for (velvet::ExprPtr& each : made->args)
    each = withFieldsAsNames(each);
  const bool isNamed = made->form == velvet::Form::Field && made->args[0]->form == velvet::Form::Name &&
                       (made->text[0] < '0' || made->text[0] > '9');
  return isNamed ? velvet::name(made->args[0]->text + "." + made->text) : made;
}

inline bool same(const velvet::ExprPtr& a, const velvet::ExprPtr& b) {
  if (!a || !b)
    return a == b;
  return velvet::equal(*withFieldsAsNames(a), *withFieldsAsNames(b));
}

inline bool same(const velvet::Clause& a, const velvet::Clause& b) {
  return a.label == b.label && same(a.prop, b.prop) && a.comment == b.comment;
}

bool same(const velvet::Stmt& a, const velvet::Stmt& b);
bool same(const velvet::Binder& a, const velvet::Binder& b);
bool same(const velvet::Let& a, const velvet::Let& b);
bool same(const velvet::Item& a, const velvet::Item& b);

template <class T> bool sameAll(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

inline bool same(const velvet::Stmt& a, const velvet::Stmt& b) {
  const bool sameLoop = a.loop.label == b.loop.label && sameAll(a.loop.invariants, b.loop.invariants) &&
                        same(a.loop.decreasing, b.loop.decreasing) && same(a.loop.doneWith, b.loop.doneWith);
  return a.kind == b.kind && a.name == b.name && a.type == b.type && a.isMutable == b.isMutable &&
         same(a.value, b.value) && sameLoop && same(a.clause, b.clause) && sameAll(a.body, b.body) &&
         sameAll(a.otherwise, b.otherwise);
}

inline bool same(const velvet::Binder& a, const velvet::Binder& b) {
  return a.name == b.name && a.type == b.type && a.bracket == b.bracket && a.isMutable == b.isMutable;
}

inline bool same(const velvet::Import& a, const velvet::Import& b) {
  return a.module == b.module;
}

inline bool same(const velvet::Comment& a, const velvet::Comment& b) {
  return a.lines == b.lines;
}

inline bool same(const velvet::Let& a, const velvet::Let& b) {
  return a.name == b.name && a.type == b.type && same(a.value, b.value);
}

inline bool same(const velvet::Definition& a, const velvet::Definition& b) {
  return a.name == b.name && a.attribute == b.attribute && a.doc == b.doc && sameAll(a.binders, b.binders) &&
         a.type == b.type && sameAll(a.lets, b.lets) && same(a.value, b.value) && a.modifiers == b.modifiers;
}

inline bool same(const velvet::Theorem& a, const velvet::Theorem& b) {
  return a.name == b.name && a.keyword == b.keyword && a.attribute == b.attribute && a.doc == b.doc &&
         a.modifiers == b.modifiers && sameAll(a.binders, b.binders) && same(a.statement, b.statement) &&
         equal(a.script, b.script) && same(a.term, b.term);
}

inline bool same(const velvet::Method& a, const velvet::Method& b) {
  return a.name == b.name && a.doc == b.doc && sameAll(a.binders, b.binders) &&
         a.resultName == b.resultName && a.resultType == b.resultType &&
         sameAll(a.requirements, b.requirements) && sameAll(a.ensures, b.ensures) && sameAll(a.body, b.body);
}

inline bool same(const velvet::Proof& a, const velvet::Proof& b) {
  return a.method == b.method && a.unfold == b.unfold && equal(a.script, b.script) &&
         a.suggests == b.suggests;
}

inline bool same(const velvet::Verbatim& a, const velvet::Verbatim& b) {
  return a.keyword == b.keyword && a.name == b.name && a.text == b.text && sameAll(a.binders, b.binders);
}

inline bool same(const velvet::Item& a, const velvet::Item& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& each) { return same(each, std::get<std::decay_t<decltype(each)>>(b)); },
                    a);
}

inline bool same(const velvet::Document& a, const velvet::Document& b) {
  return sameAll(a.items, b.items);
}

/// Parentheses count as nesting, so what nests nearly as deeply as can be read may do so no more when
/// printed.
inline bool nestsDeeply(std::string_view text) {
  int open = 0;
  int prefixes = 0; // ! - and the last byte of ¬, since the last empty line
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '!' || c == '-' || c == '\xac')
      ++prefixes;
    else if (c == '(' || c == ')')
      open = std::max(0, open + (c == '(' ? 1 : -1));
    if (text.substr(i, 2) == "\n\n")
      prefixes = 0;
    if (open + prefixes > 50)
      return true;
  }
  return false;
}

} // namespace plumbline::velvet_test
