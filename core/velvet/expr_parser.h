// Expressions of a method document, from tokens.
#pragma once

#include "core/velvet/cursor.h"

namespace plumbline::velvet {

/// An expression up to the end of the extent or to one of `stops` outside brackets, which stays unread. What
/// cannot be read becomes one Form::Opaque with a diagnostic; never null.
ExprPtr parseExpression(Cursor& cursor, std::initializer_list<std::string_view> stops = {});

/// The same without a diagnostic: null when it is no expression of a known form; the cursor is moved to the
/// end all the same.
ExprPtr tryExpression(Cursor& cursor, std::initializer_list<std::string_view> stops = {});

/// A type up to the end of the extent or to one of `stops` outside brackets: its text on one line.
/// Without text: nothing stands there, or a bracket in it matches no other one.
struct TypeText {
  std::string text;
  TextRange range;
};
TypeText parseType(Cursor& cursor, std::initializer_list<std::string_view> stops);

} // namespace plumbline::velvet
