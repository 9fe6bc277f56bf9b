// One way through a wrapper: which branches were taken, and what is known about sizes because of it. No Clang
// here.
#pragma once

#include "core/ir/launch.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace plumbline::cuda {

/// Bounds of an integer expression; nothing where there is no bound that is certain.
struct SizeRange {
  std::optional<int64_t> low;
  std::optional<int64_t> high;

  bool operator==(const SizeRange&) const = default;
};

/// A wrapper is read once for each way through its branches. `choices` says how the first branches go that
/// nothing decides; further ones go the first way.
class HostPath {
public:
  explicit HostPath(std::vector<bool> choices = {}) : m_choices(std::move(choices)) {}

  /// Bounds of a name before anything is known about it.
  void declare(const std::string& symbol, SizeRange range) { m_ranges[symbol] = range; }
  /// From here on `condition` holds.
  void assume(const ir::SizeExprPtr& condition);
  /// Whether the condition is certainly true or certainly false.
  std::optional<bool> decided(const ir::SizeExpr& condition) const;
  /// The value that the expression certainly has.
  std::optional<int64_t> exact(const ir::SizeExpr& expr) const;
  SizeRange rangeOf(const ir::SizeExpr& expr) const;

  /// No sizes go this way.
  bool contradictory() const;

  /// The next choice at a branch that nothing decides.
  bool choose();
  /// The choices of the next way; false when this was the last one.
  bool next(std::vector<bool>& choices) const;
  /// Branches that were chosen so far.
  size_t chosen() const { return m_used; }

  /// What was chosen, in order.
  std::vector<ir::HostFact> when;

private:
  void narrow(const ir::SizeExpr& left, ir::SizeExpr::Kind op, int64_t bound);

  std::vector<bool> m_choices;
  size_t m_used = 0;
  std::map<std::string, SizeRange> m_ranges;
  std::set<std::string> m_holds; ///< printed conditions
};

/// The negation of a comparison; nothing for other expressions.
std::optional<ir::SizeExpr::Kind> oppositeComparison(ir::SizeExpr::Kind kind);

} // namespace plumbline::cuda
