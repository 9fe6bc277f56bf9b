// Symbols, words, colours and fonts that several panels share, so that "closed" looks the same everywhere.
#pragma once

#include "core/workbench/snapshot.h"

#include <QColor>
#include <QFont>
#include <QString>

#include <string>

namespace plumbline::views {

/// Whether the application's palette is a dark one. All colours below follow it, so they are asked for when
/// painting and never kept. GUI thread only, as everything in this file.
bool isDark();

/// Symbol of a status; never the only sign of it, and never without its word for assistive technology.
QString statusSymbol(workbench::CaseStatus status);
QString statusWord(workbench::CaseStatus status); ///< "open", "closed", ... in the user's language
QColor statusColor(workbench::CaseStatus status); ///< text on the base colour, contrast at least 4.5
QColor statusFill(workbench::CaseStatus status);  ///< background of a cell, readable under the text colour

/// Text colour of a verdict or reading.
QColor toneColor(workbench::Tone tone);

QString kindWord(workbench::NodeKind kind); ///< "input", "operator", ... in the user's language
QColor kindFill(workbench::NodeKind kind);  ///< background of a graph node, readable under the text colour

QColor faintText();   ///< of what is there but does not count: not reached, not computed
QColor problemText(); ///< of an error or the first difference
QColor linkedFill();  ///< background of what is highlighted as a counterpart
QColor linkedEdge();  ///< outline of the same

/// Fixed-width font in the size of the application's font.
QFont fixedFont();

/// "0.4 ms", "1.3 s"; empty for nothing.
QString timeText(double ms);

/// Texts of core/ are UTF-8.
inline QString toQt(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

/// One line of at most `length` characters for a cell, the cut marked.
QString oneLine(const QString& longText, int length = 160);

} // namespace plumbline::views
