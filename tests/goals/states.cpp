#include "tests/goals/states.h"

#include "core/goals/renaming.h"

#include <algorithm>
#include <array>

namespace plumbline::goals_test {

using goals::Context;
using method_test::Kind;
using method_test::Value;
using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;

namespace {

size_t sizeOf(const Value& array) {
  return array.array ? array.array->size() : array.cells->size();
}

} // namespace

Value valueOf(const goals::Concrete& value) {
  switch (value.kind) {
  case goals::Kind::Nat: return method_test::natValue(value.number);
  case goals::Kind::Int: return method_test::intValue(value.number);
  case goals::Kind::Bool: return method_test::boolValue(value.number != 0);
  case goals::Kind::F32: return method_test::floatValue(static_cast<uint32_t>(value.bits));
  case goals::Kind::Array: break;
  default: return {};
  }
  if (value.element == goals::Kind::F32)
    return method_test::arrayValue({value.elements.begin(), value.elements.end()});
  std::vector<method_test::Wide> cells;
  for (const uint64_t element : value.elements)
    cells.push_back(static_cast<int64_t>(element));
  const Kind kind = value.element == goals::Kind::Bool  ? Kind::Bool
                    : value.element == goals::Kind::Nat ? Kind::Nat
                    : value.element == goals::Kind::F64 ? Kind::F64
                                                        : Kind::Int;
  return method_test::cellsValue(kind, std::move(cells));
}

States::States(const goals::Goal& goal, method_test::Evaluator& evaluator, uint64_t seed)
    : m_evaluator(evaluator), m_lines(goals::lines(goal.context)), m_random(seed) {}

int64_t States::draw(int64_t low, int64_t high) {
  if (high <= low)
    return low;
  return low + static_cast<int64_t>(m_random() % static_cast<uint64_t>(high - low + 1));
}

uint32_t States::drawFloat() {
  constexpr std::array<uint32_t, 10> special{0x7fc00000U, 0x7f800000U, 0xff800000U, 0x80000000U, 0U,
                                             0x3f800000U, 0xbf800000U, 1U,          0x00800000U, 0x7f7fffffU};
  return draw(0, 2) == 0 ? static_cast<uint32_t>(m_random()) : special[static_cast<size_t>(draw(0, 9))];
}

Value States::random(const std::string& type) {
  if (type == "Nat")
    return method_test::natValue(draw(0, 5));
  if (type == "Int")
    return method_test::intValue(draw(-3, 6));
  if (type == "Bool")
    return method_test::boolValue(draw(0, 1) != 0);
  if (type == "Float32")
    return method_test::floatValue(drawFloat());
  const auto size = static_cast<size_t>(draw(0, 5));
  if (type == "Array Float32") {
    std::vector<uint32_t> bits(size);
    std::ranges::generate(bits, [this] { return drawFloat(); });
    return method_test::arrayValue(std::move(bits));
  }
  std::vector<method_test::Wide> cells(size);
  const bool isBool = type == "Array Bool";
  std::ranges::generate(cells, [&] { return isBool ? draw(0, 1) : draw(type == "Array Nat" ? 0 : -3, 8); });
  const Kind kind = isBool                  ? Kind::Bool
                    : type == "Array Nat"   ? Kind::Nat
                    : type == "Array Float" ? Kind::F64
                                            : Kind::Int;
  return method_test::cellsValue(kind, std::move(cells));
}

std::optional<Value> States::value(const Expr& expr, const State& state) {
  try {
    return m_evaluator.evaluate(expr, state);
  } catch (const std::string&) {
    return std::nullopt;
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

std::optional<bool> States::holds(const Expr& prop, const State& state) {
  const auto result = value(prop, state);
  if (!result || (result->kind != Kind::Prop && result->kind != Kind::Bool))
    return std::nullopt;
  return result->number != 0;
}

std::optional<State> States::completed(const State& arbitrary) {
  State state = arbitrary;
  for (const Context* line : m_lines) {
    if (line->kind != Context::Kind::Variable || !line->expr)
      continue;
    auto made = value(*line->expr, state);
    if (!made)
      return std::nullopt;
    if (made->kind == Kind::Literal)
      made->kind = line->type == "Nat" ? Kind::Nat : Kind::Int;
    state[line->name] = std::move(*made);
  }
  return state;
}

const Context* States::broken(const State& state) {
  for (const Context* line : m_lines)
    if (line->kind == Context::Kind::Hypothesis && holds(*line->expr, state) != true)
      return line;
  return nullptr;
}

std::optional<State> States::next() {
  constexpr int attempts = 6;
  constexpr int rounds = 60;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    State arbitrary;
    for (const Context* line : m_lines)
      if (line->kind == Context::Kind::Variable && !line->expr)
        arbitrary[line->name] = random(line->type);
    for (int round = 0; round < rounds; ++round) {
      auto state = completed(arbitrary);
      if (!state)
        break;
      const Context* line = broken(*state);
      if (line == nullptr)
        return state;
      if (!mend(line->expr, *state, 0))
        break;
      for (auto& [name, known] : arbitrary)
        known = state->at(name);
    }
  }
  return std::nullopt;
}

/// Gives an arbitrary variable, its size or an element another value.
bool States::assign(const Expr& target, const Value& wanted, State& state) {
  if (target.form == Form::Ascribe)
    return assign(*target.args[0], wanted, state);
  const bool isNumber = wanted.kind == Kind::Nat || wanted.kind == Kind::Int || wanted.kind == Kind::Literal;
  if (target.form == Form::Field && target.text == "size" && target.args[0]->form == Form::Name) {
    const auto array = state.find(target.args[0]->text);
    if (array == state.end() || !isNumber || wanted.number < 0 || wanted.number > 600 ||
        array->second.kind != Kind::Array)
      return false;
    const auto size = static_cast<size_t>(wanted.number);
    if (array->second.array) {
      std::vector<uint32_t> bits = *array->second.array;
      while (bits.size() < size)
        bits.push_back(drawFloat());
      bits.resize(size);
      array->second = method_test::arrayValue(std::move(bits));
    } else {
      std::vector<method_test::Wide> cells = *array->second.cells;
      while (cells.size() < size)
        cells.push_back(array->second.element == Kind::Bool ? draw(0, 1) : draw(0, 8));
      cells.resize(size);
      array->second = method_test::cellsValue(array->second.element, std::move(cells));
    }
    return true;
  }
  if (target.form == Form::Element && target.args[0]->form == Form::Name) {
    const auto array = state.find(target.args[0]->text);
    const auto index = value(*target.args[1], state);
    if (array == state.end() || !index || array->second.kind != Kind::Array || index->number < 0 ||
        static_cast<size_t>(index->number) >= sizeOf(array->second))
      return false;
    const auto at = static_cast<size_t>(index->number);
    if (array->second.array) {
      std::vector<uint32_t> bits = *array->second.array;
      bits[at] = static_cast<uint32_t>(wanted.bits);
      array->second = method_test::arrayValue(std::move(bits));
    } else {
      std::vector<method_test::Wide> cells = *array->second.cells;
      cells[at] = wanted.kind == Kind::F64 ? static_cast<method_test::Wide>(wanted.bits) : wanted.number;
      array->second = method_test::cellsValue(array->second.element, std::move(cells));
    }
    return true;
  }
  if (target.form != Form::Name || !state.contains(target.text))
    return false;
  Value& known = state.at(target.text);
  if ((known.kind == Kind::Nat && wanted.number < 0) || known.kind == Kind::Array)
    return false;
  known.number = wanted.number;
  known.bits = wanted.bits;
  return true;
}

bool States::mendEverywhere(const Expr& quantified, State& state, int depth) {
  bool changed = false;
  for (int64_t k = 0; k < 300; ++k) {
    const ExprPtr body = goals::withValue(quantified.args[0], quantified.text,
                                          velvet::ascribe(velvet::number(k), quantified.type));
    if (holds(*body, state) == false)
      changed = mend(body, state, depth + 1) || changed;
  }
  return changed;
}

bool States::mendUnfolded(const Expr& call, State& state, int depth) {
  if (call.args[0]->text.starts_with("Plumbline.Fits"))
    return assign(*call.args[1], method_test::intValue(draw(0, 100)), state);
  const velvet::Definition* definition = m_evaluator.definition(call.args[0]->text);
  if (definition == nullptr || definition->type != "Prop" || !definition->lets.empty())
    return false;
  ExprPtr body = definition->value;
  size_t next = 1;
  for (const velvet::Binder& binder : definition->binders)
    if (binder.bracket == velvet::Bracket::Round && next < call.args.size())
      body = goals::withValue(body, binder.name, call.args[next++]);
  return mend(body, state, depth + 1);
}

bool States::mend(const ExprPtr& prop, State& state, int depth) {
  if (depth > 10)
    return false;
  if (prop->form == Form::Forall)
    return mendEverywhere(*prop, state, depth);
  if (prop->form == Form::Apply && prop->args[0]->form == Form::Name)
    return mendUnfolded(*prop, state, depth);
  if (prop->form == Form::Unary && prop->unary == velvet::UnaryOp::Not &&
      prop->args[0]->form == Form::Binary) {
    const Expr& inner = *prop->args[0];
    if (inner.binary == BinaryOp::Less)
      return mend(velvet::binary(BinaryOp::LessEqual, inner.args[1], inner.args[0]), state, depth + 1);
    if (inner.binary == BinaryOp::LessEqual)
      return mend(velvet::binary(BinaryOp::Less, inner.args[1], inner.args[0]), state, depth + 1);
  }
  if (prop->form != Form::Binary)
    return false;
  const Expr& a = *prop->args[0];
  const Expr& b = *prop->args[1];
  if (prop->binary == BinaryOp::Implies)
    return mend(prop->args[1], state, depth + 1);
  if (prop->binary == BinaryOp::And)
    return mend(prop->args[holds(a, state) == true ? 1 : 0], state, depth + 1);
  if (prop->binary == BinaryOp::Or)
    return mend(prop->args[static_cast<size_t>(draw(0, 1))], state, depth + 1);
  const auto left = value(a, state);
  const auto right = value(b, state);
  if (!left || !right)
    return false;
  const auto near = [](const Value& from, int64_t by) {
    Value result = from;
    result.number += by;
    return result;
  };
  const bool numbers = left->kind != Kind::F32 && left->kind != Kind::F64;
  switch (prop->binary) {
  case BinaryOp::Equal: return assign(a, *right, state) || assign(b, *left, state);
  case BinaryOp::NotEqual:
    return numbers &&
           (assign(a, near(*right, draw(1, 3)), state) || assign(b, near(*left, draw(1, 3)), state));
  case BinaryOp::LessEqual:
    return numbers &&
           (draw(0, 1) == 0
                ? assign(a, near(*right, -draw(0, 2)), state) || assign(b, near(*left, draw(0, 2)), state)
                : assign(b, near(*left, draw(0, 2)), state) || assign(a, near(*right, -draw(0, 2)), state));
  case BinaryOp::Less:
    return numbers &&
           (draw(0, 1) == 0
                ? assign(a, near(*right, -draw(1, 3)), state) || assign(b, near(*left, draw(1, 3)), state)
                : assign(b, near(*left, draw(1, 3)), state) || assign(a, near(*right, -draw(1, 3)), state));
  default: return false;
  }
}

} // namespace plumbline::goals_test
