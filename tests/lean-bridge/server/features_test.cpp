// Hover, definition, completion and the rest, on a small document, at places named in its text.
#include "lean-bridge/server/index.h"
#include "lean-bridge/server/symbols.h"
#include "tests/lean-bridge/server/session.h"

#include <chrono>

namespace plumbline::server_test {
namespace {

const std::string uri = "file:///d.lean";
const std::string text = R"(import Velvet

-- Twice a number.
def twice (a : Nat) : Nat :=
  a + a

method m (n : Nat) (x : Array Float32)
  returns (r : Array Float32)
  requires size: (x.size = twice n)
  ensures same: (r = x)
do
  let mut r : Array Float32 := x
  let mut i : Nat := 0
  while more: (i < n)
    invariant le: (i ≤ n)
    decreasing left: (n - i)
    done_with end_: (i = n)
  do
    -- kernel.cu:7
    r := r.set! i (Plumbline.fmaxf x[i]! x[twice i]!)
    i := i + 1
  return r

prove_correct m by
  velvet_vcgen [m, twice] with try finish
  case le => omega
)";

/// The position of the `occurrence`-th `part`, `shift` characters further.
lsp::Position at(const std::string& part, int occurrence = 0, int shift = 0) {
  size_t found = text.find(part);
  for (int i = 0; i < occurrence; ++i)
    found = text.find(part, found + 1);
  EXPECT_NE(found, std::string::npos) << part;
  lsp::Position position = lsp::TextDocument(text).position(found);
  position.character += shift;
  return position;
}

class Features : public testing::Test {
protected:
  void SetUp() override {
    m_session.start();
    m_session.open(uri, text);
    EXPECT_TRUE(m_session.notifications("textDocument/publishDiagnostics").at(0)["diagnostics"].empty());
  }

  Json ask(const std::string& feature, lsp::Position position) {
    Json params = lsp::textDocumentPositionJson(uri, position);
    return m_session.result("textDocument/" + feature, params);
  }
  Json ask(const std::string& feature) {
    return m_session.result("textDocument/" + feature, {{"textDocument", {{"uri", uri}}}});
  }

  std::string hover(lsp::Position position) {
    const Json answer = ask("hover", position);
    return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
  }

  Session m_session;
};

TEST_F(Features, HoverShowsTypeKindAndOrigin) {
  EXPECT_EQ(hover(at("i < n")),
            "```lean\ni : Nat\n```\n\nlocal variable\n\nnatural number: subtraction stops at 0");
  const std::string array = hover(at("x[i]!"));
  EXPECT_NE(array.find("x : Array Float32"), std::string::npos);
  EXPECT_NE(array.find("parameter"), std::string::npos);
  EXPECT_NE(array.find("from kernel.cu:7"), std::string::npos);
  const std::string function = hover(at("twice i"));
  EXPECT_NE(function.find("twice : (a : Nat) → Nat"), std::string::npos) << function;
  EXPECT_NE(function.find("Twice a number."), std::string::npos);
  EXPECT_NE(hover(at("Plumbline.fmaxf")).find("Float32 → Float32 → Float32"), std::string::npos);
  EXPECT_NE(hover(at("le =>")).find("invariant le: (i ≤ n)"), std::string::npos);
  EXPECT_NE(hover(at("≤ n")).find("i ≤ n : Prop"), std::string::npos);
  EXPECT_EQ(hover(at("import")), "");
}

/// A place counts for the statements of its block; clauses, ghosts and generated counters have none.
TEST(Origin, IsThePlaceOfTheStatementOnly) {
  const std::string document = R"(-- Device function f, kernel.cu:2.
def f (v : Int) : Int :=
  v

method m (n : Nat) (x : Array Int)
  returns (r : Array Int)
  -- launch, kernel.cu:20
  requires first: (x.size = n)
  -- the graph has it
  requires second: (0 < n)
  ensures same: (r.size = n)
do
  let mut r : Array Int := x
  let mut g_done : Int := 0
  let mut blk : Nat := 0
  while more: (blk < n)
    invariant le: (blk ≤ n)
    decreasing left: (n - blk)
  do
    -- kernel.cu:7
    if x[blk]! < 4 then
      -- kernel.cu:8
      r := r.set! blk (f 3)
    let after : Int := 9
    g_done := g_done + 1
    blk := blk + 1
  return r
)";
  Session session;
  session.start();
  session.open(uri, document);
  const auto origin = [&](const std::string& part) -> std::string {
    const lsp::Position place = lsp::TextDocument(document).position(document.find(part));
    const Json found = session.result("textDocument/hover", lsp::textDocumentPositionJson(uri, place));
    const std::string shown = found.is_null() ? "" : found["contents"]["value"].get<std::string>();
    const size_t at = shown.find("from kernel.cu:");
    return at == std::string::npos ? "" : shown.substr(at + 15);
  };
  EXPECT_EQ(origin("v\n"), "2");
  EXPECT_EQ(origin("x.size = n"), "20");
  EXPECT_EQ(origin("n)\n  ensures"), "") << "of another comment";
  EXPECT_EQ(origin("r.size = n"), "");
  EXPECT_EQ(origin("n)\n    decreasing"), "") << "an invariant";
  EXPECT_EQ(origin("x[blk]!"), "7");
  EXPECT_EQ(origin("r.set!"), "8");
  EXPECT_EQ(origin("9\n"), "7");
  EXPECT_EQ(origin("g_done + 1"), "");
  EXPECT_EQ(origin("blk + 1"), "");
  EXPECT_EQ(origin("r\n"), "") << "behind the block";
}

