// Loops of host code, run through where the number of rounds is known, and integers that are fixed by
// choosing their value: a rank, a dimension.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>

namespace plumbline::cuda {

using Kind = HostValue::Kind;

namespace {

constexpr int maximumRounds = 1024;
/// Ranks of tensors and positions of dimensions beyond this are not tried.
constexpr int64_t largestRank = 5;

bool isRank(const std::string& symbol) {
  return symbol.ends_with(".dim") || symbol.ends_with(".len");
}

} // namespace

/// A name that counts or numbers dimensions: its value may be chosen.
bool HostReader::canFix(const std::string& symbol) const {
  if (!m_state.forks || m_plain)
    return false;
  const bool parameter =
      std::any_of(m_state.parameters.begin(), m_state.parameters.end(), [&](const WrapperParameter& each) {
        return !each.tensor && (each.name == symbol || each.name + ".len" == symbol);
      });
  const bool ofTensor =
      isRank(symbol) &&
      std::any_of(m_state.tensors.begin(), m_state.tensors.end(), [&](const HostTensor& each) {
        return each.origin == HostTensor::Origin::Parameter && each.name + ".dim" == symbol;
      });
  return parameter || ofTensor;
}

/// Chooses the value of such a name; false when it has none of those tried.
bool HostReader::fixSymbol(const std::string& symbol, const clang::Expr* at) {
  std::vector<int64_t> tried;
  for (int64_t value = isRank(symbol) ? 1 : 0; value < largestRank + (isRank(symbol) ? 1 : 0); ++value)
    tried.push_back(value);
  for (int64_t value = -1; !isRank(symbol) && value >= -largestRank; --value)
    tried.push_back(value);
  const ir::SizeExprPtr name = ir::sizeSymbol(symbol);
  for (const int64_t value : tried) {
    HostValue tested;
    tested.kind = Kind::Condition;
    tested.size = ir::sizeBinary(ir::SizeExpr::Kind::Eq, name, ir::sizeConstant(value));
    tested.otherwise = ir::sizeBinary(ir::SizeExpr::Kind::Ne, name, ir::sizeConstant(value));
    if (chosen(tested, at) == std::optional(true))
      return true;
  }
  return false;
}

/// The value of an integer that decides which size is meant or how often a loop runs.
std::optional<int64_t> HostReader::fixed(const HostValue& value, const clang::Expr* at) {
  if (value.kind != Kind::Integer)
    return std::nullopt;
  const std::vector<std::string> symbols = ir::symbolsOf(*value.size);
  const auto known = [&](const std::string& symbol) {
    return m_state.path.exact(*ir::sizeSymbol(symbol)).has_value();
  };
  const bool possible = std::all_of(symbols.begin(), symbols.end(), [&](const std::string& symbol) {
    return known(symbol) || canFix(symbol);
  });
  for (const std::string& symbol : symbols)
    if (!m_state.path.exact(*value.size) && (!possible || (!known(symbol) && !fixSymbol(symbol, at))))
      return std::nullopt;
  const std::optional<int64_t> exact = m_state.path.exact(*value.size);
  if (exact)
    m_state.required.insert(value.checks.begin(), value.checks.end());
  return exact;
}

/// A loop over the dimensions fixes their number; over anything else it must be decided already.
std::optional<bool> HostReader::loopCondition(const clang::Expr* expr) {
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParenImpCasts());
  if (compared && compared->isComparisonOp())
    for (const clang::Expr* side : {compared->getLHS(), compared->getRHS()})
      fixed(value(side), expr);
  const bool plain = m_plain;
  m_plain = true; // the rounds are not chosen one by one
  const std::optional<bool> holds = decide(expr);
  m_plain = plain;
  return holds;
}

void HostReader::loop(const clang::Stmt* stmt, const clang::Expr* condition, const clang::Stmt* body,
                      const clang::Expr* step, bool testAfter) {
  const std::string refusal = launches(stmt) ? "launch-in-loop" : "host-loop";
  const size_t problems = m_state.problems.size();
  if (!condition)
    return problem(refusal, "loop in host code", stmt);
  for (int round = 0; m_state.problems.size() == problems; ++round) {
    if (round > 0 || !testAfter) {
      m_whole = nullptr;
      scanEffects(condition);
      evaluated(condition);
      const std::optional<bool> more = loopCondition(condition);
      if (!more || (*more && round >= maximumRounds))
        return problem(refusal, "loop in host code", stmt);
      if (!*more)
        return;
    }
    statement(body);
    const Jump jump = m_jump;
    m_jump = Jump::None;
    m_branched = m_branched || m_finished;
    if (jump == Jump::Break || stopped())
      return;
    if (step)
      expression(step);
  }
}

void HostReader::forLoop(const clang::ForStmt* stmt) {
  if (stmt->getConditionVariable())
    return problem(launches(stmt) ? "launch-in-loop" : "host-loop", "loop in host code", stmt);
  if (stmt->getInit())
    statement(stmt->getInit());
  loop(stmt, stmt->getCond(), stmt->getBody(), stmt->getInc(), false);
}

/// for (int64_t size : x.sizes())
void HostReader::rangeLoop(const clang::CXXForRangeStmt* stmt) {
  const std::string refusal = launches(stmt) ? "launch-in-loop" : "host-loop";
  const clang::VarDecl* variable = stmt->getLoopVariable();
  const size_t problems = m_state.problems.size();
  m_whole = nullptr;
  scanEffects(stmt->getRangeInit());
  evaluated(stmt->getRangeInit());
  HostValue all = value(stmt->getRangeInit());
  if (all.kind == Kind::Sizes)
    all = sizesList(all, stmt->getRangeInit());
  const clang::QualType type = variable->getType();
  const bool copies = !type->isReferenceType() || type.getNonReferenceType().isConstQualified();
  if (stmt->getInit() || all.kind != Kind::List || !all.text.empty() || !copies)
    return problem(refusal, "loop in host code", stmt);
  for (const HostValue& part : all.parts) {
    m_values[variable] = part;
    statement(stmt->getBody());
    const Jump jump = m_jump;
    m_jump = Jump::None;
    m_branched = m_branched || m_finished;
    if (jump == Jump::Break || stopped() || m_state.problems.size() != problems)
      return;
  }
}

} // namespace plumbline::cuda
