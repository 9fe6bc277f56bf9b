// Feasibility of linear conditions over the rationals, monomials being the unknowns.
#pragma once

#include "core/gate/arithmetic/formula.h"
#include "core/gate/arithmetic/rational.h"

namespace plumbline::gate {

/// The general simplex with backtracking. It only ever proves infeasibility, exactly: each contradiction is
/// checked once more against the conditions as they were asserted. Numbers that do not fit, or too many
/// pivots, make it give up for good; it then knows no contradiction.
class Simplex {
public:
  explicit Simplex(size_t maxWork = 4000000) : m_maxWork(maxWork) { m_levels.emplace_back(); }

  /// p >= 0 and p = 0. False when this contradicts the bounds at hand; `check` is false then too.
  bool assertAtLeastZero(const Polynomial& p);
  bool assertZero(const Polynomial& p);

  /// False when the conditions have no common rational solution (hence no integer one).
  bool check();

  void push();
  void pop(); ///< forgets the conditions since the matching `push`

  /// What the conditions on this monomial alone say.
  Bounds bounds(const Monomial& monomial) const;
  /// The value of a monomial in the solution that `check` found, rounded down.
  std::optional<int64_t> roundedValue(const Monomial& monomial) const;
  bool gaveUp() const { return m_gaveUp; }

private:
  using Index = uint32_t;
  /// One unknown: a monomial, or the value of a linear form with its row at first definition.
  struct Unknown {
    std::optional<int64_t> low;
    std::optional<int64_t> high;
    SmallRational value;
    std::optional<Index> row;                    ///< of a basic one
    std::vector<std::pair<Index, int64_t>> form; ///< over monomials; empty for a monomial
  };
  /// By unknown in rising order, no zeros.
  using Sparse = std::vector<std::pair<Index, SmallRational>>;
  struct Row {
    Index basic = 0;
    Sparse coefficients; ///< of non-basic unknowns
  };
  struct Undo {
    Index unknown = 0;
    std::optional<int64_t> low;
    std::optional<int64_t> high;
  };
  struct Level {
    size_t undo = 0;
    size_t unknowns = 0;
    bool contradiction = false;
  };
  /// A linear form with coprime coefficients, the first one positive, and what p says of it.
  struct Form {
    Index unknown = 0;
    bool flipped = false;
    int64_t constant = 0;
    uint64_t content = 1;
  };

  std::optional<Form> formOf(const Polynomial& p);
  Index monomial(const Monomial& monomial);
  Index linearForm(const std::vector<std::pair<Index, int64_t>>& form);
  bool setLow(Index unknown, int64_t low);
  bool setHigh(Index unknown, int64_t high);
  bool contradict();
  void saveBounds(Index unknown);
  void moveNonBasic(Index unknown, const SmallRational& value);
  std::optional<Index> violated() const;
  bool repair(Index basic);
  bool canHelp(Index unknown, const SmallRational& coefficient, bool increase) const;
  void pivot(Index rowIndex, Index entering);
  bool verified(const Row& row, bool increase) const;
  void removeForm(Index unknown);
  bool withinBounds(Index unknown) const;
  static SmallRational coefficient(const Row& row, Index unknown);
  /// a + factor * b
  Sparse combined(const Sparse& a, const SmallRational& factor, const Sparse& b);

  std::vector<Unknown> m_unknowns;
  std::vector<Row> m_rows;
  std::map<Monomial, Index> m_monomials;
  std::map<std::vector<std::pair<Index, int64_t>>, Index> m_forms;
  std::vector<Undo> m_undo;
  std::vector<Level> m_levels;
  bool m_gaveUp = false;
  size_t m_maxWork;
  size_t m_work = 0; ///< coefficients touched
};

} // namespace plumbline::gate