TEST(Origin, OfADefinitionIsItsGraphNodes) {
  const std::string document = R"(-- The spec.
-- graph: x, relu
def spec (x : Array Float32) (i : Nat) : Float32 :=
  let relu : Float32 := Plumbline.fmaxf x[i]! x[i]!
  relu

def other (k : Nat) : Nat :=
  k

method m (x : Array Float32)
  returns (r : Array Float32)
  ensures value: (r[0]! = spec x (other 0))
do
  return x
)";
  Session session;
  session.start();
  session.open(uri, document);
  const auto hover = [&](const std::string& part) {
    const size_t found = document.find(part);
    EXPECT_NE(found, std::string::npos) << part;
    const Json answer =
        session.result("textDocument/hover",
                       lsp::textDocumentPositionJson(uri, lsp::TextDocument(document).position(found)));
    return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
  };
  for (const char* part : {"spec (x", "relu : Float32", "relu\n\n", "x[i]! x", "spec x (other"}) {
    const std::string shown = hover(part);
    EXPECT_TRUE(shown.ends_with("\n\nfrom the graph: x, relu")) << part << ": " << shown;
  }
  const std::string use = hover("spec x (other");
  EXPECT_NE(use.find("The spec.\n\ndefinition"), std::string::npos) << "the line is shown once: " << use;
  for (const char* part : {"other (k", "k\n\nmethod", "other 0", "x\n"})
    EXPECT_EQ(hover(part).find("graph"), std::string::npos) << part;
}

TEST_F(Features, DefinitionGoesAcrossSpecMethodAndProof) {
  const auto target = [&](lsp::Position position) {
    const Json answer = ask("definition", position);
    return answer.is_null() ? std::optional<lsp::Position>()
                            : lsp::positionFromJson(answer.at(0)["range"]["start"]);
  };
  EXPECT_EQ(target(at("twice n")), at("twice (a"));
  EXPECT_EQ(target(at("a + a")), at("a : Nat"));
  EXPECT_EQ(target(at("i < n")), at("i : Nat"));
  EXPECT_EQ(target(at("r := r.set!")), at("r : Array Float32 :="));
  EXPECT_EQ(target(at("r = x")), at("r : Array Float32)"));
  EXPECT_EQ(target(at("m by")), at("m (n"));
  EXPECT_EQ(target(at("m, twice")), at("m (n"));
  EXPECT_EQ(target(at("twice] with")), at("twice (a"));
  EXPECT_EQ(target(at("le =>")), at("le: (i"));
  EXPECT_EQ(target(at("Plumbline.fmaxf")), std::nullopt);
}

