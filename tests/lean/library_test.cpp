// The files of lean/ that are made from our tables: they are what the tables say, and the operators in them
// compute what core/spec says. PLUMBLINE_UPDATE_GOLDEN=1 writes them anew, to be read before they are
// committed.
#include "core/logic/eval.h"
#include "core/method/lean_library.h"
#include "core/method/operator_text.h"
#include "core/spec/evaluate.h"
#include "core/spec/op_table.h"
#include "core/spec/operators.h"
#include "tests/method/pairs.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::method_test {
namespace {

const std::filesystem::path lean = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean";

std::string withoutFirstLine(const std::string& text) {
  return text.substr(std::min(text.find('\n'), text.size()));
}

TEST(LeanLibrary, GeneratedFilesAreWhatTheTablesSay) {
  for (const auto& [name, text] : method::leanLibrary()) {
    if (std::getenv("PLUMBLINE_UPDATE_GOLDEN") != nullptr &&
        withoutFirstLine(text) != withoutFirstLine(readFile(lean / name).value_or("")))
      ASSERT_TRUE(writeFile(lean / name, text));
    const std::string found = readFile(lean / name).value_or("(no file)");
    EXPECT_EQ(withoutFirstLine(found), withoutFirstLine(text)) << name;
  }
}

TEST(LeanLibrary, EveryFileSaysWhenLeanLastCompiledIt) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(lean))
    if (entry.path().extension() == ".lean") {
      const std::string text = readFile(entry.path()).value_or("");
      EXPECT_TRUE(text.starts_with(std::string(method::notCompiled) + "\n") ||
                  text.starts_with("-- last compiled: "))
          << entry.path();
      ++count;
    }
  EXPECT_GT(count, 50U);
}

// --- Operators ---

const std::vector<uint32_t>& values() {
  static const std::vector<uint32_t> bits = [] {
    std::vector<uint32_t> made{0x7fc00000, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x3f800000,
                               0xbf800000, 0x3f000000, 0x40000000, 0x40c00000, 0xc0400000, 0x00000001,
                               0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x41a00000, 0x3c23d70a};
    std::mt19937 random(11);
    for (int i = 0; i < 24; ++i)
      made.push_back(random());
    return made;
  }();
  return bits;
}

/// The argument that a variable of a definition stands for.
std::string argumentName(const std::string& variable) {
  return variable.ends_with("_arg") ? variable.substr(0, variable.size() - 4) : variable;
}

/// A program of this one operator, built here and not by the code under test.
torch::Graph graphOf(const std::string& target, const velvet::Definition& definition) {
  torch::Graph graph;
  const spec::OpSchema* schema = spec::findSchema(target);
  const torch::TensorInfo floats{torch::DType::F32, {*ir::parseSizeExpr("1")}, true};
  torch::Node node{"out", target, {}, {"out"}};
  for (const velvet::Binder& binder : definition.binders) {
    if (binder.bracket != velvet::Bracket::Round || binder.name.starts_with("zero"))
      continue;
    const std::string name = argumentName(binder.name);
    if (std::ranges::find(schema->parameters, name, &spec::OpParameter::name) == schema->parameters.end())
      continue;
    graph.inputs.push_back({name, torch::InputKind::User, ""});
    graph.tensors[name] = floats;
    if (binder.type == "Bool")
      graph.tensors[name].dtype = torch::DType::Bool;
    node.inputs.push_back({name, torch::TensorRef{name}});
  }
  graph.tensors["out"] = floats;
  if (definition.type == "Bool")
    graph.tensors["out"].dtype = torch::DType::Bool;
  graph.nodes.push_back(node);
  graph.outputs = {"out"};
  return graph;
}

/// One operator: its text, run by the evaluator of method documents, against the spec evaluator.
class OperatorRun {
public:
  OperatorRun(const std::string& target, const velvet::Definition& definition)
      : m_definition(definition), m_graph(graphOf(target, definition)),
        m_spec(spec::denote(m_store, m_graph)) {}

  /// Empty, or what is wrong.
  std::string compare(Evaluator& evaluator, std::mt19937& random) {
    if (!m_spec)
      return toString(m_spec.error());
    ir::Tensors tensors;
    std::map<std::string, Value> variables;
    std::vector<velvet::ExprPtr> names;
    const bool choice = random() % 2 == 0;
    for (const velvet::Binder& binder : m_definition.binders)
      if (binder.bracket == velvet::Bracket::Round) {
        names.push_back(velvet::name(binder.name));
        variables[binder.name] = argument(binder, choice, tensors, random);
      }
    spec::EvaluateOptions options;
    options.otherChoices = choice;
    const auto wanted = spec::evaluateSpec(m_store, *m_spec, tensors, options);
    if (!wanted)
      return toString(wanted.error());
    const Value got = evaluator.evaluate(*velvet::apply("Plumbline." + m_definition.name, names), variables);
    const uint64_t bits = got.kind == Kind::F32 ? got.bits : static_cast<uint64_t>(got.number);
    return bits == wanted->at("out").bits[0] ? "" : "another value: " + std::to_string(bits);
  }

private:
  Value argument(const velvet::Binder& binder, bool choice, ir::Tensors& tensors,
                 std::mt19937& random) const {
    const std::string name = argumentName(binder.name);
    if (!m_graph.tensors.contains(name))
      return boolValue(choice);
    const uint32_t bits = values()[random() % values().size()];
    if (binder.type == "Bool") {
      tensors[name] = {ir::ScalarType::Bool, {1}, {bits & 1}};
      return boolValue((bits & 1) != 0);
    }
    tensors[name] = {ir::ScalarType::F32, {1}, {bits}};
    return floatValue(bits);
  }

  const velvet::Definition& m_definition;
  logic::TermStore m_store;
  torch::Graph m_graph;
  Expected<spec::Spec> m_spec;
};

TEST(LeanOperators, ComputeWhatTheSpecSays) {
  const std::vector<method::OperatorDefinition> operators = method::operatorsOnElements();
  const velvet::Document empty;
  Evaluator evaluator(leanFileList(), empty);
  std::mt19937 random(3);
  for (const auto& [target, definition] : operators) {
    OperatorRun run(target, definition);
    for (int i = 0; i < 300; ++i) {
      std::string problem;
      try {
        problem = run.compare(evaluator, random);
      } catch (const std::string& text) {
        problem = text;
      }
      ASSERT_EQ(problem, "") << target;
    }
  }
}

TEST(LeanOperators, CoverTheElementWiseTable) {
  std::set<std::string> written;
  for (const auto& made : method::operatorsOnElements())
    written.insert(made.target);
  EXPECT_GT(written.size(), 60U);
  for (const char* target :
       {"aten.relu.default", "aten.leaky_relu.default", "aten.add.Tensor", "aten.where.self",
        "aten.sigmoid.default", "aten.gt.Tensor", "aten.hardtanh.default"})
    EXPECT_TRUE(written.contains(target)) << target;
}

} // namespace
} // namespace plumbline::method_test
