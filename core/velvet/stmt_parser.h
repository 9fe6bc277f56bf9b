// Statements and clauses of a method, from tokens.
#pragma once

#include "core/velvet/cursor.h"
#include "core/velvet/syntax.h"

namespace plumbline::velvet {

/// Words of a clause in a dialect.
struct ClauseWords {
  std::string_view result;  ///< returns, return
  std::string_view require; ///< requires, require
};
ClauseWords clauseWords(Dialect dialect);

/// Reads the clause that begins here, up to the end of its extent.
Clause parseClause(Cursor& cursor);

/// The statements that stand deeper than column `outer`.
std::vector<Stmt> parseBlock(Cursor& cursor, uint32_t outer);

} // namespace plumbline::velvet
