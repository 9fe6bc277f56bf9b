#include "views/editor/source_marks.h"

#include "views/editor/code_editor.h"
#include "views/editor/editor_look.h"
#include "views/style/style.h"

#include <QApplication>
#include <Qsci/qsciscintilla.h>

#include <algorithm>
#include <map>

namespace plumbline::views {

using workbench::Mark;
using workbench::MarkKind;
using Sci = QsciScintillaBase;

namespace {

long lineCount(const QsciScintilla& editor) {
  return editor.SendScintilla(Sci::SCI_GETLINECOUNT);
}

/// Byte position of a line and column counted from 1, inside the text whatever they are.
long positionOf(const QsciScintilla& editor, int line, int column) {
  const long last = lineCount(editor) - 1;
  const auto row = static_cast<unsigned long>(std::clamp<long>(line - 1, 0, last));
  const long start = editor.SendScintilla(Sci::SCI_POSITIONFROMLINE, row);
  const long end = editor.SendScintilla(Sci::SCI_GETLINEENDPOSITION, row);
  return std::clamp<long>(start + std::max(column, 1) - 1, start, end);
}

/// A range in bytes; a range without extent is grown to the rest of its line's text.
std::pair<long, long> bytesOf(const QsciScintilla& editor, const SourceRange& range) {
  const long from = positionOf(editor, range.line, range.column);
  const long to = range.endLine > 0
                      ? positionOf(editor, range.endLine, range.endColumn)
                      : editor.SendScintilla(Sci::SCI_GETLINEENDPOSITION,
                                             static_cast<unsigned long>(std::max(range.line - 1, 0)));
  return {from, std::max(from, to)};
}

void clearIndicator(QsciScintilla& editor, int indicator) {
  editor.SendScintilla(Sci::SCI_SETINDICATORCURRENT, indicator);
  editor.SendScintilla(Sci::SCI_INDICATORCLEARRANGE, 0UL, editor.SendScintilla(Sci::SCI_GETLENGTH));
}

void fillIndicator(QsciScintilla& editor, int indicator, std::pair<long, long> bytes) {
  editor.SendScintilla(Sci::SCI_SETINDICATORCURRENT, indicator);
  editor.SendScintilla(Sci::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(bytes.first),
                       bytes.second - bytes.first);
}

struct KindLook {
  int marker;
  int indicator;
  int annotation;
};
KindLook lookOf(MarkKind kind) {
  switch (kind) {
  case MarkKind::Error: return {ErrorMarker, ErrorIndicator, ErrorAnnotation};
  case MarkKind::Finding: return {FindingMarker, FindingIndicator, FindingAnnotation};
  case MarkKind::Note: return {NoteMarker, NoteIndicator, NoteAnnotation};
  }
  return {NoteMarker, NoteIndicator, NoteAnnotation};
}

/// Characters of an annotation that fit beside the margins.
int columnsOf(const QsciScintilla& editor) {
  const int margins =
      editor.marginWidth(NumberColumn) + editor.marginWidth(SymbolColumn) + editor.marginWidth(FoldColumn);
  const int width = QFontMetrics(QApplication::font()).averageCharWidth();
  return std::max(24, (editor.viewport()->width() - margins) / std::max(width, 1) - 4);
}

QString wrapped(const QString& text, int columns) {
  QString result;
  qsizetype column = 0;
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (column > 0 && column + word.size() + 1 > columns) {
      result += QLatin1String("\n  ");
      column = 2;
    } else if (column > 0) {
      result += QLatin1Char(' ');
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

/// The sentences of a line, each once, with how often it is said there.
class Annotation {
public:
  void add(const QString& sentence, int style) {
    const auto same = [&](const Sentence& each) { return each.text == sentence && each.style == style; };
    const auto found = std::ranges::find_if(m_sentences, same);
    if (found == m_sentences.end())
      m_sentences.push_back({sentence, style, 1});
    else
      ++found->count;
  }

  /// Shows them below the line, with a style for each byte of them.
  void show(QsciScintilla& editor, int line, int columns) const {
    QByteArray text;
    QByteArray styles;
    for (const Sentence& each : m_sentences) {
      const QString count = each.count > 1 ? QStringLiteral(" (%1 times)").arg(each.count) : QString();
      const QByteArray bytes = (text.isEmpty() ? "" : "\n") + wrapped(each.text + count, columns).toUtf8();
      text += bytes;
      styles += QByteArray(bytes.size(), static_cast<char>(each.style));
    }
    const auto row = static_cast<unsigned long>(line);
    editor.SendScintilla(Sci::SCI_ANNOTATIONSETTEXT, row, text.constData());
    editor.SendScintilla(Sci::SCI_ANNOTATIONSETSTYLES, row, styles.constData());
  }

private:
  struct Sentence {
    QString text;
    int style = 0;
    int count = 0;
  };
  std::vector<Sentence> m_sentences;
};

} // namespace

QString markText(const Mark& mark) {
  QString kind;
  switch (mark.kind) {
  case MarkKind::Error: kind = QCoreApplication::translate("mark", "error"); break;
  case MarkKind::Finding: kind = QCoreApplication::translate("mark", "finding"); break;
  case MarkKind::Note: kind = QCoreApplication::translate("mark", "note"); break;
  }
  QString text = kind + QLatin1String(": ") + toQt(mark.message);
  if (!mark.id.empty() && !text.contains(toQt(mark.id)))
    text += QLatin1String(" (") + toQt(mark.id) + QLatin1Char(')');
  return text;
}

void showLinked(QsciScintilla& editor, const std::vector<SourceRange>& ranges, const std::set<int>& lines) {
  clearIndicator(editor, LinkedIndicator);
  for (const SourceRange& range : ranges)
    if (range.known())
      fillIndicator(editor, LinkedIndicator, bytesOf(editor, range));
  editor.markerDeleteAll(LinkedMarker);
  for (int line : lines)
    if (line >= 1 && line <= lineCount(editor))
      editor.markerAdd(line - 1, LinkedMarker);
}

void showMarks(QsciScintilla& editor, const std::vector<Mark>& marks) {
  for (int indicator : {ErrorIndicator, FindingIndicator, NoteIndicator})
    clearIndicator(editor, indicator);
  for (int marker : {ErrorMarker, FindingMarker, NoteMarker})
    editor.markerDeleteAll(marker);
  editor.SendScintilla(Sci::SCI_ANNOTATIONCLEARALL);
  std::map<int, Annotation> annotations;
  const int columns = columnsOf(editor);
  for (const Mark& mark : marks) {
    if (!mark.where.known() || mark.where.line > lineCount(editor))
      continue;
    const KindLook look = lookOf(mark.kind);
    fillIndicator(editor, look.indicator, bytesOf(editor, mark.where));
    editor.markerAdd(mark.where.line - 1, look.marker);
    annotations[mark.where.line - 1].add(markText(mark), look.annotation);
  }
  for (const auto& [line, annotation] : annotations)
    annotation.show(editor, line, columns);
}

void showLocked(QsciScintilla& editor, const std::vector<bool>& locked) {
  editor.markerDeleteAll(LockedMarker);
  editor.markerDeleteAll(LockBandMarker);
  const auto lines = std::min(locked.size(), static_cast<size_t>(lineCount(editor)));
  for (size_t line = 0; line < lines; ++line)
    if (locked[line]) {
      editor.markerAdd(static_cast<int>(line), LockedMarker);
      editor.markerAdd(static_cast<int>(line), LockBandMarker);
    }
}

void showProgress(QsciScintilla& editor, const std::vector<LineProgress>& progress) {
  constexpr int progressWidth = 5;
  editor.markerDeleteAll(ProgressMarker);
  editor.markerDeleteAll(FailedMarker);
  editor.setMarginWidth(ProgressColumn, progress.empty() ? 0 : progressWidth);
  const auto last = static_cast<int>(lineCount(editor));
  for (const LineProgress& part : progress)
    for (int line = std::max(part.first, 1); line <= std::min(part.last, last); ++line)
      editor.markerAdd(line - 1, part.failed ? FailedMarker : ProgressMarker);
}

int showMatches(QsciScintilla& editor, const QString& text, bool caseSensitive) {
  clearIndicator(editor, MatchIndicator);
  if (text.isEmpty())
    return 0;
  const QByteArray pattern = text.toUtf8();
  const long end = editor.SendScintilla(Sci::SCI_GETLENGTH);
  editor.SendScintilla(Sci::SCI_SETSEARCHFLAGS, caseSensitive ? long{Sci::SCFIND_MATCHCASE} : 0L);
  int count = 0;
  for (long from = 0; count < matchLimit; ++count) {
    editor.SendScintilla(Sci::SCI_SETTARGETSTART, from);
    editor.SendScintilla(Sci::SCI_SETTARGETEND, end);
    if (editor.SendScintilla(Sci::SCI_SEARCHINTARGET, static_cast<unsigned long>(pattern.size()),
                             pattern.constData()) < 0)
      break;
    const long start = editor.SendScintilla(Sci::SCI_GETTARGETSTART);
    from = editor.SendScintilla(Sci::SCI_GETTARGETEND);
    fillIndicator(editor, MatchIndicator, {start, from});
  }
  return count;
}

} // namespace plumbline::views
