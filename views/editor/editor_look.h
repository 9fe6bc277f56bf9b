// Numbers of markers, indicators and styles of the editors, and their colours.
#pragma once

class QsciScintilla;

namespace plumbline::views {

enum EditorMargin { NumberColumn = 0, SymbolColumn = 1, FoldColumn = 2, ProgressColumn = 3 };
/// Of several at a line the one with the highest number is drawn last.
enum EditorMarker {
  LockedMarker = 0,
  LinkedMarker,
  LockBandMarker,
  NoteMarker,
  FindingMarker,
  ErrorMarker,
  ProgressMarker,
  FailedMarker
};
enum EditorIndicator { LinkedIndicator = 8, ErrorIndicator, FindingIndicator, NoteIndicator, MatchIndicator };
enum AnnotationStyle { ErrorAnnotation = 50, FindingAnnotation, NoteAnnotation };

/// Margins, markers and indicators; once a widget.
void setUpEditor(QsciScintilla& editor);

/// Colours and fonts of everything but the words, from the application's palette and font.
void applyEditorLook(QsciScintilla& editor);

} // namespace plumbline::views
