#include "core/gate/vercors/term_text.h"

#include "core/gate/vercors/names.h"

namespace plumbline::gate::vercors {

using logic::Op;
using logic::TermId;

namespace {

std::optional<std::string> applied(Op op, const std::vector<std::string>& args) {
  auto infix = [&](const char* symbol) { return "(" + args[0] + " " + symbol + " " + args[1] + ")"; };
  switch (op) {
  case Op::IAdd: return infix("+");
  case Op::ISub: return infix("-");
  case Op::IMul: return infix("*");
  case Op::IDiv: return infix("/");
  case Op::IRem: return infix("%");
  case Op::ILt: return infix("<");
  case Op::ILe: return infix("<=");
  case Op::IEq: return infix("==");
  case Op::And: return infix("&&");
  case Op::Or: return infix("||");
  case Op::Not: return "!" + args[0];
  case Op::Ite: return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")";
  default: return std::nullopt;
  }
}

bool isCoordinate(const std::string& name) {
  return name.starts_with("threadIdx.") || name.starts_with("blockIdx.") || name.starts_with("blockDim.") ||
         name.starts_with("gridDim.");
}

} // namespace

TermText::TermText(const Setting& setting, const SizeText& sizes, const std::vector<std::string>& locals)
    : m_store(setting.store), m_sizes(sizes), m_locals(bodyNames(setting.function())) {
  for (const auto& [local, term] : setting.scalars)
    if (m_store[term].op == Op::Var)
      m_names.emplace(term, locals[static_cast<size_t>(local)]);
}

void TermText::setEnvironment(const Walk& walk, const Environment& environment) {
  for (const Loop& loop : walk.loops) {
    if (loop.counter < 0)
      continue;
    m_names.erase(loop.variable);
    const auto now = environment.find(loop.counter);
    if (now != environment.end() && now->second == loop.variable)
      m_names[loop.variable] = m_locals[static_cast<size_t>(loop.counter)];
  }
}

std::optional<std::string> TermText::text(TermId id) const {
  const logic::Term& term = m_store[id];
  if (term.op == Op::IntConst) {
    const auto value = static_cast<int64_t>(term.payload);
    return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
  }
  if (term.op == Op::BoolConst)
    return term.payload != 0 ? "true" : "false";
  if (term.op == Op::Var) {
    if (const auto known = m_names.find(id); known != m_names.end())
      return known->second;
    const std::string& name = m_store.symbolText(id);
    if (isCoordinate(name))
      return name;
    return m_sizes.tryText(*ir::sizeSymbol(name));
  }
  std::vector<std::string> args;
  for (const TermId arg : term.args) {
    std::optional<std::string> made = text(arg);
    if (!made)
      return std::nullopt;
    args.push_back(*std::move(made));
  }
  return applied(term.op, args);
}

} // namespace plumbline::gate::vercors
