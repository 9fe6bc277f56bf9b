#include "core/velvet/seal.h"

#include "core/velvet/cursor.h"
#include "core/velvet/sealed_lines.h"

#include <algorithm>
#include <set>

namespace plumbline::velvet {
namespace {

constexpr std::string_view sealWord = "Locked lines: ";

// --- Digests ---

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_";
constexpr size_t lettersEach = 3;
constexpr uint32_t commentBit = 1;

/// What the seal keeps of a line: 17 bits, and whether it is a comment.
uint32_t keptOf(uint64_t digest, bool isComment) {
  const auto folded = static_cast<uint32_t>(digest ^ (digest >> 17U) ^ (digest >> 34U) ^ (digest >> 51U));
  return (folded & 0x1FFFFU) << 1U | (isComment ? commentBit : 0);
}

uint32_t keptOf(const SealedLine& line) {
  return keptOf(line.digest, line.use == LineUse::Comment);
}

std::string written(uint32_t kept) {
  return {letters[kept >> 12U], letters[(kept >> 6U) & 63U], letters[kept & 63U]};
}

/// Of the digests themselves, so that a change of the seal is not taken for one of the lines.
std::string checkOf(std::string_view digests) {
  uint64_t value = 0xcbf29ce484222325U;
  for (const char c : digests)
    value = (value ^ static_cast<uint8_t>(c)) * 0x100000001b3U;
  return written(keptOf(value, false));
}

struct Seal {
  std::vector<uint32_t> kept;
  TextRange range;
  bool isWhole = false;
};

Seal readSeal(std::string_view line, TextRange range) {
  Seal seal;
  seal.range = range;
  line.remove_prefix(std::string_view("-- ").size() + sealWord.size());
  while (line.ends_with(' '))
    line.remove_suffix(1);
  const std::string_view digests = line.substr(std::min(lettersEach, line.size()));
  for (size_t at = 0; at + lettersEach <= digests.size(); at += lettersEach) {
    uint32_t kept = 0;
    for (const char c : digests.substr(at, lettersEach))
      kept = kept << 6U | static_cast<uint32_t>(std::min(letters.find(c), letters.size() - 1));
    seal.kept.push_back(kept);
  }
  seal.isWhole = digests.size() % lettersEach == 0 && line.starts_with(checkOf(digests));
  return seal;
}

std::optional<Seal> findSeal(const Parsed& parsed, std::string_view text) {
  for (const Token& token : parsed.tokens)
    if (token.kind == TokenKind::Comment && isSeal(slice(text, token.range)))
      return readSeal(slice(text, token.range), token.range);
  return std::nullopt;
}

/// A line that only a generated document's head has; null: there is none before the first command.
const Token* generatedHead(const Parsed& parsed, std::string_view text) {
  for (const Token& token : parsed.tokens) {
    if (token.kind == TokenKind::Space)
      continue;
    if (token.kind != TokenKind::Comment)
      return nullptr;
    for (const std::string_view line :
         {"-- Method document of Plumbline", "-- Generated and locked: definitions"})
      if (slice(text, token.range).starts_with(line))
        return &token;
  }
  return nullptr;
}

// --- Comparing ---

/// For each sealed digest the line that carries it, along a longest common subsequence; npos: none does.
class Alignment {
public:
  static constexpr size_t npos = static_cast<size_t>(-1);

  Alignment(const std::vector<uint32_t>& sealed, const std::vector<SealedLine>& lines) : m_sealed(sealed) {
    const std::set<uint32_t> known(sealed.begin(), sealed.end());
    for (size_t i = 0; i < lines.size(); ++i)
      if (const uint32_t kept = keptOf(lines[i]);
          lines[i].use != LineUse::Invariant && known.contains(kept)) {
        m_kept.push_back(kept);
        m_lineOf.push_back(i);
      }
  }

  std::vector<size_t> run() {
    std::vector<size_t> found(m_sealed.size(), npos);
    size_t begin = 0;
    while (begin < m_sealed.size() && begin < m_kept.size() && m_sealed[begin] == m_kept[begin]) {
      found[begin] = m_lineOf[begin];
      ++begin;
    }
    size_t end = m_sealed.size();
    size_t keptEnd = m_kept.size();
    while (end > begin && keptEnd > begin && m_sealed[end - 1] == m_kept[keptEnd - 1])
      found[--end] = m_lineOf[--keptEnd];
    middle(begin, end, keptEnd, found);
    return found;
  }

private:
  void middle(size_t begin, size_t end, size_t keptEnd, std::vector<size_t>& found) const {
    constexpr size_t most = 4'000'000; // beyond that so much has changed that the places do not matter
    const size_t width = keptEnd - begin + 1;
    if ((end - begin + 1) * width > most)
      return;
    std::vector<uint32_t> lengths((end - begin + 1) * width, 0);
    const auto length = [&](size_t i, size_t j) -> uint32_t& {
      return lengths[(i - begin) * width + (j - begin)];
    };
    for (size_t i = end; i-- > begin;)
      for (size_t j = keptEnd; j-- > begin;)
        length(i, j) = m_sealed[i] == m_kept[j] ? length(i + 1, j + 1) + 1
                                                : std::max(length(i + 1, j), length(i, j + 1));
    for (size_t i = begin, j = begin; i < end && j < keptEnd;) {
      if (m_sealed[i] == m_kept[j])
        found[i++] = m_lineOf[j++];
      else if (length(i + 1, j) >= length(i, j + 1))
        ++i;
      else
        ++j;
    }
  }

