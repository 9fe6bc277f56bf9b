#include "views/shell/fuzzy.h"

#include <algorithm>
#include <vector>

namespace plumbline::views {

namespace {

constexpr int impossible = -1'000'000;
constexpr int atWordStart = 8;
constexpr int besideLast = 5;

bool startsWord(const QString& text, qsizetype at) {
  return at == 0 || !text[at - 1].isLetterOrNumber();
}

} // namespace

std::optional<int> fuzzyScore(const QString& pattern, const QString& text) {
  QString wanted = pattern.toCaseFolded();
  wanted.remove(QLatin1Char(' '));
  const QString folded = text.toCaseFolded();
  const auto n = static_cast<size_t>(folded.size());
  // best[k]: the best score of the letters so far with the last of them at k.
  std::vector<int> best(n, impossible);
  for (qsizetype p = 0; p < wanted.size(); ++p) {
    std::vector<int> next(n, impossible);
    int before = p == 0 ? 0 : impossible; // the best that ends anywhere left of k
    for (size_t k = 0; k < n; ++k) {
      const auto at = static_cast<qsizetype>(k);
      if (folded[at] == wanted[p]) {
        const int beside = p > 0 && k > 0 ? best[k - 1] + besideLast : impossible;
        next[k] = std::max(before, beside) + 1 + (startsWord(folded, at) ? atWordStart : 0);
      }
      if (p > 0)
        before = std::max(before, best[k]);
    }
    best = std::move(next);
  }
  if (wanted.isEmpty())
    return 0;
  const int score = n == 0 ? impossible : *std::max_element(best.begin(), best.end());
  // Of two equally good ones the shorter text is meant.
  return score < 0 ? std::nullopt : std::optional(score * 64 - static_cast<int>(std::min<size_t>(n, 63)));
}

} // namespace plumbline::views