TEST_F(Features, ReferencesAreAllUsesOfOneName) {
  EXPECT_EQ(ask("references", at("twice n")).size(), 4U);
  EXPECT_EQ(ask("references", at("i : Nat")).size(), 10U);
}

std::set<std::string> labels(const Json& list) {
  std::set<std::string> result;
  for (const Json& item : list["items"])
    result.insert(item["label"].get<std::string>());
  return result;
}

TEST_F(Features, CompletionKnowsWhatIsInScope) {
  const std::set<std::string> inside = labels(ask("completion", at("i + 1")));
  for (const char* name : {"i", "r", "n", "x", "twice", "let", "Plumbline.cDiv"})
    EXPECT_TRUE(inside.contains(name)) << name;
  EXPECT_FALSE(inside.contains("a"));
  EXPECT_FALSE(inside.contains("omega"));
  const std::set<std::string> spec = labels(ask("completion", at("a + a")));
  EXPECT_TRUE(spec.contains("a"));
  EXPECT_FALSE(spec.contains("i"));
  EXPECT_EQ(labels(ask("completion", at("le =>"))),
            (std::set<std::string>{"size", "same", "more", "le", "left", "end_"}));
  EXPECT_TRUE(labels(ask("completion", at("omega"))).contains("grind"));
  const std::set<std::string> fields = labels(ask("completion", at("set!")));
  EXPECT_TRUE(fields.contains("size") && fields.contains("set!"));
  EXPECT_FALSE(fields.contains("toNat"));
  EXPECT_TRUE(labels(ask("completion", at("fmaxf"))).contains("cDiv"));
}

TEST(Completion, KnowsWhatIsInScopeWhereTheTextEnds) {
  const std::string head = "method m (k : Int)\n  returns (r : Int)\ndo\n  let y : Int := k\n  ";
  const auto names = [&](const std::string& typed) {
    Session session;
    session.start();
    session.open(uri, head + typed);
    const lsp::Position end = lsp::TextDocument(head + typed).position(head.size() + typed.size());
    std::string found;
    const Json answer = session.result("textDocument/completion", lsp::textDocumentPositionJson(uri, end));
    for (const Json& each : answer["items"])
      if (const std::string name = each["label"]; name == "k" || name == "y" || name == "z" || name == "r")
        found += name;
    std::ranges::sort(found);
    return found;
  };
  EXPECT_EQ(names(""), "ky");
  EXPECT_EQ(names("let z : Int := "), "ky") << "z is being declared";
  EXPECT_EQ(names("let z : Int := (k + "), "ky");
  EXPECT_EQ(names("let z : Int := k\n  "), "kyz");
  EXPECT_EQ(names("while more: (y < "), "ky");
}

TEST_F(Features, SignatureHelpPointsAtTheArgument) {
  const Json help = ask("signatureHelp", at("x[twice i]!"));
  ASSERT_FALSE(help.is_null());
  EXPECT_EQ(help["signatures"][0]["label"], "Plumbline.fmaxf : Float32 → Float32 → Float32");
  EXPECT_EQ(help["activeParameter"], 1);
  EXPECT_EQ(help["signatures"][0]["parameters"][1]["label"], (Json{28, 35}));
  EXPECT_EQ(ask("signatureHelp", at("twice n", 0, 6))["signatures"][0]["label"], "twice : Nat → Nat");
  EXPECT_TRUE(ask("signatureHelp", at("i + 1")).is_null());
}

TEST_F(Features, SymbolsAreATree) {
  const Json symbols = ask("documentSymbol");
  ASSERT_EQ(symbols.size(), 3U);
  EXPECT_EQ(symbols[0]["name"], "twice");
  EXPECT_EQ(symbols[1]["name"], "m");
  EXPECT_EQ(symbols[2]["name"], "prove_correct m");
  ASSERT_EQ(symbols[1]["children"].size(), 3U);
  EXPECT_EQ(symbols[1]["children"][0]["name"], "size");
  EXPECT_EQ(symbols[1]["children"][2]["name"], "while more");
  EXPECT_EQ(symbols[1]["children"][2]["children"].size(), 3U);
  for (const Json& each : symbols) {
    const auto whole = lsp::rangeFromJson(each["range"]);
    const auto name = lsp::rangeFromJson(each["selectionRange"]);
    ASSERT_TRUE(whole && name);
    EXPECT_TRUE(whole->start <= name->start && name->end <= whole->end);
  }
}

