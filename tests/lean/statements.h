// Theorems of lean/ as statements: read from the text, and as terms for the engines.
#pragma once

#include "core/logic/term.h"
#include "tests/method/reader.h"

#include <filesystem>

namespace plumbline::method_test {

/// One theorem.
struct Statement {
  std::string file;       ///< path below lean/
  std::string name;       ///< "Plumbline.f32_mul_comm"
  std::string attributes; ///< "grind ="; empty: none
  std::vector<velvet::Binder> variables;
  std::vector<velvet::ExprPtr> hypotheses;
  velvet::ExprPtr claim;
  std::string text; ///< as it stands in the file, between the name and ":="
};

/// The theorems of a folder below lean/, one a file. Fails the test on a file of another form.
std::vector<Statement> statementsOf(const std::filesystem::path& folder);

/// "(a b : T) (h : P) : Q". Nothing when it does not follow the grammar.
std::optional<Statement> readStatement(const std::string& text);

/// The statement as a Bool term over F32 variables: that its hypotheses imply its claim. `definitions` of
/// lean/ are put in place. Nothing when something in it has no term.
std::optional<logic::TermId> termOf(const Statement& statement,
                                    const std::vector<velvet::Definition>& definitions,
                                    logic::TermStore& store);

} // namespace plumbline::method_test
