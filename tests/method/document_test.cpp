// What every document has: the same bytes each time, an origin for each line, names that exist, text that
// reads back as the tree it was printed from.
#include "core/velvet/names.h"
#include "core/velvet/seal.h"
#include "core/velvet/typing.h"
#include "tests/method/kernel_cases.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::method_test {
namespace {

struct Made {
  std::unique_ptr<Bound> bound;
  method::MethodDocument document;
};

void add(std::map<std::string, Made>& made, const std::string& name, std::unique_ptr<Bound> bound) {
  if (bound->error)
    return;
  auto document =
      method::generateMethod(bound->comparison.store, *bound->comparison.graph, *bound->comparison.problem);
  if (document)
    made[name] = {std::move(bound), *std::move(document)};
  else
    ADD_FAILURE() << name << ": " << toString(document.error());
}

/// Documents of all pairs that have one, by kernel file, and of the kernels without a module, by name.
const std::map<std::string, Made>& documents() {
  static const std::map<std::string, Made> made = [] {
    std::map<std::string, Made> result;
    for (const Pair& pair : allPairs())
      add(result, pair.kernel, bind(pair));
    for (const KernelCase& kernel : kernelCases())
      add(result, kernel.name, bindKernel(kernel, readFile(kernel.file).value_or("")));
    return result;
  }();
  return made;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = text.find('\n', start);
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

TEST(Documents, ExistForEveryPairWithAVerdict) {
  for (const Pair& pair : allPairs())
    if (pair.ieee == "equal" || pair.ieee == "different" || pair.ieee == "equal-modulo")
      EXPECT_TRUE(documents().contains(pair.kernel)) << pair.name;
  EXPECT_GT(documents().size(), 120U);
}

// --- Determinism ---

TEST(Documents, AreTheSameEachTime) {
  for (const auto& [kernel, made] : documents()) {
    const session::Comparison& comparison = made.bound->comparison;
    const auto again = method::generateMethod(comparison.store, *comparison.graph, *comparison.problem);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->text, made.document.text) << kernel;
    EXPECT_EQ(again->lines, made.document.lines) << kernel;
  }
}

TEST(Documents, DoNotDependOnWhatElseTheStoreHolds) {
  for (const Pair& pair : allPairs()) {
    if (!documents().contains(pair.kernel))
      continue;
    auto bound = std::make_unique<Bound>();
    session::Comparison& comparison = bound->comparison;
    // Terms that the comparison will use, in another order than it makes them.
    logic::TermStore& store = comparison.store;
    for (const char* name : {"s2", "threadIdx.x", "s1", "blockIdx.y", "i", "s0", "blockIdx.x", "zero:relu"})
      store.imul(store.var(logic::Sort::Int, name), store.integer(256));
    const auto i = store.var(logic::Sort::Int, "i");
    store.irem(store.idiv(i, store.var(logic::Sort::Int, "s1")), store.integer(16));
    store.load(logic::Sort::F32, "x", i);
    ASSERT_TRUE(session::readModel(comparison, optionsFor(pair), sharedPool().children, {}, {}));
    ASSERT_TRUE(session::readKernel(comparison, optionsFor(pair), sharedPool().children, {}, {}));
    const auto document = method::generateMethod(store, *comparison.graph, *comparison.problem);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->text, documents().at(pair.kernel).document.text) << pair.name;
  }
}

// --- Origins ---

bool contains(const SourceRange& outer, const SourceRange& inner) {
  const auto start = [](const SourceRange& r) { return std::pair(r.line, r.column); };
  const auto end = [](const SourceRange& r) { return std::pair(r.endLine, r.endColumn); };
  return outer.file == inner.file && start(outer) <= start(inner) && end(inner) <= end(outer);
}

void collectReachable(const ir::Module& module, int index, std::set<int>& reachable) {
  if (!reachable.insert(index).second)
    return;
  for (const ir::Expr& expr : module.functions[static_cast<size_t>(index)].exprs)
    if (expr.kind == ir::ExprKind::Call)
      collectReachable(module, expr.callee, reachable);
}

TEST(Origins, EveryStatementOfTheKernelHasALine) {
  for (const auto& [kernel, made] : documents()) {
    const gate::Problem& problem = *made.bound->comparison.problem;
    std::set<int> reachable;
    collectReachable(*problem.module, problem.kernel->function, reachable);
    for (const int index : reachable)
      for (const ir::Stmt& stmt : problem.module->functions[static_cast<size_t>(index)].stmts) {
        const bool named = std::ranges::any_of(made.document.lines, [&](const velvet::LineOrigin& line) {
          return std::ranges::any_of(line.cuda,
                                     [&](const SourceRange& range) { return contains(stmt.where, range); });
        });
        EXPECT_TRUE(named) << toString(stmt.where);
      }
  }
}