TEST_F(Features, FoldingIsByLines) {
  std::set<std::pair<int, int>> ranges;
  const Json answer = ask("foldingRange");
  for (const Json& each : answer)
    ranges.emplace(each["startLine"].get<int>(), each["endLine"].get<int>());
  EXPECT_EQ(ranges, (std::set<std::pair<int, int>>{{3, 4}, {6, 21}, {13, 20}, {23, 25}}));
}

TEST_F(Features, SemanticTokensNameTheKindOfEachWord) {
  const Json legend = m_session.server().capabilities()["semanticTokensProvider"]["legend"]["tokenTypes"];
  const Json answer = ask("semanticTokens/full");
  const lsp::TextDocument document(text);
  std::map<std::string, std::set<std::string>> kinds;
  lsp::Position position;
  const Json& data = answer["data"];
  ASSERT_EQ(data.size() % 5, 0U);
  for (size_t i = 0; i < data.size(); i += 5) {
    const int lines = data[i].get<int>();
    position = {position.line + lines, (lines == 0 ? position.character : 0) + data[i + 1].get<int>()};
    const size_t begin = document.offset(position);
    const size_t end = document.offset({position.line, position.character + data[i + 2].get<int>()});
    kinds[text.substr(begin, end - begin)].insert(legend.at(data[i + 3].get<size_t>()).get<std::string>());
  }
  using Kinds = std::set<std::string>;
  EXPECT_EQ(kinds["method"], Kinds{"keyword"});
  EXPECT_EQ(kinds["x"], Kinds{"parameter"});
  EXPECT_EQ(kinds["i"], Kinds{"variable"});
  EXPECT_EQ(kinds["twice"], Kinds{"function"});
  EXPECT_EQ(kinds["m"], Kinds{"method"});
  EXPECT_EQ(kinds["le"], Kinds{"property"});
  EXPECT_EQ(kinds["Nat"], Kinds{"type"});
  EXPECT_EQ(kinds["0"], Kinds{"number"});
  EXPECT_EQ(kinds["-- kernel.cu:7"], Kinds{"comment"});
  EXPECT_EQ(kinds["≤"], Kinds{"operator"});
  EXPECT_EQ(kinds["Plumbline.fmaxf"], Kinds{"function"});
}

/// A line of 200,000 names: whoever counts its columns anew for each of them takes minutes.
TEST(LongLines, AreWalkedOnce) {
  constexpr int count = 200'000;
  std::string document = "def f (a : Nat) : Array Nat :=\n  #[a";
  for (int i = 1; i < count; ++i)
    document += ", a";
  document += "]\n";
  const server::SnapshotPtr snapshot = server::analyse(uri, 1, lsp::TextDocument(document));
  const auto before = std::chrono::steady_clock::now();
  const Json data = server::semanticTokens(*snapshot, server::indexOf(*snapshot))["data"];
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
  ASSERT_GT(data.size(), 5U * count);
  int column = 0;
  for (size_t i = data.size() - 5U * (count - 1); i < data.size(); i += 5)
    column += data[i + 1].get<int>();
  EXPECT_EQ(data[data.size() - 4], 3) << "the name before stands three columns before";
  EXPECT_EQ(column, 3 * (count - 1));
}