  const std::vector<uint32_t>& m_sealed;
  std::vector<uint32_t> m_kept; ///< of lines that the seal may mean
  std::vector<size_t> m_lineOf; ///< their indices
};

constexpr const char* remedy =
    ": the method's meaning is no longer the kernel's; undo this, or generate the document "
    "again with plumbline method";

/// Goes through what stands between two lines that are as they were.
class BreakFinder {
public:
  BreakFinder(const Seal& seal, const std::vector<SealedLine>& lines) : m_seal(seal), m_lines(lines) {}

  std::vector<Diagnostic> run() {
    const std::vector<size_t> found = Alignment(m_seal.kept, m_lines).run();
    size_t next = 0;
    size_t code = 0;
    size_t comments = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i] == Alignment::npos) {
        ++((m_seal.kept[i] & commentBit) != 0 ? comments : code);
        continue;
      }
      gap(next, found[i], code, comments);
      next = found[i] + 1;
      code = comments = 0;
    }
    gap(next, m_lines.size(), code, comments);
    return std::move(m_breaks);
  }

private:
  /// Lines [begin, end) stand where so many lines and comments were generated.
  void gap(size_t begin, size_t end, size_t code, size_t comments) {
    const std::vector<size_t> locked = with(LineUse::Locked, begin, end);
    if (code == 0)
      report(locked, Severity::Error,
             std::string("this line was not generated and is no invariant, proof or lemma") + remedy);
    else
      changed(locked, begin, end);
    if (comments == 0 || code > 0)
      return;
    const std::vector<size_t> texts = with(LineUse::Comment, begin, end);
    if (texts.empty())
      return report({place(end)}, Severity::Warning,
                    "a generated comment that stood before this line is missing");
    report({texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(std::min(comments, texts.size()))},
           Severity::Warning, "this comment is not what was generated");
  }

  void changed(std::vector<size_t> places, size_t begin, size_t end) {
    for (const LineUse use : {LineUse::Definition, LineUse::Import, LineUse::Comment})
      if (places.empty())
        places = with(use, begin, end);
    if (!places.empty())
      return report(places, Severity::Error,
                    std::string("this locked line was changed since it was generated") + remedy);
    places = with(LineUse::Free, begin, end);
    report({places.empty() ? place(end) : places.front()}, Severity::Error,
           std::string("a locked line that stood before this one is missing") + remedy);
  }

  /// Behind the last line: that one.
  size_t place(size_t line) const { return std::min(line, m_lines.size() - 1); }

  std::vector<size_t> with(LineUse use, size_t begin, size_t end) const {
    std::vector<size_t> found;
    for (size_t i = begin; i < end; ++i)
      if (m_lines[i].use == use)
        found.push_back(i);
    return found;
  }

  /// One a run of lines.
  void report(const std::vector<size_t>& places, Severity severity, const std::string& message) {
    for (size_t i = 0; i < places.size();) {
      TextRange range = m_lines[places[i]].range;
      size_t next = i + 1;
      for (; next < places.size() && places[next] == places[next - 1] + 1; ++next)
        range.end = m_lines[places[next]].range.end;
      m_breaks.push_back({range, severity, "locked-line", message});
      i = next;
    }
  }

  const Seal& m_seal;
  const std::vector<SealedLine>& m_lines;
  std::vector<Diagnostic> m_breaks;
};

Comment* headOf(Document& document) {
  return document.items.empty() ? nullptr : std::get_if<Comment>(document.items.data());
}

/// Of the lines that are locked by their origin.
std::string sealOf(const PrintedDocument& printed, Dialect dialect) {
  std::string digests;
  size_t number = 0;
  uint32_t at = 0;
  for (const SealedLine& line : sealedLines(parse(printed.text, dialect), printed.text)) {
    for (; at < line.range.begin; ++at)
      number += printed.text[at] == '\n' ? 1 : 0;
    if (printed.lines.at(number).locked && line.use != LineUse::Free && line.use != LineUse::Invariant)
      digests += written(keptOf(line));
  }
  return checkOf(digests) + digests;
}

} // namespace

bool isSeal(std::string_view comment) {
  return comment.starts_with("-- ") && comment.substr(3).starts_with(sealWord);
}

PrintedDocument printSealed(Document& document, Dialect dialect) {
  Comment* head = headOf(document);
  if (!head)
    return print(document, dialect);
  std::erase_if(head->lines, [](const std::string& line) { return line.starts_with(sealWord); });
  head->lines.push_back(std::string(sealWord) + sealOf(print(document, dialect), dialect));
  return print(document, dialect);
}

std::vector<Diagnostic> sealBreaks(const Parsed& parsed, std::string_view text) {
  const std::optional<Seal> seal = findSeal(parsed, text);
  if (!seal) {
    const Token* head = generatedHead(parsed, text);
    if (!head)
      return {};
    return {{head->range, Severity::Warning, "no-seal",
             "the line \"-- Locked lines: ...\" of this generated head is missing: no change of the locked "
             "lines can be noticed; undo its removal, or generate the document again with plumbline method"}};
  }
  if (!seal->isWhole)
    return {{seal->range, Severity::Error, "locked-line",
             std::string("this line was changed, so that changes of locked lines are not noticed") +
                 "; undo this, or generate the document again with plumbline method"}};
  const std::vector<SealedLine> lines = sealedLines(parsed, text);
  if (lines.empty() && seal->kept.empty())
    return {};
  if (lines.empty())
    return {{seal->range, Severity::Error, "locked-line",
             std::string("the generated lines are missing") + remedy}};
  return BreakFinder(*seal, lines).run();
}

} // namespace plumbline::velvet
