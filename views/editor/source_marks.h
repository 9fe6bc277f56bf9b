// What an editor shows besides its text: highlighted places, errors at their lines, locked lines.
#pragma once

#include "core/workbench/snapshot.h"

#include <QString>

#include <set>
#include <vector>

class QsciScintilla;

namespace plumbline::views {

struct LineProgress;

/// Words for a mark: "error: inline assembly is not modelled (inline-asm)".
QString markText(const workbench::Mark& mark);

/// Outlines ranges (of this text, whatever file they name) and gives lines, counted from 1, a background.
void showLinked(QsciScintilla& editor, const std::vector<SourceRange>& ranges, const std::set<int>& lines);

/// Squiggles, symbols in the margin, and the sentences under their lines, wrapped at the editor's width.
void showMarks(QsciScintilla& editor, const std::vector<workbench::Mark>& marks);

/// Shades lines that are generated; `locked` has one entry a line.
void showLocked(QsciScintilla& editor, const std::vector<bool>& locked);

/// Colours the narrow column beside lines that are being worked on or have failed.
void showProgress(QsciScintilla& editor, const std::vector<LineProgress>& progress);

/// Every place where `text` occurs is outlined; the number of them, at most `matchLimit`.
inline constexpr int matchLimit = 10000;
int showMatches(QsciScintilla& editor, const QString& text, bool caseSensitive);

} // namespace plumbline::views