TEST(Origins, EveryNodeThatAnOutputDependsOnHasALine) {
  for (const auto& [kernel, made] : documents())
    for (const torch::Node& node : made.bound->comparison.graph->nodes) {
      const bool named = std::ranges::any_of(made.document.lines, [&](const velvet::LineOrigin& line) {
        return std::ranges::find(line.nodes, node.name) != line.nodes.end();
      });
      EXPECT_TRUE(named) << kernel << ": " << node.name;
    }
}

TEST(Origins, OneALineAndOnlyProposalsAreEditable) {
  for (const auto& [kernel, made] : documents()) {
    const std::vector<std::string> lines = linesOf(made.document.text);
    ASSERT_EQ(lines.size(), made.document.lines.size()) << kernel;
    for (size_t i = 0; i < lines.size(); ++i) {
      const size_t start = lines[i].find_first_not_of(' ');
      const std::string text = start == std::string::npos ? "" : lines[i].substr(start);
      const bool proposal = text.starts_with("invariant ") || text.starts_with("prove_correct ") ||
                            text.starts_with("velvet_vcgen ") || text.starts_with("-- Lemmas ");
      if (proposal)
        EXPECT_FALSE(made.document.lines[i].locked) << text;
      for (const char* locked :
           {"requires ", "ensures ", "assert ", "method ", "let ", "return", "if ", "while "})
        if (text.starts_with(locked))
          EXPECT_TRUE(made.document.lines[i].locked) << text;
    }
  }
}

TEST(Origins, TheProductOfALineStemsFromItsPlace) {
  // The relu sample: line by line what a reader of kernel.cu expects.
  const auto found = std::ranges::find_if(
      documents(), [](const auto& entry) { return entry.first.ends_with("relu-guard/kernel.cu"); });
  ASSERT_NE(found, documents().end());
  const method::MethodDocument& document = found->second.document;
  const std::vector<std::string> lines = linesOf(document.text);
  auto cudaLine = [&](const std::string& part) {
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i].find(part) != std::string::npos && !document.lines[i].cuda.empty())
        return document.lines[i].cuda[0].line;
    return 0;
  };
  EXPECT_EQ(cudaLine("let i : Int"), 5);
  EXPECT_EQ(cudaLine("if i < n then"), 6);
  EXPECT_EQ(cudaLine("let v : Float32"), 7);
  EXPECT_EQ(cudaLine("y := y.set!"), 8);
  EXPECT_EQ(cudaLine("requires relu_kernel_gridDim_x"), 18);
}

// --- Names and shape of the text ---

/// All expressions of a document, outermost ones.
class Walker {
public:
  std::vector<const velvet::Expr*> expressions;
  std::vector<std::string> labels;

  explicit Walker(const velvet::Document& document) {
    for (const velvet::Item& item : document.items) {
      if (const auto* definition = std::get_if<velvet::Definition>(&item)) {
        for (const velvet::Let& let : definition->lets)
          expressions.push_back(let.value.get());
        expressions.push_back(definition->value.get());
      }
      if (const auto* method = std::get_if<velvet::Method>(&item)) {
        for (const auto* clauses : {&method->requirements, &method->ensures})
          for (const velvet::Clause& each : *clauses)
            clause(each);
        block(method->body);
      }
    }
  }

private:
  void clause(const velvet::Clause& each) {
    labels.push_back(each.label);
    expressions.push_back(each.prop.get());
  }

  void block(const std::vector<velvet::Stmt>& body) {
    for (const velvet::Stmt& stmt : body) {
      if (stmt.value)
        expressions.push_back(stmt.value.get());
      if (stmt.kind == velvet::StmtKind::Assert)
        clause(stmt.clause);
      if (stmt.kind == velvet::StmtKind::While) {
        labels.push_back(stmt.loop.label);
        for (const velvet::Clause& invariant : stmt.loop.invariants)
          clause(invariant);
        clause(stmt.loop.decreasing);
        clause(stmt.loop.doneWith);
      }
      block(stmt.body);
      block(stmt.otherwise);
    }
  }
};

/// `names`: what is in scope.
void expectFreshNames(const std::vector<velvet::Stmt>& body, std::set<std::string> names,
                      const std::string& kernel) {
  for (const velvet::Stmt& stmt : body) {
    if (stmt.kind == velvet::StmtKind::Let)
      EXPECT_TRUE(names.insert(stmt.name).second) << kernel << ": " << stmt.name;
    if (stmt.kind == velvet::StmtKind::Set)
      EXPECT_TRUE(names.contains(stmt.name)) << kernel << ": " << stmt.name;
    expectFreshNames(stmt.body, names, kernel);
    expectFreshNames(stmt.otherwise, names, kernel);
  }
}

