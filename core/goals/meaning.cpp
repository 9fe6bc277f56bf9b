#include "core/goals/meaning.h"

#include "core/velvet/signatures.h"

#include <algorithm>
#include <map>
#include <vector>

namespace plumbline::goals {
namespace {

using velvet::Definition;
using velvet::Verbatim;

/// Commands that change what text after them means.
bool changesMeaning(const Verbatim& item) {
  static constexpr std::string_view words[] = {"instance",
                                               "notation",
                                               "notation3",
                                               "infix",
                                               "infixl",
                                               "infixr",
                                               "prefix",
                                               "postfix",
                                               "macro",
                                               "macro_rules",
                                               "syntax",
                                               "elab",
                                               "elab_rules",
                                               "simproc",
                                               "run_cmd",
                                               "run_elab",
                                               "run_meta",
                                               "initialize",
                                               "export",
                                               "deriving",
                                               "unif_hint",
                                               "binder_predicate",
                                               "declare_syntax_cat",
                                               "builtin_initialize",
                                               "local",
                                               "scoped"};
  return std::ranges::find(words, std::string_view(item.keyword)) != std::end(words);
}

/// Attributes that do so.
bool givesMeaning(std::string_view attributes) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"instance", "macro", "elab", "parser"},
      [&](std::string_view word) { return attributes.find(word) != std::string::npos; });
}

std::string_view lastPart(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

class Reader {
public:
  std::string run(const velvet::Document& document) {
    for (const velvet::Item& item : document.items) {
      if (const auto* command = std::get_if<Verbatim>(&item))
        add(*command);
      else if (const auto* definition = std::get_if<Definition>(&item))
        add(*definition);
    }
    for (const std::string& name : m_names)
      declared(name);
    return std::move(m_reason);
  }

private:
  void because(const std::string& reason) {
    if (m_reason.empty())
      m_reason = reason + ": only Lean can tell what this means";
  }

  void add(const Verbatim& item) {
    if (changesMeaning(item) || (item.keyword == "attribute" && givesMeaning(item.text)))
      because("the document has the command '" + item.keyword + "'");
    if (item.keyword == "namespace")
      m_spaces.push_back(item.name);
    m_hasSpaces |= item.keyword == "namespace" || item.keyword == "open";
    for (const char* word : {"abbrev", "def", "inductive", "structure", "class", "axiom", "opaque"})
      if (item.keyword == word)
        m_names.push_back(item.name);
  }

  void add(const Definition& item) {
    if (givesMeaning(item.attribute))
      because("the document has a definition with the attribute '" + item.attribute + "'");
    m_names.push_back(item.name);
  }

  void declared(const std::string& name) {
    const bool isInSpace = std::ranges::any_of(m_spaces, [&](const std::string& space) {
      return velvet::signatures().contains(space + "." + name);
    });
    const bool isPlain = name.find('.') == std::string::npos;
    const bool isTaken = isPlain && velvet::signatures().contains(name);
    if (isTaken || isInSpace || velvet::isKnownType(lastPart(name)))
      because("the document gives '" + name + "' a meaning of its own");
    const auto [entry, isNew] = m_byLastPart.try_emplace(std::string(lastPart(name)), name);
    if (!isNew && m_hasSpaces)
      because("in a namespace '" + entry->second + "' and '" + name + "' may be confused");
  }

  std::string m_reason;
  std::vector<std::string> m_names;
  std::vector<std::string> m_spaces;
  bool m_hasSpaces = false;
  std::map<std::string, std::string> m_byLastPart;
};

} // namespace

std::string unclearMeaning(const velvet::Document& document) {
  return Reader().run(document);
}

} // namespace plumbline::goals
