// Every overload of the op table through every stage: its row, its denotation, its own rule for shapes and
// dtypes, a case that is compared with PyTorch, and its printed form. The matrix is printed; a hole fails.
#include "core/method/stage_text.h"
#include "core/spec/evaluate.h"
#include "core/spec/in_place.h"
#include "core/spec/op_table.h"
#include "core/spec/operators.h"
#include "core/spec/tensor_operators.h"
#include "tests/differential/spec/cases.h"
#include "tests/method/pairs.h"

#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

struct Row {
  bool schema = false;
  bool denotation = false;
  size_t cases = 0;
  size_t shapes = 0;  ///< cases in which a wrong record was refused
  size_t printed = 0; ///< cases whose printed text was evaluated
};

/// The shape of the node's outputs is made wrong, or its dtype; the denotation must say which node.
bool refusesWrongRecord(const Case& each, const torch::Node& node, bool dtype) {
  for (const std::string& output : node.outputs) {
    torch::Graph graph = each.graph;
    const auto tensor = graph.tensors.find(output);
    if (tensor == graph.tensors.end())
      continue;
    if (dtype)
      tensor->second.dtype =
          tensor->second.dtype == torch::DType::Bool ? torch::DType::I64 : torch::DType::Bool;
    else if (tensor->second.sizes.empty())
      tensor->second.sizes.push_back(ir::sizeConstant(2));
    else
      tensor->second.sizes.back() = ir::sizeConstant(1 + 5 * 7 * 11 * 13);
    logic::TermStore terms;
    const Expected<Spec> spec = denote(terms, graph);
    if (spec || (spec.error().id != "shape-mismatch" && spec.error().id != "argument-unsupported" &&
                 spec.error().id != "dtype-unsupported"))
      return false;
    if (spec.error().message.find("'" + node.name + "'") == std::string::npos)
      return false;
  }
  return true;
}

/// Evaluates the text of some elements, by the evaluator of the method documents' tests.
class PrintedText {
public:
  /// The evaluator has no functions as arguments: the zeros' signs are chosen before.
  PrintedText(logic::TermStore& terms, const Spec& spec, const Case& each)
      : m_spec(withChoices(terms, spec)), m_case(each), m_document(method::leanDocument(terms, m_spec)),
        m_values(evaluateSpec(terms, m_spec, each.inputs)) {}

  /// Empty, or what is wrong.
  std::string problem() {
    if (!m_document)
      return toString(m_document.error());
    if (!m_values)
      return toString(m_values.error());
    method_test::Evaluator evaluator(method_test::leanFileList(), *m_document);
    try {
      for (size_t output = 0; output < m_spec.outputs.size(); ++output)
        if (std::string text = compare(evaluator, output); !text.empty())
          return text;
    } catch (const std::string& text) {
      return text;
    }
    return {};
  }

private:
  static Spec withChoices(logic::TermStore& terms, Spec spec) {
    std::unordered_map<logic::TermId, logic::TermId> chosen;
    for (const ZeroChoice& choice : spec.choices)
      chosen[terms.var(logic::Sort::Bool, choice.variable)] = terms.boolean(true);
    for (SpecOutput& output : spec.outputs)
      output.element = terms.substitute(output.element, chosen);
    for (Stage& stage : spec.stages)
      for (logic::TermId* part : {&stage.count, &stage.init, &stage.guard, &stage.term, &stage.next})
        *part = terms.substitute(*part, chosen);
    spec.choices.clear();
    return spec;
  }

  /// The last definitions are those of the outputs.
  const velvet::Definition& definition(size_t output) const {
    const size_t position = m_document->items.size() - m_spec.outputs.size() + output;
    return std::get<velvet::Definition>(m_document->items[position]);
  }

