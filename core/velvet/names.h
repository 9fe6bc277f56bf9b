// Names in Velvet text: what may stand unquoted, and fresh names.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace plumbline::velvet {

/// A token of Lean or of Velvet's syntax that is no identifier: "in", "at", "end", "method", "invariant".
bool isReserved(std::string_view name);
/// An ASCII letter or '_' and then letters, digits and '_'; not "_" alone.
bool isPlainIdentifier(std::string_view name);

/// The name as it stands in text: parts between dots, each quoted with « » where it has to be.
std::string quoted(std::string_view name);

/// Turns any text into a plain identifier: what does not fit becomes '_'; no leading digit, no prefix "mut"
/// (a token of Velvet's older syntax begins with it), no ending "Old" (which denotes entry values there).
/// "numel(s0*s1)" becomes "numel_s0_s1". Reserved words stay: `quoted` writes them as «in».
std::string identifierFrom(std::string_view text);

/// Hands out names that differ from each other and from those taken.
class NameScope {
public:
  /// `taken` are names that the document uses for something else ("Int", "decide").
  NameScope();
  /// identifierFrom(text), with "_1", "_2", ... when it is taken.
  std::string fresh(std::string_view text);

private:
  std::set<std::string> m_taken;
};

} // namespace plumbline::velvet