TEST(LockedLines, AreReportedWhereTheyWereChanged) {
  const std::string generated = *readFile(PLUMBLINE_SOURCE_DIR "/tests/method/golden/vector-add.lean");
  const lsp::TextDocument document(generated);
  const std::string old = "      if i < n then\n";
  const lsp::Position start = document.position(generated.find(old));
  Session session;
  session.start();
  const auto reported = [&] {
    std::vector<Json> found;
    const Json last = session.notifications("textDocument/publishDiagnostics").back();
    for (const Json& each : last["diagnostics"])
      if (each["code"] == "locked-line")
        found.push_back(each);
    return found;
  };
  session.open(uri, generated);
  EXPECT_TRUE(reported().empty());
  const lsp::Range less{{start.line, 11}, {start.line, 12}};
  session.change(uri, 2, Json::array({lsp::toJson(lsp::ContentChange{less, "≤"})}));
  ASSERT_EQ(reported().size(), 1U);
  EXPECT_EQ(reported()[0]["severity"], 1);
  EXPECT_EQ(reported()[0]["range"]["start"], lsp::toJson(lsp::Position{start.line, 6}));
  EXPECT_NE(reported()[0]["message"].get<std::string>().find("no longer the kernel's"), std::string::npos);
  session.change(uri, 3, Json::array({lsp::toJson(lsp::ContentChange{less, "<"})}));
  EXPECT_TRUE(reported().empty());
  // An invariant is the user's.
  const std::string invariant = "invariant add_kernel_blk_x_le: (";
  const lsp::Position inside = document.position(generated.find(invariant) + invariant.size());
  session.change(uri, 4,
                 Json::array({lsp::toJson(lsp::ContentChange{lsp::Range{inside, inside}, "0 ≤ 1 ∧ "})}));
  EXPECT_TRUE(reported().empty());
}

struct Fix {
  const char* body;
  const char* title;
  const char* mended;
};

TEST(QuickFixes, AreTextEditsThatMend) {
  for (const Fix& fix :
       {Fix{"  return (r : Nat)\ndo\n  return 0\n", "Write returns", "  returns (r : Nat)\ndo\n  return 0\n"},
        Fix{"  returns (r : Nat)\n  require (z = 1)\ndo\n  return 0\n", "Write requires",
            "  returns (r : Nat)\n  requires (z = 1)\ndo\n  return 0\n"},
        Fix{"  returns (r : Nat)\ndo\n  assert (z = 1)\n  return 0\n", "Label the assertion holds_1",
            "  returns (r : Nat)\ndo\n  assert holds_1: (z = 1)\n  return 0\n"},
        Fix{"  returns (r : Nat)\ndo\n  return x[z]!\n", "Write .toNat",
            "  returns (r : Nat)\ndo\n  return x[z.toNat]!\n"},
        Fix{"  returns (r : Nat)\ndo\n  return x[z + 1]!\n", "Write .toNat",
            "  returns (r : Nat)\ndo\n  return x[(z + 1).toNat]!\n"}}) {
    const std::string head = "method m (z : Int) (x : Array Nat)\n";
    Session session;
    session.start();
    session.open(uri, head + fix.body);
    const Json whole = {{"start", {{"line", 0}, {"character", 0}}},
                        {"end", {{"line", 99}, {"character", 0}}}};
    const Json actions = session.result(
        "textDocument/codeAction",
        {{"textDocument", {{"uri", uri}}}, {"range", whole}, {"context", {{"diagnostics", Json::array()}}}});
    ASSERT_EQ(actions.size(), 1U) << fix.body;
    EXPECT_EQ(actions[0]["title"], fix.title);
    const auto action = lsp::codeActionFromJson(actions[0]);
    ASSERT_TRUE(action && action->edit);
    const Expected<std::string> mended =
        lsp::applyEdits(head + fix.body, action->edit->documents.at(0).edits);
    ASSERT_TRUE(mended);
    EXPECT_EQ(*mended, head + fix.mended);
    session.open(uri, *mended, 2);
    // What is true of the assertion is another matter: the engines may have said so already.
    for (const Json& left : session.notifications("textDocument/publishDiagnostics").back()["diagnostics"])
      EXPECT_TRUE(left["code"] == "goal-false" || left["code"] == "goal-open") << *mended << left;
  }
}

TEST_F(Features, AClosedDocumentHasNoAnswers) {
  m_session.notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
  for (const char* feature : {"hover", "definition", "completion", "signatureHelp"})
    EXPECT_TRUE(ask(feature, {0, 0}).is_null());
}

} // namespace
} // namespace plumbline::server_test
