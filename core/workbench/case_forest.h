// Cases: how the goals about values are split, and what is known of every part. A value type; every change
// makes a new forest, so that undo is keeping the old one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::workbench {

/// Classes of binary32 values. Together they are all bit patterns, all NaNs being one class.
enum class FloatClass : uint8_t {
  NaN,
  NegativeInfinity,
  NegativeNormal,
  NegativeSubnormal,
  NegativeZero,
  PositiveZero,
  PositiveSubnormal,
  PositiveNormal,
  PositiveInfinity
};
inline constexpr int floatClassCount = 9;
std::string_view name(FloatClass floatClass); ///< "NaN", "-inf", "-normal", "-subnormal", "-0", "+0", ...
FloatClass classOf(uint32_t bits);            ///< IEEE 754-2019 5.7.2, the two NaN kinds taken together

enum class CaseStatus : uint8_t {
  Open,      ///< not settled, or not tried
  Closed,    ///< proved
  Empty,     ///< proved to contain no input
  Witnessed, ///< a replayed input separates the sides here
  Conflict,  ///< engines or replays disagree
  Split,     ///< its children together are this case
};
std::string_view name(CaseStatus status); ///< "open", "closed", ...

/// One condition of a case: a guard with its truth value, or a free value with its class.
struct CaseCondition {
  int guard = -1; ///< index into CaseGoal::guards, or -1
  bool holds = true;
  int variable = -1; ///< index into CaseGoal::variables, or -1
  FloatClass floatClass = FloatClass::NaN;
  bool operator==(const CaseCondition&) const = default;
  auto operator<=>(const CaseCondition&) const = default;
};
using CasePath = std::vector<CaseCondition>;

/// What engines said about a case.
struct CaseResult {
  CaseStatus status = CaseStatus::Open;
  std::string engine; ///< who settled it; empty while open
  std::string result; ///< "syntactically equal", "equal on 8388607 values"
  std::string reason; ///< of Open: why it is not settled
  std::string text;   ///< query or record, possibly long
  double timeMs = 0;
  std::vector<uint32_t> witness; ///< of Witnessed: values of CaseGoal::variables
};

/// A guard: an atomic condition on floats of either side.
struct Guard {
  std::string text; ///< "0 < x[i]"
};

/// A goal about the value of an output element, and what it may be split on. Under ieee only.
struct CaseGoal {
  std::string name; ///< "value of output 0"
  std::vector<Guard> guards;
  std::vector<std::string> variables; ///< "x[i]"
  /// Rows of the matrix: guard decisions that partition all inputs. One empty row when there are no guards.
  std::vector<CasePath> rows;
  std::string rowsNote; ///< set when there were too many rows to list them all
};

struct CaseNode {
  int goal = 0;    ///< index into Snapshot::caseGoals
  int parent = -1; ///< index into CaseForest::nodes
  CasePath path;   ///< all conditions from the root down
  std::vector<int> children;
  CaseResult result;
  bool derived = false; ///< the result is what the children come to, not something found for the case itself
};

/// One row and class of a matrix.
struct MatrixCell {
  int row = 0;
  FloatClass floatClass = FloatClass::NaN;
  CaseResult result;
  bool known = false; ///< false: not computed yet
};

struct CaseMatrix {
  int goal = 0;
  int variable = 0;
  std::vector<MatrixCell> cells; ///< row-major: rows x floatClassCount
};

struct CaseForest {
  std::vector<CaseNode> nodes; ///< the roots come first, one a CaseGoal; children after their parents
  std::vector<CaseMatrix> matrices;
};

/// How a case is cut.
struct SplitOn {
  int guard = -1;
  int variable = -1; ///< by class
};

/// Text of one condition: "0 < x[i]", "not (0 < x[i])", "x[i] is NaN".
std::string conditionText(const CaseGoal& goal, const CaseCondition& condition);

/// Guards and variables that the case is not cut by yet.
std::vector<SplitOn> possibleSplits(const CaseGoal& goal, const CaseNode& node);

/// The forest with children under the case; the same forest when it has children already or the cut is not
/// possible. Children are born open.
/// Moving the forest in costs no copy of it.
CaseForest split(CaseForest forest, const std::vector<CaseGoal>& goals, int node, SplitOn on);

/// The forest without everything below the case.
CaseForest join(const CaseForest& forest, int node);

/// The forest with a result for a case; parents whose children are all closed or empty become closed, one
/// with a witness among them becomes witnessed. A witness of the whole against proofs of all parts, or the
/// other way round, becomes a conflict. Moving the forest in costs no copy of it.
CaseForest withResult(CaseForest forest, int node, const CaseResult& result);

const CaseMatrix* findMatrix(const CaseForest& forest, int goal, int variable);

} // namespace plumbline::workbench