TEST(Text, EveryExpressionReadsBackAsItself) {
  size_t count = 0;
  for (const auto& [kernel, made] : documents())
    for (const velvet::Expr* expr : Walker(made.document.tree).expressions) {
      const auto read = readExpression(velvet::print(*expr));
      ASSERT_TRUE(read) << velvet::print(*expr);
      EXPECT_TRUE(velvet::equal(**read, *expr)) << velvet::print(*expr) << "\n" << velvet::print(**read);
      ++count;
    }
  EXPECT_GT(count, 2000U);
}

/// The product's own reader: the text is canonical, has no error, types, and is what was generated.
TEST(Text, IsADocumentWithoutErrors) {
  for (const auto& [kernel, made] : documents()) {
    const std::string& text = made.document.text;
    const velvet::Parsed parsed = velvet::parse(text, velvet::Dialect::Velvet2);
    std::vector<velvet::Diagnostic> diagnostics = parsed.diagnostics;
    for (velvet::Diagnostic& each : velvet::typeDocument(parsed.document).diagnostics)
      diagnostics.push_back(std::move(each));
    for (const velvet::Diagnostic& each : diagnostics)
      ADD_FAILURE() << kernel << ": " << each.message << ": " << text.substr(each.range.begin, 200);
    EXPECT_EQ(velvet::print(parsed.document, velvet::Dialect::Velvet2).text, text) << kernel;
    for (const velvet::Diagnostic& each : velvet::sealBreaks(parsed, text))
      ADD_FAILURE() << kernel << ": " << each.message;
  }
}

/// A word more on a locked line is reported there; on one of the user's nothing is.
TEST(Text, ItsSealCoversTheLockedLines) {
  for (const auto& [kernel, made] : documents()) {
    const std::vector<std::string> lines = linesOf(made.document.text);
    ASSERT_EQ(lines.size(), made.document.lines.size()) << kernel;
    std::string before;
    for (size_t i = 0; i < lines.size(); before += lines[i++] + "\n") {
      // A quarter of the lines, others in each document.
      if (lines[i].empty() || lines[i].starts_with("-- Locked lines: ") || (i + lines.size()) % 4 != 0)
        continue;
      const std::string text =
          before + lines[i] + " zz" + made.document.text.substr(before.size() + lines[i].size());
      const std::vector<velvet::Diagnostic> found =
          velvet::sealBreaks(velvet::parse(text, velvet::Dialect::Velvet2), text);
      const bool isThere = std::ranges::any_of(found, [&](const velvet::Diagnostic& each) {
        return each.range.begin >= before.size() && each.range.begin < before.size() + lines[i].size();
      });
      EXPECT_EQ(isThere, made.document.lines[i].locked) << kernel << ":" << i + 1 << ": " << lines[i];
      EXPECT_EQ(found.empty(), !isThere) << kernel << ":" << i + 1 << ": " << lines[i];
    }
  }
}

TEST(Text, NoNameIsDeclaredTwiceInOneScope) {
  for (const auto& [kernel, made] : documents())
    for (const velvet::Item& item : made.document.tree.items)
      if (const auto* method = std::get_if<velvet::Method>(&item)) {
        std::set<std::string> names;
        for (const velvet::Binder& binder : method->binders)
          EXPECT_TRUE(names.insert(binder.name).second) << kernel << ": " << binder.name;
        expectFreshNames(method->body, names, kernel);
      }
}

TEST(Text, LabelsAreUnique) {
  for (const auto& [kernel, made] : documents()) {
    const std::vector<std::string> labels = Walker(made.document.tree).labels;
    EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), labels.size()) << kernel;
  }
}

std::set<std::string> leanNames() {
  std::set<std::string> names;
  for (const auto& [file, content] : leanFiles())
    names.insert(content.names.begin(), content.names.end());
  return names;
}

/// Lean's own names that documents may use.
const std::set<std::string> coreNames{"Float32.ofBits",  "Float32.ofInt", "Float32.isNaN", "Float32.abs",
                                      "Float32.sqrt",    "Float.ofBits",  "Float.ofInt",   "Float.isNaN",
                                      "Float.abs",       "Float.sqrt",    "decide",        "true",
                                      "Array.replicate", "false",         "True",          "False"};

/// Words of the syntax and of types.
const std::set<std::string> words{"import",       "Velvet",
                                  "Plumbline",    "def",
                                  "method",       "returns",
                                  "requires",     "ensures",
                                  "do",           "let",
                                  "mut",          "while",
                                  "if",           "then",
                                  "else",         "invariant",
                                  "decreasing",   "done_with",
                                  "assert",       "return",
                                  "with",         "try",
                                  "finish",       "by",
                                  "Nat",          "Int",
                                  "Bool",         "Prop",
                                  "Type",         "Float32",
                                  "Float",        "Array",
                                  "Inhabited",    "S",
                                  "velvet_vcgen", "prove_correct",
                                  "grind",        "Plumbline.Scalar"};

