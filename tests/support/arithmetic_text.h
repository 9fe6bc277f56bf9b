// Integer and Bool terms from text, so that a test reads as the question it asks.
#pragma once

#include "core/logic/term.h"

#include <array>
#include <cctype>
#include <stdexcept>

namespace plumbline::test {

/// Reads C expressions over names, numbers, + - * / % < <= > >= == != && || ! ?: and brackets; `a[e]` is a
/// load of an integer, `and(x, y)`, `or(x, y)`, `xor(x, y)` are bit operations. Throws std::invalid_argument.
class ArithmeticText {
public:
  explicit ArithmeticText(logic::TermStore& store) : m_store(store) {}

  logic::TermId read(std::string_view text) {
    m_text = text;
    m_at = 0;
    const logic::TermId result = choice();
    if (skipSpace(); m_at != m_text.size())
      fail();
    return result;
  }

  /// Texts with a semicolon after each but the last.
  std::vector<logic::TermId> readAll(std::string_view texts) {
    std::vector<logic::TermId> result;
    while (!texts.empty()) {
      const size_t end = std::min(texts.find(';'), texts.size());
      result.push_back(read(texts.substr(0, end)));
      texts.remove_prefix(std::min(end + 1, texts.size()));
    }
    return result;
  }

private:
  using TermId = logic::TermId;

  [[noreturn]] void fail() const {
    throw std::invalid_argument("cannot read '" + std::string(m_text) + "' at " + std::to_string(m_at));
  }
  void skipSpace() {
    while (m_at < m_text.size() && m_text[m_at] == ' ')
      ++m_at;
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!m_text.substr(m_at).starts_with(token))
      return false;
    m_at += token.size();
    return true;
  }
  void need(std::string_view token) {
    if (!take(token))
      fail();
  }

  TermId choice() {
    const TermId condition = disjunction();
    if (!take("?"))
      return condition;
    const TermId a = choice();
    need(":");
    return m_store.ite(condition, a, choice());
  }
  TermId disjunction() {
    TermId left = conjunction();
    while (take("||"))
      left = m_store.lor(left, conjunction());
    return left;
  }
  TermId conjunction() {
    TermId left = comparison();
    while (take("&&"))
      left = m_store.land(left, comparison());
    return left;
  }
  /// a <= b < c is a conjunction.
  TermId comparison() {
    TermId left = sum();
    std::optional<TermId> all;
    while (const std::optional<std::string_view> sign = comparisonSign()) {
      const TermId right = sum();
      const TermId one = compared(*sign, left, right);
      all = all ? m_store.land(*all, one) : one;
      left = right;
    }
    return all.value_or(left);
  }
  std::optional<std::string_view> comparisonSign() {
    for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"})
      if (take(sign))
        return sign;
    return std::nullopt;
  }
  TermId compared(std::string_view sign, TermId a, TermId b) {
    if (sign == "<=")
      return m_store.ile(a, b);
    if (sign == ">=")
      return m_store.ile(b, a);
    if (sign == "<")
      return m_store.ilt(a, b);
    if (sign == ">")
      return m_store.ilt(b, a);
    return sign == "==" ? m_store.ieq(a, b) : m_store.lnot(m_store.ieq(a, b));
  }
  TermId sum() {
    TermId left = term();
    while (true) {
      if (take("+"))
        left = m_store.iadd(left, term());
      else if (take("-"))
        left = m_store.isub(left, term());
      else
        return left;
    }
  }
  TermId term() {
    TermId left = factor();
    while (true) {
      if (take("*"))
        left = m_store.imul(left, factor());
      else if (take("/"))
        left = m_store.idiv(left, factor());
      else if (take("%"))
        left = m_store.irem(left, factor());
      else
        return left;
    }
  }
  TermId factor() {
    if (take("(")) {
      const TermId inner = choice();
      need(")");
      return inner;
    }
    if (take("!"))
      return m_store.lnot(factor());
    if (take("-"))
      return m_store.isub(m_store.integer(0), factor());
    const std::string word = name();
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0)
      return m_store.integer(std::stoll(word));
    if (take("[")) {
      const TermId index = choice();
      need("]");
      return m_store.load(logic::Sort::Int, word, index);
    }
    return take("(") ? bitOperation(word) : m_store.var(logic::Sort::Int, word);
  }
  TermId bitOperation(const std::string& word) {
    const TermId a = choice();
    need(",");
    const TermId b = choice();
    need(")");
    return m_store.opaque(logic::Sort::Int, "bit." + word, std::array{a, b});
  }
  std::string name() {
    skipSpace();
    const size_t start = m_at;
    while (m_at < m_text.size() &&
           (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 || m_text[m_at] == '_'))
      ++m_at;
    if (m_at == start)
      fail();
    return std::string(m_text.substr(start, m_at - start));
  }

  logic::TermStore& m_store;
  std::string_view m_text;
  size_t m_at = 0;
};

} // namespace plumbline::test
