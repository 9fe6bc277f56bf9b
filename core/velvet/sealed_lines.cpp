#include "core/velvet/sealed_lines.h"

#include "core/velvet/cursor.h"
#include "core/velvet/item_parser.h"
#include "core/velvet/seal.h"

#include <algorithm>
#include <set>

namespace plumbline::velvet {
namespace {

/// FNV-1a.
class Digest {
public:
  void add(std::string_view text) {
    for (const char c : text)
      add(static_cast<uint8_t>(c));
  }
  void add(uint8_t byte) { m_value = (m_value ^ byte) * 0x100000001b3U; }
  uint64_t value() const { return m_value; }

private:
  uint64_t m_value = 0xcbf29ce484222325U;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(space), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(space) + 1);
}

/// Cuts a text into lines.
class LineReader {
public:
  explicit LineReader(std::string_view text) : m_text(text) {}

  std::vector<SealedLine> run(const std::vector<Token>& tokens) {
    for (const Token& token : tokens)
      if (token.kind != TokenKind::Space)
        add(token);
    close();
    return std::move(m_lines);
  }

private:
  /// A token, or each line of one that has several.
  void add(const Token& token) {
    if (token.firstOnLine)
      close();
    for (uint32_t at = token.range.begin; at < token.range.end;) {
      const auto end = static_cast<uint32_t>(std::min<size_t>(m_text.find('\n', at), token.range.end));
      const bool isFirst = at == token.range.begin;
      if (!isFirst)
        close();
      if (const std::string_view shown = trimmed(slice(m_text, {at, end})); !shown.empty())
        add(token, shown, isFirst);
      at = end + 1;
    }
  }

  void add(const Token& token, std::string_view shown, bool isFirst) {
    const auto begin = static_cast<uint32_t>(shown.data() - m_text.data());
    const bool isComment = token.kind == TokenKind::Comment;
    if (!m_line)
      m_line = SealedLine{.range = {begin, begin}, .use = LineUse::Comment};
    m_line->range.end = begin + static_cast<uint32_t>(shown.size());
    if (isComment) {
      m_comments.add(shown);
      return;
    }
    if (m_line->use == LineUse::Comment) {
      m_line->use = LineUse::Locked;
      m_line->column = token.column;
      m_line->first = token.range;
      m_code.add(std::to_string(token.column));
    } else {
      // Where space stands is part of the meaning ("a [i]" is an application), how much is not.
      m_code.add(static_cast<uint8_t>(token.spaceBefore && isFirst ? ' ' : '\0'));
    }
    m_code.add(shown);
  }

  /// A comment behind code does not count.
  void close() {
    if (!m_line)
      return;
    m_line->digest = (m_line->use == LineUse::Comment ? m_comments : m_code).value();
    m_lines.push_back(*m_line);
    m_line.reset();
    m_code = {};
    m_comments = {};
  }

  std::string_view m_text;
  std::vector<SealedLine> m_lines;
  std::optional<SealedLine> m_line;
  Digest m_code;
  Digest m_comments;
};

/// Words with which Lean begins a command, wherever they stand: none can be part of a proof or an expression.
bool isCommandWord(std::string_view word) {
  static const std::set<std::string_view> words = {
      "abbrev",      "attribute", "axiom",   "builtin_initialize",
      "class",       "def",       "elab",    "elab_rules",
      "example",     "export",    "import",  "inductive",
      "infix",       "infixl",    "infixr",  "initialize",
      "instance",    "lemma",     "local",   "macro",
      "macro_rules", "method",    "mutual",  "namespace",
      "notation",    "notation3", "opaque",  "postfix",
      "prefix",      "scoped",    "section", "structure",
      "syntax",      "theorem",   "unsafe",  "universe",
      "variable"};
  return words.contains(word);
}

/// What may stand before the first word of a command on its line.
bool isModifier(std::string_view first) {
  return first.starts_with("@") || first == "private" || first == "protected" || first == "noncomputable" ||
         first == "partial";
}

/// The lines on which another command begins behind what the line is for: nothing there is the user's.
std::set<size_t> linesWithHiddenCommands(const std::vector<Token>& tokens,
                                         const std::vector<SealedLine>& lines, std::string_view text) {
  std::set<size_t> hidden;
  std::set<size_t> begun;
  size_t line = 0;
  for (const Token& token : tokens) {
    while (line < lines.size() && lines[line].range.end <= token.range.begin)
      ++line;
    if (token.kind != TokenKind::Word || line == lines.size() || !isCommandWord(slice(text, token.range)))
      continue;
    const SealedLine& own = lines[line];
    const bool mayBegin =
        own.column == 0 && (token.range.begin == own.first.begin || isModifier(slice(text, own.first)));
    if (!begun.insert(line).second || !mayBegin)
      hidden.insert(line);
  }
  return hidden;
}

/// An invariant, with the lines that stand deeper. By the words, so that an error elsewhere changes nothing.
void markInvariants(std::vector<SealedLine>& lines, std::string_view text) {
  std::optional<uint32_t> column;
  for (SealedLine& line : lines) {
    if (line.use == LineUse::Comment)
      continue;
    if (column && line.column <= *column)
      column.reset();
    if (!column && line.column > 0 && slice(text, line.first) == "invariant")
      column = line.column;
    if (column)
      line.use = LineUse::Invariant;
  }
}

/// Attributes that change no meaning: what the provers may use.
bool isHarmless(const std::string& attributes) {
  constexpr std::string_view harmless[] = {
      "grind",     "grind =", "grind →", "grind ←", "grind =>",
      "grind <=",  "grind .", "simp",    "spec",    "loomAbstractionSimp",
      "solverHint"};
  size_t start = 0;
  while (start < attributes.size()) {
    const size_t end = std::min(attributes.find(',', start), attributes.size());
    const std::string_view each = trimmed(std::string_view(attributes).substr(start, end - start));
    if (std::ranges::find(harmless, each) == std::end(harmless))
      return false;
    start = end + 1;
  }
  return true;
}

/// Of a command with #: one that changes what Lean says of the lines below it.
bool silencesLean(std::string_view word) {
  return word == "exit" || word == "guard_msgs";
}

/// What an item is when nothing locked uses its name.
LineUse ownUse(const Item& item) {
  if (std::holds_alternative<Proof>(item))
    return LineUse::Free;
  if (const auto* import = std::get_if<Import>(&item))
    return import->module.starts_with("Plumbline.") ? LineUse::Import : LineUse::Locked;
  if (const auto* theorem = std::get_if<Theorem>(&item))
    return isHarmless(theorem->attribute) ? LineUse::Free : LineUse::Locked;
  if (const auto* definition = std::get_if<Definition>(&item)) {
    const bool isPlain = isHarmless(definition->attribute) && definition->name.find('.') == std::string::npos;
    return isPlain ? LineUse::Definition : LineUse::Locked;
  }
  if (const auto* verbatim = std::get_if<Verbatim>(&item)) {
    // What is being typed is not yet a tree.
    const std::string& word = verbatim->keyword;
    if (word == "#")
      return silencesLean(verbatim->name) ? LineUse::Locked : LineUse::Free;
    if (word == "theorem" || word == "lemma" || word.starts_with("prove_correct"))
      return LineUse::Free;
    return word == "def" ? LineUse::Definition : LineUse::Locked;
  }
  return LineUse::Locked;
}

std::string nameOf(const Item& item) {
  if (const auto* theorem = std::get_if<Theorem>(&item))
    return theorem->name;
  if (const auto* definition = std::get_if<Definition>(&item))
    return definition->name;
  const auto* verbatim = std::get_if<Verbatim>(&item);
  const bool declares =
      verbatim && verbatim->keyword != "#" && !verbatim->keyword.starts_with("prove_correct");
  return declares ? verbatim->name : "";
}

/// Marks what belongs to the user.
class ItemMarker {
public:
  ItemMarker(const Parsed& parsed, std::string_view text, std::vector<SealedLine>& lines)
      : m_items(parsed.document.items), m_text(text), m_lines(lines), m_names(m_items.size()),
        m_isUsed(m_items.size(), false) {
    for (size_t i = 0; i < m_items.size(); ++i)
      if (!std::holds_alternative<Comment>(m_items[i]))
        m_begins.emplace_back(rangeOf(m_items[i]).begin, i);
    collect(parsed.tokens);
  }

