// Runs a method's syntax tree: an independent statement of what its constructs mean in Lean, with Lean's
// types. Definitions of lean/ are evaluated from their text.
#pragma once

#include "tests/method/reader.h"

#include <functional>
#include <unordered_map>

namespace plumbline::method_test {

__extension__ typedef __int128 Wide;

enum class Kind : uint8_t { Literal, Nat, Int, Bool, Prop, F32, F64, Array, Pair };

/// A value with its Lean type. A Literal is a number whose type its context decides.
struct Value {
  Kind kind = Kind::Literal;
  Wide number = 0;                                   ///< Literal, Nat, Int; Bool and Prop: 0 or 1
  uint64_t bits = 0;                                 ///< F32, F64; canonical NaN
  std::shared_ptr<std::vector<uint32_t>> array = {}; ///< Array Float32
  std::shared_ptr<std::vector<Wide>> cells = {};     ///< Array of something else: numbers, bits of F64
  Kind element = Kind::F32;                          ///< of an Array
  std::vector<Value> parts = {};                     ///< Pair
};

Value intValue(int64_t value);
Value natValue(int64_t value);
Value boolValue(bool value);
Value floatValue(uint32_t bits);
Value arrayValue(std::vector<uint32_t> bits);
/// An array whose elements are no Float32.
Value cellsValue(Kind element, std::vector<Wide> cells);

/// A broken clause, or text that Lean would not accept or that means nothing.
struct Failure {
  std::string kind; ///< "assert", "invariant", "decreasing", "done_with", "requires", "ensures", "type"
  std::string label;
};

struct MethodRun {
  std::vector<Failure> failures; ///< each label once
  Value result;
  bool failed(const std::string& kind) const;
};

class Evaluator {
public:
  /// `lean`: the files of lean/. The document outlives the evaluator.
  Evaluator(const std::vector<LeanFile>& lean, const velvet::Document& document);

  const velvet::Method& method() const { return *m_method; }
  /// A definition of the document or of lean/; null when there is none.
  const velvet::Definition* definition(const std::string& name) const {
    const auto found = m_definitions.find(name);
    return found != m_definitions.end() ? found->second : nullptr;
  }
  /// Arguments by parameter name. Invariants are checked at the head of every `every`-th turn of a loop, and
  /// at its end.
  MethodRun run(const std::map<std::string, Value>& arguments, int every = 1);

  /// An expression over the given variables. Throws std::string when it has no value.
  Value evaluate(const velvet::Expr& expr, const std::map<std::string, Value>& variables);

private:
  using Variables = std::unordered_map<std::string, Value>;

  Value eval(const velvet::Expr& expr, Variables& variables);
  Value apply(const velvet::Expr& expr, Variables& variables);
  Value fold(const velvet::Expr& expr, Variables& variables);
  Value call(const std::string& name, std::vector<Value> args);
  Value callDefinition(const velvet::Definition& definition, std::vector<Value> args);
  std::optional<Value> primitive(const std::string& name, const std::vector<Value>& args);
  Value opaque(const std::string& name, const std::vector<Value>& args);
  Value binary(const velvet::Expr& expr, Variables& variables);
  Value arithmetic(velvet::BinaryOp op, const Value& a, const Value& b);
  Value quantified(const velvet::Expr& expr, Variables& variables);
  bool holds(const velvet::Expr& expr, Variables& variables);
  void check(const char* kind, const velvet::Clause& clause, Variables& variables);
  void block(const std::vector<velvet::Stmt>& body, Variables& variables);
  void statement(const velvet::Stmt& stmt, Variables& variables);
  void loop(const velvet::Stmt& stmt, Variables& variables);
  bool setInPlace(const velvet::Stmt& stmt, Variables& variables);
  void fail(const std::string& kind, const std::string& label);

  const velvet::Method* m_method = nullptr;
  std::unordered_map<std::string, const velvet::Definition*> m_definitions;
  std::map<std::string, velvet::Definition> m_lean;
  std::map<std::string, velvet::Definition> m_instance; ///< by member
  std::map<std::string, int> m_opaque;
  MethodRun m_run;
  int m_every = 1;
  size_t m_largest = 0; ///< array of the arguments
};

} // namespace plumbline::method_test