TEST(Text, EveryNameIsDefined) {
  const std::set<std::string> lean = leanNames();
  for (const auto& [kernel, made] : documents()) {
    const auto tokens = tokenise(made.document.text);
    ASSERT_TRUE(tokens) << kernel;
    // What the document binds: a name after def, method, let, (mut), a bracket, a quantifier, or before a
    // colon.
    std::set<std::string> bound;
    for (size_t i = 0; i + 1 < tokens->size(); ++i) {
      const std::string& next = (*tokens)[i + 1].text;
      const std::string& token = (*tokens)[i].text;
      if (token == "def" || token == "method" || token == "let" || token == "mut" || next == ":")
        bound.insert(next == ":" ? token : next);
    }
    for (size_t i = 0; i < tokens->size(); ++i) {
      const Token& token = (*tokens)[i];
      const std::string before = i > 0 ? (*tokens)[i - 1].text : "";
      std::string name = before == "." || before == "import" ? "" : token.text;
      if (name.empty())
        continue; // a field of an expression in parentheses, or a module: the next test has those
      const bool isName =
          std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_' || name.starts_with("«");
      if (!isName || words.contains(name) || coreNames.contains(name) || lean.contains(name))
        continue;
      for (const char* field : {".size", ".toNat", ".set!", ".1", ".2"})
        if (name.ends_with(field))
          name.resize(name.size() - std::string_view(field).size());
      EXPECT_TRUE(bound.contains(name)) << kernel << ":" << token.line << ": " << name;
    }
  }
}

TEST(Text, ImportsAreWhatTheDocumentUses) {
  std::map<std::string, std::string> moduleOf;
  for (const auto& [file, content] : leanFiles())
    for (const std::string& name : content.names)
      moduleOf[name] = "Plumbline." + file.substr(0, file.size() - 5);
  for (const auto& [kernel, made] : documents()) {
    const auto tokens = tokenise(made.document.text);
    ASSERT_TRUE(tokens) << kernel;
    std::set<std::string> imported;
    std::set<std::string> used{"Plumbline.Float32"}; // the instance that the spec is read with
    for (size_t i = 0; i < tokens->size(); ++i)
      if (const std::string& text = (*tokens)[i].text; i > 0 && (*tokens)[i - 1].text == "import")
        EXPECT_TRUE(imported.insert(text).second) << kernel;
      else if (moduleOf.contains(text))
        used.insert(moduleOf.at(text));
    EXPECT_EQ(imported.erase("Velvet"), 1U) << kernel;
    for (const std::string& module : imported) {
      std::string path = module;
      std::ranges::replace(path, '.', '/');
      EXPECT_TRUE(
          std::filesystem::exists(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean" / (path + ".lean")))
          << module;
      if (!module.starts_with("Plumbline.Lemmas."))
        EXPECT_TRUE(used.contains(module)) << kernel << ": " << module;
    }
    for (const std::string& module : used)
      EXPECT_TRUE(imported.contains(module)) << kernel << ": " << module;
  }
}

TEST(Text, NothingOfWhatLeanReadsInManyWays) {
  for (const auto& [kernel, made] : documents()) {
    const auto tokens = tokenise(made.document.text);
    ASSERT_TRUE(tokens) << kernel;
    for (const Token& token : *tokens) {
      static const std::set<std::string> forbidden{"max",           "min",   "sorry",  "axiom",
                                                   "native_decide", "admit", "toFloat"};
      EXPECT_FALSE(forbidden.contains(token.text)) << kernel << ":" << token.line;
      EXPECT_EQ(token.text.find('\''), std::string::npos);
      EXPECT_FALSE(token.text.starts_with("mut") && token.text != "mut") << token.text;
    }
    EXPECT_EQ(made.document.text.find('^'), std::string::npos);
    EXPECT_EQ(made.document.text.find('\t'), std::string::npos);
  }
}

TEST(Text, AProofIsClaimedExactlyWhereLeanDefinesEverything) {
  size_t without = 0;
  for (const auto& [kernel, made] : documents()) {
    const std::string& text = made.document.text;
    const bool usesDouble = text.find("Plumbline.widen") != std::string::npos ||
                            text.find("Plumbline.narrow") != std::string::npos;
    EXPECT_EQ(text.find("\nprove_correct ") == std::string::npos, usesDouble) << kernel;
    EXPECT_EQ(made.document.inexpressible.empty(), !usesDouble) << kernel;
    EXPECT_EQ(text.find("not expressible: binary64 arithmetic") != std::string::npos, usesDouble) << kernel;
    without += usesDouble;
  }
  EXPECT_GT(without, 2U);
}

} // namespace
} // namespace plumbline::method_test
