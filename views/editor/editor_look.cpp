#include "views/editor/editor_look.h"

#include "views/style/style.h"

#include <QApplication>
#include <QPalette>
#include <Qsci/qscicommandset.h>
#include <Qsci/qsciscintilla.h>

namespace plumbline::views {

using workbench::CaseStatus;
using Sci = QsciScintillaBase;

namespace {

long rgb(const QColor& color) {
  return color.red() | (color.green() << 8) | (color.blue() << 16);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                          static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                          static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

/// Keys that would change the text or hide an action of the window belong to the window.
void keepOnlyMovingKeys(QsciScintilla& editor) {
  for (QsciCommand* command : editor.standardCommands()->commands()) {
    const QsciCommand::Command what = command->command();
    const bool moves = what <= QsciCommand::StutteredPageDownExtend || what == QsciCommand::SelectAll ||
                       what == QsciCommand::SelectionCopy;
    const bool ctrlOrAlt = (command->key() & (Qt::ControlModifier | Qt::AltModifier)) != 0;
    const bool plainMove = !ctrlOrAlt || (command->key() & Qt::AltModifier) == 0;
    if (!moves || !plainMove) {
      command->setKey(0);
      command->setAlternateKey(0);
    }
  }
}

void setUpMarkers(QsciScintilla& editor) {
  editor.markerDefine(QsciScintilla::Circle, ErrorMarker);
  editor.markerDefine(QsciScintilla::RightTriangle, FindingMarker);
  editor.markerDefine(QsciScintilla::SmallRectangle, NoteMarker);
  editor.markerDefine(QsciScintilla::Background, LockedMarker);
  editor.markerDefine(QsciScintilla::LeftRectangle, LockBandMarker);
  editor.markerDefine(QsciScintilla::Background, LinkedMarker);
  editor.markerDefine(QsciScintilla::FullRectangle, ProgressMarker);
  editor.markerDefine(QsciScintilla::FullRectangle, FailedMarker);
}

void setUpIndicators(QsciScintilla& editor) {
  const auto define = [&editor](int indicator, long style) {
    editor.SendScintilla(Sci::SCI_INDICSETSTYLE, static_cast<unsigned long>(indicator), style);
    editor.SendScintilla(Sci::SCI_INDICSETUNDER, static_cast<unsigned long>(indicator), 1L);
  };
  define(LinkedIndicator, Sci::INDIC_STRAIGHTBOX);
  define(MatchIndicator, Sci::INDIC_STRAIGHTBOX);
  for (int indicator : {ErrorIndicator, FindingIndicator, NoteIndicator})
    define(indicator, Sci::INDIC_SQUIGGLE);
}

void colorMarker(QsciScintilla& editor, int marker, const QColor& color) {
  editor.setMarkerBackgroundColor(color, marker);
  editor.setMarkerForegroundColor(color, marker);
}

void colorIndicator(QsciScintilla& editor, int indicator, const QColor& color) {
  editor.SendScintilla(Sci::SCI_INDICSETFORE, static_cast<unsigned long>(indicator), rgb(color));
}

void setStyle(QsciScintilla& editor, int style, const QColor& color, const QColor& paper, const QFont& font) {
  const auto number = static_cast<unsigned long>(style);
  editor.SendScintilla(Sci::SCI_STYLESETFORE, number, rgb(color));
  editor.SendScintilla(Sci::SCI_STYLESETBACK, number, rgb(paper));
  editor.SendScintilla(Sci::SCI_STYLESETFONT, number, font.family().toUtf8().constData());
  editor.SendScintilla(Sci::SCI_STYLESETSIZEFRACTIONAL, number,
                       static_cast<long>(font.pointSizeF() * double{Sci::SC_FONT_SIZE_MULTIPLIER}));
}

void setAnnotationStyle(QsciScintilla& editor, int style, CaseStatus status) {
  setStyle(editor, style, statusColor(status), statusFill(status), QApplication::font());
}

void applyMarkerLook(QsciScintilla& editor, const QColor& base, const QColor& text) {
  const QColor error = statusColor(CaseStatus::Witnessed);
  const QColor finding = statusColor(CaseStatus::Split);
  const QColor note = statusColor(CaseStatus::Empty);
  colorMarker(editor, ErrorMarker, error);
  colorMarker(editor, FindingMarker, finding);
  colorMarker(editor, NoteMarker, note);
  colorMarker(editor, LockedMarker, mixed(base, text, 0.045));
  colorMarker(editor, LockBandMarker, mixed(base, text, 0.35));
  colorMarker(editor, LinkedMarker, linkedFill());
  colorMarker(editor, ProgressMarker, finding);
  colorMarker(editor, FailedMarker, error);
  colorIndicator(editor, ErrorIndicator, error);
  colorIndicator(editor, FindingIndicator, finding);
  colorIndicator(editor, NoteIndicator, note);
  colorIndicator(editor, LinkedIndicator, linkedEdge());
  colorIndicator(editor, MatchIndicator, statusColor(CaseStatus::Empty));
  for (int indicator : {LinkedIndicator, MatchIndicator}) {
    editor.SendScintilla(Sci::SCI_INDICSETALPHA, static_cast<unsigned long>(indicator), 60L);
    editor.SendScintilla(Sci::SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(indicator), 220L);
  }
  setAnnotationStyle(editor, ErrorAnnotation, CaseStatus::Witnessed);
  setAnnotationStyle(editor, FindingAnnotation, CaseStatus::Split);
  setAnnotationStyle(editor, NoteAnnotation, CaseStatus::Empty);
}

} // namespace

void setUpEditor(QsciScintilla& editor) {
  editor.setUtf8(true);
  editor.setReadOnly(true);
  editor.setFrameShape(QFrame::NoFrame);
  editor.setCaretLineVisible(true);
  editor.setTabWidth(4);
  editor.setFolding(QsciScintilla::PlainFoldStyle, FoldColumn);
  editor.setMarginType(NumberColumn, QsciScintilla::NumberMargin);
  editor.setMarginType(SymbolColumn, QsciScintilla::SymbolMargin);
  const int symbols = (1 << ErrorMarker) | (1 << FindingMarker) | (1 << NoteMarker) | (1 << LockBandMarker);
  editor.setMarginMarkerMask(SymbolColumn, symbols);
  editor.setMarginType(ProgressColumn, QsciScintilla::SymbolMargin);
  editor.setMarginMarkerMask(ProgressColumn, (1 << ProgressMarker) | (1 << FailedMarker));
  editor.setMarginWidth(ProgressColumn, 0); // until there is progress to show
  editor.SendScintilla(Sci::SCI_SETSCROLLWIDTHTRACKING, 1L);
  editor.SendScintilla(Sci::SCI_SETSCROLLWIDTH, 1L);
  editor.SendScintilla(Sci::SCI_SETMOUSEDWELLTIME, 400L);
  editor.SendScintilla(Sci::SCI_SETCARETLINEVISIBLEALWAYS, 0L);
  editor.SendScintilla(Sci::SCI_SETENDATLASTLINE, 1L);
  editor.setAnnotationDisplay(QsciScintilla::AnnotationBoxed);
  setUpMarkers(editor);
  setUpIndicators(editor);
  keepOnlyMovingKeys(editor);
}

void applyEditorLook(QsciScintilla& editor) {
  const QPalette palette = QApplication::palette();
  const QColor base = palette.color(QPalette::Base);
  const QColor text = palette.color(QPalette::Text);
  editor.setPaper(base);
  editor.setColor(text);
  editor.setCaretForegroundColor(text);
  editor.setCaretLineBackgroundColor(mixed(base, palette.color(QPalette::Highlight), 0.12));
  editor.setSelectionBackgroundColor(palette.color(QPalette::Highlight));
  editor.setSelectionForegroundColor(palette.color(QPalette::HighlightedText));
  setStyle(editor, Sci::STYLE_LINENUMBER, faintText(), mixed(base, text, 0.06), fixedFont());
  editor.setFoldMarginColors(mixed(base, text, 0.06), mixed(base, text, 0.06));
  const QFontMetrics metrics(fixedFont());
  editor.setMarginWidth(SymbolColumn, metrics.height());
  editor.setMarginWidth(FoldColumn, metrics.height() * 3 / 4);
  applyMarkerLook(editor, base, text);
}

} // namespace plumbline::views
