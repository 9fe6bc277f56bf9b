#include "core/velvet/names.h"

#include "core/velvet/lexer.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace plumbline::velvet {
namespace {

constexpr auto reserved = std::to_array<std::string_view>({
    // Lean
    "abbrev",
    "at",
    "attribute",
    "axiom",
    "break",
    "by",
    "calc",
    "catch",
    "class",
    "continue",
    "coinductive",
    "decreasing_by",
    "def",
    "deriving",
    "do",
    "else",
    "end",
    "example",
    "exists",
    "export",
    "extends",
    "finally",
    "for",
    "forall",
    "from",
    "fun",
    "have",
    "if",
    "import",
    "in",
    "include",
    "inductive",
    "infix",
    "infixl",
    "infixr",
    "initialize",
    "instance",
    "lemma",
    "let",
    "local",
    "macro",
    "macro_rules",
    "match",
    "meta",
    "module",
    "mut",
    "mutual",
    "namespace",
    "nomatch",
    "noncomputable",
    "nonrec",
    "notation",
    "obtain",
    "omit",
    "opaque",
    "open",
    "partial",
    "postfix",
    "prefix",
    "private",
    "protected",
    "public",
    "return",
    "scoped",
    "section",
    "set_option",
    "show",
    "sorry",
    "structure",
    "suffices",
    "syntax",
    "termination_by",
    "then",
    "theorem",
    "this",
    "try",
    "universe",
    "unless",
    "unsafe",
    "using",
    "variable",
    "where",
    "while",
    "with",
    "admit",
    "elab",
    "Prop",
    "Sort",
    "Type",
    // Velvet, both generations
    "angelic",
    "assert",
    "assertion_meet",
    "decreasing",
    "demonic",
    "derive_tester_for",
    "done_with",
    "ensures",
    "extract_program_for",
    "frames",
    "ghost",
    "given",
    "invariant",
    "invariants",
    "method",
    "named_clause",
    "pick",
    "prove_correct",
    "prove_precondition_decidable_for",
    "prove_postcondition_decidable_for",
    "rec",
    "require",
    "requires",
    "returns",
    "reveal",
    "signals",
    "simplifying_assumptions",
    "swap",
    "type_with_name_prefix",
    "until",
    "velvet_vcgen",
    "while_some",
    "with_custom_name",
    "with_name_prefix",
    "finish",
    "grind",
});

/// Names with a meaning in generated text that a variable of the document must not hide.
constexpr auto used = std::to_array<std::string_view>({
    "Array",
    "Bool",
    "Float",
    "Float32",
    "Inhabited",
    "Int",
    "Nat",
    "Plumbline",
    "S",
    "UInt32",
    "Unit",
    "Velvet",
    "decide",
    "default",
    "false",
    "pure",
    "size",
    "true",
});

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

} // namespace

bool isReserved(std::string_view name) {
  static const std::unordered_set<std::string_view> words(reserved.begin(), reserved.end());
  return words.contains(name);
}

bool isPlainIdentifier(std::string_view name) {
  return !name.empty() && name != "_" && !isDigit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return isLetter(c) || isDigit(c) || c == '_'; });
}

std::string quoted(std::string_view name) {
  std::string result;
  while (true) {
    const size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    const bool plain = isUnquotedPart(part) && part != "_" && !isReserved(part);
    result += plain ? std::string(part) : "«" + std::string(part) + "»";
    if (dot == std::string_view::npos)
      return result;
    result += '.';
    name.remove_prefix(dot + 1);
  }
}

std::string identifierFrom(std::string_view text) {
  std::string result;
  for (char c : text) {
    const bool fits = isLetter(c) || isDigit(c) || c == '_';
    if (fits)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (result.size() > 1 && result.back() == '_' && !isPlainIdentifier(text))
    result.pop_back();
  if (result.empty() || result == "_" || isDigit(result.front()) || result.starts_with("mut"))
    result.insert(0, "v_");
  if (result.ends_with("Old"))
    result += "_";
  return result;
}

NameScope::NameScope() : m_taken(used.begin(), used.end()) {}

std::string NameScope::fresh(std::string_view text) {
  const std::string base = identifierFrom(text);
  std::string name = base;
  for (int i = 1; !m_taken.insert(name).second; ++i)
    name = base + "_" + std::to_string(i);
  return name;
}

} // namespace plumbline::velvet
