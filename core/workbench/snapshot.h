// What the window shows, as plain values: no term, graph or solver type. A snapshot never changes once it is
// made, so it may be read from any thread; a later state of the work is another snapshot.
#pragma once

#include "core/base/error.h"
#include "core/workbench/case_forest.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace plumbline::workbench {

/// The colour of a whole comparison or of one reading.
enum class Tone : uint8_t { Neutral, Good, Weak, Bad, Alarm };

// --- Graph ---

enum class NodeKind : uint8_t { Input, Parameter, Buffer, Constant, Operator, Output };
std::string_view name(NodeKind kind); ///< "input", "parameter", "buffer", "constant", "operator", "output"

/// How much work a node is at the captured sizes; what is counted is said in node_cost.h.
struct NodeCost {
  double operations = 0;
  double bytes = 0; ///< read and written
};
std::string costText(const NodeCost& cost); ///< "1 024 operations, 8 192 bytes"

/// One box of the graph panel. Edges are listed at their end.
struct GraphNode {
  std::string name; ///< tensor name, e.g. "relu"; "output:0" for an Output
  NodeKind kind = NodeKind::Operator;
  std::string title;              ///< what the box says first: "relu", "x"
  std::string target;             ///< ATen overload "aten.relu.default"; empty for what is no operator
  std::string shape;              ///< "[s0, s1]"; "[]" for a scalar tensor
  std::string dtype;              ///< "float32"
  std::string detail;             ///< arguments and state_dict key, one a line, for the tooltip
  std::vector<int> inputs;        ///< indices of nodes, in argument order
  SourceRange where{};            ///< line of the module's source; unknown when the capture has none
  std::string sourceText{};       ///< what stands there
  std::optional<NodeCost> cost{}; ///< nothing for what is no operator, or has no meaning or no captured size
};

// --- Source texts ---

enum class MarkKind : uint8_t { Error, Finding, Note };

/// Something to show at a line of a source: a rejection, a finding of the gate, an open obligation.
struct Mark {
  MarkKind kind = MarkKind::Note;
  std::string id;      ///< kebab-case, e.g. "inline-asm", "out-of-bounds"
  std::string message; ///< one sentence
  SourceRange where;
};

/// The CUDA text whose lines the ranges speak of. From a .py it is the text given to load_inline.
struct SourceText {
  std::string file;
  std::string text;
  bool extracted = false; ///< taken out of a .py
};

/// A line of the method document, counted from 1 by its position.
struct MethodLine {
  std::vector<SourceRange> cuda; ///< places it comes from
  std::vector<int> nodes;        ///< graph nodes it comes from
  bool locked = true;            ///< generated and never edited: spec, body, postcondition
};

struct MethodText {
  std::string text;              ///< empty when there is none
  std::vector<MethodLine> lines; ///< one a line of text
  std::string reason;            ///< why there is no text
};

// --- Goals ---

struct EvidenceRow {
  std::string engine;
  std::string result;
  std::string artefact; ///< one line; empty when there is none
  std::string text;     ///< what can be re-run (a query, a record), possibly long
  double timeMs = 0;
};

struct GoalRow {
  std::string name;
  std::string group; ///< "safety gate", "value under ieee", "value under real"
  CaseStatus status = CaseStatus::Open;
  std::string statement;
  std::vector<SourceRange> spans;
  std::vector<int> nodes; ///< graph nodes the goal speaks of
  std::vector<EvidenceRow> evidence;
  double timeMs = 0; ///< sum of the evidence
  int caseGoal = -1; ///< index into Snapshot::caseGoals when it can be split
};

// --- Safety ---

enum class TouchKind : uint8_t { Read, Write, Atomic };

/// One access of a thread to an element.
struct Touch {
  std::string thread; ///< "block (0,0,0) thread (3,0,0)"
  int64_t index = 0;
  TouchKind kind = TouchKind::Read;
  SourceRange where;
};

/// What the gate found, with who touches what around its element.
struct FindingView {
  std::string kind; ///< "race-block", ...
  std::string message;
  std::string sizes; ///< "n = 257"; empty when it does not depend on any
  std::vector<std::string> threads;
  std::vector<SourceRange> spans;
  std::string array; ///< empty: no picture
  int64_t element = 0;
  int64_t length = -1; ///< elements of the array; -1: not known
  std::vector<Touch> touches;
};

/// The gate's answer.
struct SafetyView {
  std::string status; ///< "accepted", "refused", ...; empty: the gate did not run
  std::string reason;
  size_t obligations = 0;
  size_t proved = 0;
  std::vector<FindingView> findings;
};

// --- Values, step by step ---

enum class Side : uint8_t { Spec, Kernel };

