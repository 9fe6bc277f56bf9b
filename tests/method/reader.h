// Reads Velvet and Lean expressions back, written from the grammar alone: the printer's counterpart in tests.
#pragma once

#include "core/velvet/syntax.h"

#include <map>

namespace plumbline::method_test {

/// One expression, all of the text. Nothing when it does not follow the grammar.
std::optional<velvet::ExprPtr> readExpression(const std::string& text);

/// What a file of lean/ defines.
struct LeanFile {
  std::vector<velvet::Definition> definitions;        ///< `def`s whose body is one expression
  std::map<std::string, velvet::Definition> instance; ///< members `name := fun a b => body` of an instance
  std::map<std::string, std::vector<std::string>> equations; ///< of a `def` by cases, which is not evaluated
  std::map<std::string, int> opaque;                         ///< name and number of arguments
  std::vector<std::string> classMembers;
  std::vector<std::string> names; ///< everything declared, qualified
  std::string error;              ///< what could not be read; empty: nothing
};
LeanFile readLeanFile(const std::string& text);

/// The tokens of a text outside comments.
struct Token {
  std::string text;
  int line = 0;
  bool spaceBefore = false;
};
std::optional<std::vector<Token>> tokenise(const std::string& text);

} // namespace plumbline::method_test
