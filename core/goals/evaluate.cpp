#include "core/goals/evaluate.h"

#include "core/logic/eval.h"
#include "core/logic/term_text.h"

#include <cstdio>

namespace plumbline::goals {

using logic::TermId;

namespace {

TermId scalarTerm(logic::TermStore& store, Kind kind, int64_t number, uint64_t bits) {
  switch (kind) {
  case Kind::F32: return store.f32Bits(static_cast<uint32_t>(bits));
  case Kind::F64: return store.f64Bits(bits);
  case Kind::Bool:
  case Kind::Prop: return store.boolean(number != 0);
  default: return store.integer(number);
  }
}

Value valueOf(logic::TermStore& store, Arrays& arrays, const Concrete& value) {
  Value result{.kind = value.kind};
  if (value.kind == Kind::Array) {
    std::vector<TermId> elements;
    elements.reserve(value.elements.size());
    for (const uint64_t element : value.elements)
      elements.push_back(scalarTerm(store, value.element, static_cast<int64_t>(element), element));
    result.array = arrays.literal(value.element, std::move(elements));
  } else if (value.kind == Kind::Pair) {
    for (const Concrete& part : value.parts)
      result.parts.push_back(valueOf(store, arrays, part));
  } else if (value.kind != Kind::Unit) {
    result.term = scalarTerm(store, value.kind, value.number, value.bits);
  }
  return result;
}

std::string hexText(uint64_t bits, int digits) {
  std::array<char, 24> buffer{};
  (void)std::snprintf(buffer.data(), buffer.size(), "0x%0*llx", digits,
                      static_cast<unsigned long long>(bits));
  return buffer.data();
}

std::string scalarText(Kind kind, int64_t number, uint64_t bits) {
  switch (kind) {
  case Kind::F32: return logic::decimalText(static_cast<uint32_t>(bits)) + " (" + hexText(bits, 8) + ")";
  case Kind::F64: return hexText(bits, 16);
  case Kind::Bool: return number != 0 ? "true" : "false";
  default: return std::to_string(number);
  }
}

} // namespace

std::string text(const Concrete& value) {
  if (value.kind == Kind::Pair)
    return "(" + text(value.parts[0]) + ", " + text(value.parts[1]) + ")";
  if (value.kind == Kind::Unit)
    return "()";
  if (value.kind != Kind::Array)
    return scalarText(value.kind, value.number, value.bits);
  std::string result = "#[";
  for (size_t i = 0; i < value.elements.size(); ++i)
    result += (i == 0 ? "" : ", ") +
              scalarText(value.element, static_cast<int64_t>(value.elements[i]), value.elements[i]);
  return result + "]";
}

std::vector<std::pair<std::string, std::optional<Type>>> arbitraryVariables(const Goal& goal) {
  std::vector<std::pair<std::string, std::optional<Type>>> result;
  for (const Context* line : lines(goal.context))
    if (line->kind == Context::Kind::Variable && !line->expr)
      result.emplace_back(line->name, typeFrom(line->type));
  return result;
}

GoalEvaluator::GoalEvaluator(const Goal& goal, const Definitions& definitions, const Assignment& assignment)
    : m_goal(goal), m_lines(lines(goal.context)), m_lowering(m_store, definitions, LoweringMode::Concrete) {
  for (const Context* line : m_lines) {
    if (line->kind != Context::Kind::Variable)
      continue;
    if (line->expr) {
      m_lowering.addVariable(*line);
      continue;
    }
    if (const auto found = assignment.find(line->name); found != assignment.end())
      m_lowering.setVariable(line->name, valueOf(m_store, m_lowering.arrays(), found->second));
  }
}

std::optional<uint64_t> GoalEvaluator::bitsOf(TermId term) {
  if (const auto known = m_store.boolValue(term))
    return *known ? 1 : 0;
  const auto result = logic::CompiledTerm(m_store, term).evaluate(std::map<std::string, logic::Value>{});
  return result ? std::optional(result->bits) : std::nullopt;
}

std::optional<bool> GoalEvaluator::holds(const velvet::Expr& prop) {
  try {
    const auto bits = bitsOf(m_lowering.prop(prop, Polarity::Both));
    return bits ? std::optional(*bits != 0) : std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

std::optional<Concrete> GoalEvaluator::value(const velvet::Expr& expr) {
  try {
    const Value made = m_lowering.value(expr);
    if (made.kind == Kind::Array || made.kind == Kind::Pair || made.kind == Kind::Unit)
      return std::nullopt;
    const auto bits = bitsOf(made.term);
    if (!bits)
      return std::nullopt;
    return Concrete{.kind = made.kind, .number = static_cast<int64_t>(*bits), .bits = *bits};
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

const Context* GoalEvaluator::brokenHypothesis() {
  for (const Context* line : m_lines)
    if (line->kind == Context::Kind::Hypothesis && holds(*line->expr) != true)
      return line;
  return nullptr;
}

bool GoalEvaluator::falsified() {
  return holds(*m_goal.conclusion) == false && brokenHypothesis() == nullptr;
}

} // namespace plumbline::goals