  std::string compare(method_test::Evaluator& evaluator, size_t output) {
    const velvet::Definition& made = definition(output);
    std::vector<velvet::ExprPtr> names;
    std::map<std::string, method_test::Value> variables;
    for (const velvet::Binder& binder : made.binders) {
      if (binder.bracket != velvet::Bracket::Round)
        continue;
      names.push_back(velvet::name(binder.name));
      if (binder.type == "Array S")
        variables[binder.name] = array(binder.name);
      else if (binder.type != "Nat")
        return {}; // tensors of indices are arguments that the evaluator does not have
    }
    const std::vector<uint64_t>& wanted = m_values->at(m_spec.outputs[output].tensor.name).bits;
    for (size_t k = 0; k < wanted.size(); k += 1 + wanted.size() / 5) {
      variables[made.binders.back().name] = method_test::natValue(static_cast<int64_t>(k));
      const method_test::Value value = evaluator.evaluate(*velvet::apply(made.name, names), variables);
      const uint64_t bits = m_spec.outputs[output].tensor.dtype == torch::DType::F32
                                ? value.bits
                                : static_cast<uint64_t>(value.number);
      if (bits != wanted[k])
        return made.name + " gives another value at " + std::to_string(k);
    }
    return {};
  }

  method_test::Value array(const std::string& name) {
    std::vector<uint32_t> bits;
    for (uint64_t element : m_case.inputs.at(name).bits)
      bits.push_back(static_cast<uint32_t>(element));
    return method_test::arrayValue(std::move(bits));
  }

  Spec m_spec;
  const Case& m_case;
  Expected<velvet::Document> m_document;
  Expected<ir::Tensors> m_values;
};

std::map<std::string, Row> emptyRows() {
  std::map<std::string, Row> rows;
  for (const OpSchema& schema : opSchemas())
    rows[schema.target].schema = true;
  for (const Operator& each : allOperators())
    rows[std::string(each.target)].denotation = true;
  for (const TensorOperator& each : allTensorOperators())
    rows[std::string(each.target)].denotation = true;
  return rows;
}

void count(const Case& each, std::map<std::string, Row>& rows) {
  logic::TermStore terms;
  const Expected<Spec> spec = denote(terms, each.graph);
  if (!spec)
    return;
  const Expected<std::string> text = method::leanText(terms, *spec);
  EXPECT_TRUE(text) << each.name << ": " << (text ? "" : toString(text.error()));
  const std::string problem = PrintedText(terms, *spec, each).problem();
  EXPECT_EQ(problem, "") << each.name << ": the printed form\n" << text.value_or("");
  for (const torch::Node& node : each.graph.nodes) {
    Row& row = rows[torch::mutates(node) ? withoutWrite(node).target : node.target];
    ++row.cases;
    row.printed += text && problem.empty() ? 1 : 0;
    const bool shape = refusesWrongRecord(each, node, false);
    const bool dtype = refusesWrongRecord(each, node, true);
    EXPECT_TRUE(shape) << each.name << ": a wrong shape of '" << node.name << "' is not reported";
    EXPECT_TRUE(dtype) << each.name << ": a wrong dtype of '" << node.name << "' is not reported";
    row.shapes += shape && dtype ? 1 : 0;
  }
}

TEST(OperatorMatrix, HasNoHoles) {
  std::map<std::string, Row> rows = emptyRows();
  for (const Case& each : allCases())
    count(each, rows);
  std::printf("%-50s schema denotation shape case printed\n", "overload");
  auto mark = [](bool done) { return done ? "yes" : "NO"; };
  for (const auto& [target, row] : rows) {
    std::printf("%-50s %-6s %-10s %-5s %-4s %s\n", target.c_str(), mark(row.schema), mark(row.denotation),
                mark(row.shapes > 0), mark(row.cases > 0), mark(row.printed > 0));
    EXPECT_TRUE(row.schema) << target << " has no row in resources/optable/aten.def";
    EXPECT_TRUE(row.denotation) << target << " has no denotation in core/spec";
    EXPECT_GT(row.cases, 0U) << target << " has no case in tests/differential/spec/cases_*.py";
    if (row.cases > 0) {
      EXPECT_GT(row.shapes, 0U) << target << ": no case refuses a wrong shape and dtype";
      EXPECT_GT(row.printed, 0U) << target << " has no printed form";
    }
  }
}

} // namespace
} // namespace plumbline::spec
