#include "views/editor/syntax_lexer.h"

#include "views/style/style.h"

#include <KSyntaxHighlighting/FoldingRegion>
#include <QApplication>
#include <QPalette>
#include <Qsci/qsciscintilla.h>

#include <algorithm>

namespace plumbline::views {

namespace {

/// Where each UTF-16 unit of the text starts in its UTF-8 form; one more entry for the end.
std::vector<int> byteOffsets(const QString& text) {
  std::vector<int> offsets;
  offsets.reserve(static_cast<size_t>(text.size()) + 1);
  int byte = 0;
  for (const QChar c : text) {
    offsets.push_back(byte);
    if (c.isHighSurrogate())
      byte += 4;
    else if (!c.isLowSurrogate())
      byte += c.unicode() < 0x80 ? 1 : c.unicode() < 0x800 ? 2 : 3;
  }
  offsets.push_back(byte);
  return offsets;
}

} // namespace

SyntaxLexer::SyntaxLexer(QObject* parent) : QsciLexerCustom(parent) {}

void SyntaxLexer::setLanguage(Language language) {
  setDefinition(definitionOf(language));
  forgetLines();
}

QString SyntaxLexer::description(int style) const {
  return style >= 0 && style < textStyleCount ? QString::number(style) : QString();
}

void SyntaxLexer::applyLook(const QFont& font) {
  const QPalette palette = QApplication::palette();
  setDefaultFont(font);
  setDefaultColor(palette.color(QPalette::Text));
  setDefaultPaper(palette.color(QPalette::Base));
  for (int style = 0; style < textStyleCount; ++style) {
    const WordLook look = wordLook(static_cast<KSyntaxHighlighting::Theme::TextStyle>(style), isDark());
    QFont styled = font;
    styled.setBold(look.bold);
    styled.setItalic(look.italic);
    setFont(styled, style);
    setColor(look.color, style);
    setPaper(palette.color(QPalette::Base), style);
  }
}

void SyntaxLexer::styleText(int start, int end) {
  if (editor() == nullptr || start >= end)
    return;
  const auto lineOf = [this](int position) {
    return static_cast<int>(editor()->SendScintilla(QsciScintillaBase::SCI_LINEFROMPOSITION, position));
  };
  // States are needed from the top down: a text that jumps ahead is caught up with first.
  const int first = std::min(lineOf(start), static_cast<int>(m_states.size()));
  const int last = lineOf(end - 1);
  m_states.resize(static_cast<size_t>(first));
  m_depths.resize(static_cast<size_t>(first));
  startStyling(static_cast<int>(editor()->SendScintilla(QsciScintillaBase::SCI_POSITIONFROMLINE, first)));
  for (int line = first; line <= last; ++line)
    styleLine(line);
}

int SyntaxLexer::levelBefore(int line) const {
  return line == 0 ? 0 : m_depths[static_cast<size_t>(line) - 1];
}

void SyntaxLexer::styleLine(int line) {
  const auto length = static_cast<int>(editor()->SendScintilla(QsciScintillaBase::SCI_LINELENGTH, line));
  QByteArray bytes(length, Qt::Uninitialized);
  if (length > 0)
    editor()->SendScintilla(QsciScintillaBase::SCI_GETLINE, static_cast<unsigned long>(line),
                            static_cast<void*>(bytes.data()));
  QByteArray content = bytes;
  while (content.endsWith('\n') || content.endsWith('\r'))
    content.chop(1);
  const QString text = QString::fromUtf8(content);
  m_byteOffsets = byteOffsets(text);
  m_lineStyles.fill(0, std::max<qsizetype>(length, m_byteOffsets.back()));
  m_folds = 0;
  const int before = levelBefore(line);
  m_states.push_back(highlightLine(text, line == 0 ? KSyntaxHighlighting::State()
                                                   : m_states[static_cast<size_t>(line) - 1]));
  const int after = std::max(0, before + m_folds);
  m_depths.push_back(after);
  setRuns(length);
  const int level = QsciScintillaBase::SC_FOLDLEVELBASE + std::min(before, after) +
                    (after > before ? QsciScintillaBase::SC_FOLDLEVELHEADERFLAG : 0);
  editor()->SendScintilla(QsciScintillaBase::SCI_SETFOLDLEVEL, static_cast<unsigned long>(line), level);
}

void SyntaxLexer::setRuns(int length) {
  for (int at = 0; at < length;) {
    int next = at + 1;
    while (next < length && m_lineStyles[next] == m_lineStyles[at])
      ++next;
    setStyling(next - at, m_lineStyles[at]);
    at = next;
  }
}

void SyntaxLexer::applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) {
  const auto units = static_cast<int>(m_byteOffsets.size()) - 1;
  const int from = m_byteOffsets[static_cast<size_t>(std::clamp(offset, 0, units))];
  const int to = m_byteOffsets[static_cast<size_t>(std::clamp(offset + length, 0, units))];
  std::fill(m_lineStyles.begin() + from, m_lineStyles.begin() + to, static_cast<char>(format.textStyle()));
}

void SyntaxLexer::applyFolding(int, int, KSyntaxHighlighting::FoldingRegion region) {
  m_folds += region.type() == KSyntaxHighlighting::FoldingRegion::Begin ? 1 : -1;
}

} // namespace plumbline::views
