// Verdicts as objects: exit status, JSON, text, and saving them.
#include "core/session/save.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plumbline::session {
namespace {

namespace fs = std::filesystem;
using gate::GateStatus;

gate::GateReport gateOf(GateStatus status) {
  gate::GateReport report;
  report.status = status;
  report.reason = status == GateStatus::Accepted ? "" : "an open obligation";
  if (status == GateStatus::Refused)
    report.findings.push_back(
        {"out-of-bounds", "a write past the end", {{"k.cu", 3, 5, 3, 9}}, {{}}, {{"n", 5}}, true});
  return report;
}

ReadingResult readingOf(Relation relation, Reading reading = Reading::Ieee) {
  ReadingResult result;
  result.reading = reading;
  result.relation = relation;
  if (relation == Relation::Equal)
    result.scope = Scope{"all", {{"s0", {1, 100}}}, {}, {"s0 % 4 == 0"}};
  if (relation == Relation::EqualModulo)
    result.modulo = {"same(exp)"};
  if (relation == Relation::Undetermined || relation == Relation::Conflict)
    result.reason = "a reason";
  if (relation == Relation::Different) {
    Witness witness;
    witness.reading = reading;
    witness.inputs["x"] = {{1}, {0x7fc00000}, {"1/3"}};
    witness.output = "y";
    witness.spec = "0x7fc00000";
    witness.kernel = "0x00000000";
    witness.interpreter = Replay::Confirmed;
    result.witness = witness;
  }
  return result;
}

Verdict verdictOf(std::vector<Relation> relations, GateStatus status = GateStatus::Accepted) {
  Verdict verdict;
  for (size_t i = 0; i < relations.size(); ++i)
    verdict.readings.push_back(readingOf(relations[i], i == 0 ? Reading::Ieee : Reading::Real));
  verdict.gate = gateOf(status);
  return verdict;
}

Verdict withError(Verdict verdict, ErrorKind kind) {
  verdict.error = Error{kind, "some-id", "a message", "a next step"};
  if (kind == ErrorKind::Rejected)
    verdict.error->rejections.push_back({"inline-asm", "asm", {"k.cu", 1, 1, 1, 2}});
  verdict.rejections = verdict.error->rejections;
  return verdict;
}

TEST(Verdict, IsBornAsAnError) {
  const Verdict fresh;
  EXPECT_EQ(exitCode(fresh, {}), 2);
  EXPECT_EQ(overall(fresh), Relation::Undetermined);
  EXPECT_FALSE(reasonOf(fresh).empty());
  EXPECT_EQ(ReadingResult{}.relation, Relation::Error);
  Verdict unset;
  unset.readings.emplace_back();
  unset.gate = gateOf(GateStatus::Accepted);
  EXPECT_EQ(exitCode(unset, {}), 2) << "an accepted gate alone is no result";
  EXPECT_EQ(overall(unset), Relation::Undetermined);
  EXPECT_EQ(gate::GateReport{}.status, GateStatus::Undetermined);
}

TEST(Verdict, EqualityCountsOnlyBehindAnAcceptedGate) {
  EXPECT_EQ(exitCode(verdictOf({Relation::Equal}), {}), 0);
  for (GateStatus status : {GateStatus::Undetermined, GateStatus::Refused, GateStatus::Unsupported})
    EXPECT_NE(exitCode(verdictOf({Relation::Equal}, status), {}), 0);
  Verdict noGate = verdictOf({Relation::Equal});
  noGate.gate.reset();
  EXPECT_EQ(exitCode(noGate, {}), 2);
}

struct ExitRow {
  const char* what;
  Verdict verdict;
  int status;
};

TEST(Verdict, ExitStatusByPrecedence) {
  using enum Relation;
  const ExitRow rows[] = {
      {"4 before 3",
       [] {
         Verdict both = withError(verdictOf({Conflict}, GateStatus::Refused), ErrorKind::File);
         both.rejections.push_back({"inline-asm", "asm", {}});
         return both;
       }(),
       4},
      {"4: usage", withError(verdictOf({Equal}), ErrorKind::Usage), 4},
      {"4: tool", withError(verdictOf({Different}), ErrorKind::Tool), 4},
      {"4: internal", withError(verdictOf({Equal}), ErrorKind::Internal), 4},
      {"3 before 6", withError(verdictOf({Conflict}, GateStatus::Refused), ErrorKind::Rejected), 3},
      {"3: unsupported by the gate", verdictOf({Equal}, GateStatus::Unsupported), 3},
      {"6 before 5", verdictOf({Conflict}, GateStatus::Refused), 6},
      {"6 before 1", verdictOf({Different, Conflict}), 6},
      {"5 before 1", verdictOf({Different}, GateStatus::Refused), 5},
      {"5 before 0", verdictOf({Equal}, GateStatus::Refused), 5},
      {"1 before 2", verdictOf({Undetermined, Different}), 1},
      {"1: without an accepted gate", verdictOf({Different}, GateStatus::Undetermined), 1},
      {"2: one reading is weaker", verdictOf({Equal, Undetermined}), 2},
      {"2: modulo", verdictOf({EqualModulo}), 2},
      {"2: reassociated", verdictOf({Reassociated}), 2},
      {"2: an unset reading", verdictOf({Equal, Error}), 2},
      {"0", verdictOf({Equal, Equal}), 0},
  };
  for (const ExitRow& row : rows)
    EXPECT_EQ(exitCode(row.verdict, {}), row.status) << row.what;
}

TEST(Verdict, AcceptedRelationsCountAsFine) {
  using enum Relation;
  EXPECT_EQ(exitCode(verdictOf({EqualModulo}), {EqualModulo}), 0);
  EXPECT_EQ(exitCode(verdictOf({Reassociated}), {EqualModulo}), 2);
  EXPECT_EQ(exitCode(verdictOf({EqualModulo, Different}), {EqualModulo}), 1);
  EXPECT_EQ(exitCode(verdictOf({EqualModulo}, GateStatus::Refused), {EqualModulo}), 5);
  EXPECT_EQ(exitCode(verdictOf({EqualModulo}, GateStatus::Undetermined), {EqualModulo}), 2);
  EXPECT_EQ(exitCode(verdictOf({Conflict}), {Conflict}), 6) << "a conflict is never fine";
}

TEST(Verdict, RelationsHaveNames) {
  for (Relation relation : {Relation::Equal, Relation::EqualModulo, Relation::Reassociated,
                            Relation::Different, Relation::Undetermined, Relation::Conflict})
    EXPECT_EQ(relationFromName(name(relation)), relation);
  EXPECT_FALSE(relationFromName("error"));
  EXPECT_FALSE(relationFromName(""));
}

// --- JSON ---

/// Whether every key that the schema requires is there, at every place that has one.
void expectRequired(const Json& schema, const Json& value, const std::string& place) {
  if (!value.is_object())
    return;
  for (const Json& key : schema.value("required", Json::array()))
    EXPECT_TRUE(value.contains(key.get<std::string>())) << place << " has no " << key;
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, part] : properties.items()) {
    if (!value.contains(key))
      continue;
    if (part.contains("items") && value[key].is_array())
      for (const Json& item : value[key])
        expectRequired(part["items"], item, place + "." + key);
    expectRequired(part, value[key], place + "." + key);
  }
}

