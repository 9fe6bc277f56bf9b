#include "core/velvet/regions.h"

#include "core/velvet/cursor.h"
#include "core/velvet/locked_parts.h"

#include <algorithm>

namespace plumbline::velvet {
namespace {

/// Offsets at which lines begin.
std::vector<uint32_t> lineStarts(std::string_view text) {
  std::vector<uint32_t> starts{0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts.push_back(static_cast<uint32_t>(i + 1));
  return starts;
}

/// From 0.
size_t lineAt(const std::vector<uint32_t>& starts, uint32_t offset) {
  return static_cast<size_t>(std::ranges::upper_bound(starts, offset) - starts.begin()) - 1;
}

std::vector<LockedPart> generatedParts(const PrintedDocument& generated, Dialect dialect) {
  // Nothing is free in what was generated, except what its origin frees.
  std::vector<LockedPart> parts =
      lockedParts(parse(generated.text, dialect), generated.text, namesIn(generated.text));
  const std::vector<uint32_t> starts = lineStarts(generated.text);
  std::erase_if(parts, [&](const LockedPart& part) {
    const size_t line = lineAt(starts, part.range.begin);
    return line < generated.lines.size() && !generated.lines[line].locked;
  });
  return parts;
}

/// Definitions that the generator proposes and frees.
std::set<std::string> freeNames(const PrintedDocument& generated, Dialect dialect) {
  std::set<std::string> names;
  const std::vector<uint32_t> starts = lineStarts(generated.text);
  for (const Item& item : parse(generated.text, dialect).document.items)
    if (const auto* definition = std::get_if<Definition>(&item))
      if (const size_t line = lineAt(starts, definition->nameRange.begin);
          line < generated.lines.size() && !generated.lines[line].locked)
        names.insert(definition->name);
  return names;
}

std::set<std::string> usedNames(const PrintedDocument& generated, Dialect dialect) {
  std::set<std::string> used = namesIn(generated.text);
  for (const std::string& name : freeNames(generated, dialect))
    used.erase(name);
  return used;
}

/// Walks two lists of parts along their longest common subsequence.
class Difference {
public:
  Difference(const std::vector<LockedPart>& expected, const std::vector<LockedPart>& found)
      : m_expected(expected), m_found(found) {}

  /// Runs [i, i + removed) of the one against [j, j + added) of the other, in order.
  struct Run {
    size_t at = 0;
    size_t removed = 0;
    size_t foundAt = 0;
    size_t added = 0;
  };

  std::vector<Run> runs() {
    size_t i = 0;
    while (i < m_expected.size() && i < m_found.size() && same(i, i))
      ++i;
    size_t end = m_expected.size();
    size_t foundEnd = m_found.size();
    while (end > i && foundEnd > i && same(end - 1, foundEnd - 1)) {
      --end;
      --foundEnd;
    }
    table(i, end, foundEnd);
    size_t j = i;
    const size_t begin = i;
    while (i < end || j < foundEnd) {
      if (i < end && j < foundEnd && same(i, j)) {
        close();
        ++i;
        ++j;
      } else if (j == foundEnd ||
                 (i < end && length(i + 1 - begin, j - begin) >= length(i - begin, j + 1 - begin))) {
        open(i, j).removed += 1;
        ++i;
      } else {
        open(i, j).added += 1;
        ++j;
      }
    }
    close();
    return std::move(m_runs);
  }

private:
  bool same(size_t i, size_t j) const {
    return m_expected[i].text == m_found[j].text && m_expected[i].isComment == m_found[j].isComment;
  }

  size_t& length(size_t i, size_t j) { return m_lengths[i * m_width + j]; }

  /// Lengths of the longest common subsequences of the rests behind each pair of places.
  void table(size_t begin, size_t end, size_t foundEnd) {
    const size_t rows = end - begin;
    const size_t columns = foundEnd - begin;
    m_width = columns + 1;
    m_lengths.assign((rows + 1) * m_width, 0);
    for (size_t i = rows; i-- > 0;)
      for (size_t j = columns; j-- > 0;)
        length(i, j) = same(begin + i, begin + j) ? length(i + 1, j + 1) + 1
                                                  : std::max(length(i + 1, j), length(i, j + 1));
  }

  Run& open(size_t i, size_t j) {
    if (!m_isOpen)
      m_runs.push_back({i, 0, j, 0});
    m_isOpen = true;
    return m_runs.back();
  }
  void close() { m_isOpen = false; }

  const std::vector<LockedPart>& m_expected;
  const std::vector<LockedPart>& m_found;
  std::vector<size_t> m_lengths;
  size_t m_width = 0;
  std::vector<Run> m_runs;
  bool m_isOpen = false;
};

std::string joinedText(const std::vector<LockedPart>& parts, size_t begin, size_t count) {
  std::string result;
  for (size_t i = begin; i < begin + count; ++i)
    result += (result.empty() ? "" : "\n") + parts[i].text;
  return result;
}

} // namespace

std::vector<LockedChange> lockedChanges(const PrintedDocument& generated, std::string_view text,
                                        Dialect dialect) {
  const std::vector<LockedPart> expected = generatedParts(generated, dialect);
  std::vector<LockedPart> found = lockedParts(parse(text, dialect), text, usedNames(generated, dialect));
  std::set<std::string> comments;
  for (const LockedPart& part : expected)
    if (part.isComment)
      comments.insert(part.text);
  std::erase_if(found,
                [&](const LockedPart& part) { return part.isComment && !comments.contains(part.text); });
  const std::vector<uint32_t> starts = lineStarts(text);
  const std::vector<uint32_t> generatedStarts = lineStarts(generated.text);
  std::vector<LockedChange> changes;
  for (const Difference::Run& run : Difference(expected, found).runs()) {
    const auto begin = static_cast<std::ptrdiff_t>(run.foundAt);
    const bool onlyComments =
        std::all_of(found.begin() + begin, found.begin() + begin + static_cast<std::ptrdiff_t>(run.added),
                    [](const LockedPart& part) { return part.isComment; });
    if (run.removed == 0 && onlyComments)
      continue; // a comment that stands twice
    LockedChange change;
    change.kind = run.removed == 0 ? LockedChange::Kind::Added
                  : run.added == 0 ? LockedChange::Kind::Removed
                                   : LockedChange::Kind::Changed;
    const uint32_t at =
        run.foundAt < found.size() ? found[run.foundAt].range.begin : static_cast<uint32_t>(text.size());
    change.range = run.added == 0 ? TextRange{at, at}
                                  : TextRange{at, std::max(at, found[run.foundAt + run.added - 1].range.end)};
    change.line = static_cast<int>(lineAt(starts, at)) + 1;
    const uint32_t generatedAt = run.at < expected.size() ? expected[run.at].range.begin
                                                          : static_cast<uint32_t>(generated.text.size());
    change.generatedLine = static_cast<int>(lineAt(generatedStarts, generatedAt)) + 1;
    change.expected = joinedText(expected, run.at, run.removed);
    change.found = joinedText(found, run.foundAt, run.added);
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string toString(const LockedChange& change) {
  const auto firstLine = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  const std::string place = "line " + std::to_string(change.line) + ": ";
  switch (change.kind) {
  case LockedChange::Kind::Changed:
    return place + "'" + firstLine(change.found) + "' stands where '" + firstLine(change.expected) +
           "' was generated";
  case LockedChange::Kind::Removed:
    return place + "'" + firstLine(change.expected) + "' was generated and is missing";
  case LockedChange::Kind::Added:
    return place + "'" + firstLine(change.found) + "' was not generated and is no invariant, proof or lemma";
  }
  return place;
}

namespace {

void addInvariants(const std::vector<Stmt>& body, std::vector<TextRange>& free) {
  for (const Stmt& stmt : body) {
    for (const Clause& invariant : stmt.loop.invariants)
      free.push_back(invariant.range);
    addInvariants(stmt.body, free);
    addInvariants(stmt.otherwise, free);
  }
}

/// Where the user may write: invariants, proofs, own lemmas and definitions.
std::vector<TextRange> freeRanges(const Document& document, const std::set<std::string>& used) {
  std::vector<TextRange> free;
  for (const Item& item : document.items) {
    if (!std::holds_alternative<Comment>(item) && isFree(item, used))
      free.push_back(rangeOf(item));
    if (const auto* method = std::get_if<Method>(&item))
      addInvariants(method->body, free);
  }
  return free;
}

} // namespace

std::vector<bool> lockedLines(const PrintedDocument& generated, std::string_view text, Dialect dialect) {
  const Parsed parsed = parse(text, dialect);
  const std::vector<TextRange> free = freeRanges(parsed.document, usedNames(generated, dialect));
  std::set<std::string> comments;
  for (const LockedPart& part : generatedParts(generated, dialect))
    if (part.isComment)
      comments.insert(part.text);
  const std::vector<uint32_t> starts = lineStarts(text);
  std::vector<bool> locked(starts.size() - (text.ends_with('\n') ? 1 : 0), false);
  for (const Token& token : parsed.tokens) {
    if (token.kind == TokenKind::Space)
      continue;
    const bool isFreeToken =
        std::ranges::any_of(free, [&](TextRange range) { return range.contains(token.range.begin); });
    const bool isLocked = token.kind == TokenKind::Comment
                              ? !isFreeToken && comments.contains(commentText(slice(text, token.range)))
                              : !isFreeToken;
    for (size_t line = lineAt(starts, token.range.begin);
         isLocked && line <= lineAt(starts, token.range.end - 1); ++line)
      locked[line] = true;
  }
  return locked;
}

} // namespace plumbline::velvet