/// Where an expression of either side comes from. Steps of both sides are numbered in evaluation order.
struct StepInfo {
  std::string text;              ///< "0.01 * x[i]" for a spec, "0.01f * v" for a kernel where it is known
  std::vector<SourceRange> cuda; ///< of a kernel step
  std::vector<int> nodes;        ///< of a spec step
  int counterpart = -1;          ///< the step of the other side with the same meaning
};

struct StepValue {
  bool reached = false;         ///< false: in a branch that these values do not take
  std::string value;            ///< for people: "0x7fc00000 (nan)", "true"; empty when it has none
  std::optional<uint32_t> bits; ///< of a binary32 value
  bool diverges = false;        ///< the first step of its side that the other side does not agree with
};

/// Both sides on one assignment of the free values.
struct StepTrace {
  std::vector<StepValue> spec;
  std::vector<StepValue> kernel;
  std::optional<uint32_t> specResult; ///< nothing through an opaque function
  std::optional<uint32_t> kernelResult;
  std::vector<uint32_t> allowed; ///< every value the spec allows (zero signs left open)
  bool differs = false;          ///< the kernel's value is none of the allowed ones
  std::string note;              ///< why a result is missing
};

/// One output element of both sides over its free values: small, immutable, evaluated in microseconds.
class StepProgram {
public:
  virtual ~StepProgram() = default;
  /// Labels of the free values, e.g. "x[i]".
  const std::vector<std::string>& inputs() const { return m_inputs; }
  const std::vector<StepInfo>& steps(Side side) const { return side == Side::Spec ? m_spec : m_kernel; }
  /// `values` in the order of `inputs`, binary32 patterns. May be called from any thread.
  virtual StepTrace evaluate(const std::vector<uint32_t>& values) const = 0;

protected:
  std::vector<std::string> m_inputs;
  std::vector<StepInfo> m_spec;
  std::vector<StepInfo> m_kernel;
};

/// A difference shown to the user, replayed or asked to be.
struct WitnessView {
  std::string reading;          ///< "ieee" or "real"
  int caseGoal = -1;            ///< whose StepProgram evaluates it; -1 under real
  std::vector<uint32_t> values; ///< of the StepProgram's inputs, under ieee
  std::string output;
  int64_t index = 0;
  std::vector<std::pair<std::string, std::string>> tensors; ///< name, shape and values for people
  std::string spec;
  std::vector<std::string> allowed;
  std::string kernel;
  std::string interpreter; ///< "confirmed", "contradicted", "not run"
  std::string pytorch;
  std::string pytorchValue;
};

/// The answer of one run of the kernel or the module on edited values.
struct RunResult {
  std::string engine; ///< "interpreter", "PyTorch"
  bool ran = false;
  std::string value; ///< hexadecimal bits and decimal
  std::optional<uint32_t> bits;
  std::string message; ///< why it did not run, or which grid it ran
};

// --- Correspondence ---

/// Parts of the panels that belong together: they stem from one expression.
struct Link {
  std::vector<int> nodes;
  std::vector<SourceRange> cuda;
};

// --- The whole ---

struct ReadingView {
  std::string reading;  ///< "ieee", "real"
  std::string relation; ///< "equal", "different", ...
  Tone tone = Tone::Neutral;
  std::string scope; ///< "all sizes: 2 <= s0 <= ..."; empty when nothing is claimed
  std::string reason;
  std::string next;
};

/// What to compare.
struct Request {
  std::string model;
  std::string kernel;
  std::vector<std::string> readings{"ieee"};
  std::vector<std::string> assume;
  std::string mode = "train";
  std::string kernelName;
  std::string launchFile;
  bool operator==(const Request&) const = default;
};

struct Snapshot {
  uint64_t revision = 0; ///< grows with every snapshot of a project
  Request request;
  std::string headline; ///< one line: "different: a NaN input separates them"
  Tone tone = Tone::Neutral;
  std::vector<ReadingView> readings;
  std::optional<Error> error;
  std::vector<GraphNode> graph;
  SourceText cuda;
  std::vector<Mark> marks; ///< at CUDA lines (`where.file` is cuda.file) or without a line
  MethodText method;
  SafetyView safety;
  std::vector<GoalRow> goals;
  std::vector<CaseGoal> caseGoals;
  CaseForest cases;
  std::vector<std::shared_ptr<const StepProgram>> programs; ///< one a CaseGoal
  std::vector<WitnessView> witnesses;                       ///< replayed ones, preferred first
  std::vector<Link> links;
  std::vector<std::string> assumptions;
  std::vector<std::string> hypotheses; ///< "s0 >= 2 (captured graph)"
  std::vector<std::string> notes;
  std::vector<std::string> missing; ///< tools that were not found, and what that costs
  double timeMs = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace plumbline::workbench