Json schema(const std::string& name) {
  const fs::path path = fs::path(PLUMBLINE_SOURCE_DIR) / "resources" / "schema" / (name + ".schema.json");
  const auto text = readFile(path);
  return text ? parseJson(*text, name).value_or(Json()) : Json();
}

void expectFollowsSchema(const Json& json) {
  const Json verdict = schema("verdict");
  ASSERT_TRUE(verdict.contains("required"));
  expectRequired(verdict, json, "verdict");
  if (json["gate"].is_object())
    expectRequired(schema("gate"), json["gate"], "gate");
  for (const Json& goal : json["goals"])
    expectRequired(schema("goal"), goal, "goal");
  if (json["witness"].is_object())
    expectRequired(verdict["$defs"]["witness"], json["witness"], "witness");
  if (json["verdict"] == "different") {
    EXPECT_TRUE(json["witness"].is_object());
  }
  if (json["verdict"] == "undetermined") {
    EXPECT_TRUE(json["reason"].is_string() && !json["reason"].get<std::string>().empty());
  }
  if (json["verdict"] == "equal" || json["verdict"] == "equal-modulo") {
    EXPECT_EQ(json["gate"]["status"], "accepted");
    EXPECT_TRUE(json["rejections"].empty());
  }
}

TEST(VerdictJson, HasWhatTheSchemaRequires) {
  using enum Relation;
  for (const Verdict& verdict :
       {Verdict{}, verdictOf({Equal}), verdictOf({Different, Undetermined}), verdictOf({EqualModulo}),
        verdictOf({Conflict}), verdictOf({Different}, GateStatus::Refused),
        verdictOf({Undetermined}, GateStatus::Undetermined),
        verdictOf({Undetermined}, GateStatus::Unsupported),
        withError(verdictOf({Undetermined}), ErrorKind::File),
        withError(verdictOf({Undetermined}), ErrorKind::Rejected)}) {
    const Json json = toJson(verdict);
    SCOPED_TRACE(json.dump());
    expectFollowsSchema(json);
    EXPECT_EQ(json["verdict"], name(overall(verdict)));
  }
}

TEST(VerdictJson, ARefusedKernelHasNoWitnessAndNoEquality) {
  const Json different = toJson(verdictOf({Relation::Different}, GateStatus::Refused));
  EXPECT_EQ(different["verdict"], "undetermined");
  EXPECT_TRUE(different["witness"].is_null());
  EXPECT_NE(different["reason"].get<std::string>().find("out-of-bounds"), std::string::npos);
  EXPECT_EQ(different["gate"]["findings"][0]["spans"][0]["line"], 3);
  EXPECT_EQ(toJson(verdictOf({Relation::Equal}, GateStatus::Refused))["verdict"], "undetermined");
}

