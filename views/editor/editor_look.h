// Numbers of markers, indicators and styles of the editors, and their colours.
#pragma once

class QsciScintilla;

namespace plumbline::views {

enum EditorMargin { NumberMargin = 0, SymbolMargin = 1, FoldMargin = 2 };
enum EditorMarker { ErrorMarker = 0, FindingMarker, NoteMarker, LockedMarker, LockBandMarker, LinkedMarker };
enum EditorIndicator { LinkedIndicator = 8, ErrorIndicator, FindingIndicator, NoteIndicator, MatchIndicator };
enum AnnotationStyle { ErrorAnnotation = 50, FindingAnnotation, NoteAnnotation };

/// Margins, markers and indicators; once a widget.
void setUpEditor(QsciScintilla& editor);

/// Colours and fonts of everything but the words, from the application's palette and font.
void applyEditorLook(QsciScintilla& editor);

} // namespace plumbline::views
