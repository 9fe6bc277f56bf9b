// KSyntaxHighlighting's highlighter as a lexer of QScintilla.
#pragma once

#include "views/editor/syntax.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/State>
#include <Qsci/qscilexercustom.h>

#include <vector>

namespace plumbline::views {

/// Styles are the text styles of the themes themselves (0 to 30), so they never meet Scintilla's own 32
/// to 39. Highlights a line at a time and keeps the state at the end of each.
class SyntaxLexer : public QsciLexerCustom, private KSyntaxHighlighting::AbstractHighlighter {
public:
  explicit SyntaxLexer(QObject* parent = nullptr);

  /// Forgets all line states; the editor restyles by itself.
  void setLanguage(Language language);
  /// Takes colours from the palette and the font.
  void applyLook(const QFont& font);
  /// The whole text was replaced.
  void forgetLines() { m_states.clear(); }

  const char* language() const override { return "Plumbline"; }
  QString description(int style) const override;
  void styleText(int start, int end) override;

private:
  void applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) override;
  void applyFolding(int offset, int length, KSyntaxHighlighting::FoldingRegion region) override;
  void styleLine(int line);
  void setRuns(int length);
  int levelBefore(int line) const;

  std::vector<KSyntaxHighlighting::State> m_states; ///< at the end of each line highlighted so far
  std::vector<int> m_depths;                        ///< fold depth at the end of each line
  QByteArray m_lineStyles;                          ///< of the line in work, one a byte
  std::vector<int> m_byteOffsets;                   ///< of the line in work: UTF-16 index to byte
  int m_folds = 0;
};

} // namespace plumbline::views
