// What the denotation of one operator works with: its arguments as terms, and builders.
#pragma once

#include "core/spec/elements.h"
#include "core/spec/op_table.h"

namespace plumbline::spec {

/// Lives while one node is denoted. The first error sticks; afterwards accessors return a value of the right
/// sort.
class NodeContext {
public:
  using TermId = logic::TermId;

  NodeContext(Elements& elements, const torch::Node& node, const OpSchema& schema)
      : m_elements(elements), m_node(node), m_schema(schema) {}

  const std::optional<Error>& error() const { return m_error; }
  const torch::Node& node() const { return m_node; }
  const torch::Graph& graph() const { return m_elements.graph(); }
  /// "relu" of "aten.relu.default".
  std::string op() const;
  /// "node 'relu_1' (aten.relu.default)".
  std::string where() const;

  /// Whether the formula of PyTorch's CUDA kernel is asked for, where it is another one. The operator has a
  /// row in torch_cuda.cpp, which the spec then lists among its assumptions.
  bool onCuda();
  /// The same question without that use, for what must be refused.
  bool isTarget(Target target) const { return m_elements.target() == target; }
  bool usesCudaFormula() const { return m_usesCudaFormula; }

  /// Checks that every argument is known and every required one given.
  void checkArguments();
  /// Shape of the result; tensor arguments are stretched to it.
  void setShape(Shape shape) { m_shape = std::move(shape); }
  const Shape& shape() const { return m_shape; }

  void stop(ErrorKind kind, const std::string& id, const std::string& what, const std::string& next);
  /// "argument-unsupported".
  void unsupported(const std::string& what);

  // --- arguments; a default of the op table stands for one left out ---
  const torch::Argument& argument(const std::string& name);
  bool isNone(const std::string& name);
  /// Names of the tensors among the arguments, in order.
  std::vector<std::string> tensors() const;
  /// A tensor stretched to the result, or a number, as F32. Truth values become 1 and 0, numbers are rounded
  /// once, and so are integers beside a float32 tensor.
  TermId f32(const std::string& name);
  /// The same where a float32 results whatever the tensors are (division, elementary functions): integers are
  /// rounded to one.
  TermId real(const std::string& name);
  /// A tensor stretched to the result, or a number, as Int. Truth values become 1 and 0; floats are refused.
  TermId integral(const std::string& name);
  /// As truth value: whether it is not zero.
  TermId truth(const std::string& name);
  /// An argument in the given sort: `boolean`, `integral` or `real`.
  TermId as(logic::Sort sort, const std::string& name);
  /// What ATen computes in when these are its operands: float32 if one is, else int64 if one is, else truth
  /// values. Arguments that are None are left out.
  logic::Sort commonSort(std::initializer_list<const char*> names);
  /// The integer itself; refused where it may leave int64, since PyTorch's wraps around there.
  TermId bounded(TermId integer);
  /// A tensor of truth values, stretched to the result.
  TermId boolean(const std::string& name);
  /// The element of a tensor at the flat index of the result, without stretching.
  TermId flat(const std::string& name);
  /// A number written in the program.
  std::optional<torch::FloatScalar> number(const std::string& name);
  /// An argument of type ScalarType, or `otherwise` when it is None.
  torch::DType dtype(const std::string& name, torch::DType otherwise);
  /// The dtype of a tensor argument.
  torch::DType tensorDtype(const std::string& name);

  // --- builders ---
  logic::TermStore& terms() { return m_elements.terms(); }
  TermId constant(double value) { return constant(torch::floatScalar(value)); }
  /// The number rounded to binary32; the term keeps the decimal text when that is not exact.
  TermId constant(const torch::FloatScalar& value);
  TermId add(TermId a, TermId b) { return terms().binary(logic::Op::FAdd, a, b); }
  TermId sub(TermId a, TermId b) { return terms().binary(logic::Op::FSub, a, b); }
  TermId mul(TermId a, TermId b) { return terms().binary(logic::Op::FMul, a, b); }
  TermId div(TermId a, TermId b) { return terms().binary(logic::Op::FDiv, a, b); }
  TermId neg(TermId a) { return terms().unary(logic::Op::FNeg, a); }
  TermId less(TermId a, TermId b) { return terms().binary(logic::Op::FLt, a, b); }
  TermId lessEqual(TermId a, TermId b) { return terms().binary(logic::Op::FLe, a, b); }
  TermId equal(TermId a, TermId b) { return terms().binary(logic::Op::FEq, a, b); }
  TermId ite(TermId condition, TermId a, TermId b) { return terms().ite(condition, a, b); }
  TermId isNotZero(TermId value);
  TermId opaque(std::string_view spelling, std::initializer_list<TermId> args);

  /// The larger (smaller) of two values as ATen's maximum and minimum define it: NaN in either gives NaN; of
  /// two zeros either may result. `suffix` tells apart the stages of one node.
  TermId maximum(TermId a, TermId b, const std::string& suffix = "");
  TermId minimum(TermId a, TermId b, const std::string& suffix = "");

protected:
  Elements& elements() { return m_elements; }

private:
  TermId tensorElement(const std::string& tensor);
  TermId promoted(TermId integer, const std::string& name);
  logic::Sort sortOf(const torch::Argument& value) const;
  TermId numberTerm(const torch::Argument& value, const std::string& name);
  TermId pick(TermId a, TermId b, TermId second, const std::string& suffix);

  Elements& m_elements;
  const torch::Node& m_node;
  const OpSchema& m_schema;
  Shape m_shape;
  std::optional<Error> m_error;
  bool m_usesCudaFormula = false;
};

} // namespace plumbline::spec