TEST(VerdictJson, AWitnessSaysWhatItsReplayShowed) {
  Verdict verdict = verdictOf({Relation::Different});
  Json replayed = toJson(verdict)["witness"]["replayed"];
  EXPECT_EQ(replayed["interpreter"], true);
  EXPECT_EQ(replayed["pytorch"], "not run");
  verdict.readings[0].witness->pytorch = Replay::Contradicted;
  EXPECT_EQ(toJson(verdict)["witness"]["replayed"]["pytorch"], false);
  EXPECT_EQ(toJson(verdict)["witness"]["inputs"]["x"]["bits"][0], 0x7fc00000);
  verdict.readings[0].witness->reading = Reading::Real;
  EXPECT_EQ(toJson(verdict)["witness"]["inputs"]["x"]["rationals"][0], "1/3");
}

TEST(VerdictText, NamesTheRelationAndTheReason) {
  using enum Relation;
  for (Relation relation : {Equal, EqualModulo, Reassociated, Different, Undetermined, Conflict}) {
    const std::string text = print(verdictOf({relation}));
    EXPECT_NE(text.find(name(relation)), std::string::npos) << text;
  }
  EXPECT_NE(print(verdictOf({Undetermined})).find("a reason"), std::string::npos);
  EXPECT_NE(print(verdictOf({EqualModulo})).find("same(exp)"), std::string::npos);
  EXPECT_NE(print(verdictOf({Different})).find("0x7fc00000"), std::string::npos);
  EXPECT_NE(print(verdictOf({Different}, GateStatus::Refused)).find("out-of-bounds"), std::string::npos);
  EXPECT_NE(print(withError(verdictOf({Undetermined}), ErrorKind::Rejected)).find("inline-asm"),
            std::string::npos);
  EXPECT_FALSE(print(Verdict{}).empty());
}

// --- Saving ---

class Save : public testing::Test {
protected:
  void SetUp() override {
    m_folder = fs::temp_directory_path() / ("plumbline-save-" + std::to_string(getpid()));
    fs::remove_all(m_folder);
  }
  void TearDown() override { fs::remove_all(m_folder); }
  fs::path m_folder;
};

TEST_F(Save, WritesTheVerdictAndOneFileForEachQuery) {
  ASSERT_TRUE(prepareFolder(m_folder / "deep" / "er"));
  EXPECT_TRUE(fs::is_empty(m_folder / "deep" / "er")) << "the probe is removed";
  Verdict verdict = verdictOf({Relation::Equal});
  Goal goal{"g", "", GoalStatus::Closed, "s", {}, {}};
  for (const char* text : {"(check-sat)", "(check-sat)", "", "(assert true)"})
    goal.evidence.push_back({"z3", "unsat", {}, 1, text});
  verdict.goals.push_back(goal);
  ASSERT_TRUE(saveOutcome(m_folder / "deep" / "er", verdict));
  const auto& evidence = verdict.goals[0].evidence;
  EXPECT_EQ(evidence[0].artefact, evidence[1].artefact);
  EXPECT_TRUE(evidence[2].artefact.is_null());
  EXPECT_NE(evidence[3].artefact, evidence[0].artefact);
  EXPECT_EQ(readFile(m_folder / "deep" / "er" / evidence[0].artefact.get<std::string>()), "(check-sat)");
  EXPECT_EQ(readFile(m_folder / "deep" / "er" / evidence[3].artefact.get<std::string>()), "(assert true)");
  const auto text = readFile(m_folder / "deep" / "er" / "verdict.json");
  ASSERT_TRUE(text);
  const auto json = parseJson(*text, "verdict.json");
  ASSERT_TRUE(json);
  EXPECT_EQ(*json, toJson(verdict));
}

TEST_F(Save, AnUnwritablePlaceIsAnError) {
  fs::create_directories(m_folder);
  ASSERT_TRUE(writeFile(m_folder / "file", "text"));
  for (const fs::path& place :
       {m_folder / "file", m_folder / "file" / "below", fs::path("/proc/plumbline")}) {
    const auto prepared = prepareFolder(place);
    ASSERT_FALSE(prepared) << place;
    EXPECT_EQ(prepared.error().id, "file-unwritable");
    Verdict verdict = verdictOf({Relation::Equal});
    const auto saved = saveOutcome(place, verdict);
    ASSERT_FALSE(saved) << place;
    EXPECT_EQ(saved.error().id, "file-unwritable");
  }
  EXPECT_EQ(readFile(m_folder / "file"), "text");
}

TEST_F(Save, AReadOnlyFolderIsAnError) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(m_folder);
  fs::permissions(m_folder, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(prepareFolder(m_folder).error().id, "file-unwritable");
  fs::permissions(m_folder, fs::perms::owner_all);
}

TEST_F(Save, TextThatIsNoUtf8IsSaved) {
  ASSERT_TRUE(prepareFolder(m_folder));
  Verdict verdict = verdictOf({Relation::Undetermined});
  verdict.readings[0].reason = "bytes \xff\xfe";
  EXPECT_TRUE(saveOutcome(m_folder, verdict));
}

} // namespace
} // namespace plumbline::session
