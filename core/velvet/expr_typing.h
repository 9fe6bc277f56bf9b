// Types of expressions over declared names.
#pragma once

#include "core/velvet/signatures.h"
#include "core/velvet/typing.h"

#include <set>

namespace plumbline::velvet {

/// Infers types as Lean's elaborator does for the forms of documents. Declarations come first, then
/// expressions; `finish` fills in what was inferred late.
class ExprTyper {
public:
  explicit ExprTyper(Typing& result) : m_result(result) {}

  // --- Names ---

  struct Local {
    std::string name;
    LeanType type;
    bool isMutable = false;
  };
  struct Global {
    LeanType type;
    std::set<std::string> generics; ///< type variables that each use fills anew
  };

  std::vector<Local> locals;
  std::map<std::string, Global> globals; ///< declared by the document
  std::set<std::string> helpers;         ///< declared by text without a tree: of unknown type
  std::set<std::string> types;           ///< declared by such text
  std::map<std::string, bool>
      typeVariables;    ///< and whether they have operators beyond those of Plumbline.Scalar
  bool lenient = false; ///< other modules or namespaces are in scope: an unknown name may be theirs

  const Local* local(const std::string& name) const;

  // --- Types ---

  /// Of a text; unknown heads are reported at `range`. A proposition, as hypotheses are, has no known type.
  LeanType typeFrom(const std::string& text, TextRange range);
  void check(const Expr& expr, const LeanType& expected);
  LeanType infer(const Expr& expr);
  /// Writes the types of all expressions, with what is not determined as Lean defaults it.
  void finish();

  void report(TextRange range, const char* id, const std::string& message,
              Severity severity = Severity::Error);
  void unknownName(TextRange range, const std::string& message);

private:
  struct Meta {
    LeanType solution; ///< not known: open
    bool isNumber = false;
    bool isNegated = false;
    bool isFraction = false;
  };

  LeanType fresh() { return fresh(Meta()); }
  LeanType fresh(Meta meta);
  LeanType resolve(LeanType type) const;
  LeanType complete(const LeanType& type, int depth = 0) const;
  /// Whether a name that stands where a type is written is a variable or a function.
  bool isTerm(const std::string& name) const;
  bool occurs(const std::string& meta, const LeanType& type, int depth = 0) const;
  bool solve(const std::string& meta, const LeanType& type);
  bool unify(const LeanType& a, const LeanType& b);
  bool coerces(const LeanType& from, const LeanType& to);
  bool takesNumbers(const LeanType& type) const;
  bool isPlainVariable(const LeanType& type) const;
  static LeanType instantiate(const LeanType& type, const std::map<std::string, LeanType>& filled);
  LeanType instantiated(const LeanType& type, const std::set<std::string>& generics);
  std::string shown(const LeanType& type) const { return print(complete(type)); }
  void mismatch(const Expr& expr, const LeanType& is, const LeanType& expected);

  LeanType inferForm(const Expr& expr);
  LeanType nameType(const Expr& expr);
  LeanType fieldType(const Expr& expr);
  LeanType unknownField(const Expr& expr, const LeanType& of);
  LeanType applyType(const Expr& expr);
  LeanType elementType(const Expr& expr);
  LeanType binaryType(const Expr& expr);
  LeanType comparison(const Expr& expr);
  LeanType arithmetic(const Expr& expr, const LeanType& expected);
  LeanType powerType(const Expr& expr);
  LeanType ifType(const Expr& expr);
  LeanType quantified(const Expr& expr);
  LeanType lambdaType(const Expr& expr, const LeanType& expected);
  LeanType sumType(const Expr& expr);

  struct Tree;
  void collect(const Expr& expr, Tree& tree);
  LeanType settle(Tree& tree, const LeanType& expected);

  Typing& m_result;
  std::vector<Meta> m_metas;
  std::vector<std::pair<const Expr*, LeanType>> m_types;
};

} // namespace plumbline::velvet
