// Matching what somebody typed against the name of an action.
#pragma once

#include <QString>

#include <optional>

namespace plumbline::views {

/// How well `text` contains the letters of `pattern` in their order, whatever their case; nothing when it
/// does not. Higher is better: letters at starts of words and beside each other count more. Spaces in the
/// pattern are ignored.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

} // namespace plumbline::views
