#include "lean-bridge/client/axiom_audit.h"
#include "tests/lean-bridge/client/harness.h"

namespace plumbline::lsp {
namespace {

TEST(AxiomAudit, KindsOfAxioms) {
  for (const char* axiom : {"propext", "Classical.choice", "Quot.sound"})
    EXPECT_EQ(kindOf(axiom), AxiomKind::Standard);
  EXPECT_EQ(kindOf("sorryAx"), AxiomKind::LeftOut);
  EXPECT_EQ(kindOf("Loom.SMT.trust_smt"), AxiomKind::Solver);
  EXPECT_EQ(kindOf("m_correct._native.native_decide.ax_1"), AxiomKind::Native);
  EXPECT_EQ(kindOf("Lean.ofReduceBool"), AxiomKind::Native);
  EXPECT_EQ(kindOf("My.propext"), AxiomKind::Other);
}

TEST(AxiomAudit, MessagesOfLean) {
  EXPECT_EQ(axiomsFromMessage("'f' does not depend on any axioms"), (TheoremAxioms{"f", true, {}}));
  EXPECT_EQ(axiomsFromMessage("'N.f' depends on axioms: [propext,\n Classical.choice,\n   sorryAx]"),
            (TheoremAxioms{"N.f", true, {"propext", "Classical.choice", "sorryAx"}}));
  EXPECT_FALSE(axiomsFromMessage("unknown constant 'f'"));
  EXPECT_FALSE(axiomsFromMessage("'f' depends on axioms: [propext"));
}

TEST(AxiomAudit, TheoremsOfADocument) {
  const char* text =
      "import Velvet\n-- theorem in a comment\n@[grind] theorem a (x : Nat) : x = x := rfl\n"
      "private lemma b: True := trivial\n  have theorem : x\n@[grind]\ntheorem c\n    (x) : P x := by\n"
      "method m (x : Nat)\nprove_correct m by\n  velvet_vcgen [m] with try finish\n";
  EXPECT_EQ(theoremsIn(text), (std::vector<std::string>{"a", "b", "c", "m_correct"}));
}

TEST(AxiomAudit, QuestionsStandBehindTheText) {
  const AuditText audit = auditText("a\r\nb", {"f", "g"});
  EXPECT_EQ(audit.text, "a\nb\n\n#print axioms f\n#print axioms g\n");
  EXPECT_EQ(audit.firstLine, 3);
}

TEST(AxiomAudit, NothingIsKnownWithoutLean) {
  EXPECT_EQ(inWords(AxiomReport{}), std::vector<std::string>{"not checked by Lean"});
  EXPECT_FALSE(AxiomReport{}.clean());
}

/// What the server says about the audit of a document with one theorem and one hint. As Lean does when it is
/// quick, it says that it is through before it says what it has found.
AxiomReport auditedWith(const std::string& diagnostics) {
  Scripted scripted(following(
      R"({"wait":"textDocument/didOpen"},
    {"notify":"$/lean/fileProgress","params":{"textDocument":{"uri":"file:///project/a_axioms.lean","version":1},
     "processing":[]}},{"wait":"textDocument/waitForDiagnostics"},
    {"notify":"textDocument/publishDiagnostics","params":
    {"uri":"file:///project/a_axioms.lean","version":1,"diagnostics":[)" +
          diagnostics + R"(]}},{"answer":"textDocument/waitForDiagnostics","result":{}})",
      reportsByScript));
  EXPECT_TRUE(scripted.run());
  AxiomAuditor auditor(scripted.client());
  std::optional<AxiomReport> report;
  auditor.audit(fileUri, "theorem t : True := trivial\n", {"Plumbline.hint"},
                [&](AxiomReport&& found) { report = std::move(found); });
  EXPECT_TRUE(spinUntil([&] { return report.has_value(); }));
  EXPECT_TRUE(spinUntil([&] { return scripted.received("textDocument/didClose").size() == 1; }));
  EXPECT_EQ(scripted.received("textDocument/didOpen")[0]["params"]["textDocument"]["text"],
            "theorem t : True := trivial\n\n#print axioms t\n#print axioms Plumbline.hint\n");
  return report.value_or(AxiomReport{});
}

std::string at(int line, int severity, const std::string& message) {
  const std::string row = std::to_string(line);
  return R"({"range":{"start":{"line":)" + row + R"(,"character":0},"end":{"line":)" + row +
         R"(,"character":6}},"severity":)" + std::to_string(severity) + R"(,"message":")" + message + "\"}";
}

TEST(AxiomAudit, CleanTheorems) {
  const AxiomReport report =
      auditedWith(at(2, 3, "'t' does not depend on any axioms") + "," +
                  at(3, 3, "'Plumbline.hint' depends on axioms: [propext, Quot.sound]"));
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(inWords(report), std::vector<std::string>{"checked by Lean; rests on Lean's own logic alone"});
}

TEST(AxiomAudit, WhatIsBelievedIsNamed) {
  const AxiomReport report =
      auditedWith(at(2, 3, "'t' depends on axioms: [propext, sorryAx, t._native.native_decide.ax_1]") + "," +
                  at(3, 3, "'Plumbline.hint' depends on axioms: [Loom.SMT.trust_smt]"));
  EXPECT_FALSE(report.clean());
  EXPECT_EQ(inWords(report), (std::vector<std::string>{
                                 "t rests on sorryAx: a proof was left out",
                                 "t rests on t._native.native_decide.ax_1: compiled code was believed",
                                 "Plumbline.hint rests on Loom.SMT.trust_smt: it proves anything: a solver's "
                                 "answer was believed"}));
}

TEST(AxiomAudit, ATextThatLeanRefusesIsNotChecked) {
  const AxiomReport report =
      auditedWith(at(0, 1, "type mismatch\\nmore") + "," + at(2, 3, "'t' does not depend on any axioms"));
  EXPECT_FALSE(report.checked);
  EXPECT_EQ(inWords(report),
            std::vector<std::string>{"not checked by Lean: Lean does not accept the text: type mismatch"});
}

TEST(AxiomAudit, SilenceIsNoCleanReport) {
  const AxiomReport report = auditedWith(at(2, 3, "'t' does not depend on any axioms") + "," +
                                         at(3, 1, "unknown constant 'Plumbline.hint'"));
  EXPECT_FALSE(report.clean());
  EXPECT_EQ(inWords(report), std::vector<std::string>{"Plumbline.hint: Lean did not say what it rests on"});
}

TEST(AxiomAudit, AServerThatIsNotThere) {
  Scripted scripted(following(""));
  AxiomAuditor auditor(scripted.client());
  std::optional<AxiomReport> report;
  auditor.audit(fileUri, "theorem t : True := trivial\n", {},
                [&](AxiomReport&& found) { report = std::move(found); });
  ASSERT_TRUE(spinUntil([&] { return report.has_value(); }));
  EXPECT_EQ(inWords(*report), std::vector<std::string>{"not checked by Lean"});
}

} // namespace
} // namespace plumbline::lsp
