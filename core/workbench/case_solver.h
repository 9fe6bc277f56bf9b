// Settling one case of a goal about values under ieee: a path of guard decisions and float classes.
#pragma once

#include "core/engine/normalise.h"
#include "core/session/check_pool.h"
#include "core/session/comparison.h"
#include "core/session/value_goal.h"
#include "core/workbench/project.h"

namespace plumbline::workbench {

/// The condition under which a binary32 term is of the class.
logic::TermId classCondition(logic::TermStore& store, logic::TermId value, FloatClass floatClass);

/// What is known of the whole goal before any case of it is looked at.
struct WholeGoal {
  CaseResult result;
  std::string distrust; ///< set when a difference would not count: why
};

/// The guards, rows and variables of one element goal, and engines that settle its cases. Keeps references to
/// the comparison, which outlives it. One thread at a time.
class CaseSolver {
public:
  CaseSolver(session::Comparison& comparison, const session::ElementGoal& goal, WholeGoal whole);

  const CaseGoal& description() const { return m_description; }
  const session::ElementGoal& goal() const { return m_goal; }
  const WholeGoal& whole() const { return m_whole; }
  /// The smallest sizes and index at which the goal's inputs are different cells; nothing when there are
  /// none.
  const std::optional<session::Place>& place();

  /// Leaves out rows that are proved to hold no input, as far as the time goes; the note says how many.
  void dropEmptyRows(session::CheckPool& pool, const StopToken& stop);

  /// Closed, Empty and Witnessed are shown in one of these ways: exact evaluation of every value of the case,
  /// equal normal forms, both solvers, a sweep of the class, a replayed witness, or a proof of the whole
  /// goal. Everything else is Open with a reason, and contradictions are Conflict.
  CaseResult settle(const CasePath& path, session::CheckPool& pool, const StopToken& stop,
                    const Progress& progress);

private:
  struct Case;
  void findGuards();
  Expected<Case> prepare(const CasePath& path);
  CaseResult settleHere(Case& current, session::CheckPool& pool, const StopToken& stop,
                        const Progress& progress);
  bool searchValues(Case& current, const StopToken& stop);
  bool findMember(Case& current);
  bool isEmpty(Case& current, session::CheckPool& pool, const StopToken& stop);
  void askSolvers(Case& current, session::CheckPool& pool, const StopToken& stop);
  void sweep(Case& current, session::CheckPool& pool, const StopToken& stop);
  void replay(Case& current, std::vector<uint32_t> values, const std::string& foundBy, const StopToken& stop);
  std::string moduloText(const Case& current) const;

  session::Comparison& m_comparison;
  logic::TermStore& m_store;
  const session::ElementGoal& m_goal;
  WholeGoal m_whole;
  engine::Normaliser m_normalise;
  logic::TermId m_kernel;
  logic::TermId m_spec;
  bool m_opaque = false;
  std::vector<logic::TermId> m_guards;
  CaseGoal m_description;
  std::optional<std::optional<session::Place>> m_place;
};

} // namespace plumbline::workbench
