// Languages that the window shows, and the colours of their words.
#pragma once

#include <KSyntaxHighlighting/Format>

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Theme>
#include <QColor>

namespace plumbline::views {

enum class Language : uint8_t { Plain, Cuda, Velvet, SmtLib, Ptx };

/// The definition of a language; an invalid one for Plain. The first call reads the index of all definitions
/// (some 10 ms). GUI thread only.
KSyntaxHighlighting::Definition definitionOf(Language language);

/// How words of one kind look. Every colour has a contrast of at least 4.5 on the base colour, on locked
/// lines and on highlighted ranges of its theme.
struct WordLook {
  QColor color;
  bool bold = false;
  bool italic = false;
};
inline constexpr int textStyleCount = KSyntaxHighlighting::Theme::Others + 1;
WordLook wordLook(KSyntaxHighlighting::Theme::TextStyle style, bool dark);

} // namespace plumbline::views
