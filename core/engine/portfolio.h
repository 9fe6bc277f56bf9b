// Both solvers on the same query at the same time.
#pragma once

#include "core/base/json.h"
#include "core/engine/solver.h"

namespace plumbline::engine {

struct PortfolioOptions {
  std::vector<SolverSpec> solvers{SolverSpec::z3(), SolverSpec::cvc5()};
  /// After the first sat or unsat the others get this long to agree or disagree.
  std::chrono::milliseconds grace{20};
  /// Where the texts of a conflict are saved; empty saves none.
  std::filesystem::path conflictFolder;
};

/// Born as Unknown. Unsat and Sat mean that at least one engine said so and none said the opposite.
struct PortfolioResult {
  enum class Outcome : uint8_t { Unknown, Unsat, Sat, Conflict };
  Outcome outcome = Outcome::Unknown;
  std::vector<SolverAnswer> answers; ///< one an engine, in the order of the options
  std::optional<SmtModel> model;     ///< Sat: of the first engine whose model could be read
  std::string engine;                ///< Unsat and Sat: who answered first
  std::string queryText;
  std::vector<std::filesystem::path> saved; ///< Conflict: one re-runnable file an answer
  double timeMs = 0;
};

/// {"engine", "result", "artefact": query text, "time_ms", "answers": [{"engine", "result", "detail"?,
/// "time_ms"}]}
Json toJson(const PortfolioResult& result);

/// All methods may be called from any thread; queries queue up. The destructor leaves no process.
class Portfolio {
public:
  explicit Portfolio(PortfolioOptions options = {});
  ~Portfolio();

  /// Starts the solvers in the background and returns at once.
  void start();

  /// `limit` is the time for each solver. Engines that are slower than the first answer plus the grace are
  /// stopped. A cancel gives Unknown. Error: "solver-missing" when none of the solvers is installed.
  Expected<PortfolioResult> run(const SmtQuery& query, std::chrono::milliseconds limit,
                                const StopToken& stop);

private:
  PortfolioOptions m_options;
  std::vector<std::unique_ptr<Solver>> m_solvers;
};

} // namespace plumbline::engine
