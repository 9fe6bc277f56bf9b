// Errors as values. Every failure a user can meet has an id, a sentence, and a next step.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace plumbline {

/// A range in a source file. Lines and columns count from 1; 0 means unknown. `endColumn` is one past the
/// last.
struct SourceRange {
  std::string file;
  int line = 0;
  int column = 0;
  int endLine = 0;
  int endColumn = 0;

  bool known() const { return line > 0; }
  bool operator==(const SourceRange&) const = default;
};

/// "file:line:column", or "file" when the line is unknown.
std::string toString(const SourceRange& range);

/// A construct outside the accepted fragment: named, never approximated.
struct Rejection {
  std::string id;        ///< stable kebab-case id, e.g. "inline-asm"
  std::string construct; ///< what stands there, for a person
  SourceRange where;

  bool operator==(const Rejection&) const = default;
};

/// Decides the exit status (command line contract: 3 rejected, 4 everything else).
enum class ErrorKind { Usage, File, Tool, Rejected, Internal };

struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string id;      ///< stable kebab-case id, e.g. "file-not-found"
  std::string message; ///< one sentence
  std::string next;    ///< what the user can do; may be empty
  std::optional<SourceRange> where = std::nullopt;
  std::vector<Rejection> rejections = {}; ///< filled for ErrorKind::Rejected
};

/// One or two lines: where, what, what next.
std::string toString(const Error& error);

template <class T> using Expected = tl::expected<T, Error>;

/// Makes the error alternative of an Expected.
inline tl::unexpected<Error> fail(ErrorKind kind, std::string id, std::string message,
                                  std::string next = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(id), std::move(message), std::move(next)});
}
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

} // namespace plumbline
