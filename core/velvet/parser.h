// Any text as a method document: a tree, the tokens it was read from, and what is wrong with it.
#pragma once

#include "core/velvet/dialect.h"
#include "core/velvet/lexer.h"
#include "core/velvet/syntax.h"

namespace plumbline::velvet {

struct Parsed {
  Document document;
  std::vector<Token> tokens;           ///< in order, without gaps: together they are the text
  std::vector<Diagnostic> diagnostics; ///< by place
};

/// Always yields a tree. What has no known form is kept as text (Form::Opaque, StmtKind::Opaque, Verbatim,
/// tactic commands), with a diagnostic unless it is a helper that documents may hold. A whole document of 500
/// lines takes about a millisecond, so an edit parses all of it again. Ids of diagnostics: those of lex(),
/// "syntax", "unsupported", "dialect", "clause".
Parsed parse(std::string_view text, Dialect dialect);

/// The dialect that a document is written in, by its imports and options; Velvet2 where nothing tells.
Dialect dialectOf(std::string_view text);

/// One expression of a document, as a term or proposition typed by hand; nothing when it is not all of the
/// text. `scope` are the names that are variables.
ExprPtr parseExpression(std::string_view text, std::vector<std::string> scope = {});

} // namespace plumbline::velvet