  void run() {
    while (spread()) {
    }
    for (SealedLine& line : m_lines)
      if (const std::optional<size_t> item = itemAt(line.range.begin);
          item && line.use == LineUse::Locked && !m_isUsed[*item] && mayStand(line))
        line.use = ownUse(m_items[*item]);
  }

private:
  /// Nothing that stands in the first column goes on a proof.
  bool mayStand(const SealedLine& line) const {
    return line.column > 0 || beginsCommand(slice(m_text, line.first));
  }

  /// The last item that begins there or before.
  std::optional<size_t> itemAt(uint32_t offset) const {
    const auto behind = std::ranges::upper_bound(m_begins, offset, {}, &std::pair<uint32_t, size_t>::first);
    return behind == m_begins.begin() ? std::nullopt : std::optional((behind - 1)->second);
  }

  /// The words of each item's locked lines.
  void collect(const std::vector<Token>& tokens) {
    size_t line = 0;
    for (const Token& token : tokens) {
      if (token.kind != TokenKind::Word)
        continue;
      while (line < m_lines.size() && m_lines[line].range.end <= token.range.begin)
        ++line;
      const std::optional<size_t> item = itemAt(token.range.begin);
      if (!item || line == m_lines.size() || m_lines[line].use != LineUse::Locked)
        continue;
      const std::string name = unquotedName(slice(m_text, token.range));
      m_names[*item].insert(name.substr(0, name.find('.')));
      m_names[*item].insert(name);
    }
  }

  /// Items whose name something locked uses are locked too. False: there were no more.
  bool spread() {
    std::set<std::string> used;
    for (size_t i = 0; i < m_items.size(); ++i)
      if (m_isUsed[i] || ownUse(m_items[i]) == LineUse::Locked)
        used.insert(m_names[i].begin(), m_names[i].end());
    bool any = false;
    for (size_t i = 0; i < m_items.size(); ++i)
      if (!m_isUsed[i] && used.contains(nameOf(m_items[i])))
        any = m_isUsed[i] = true;
    return any;
  }

  const std::vector<Item>& m_items;
  std::string_view m_text;
  std::vector<SealedLine>& m_lines;
  std::vector<std::pair<uint32_t, size_t>> m_begins; ///< of items that are no comments
  std::vector<std::set<std::string>> m_names;        ///< by item
  std::vector<bool> m_isUsed;
};

} // namespace

std::vector<SealedLine> sealedLines(const Parsed& parsed, std::string_view text) {
  std::vector<SealedLine> lines = LineReader(text).run(parsed.tokens);
  std::erase_if(lines, [&](const SealedLine& line) {
    return line.use == LineUse::Comment && isSeal(slice(text, line.range));
  });
  const std::set<size_t> hidden = linesWithHiddenCommands(parsed.tokens, lines, text);
  markInvariants(lines, text);
  ItemMarker(parsed, text, lines).run();
  for (const size_t line : hidden)
    if (lines[line].use != LineUse::Comment)
      lines[line].use = LineUse::Locked;
  return lines;
}

} // namespace plumbline::velvet
