// The commands of a method document, from tokens.
#pragma once

#include "core/velvet/cursor.h"
#include "core/velvet/syntax.h"

namespace plumbline::velvet {

/// All items of the text that the cursor stands at the beginning of.
std::vector<Item> parseItems(Cursor& cursor);

/// Whether a word in the first column begins a command.
bool isCommand(std::string_view word);

/// The same of any first token: a command's word, a modifier, an attribute.
bool beginsCommand(std::string_view token);

} // namespace plumbline::velvet
