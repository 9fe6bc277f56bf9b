#include "core/gate/vercors/size_text.h"

#include "core/gate/vercors/names.h"
#include "core/gate/vercors/refusal.h"

#include <algorithm>

namespace plumbline::gate::vercors {

using ir::SizeExpr;

SizeText::SizeText(const ir::LaunchContract& contract, const ir::Function& kernel) : m_contract(contract) {
  const std::vector<std::string> names = localNames(kernel);
  for (int i = 0; i < kernel.parameterCount; ++i) {
    const ir::Local& local = kernel.locals[static_cast<size_t>(i)];
    if (local.type.pointer || local.type.scalar == ir::ScalarType::F32 ||
        local.type.scalar == ir::ScalarType::F64)
      continue;
    const ir::ScalarContract scalar = ir::scalarFor(contract, local.name);
    if (scalar.kind != ir::ScalarContract::Kind::Integer)
      continue;
    const std::string& name = names[static_cast<size_t>(i)];
    m_definitions.emplace_back(name, scalar.integer);
    if (scalar.integer->kind != SizeExpr::Kind::Constant)
      m_carriers.emplace(print(*scalar.integer), name);
  }
  for (size_t axis = 0; axis < 3; ++axis)
    for (const auto& [name, extents] :
         {std::pair("blockDim.", &contract.block), std::pair("gridDim.", &contract.grid)})
      if (const ir::SizeExpr& extent = *(*extents)[axis]; extent.kind != SizeExpr::Kind::Constant)
        m_carriers.emplace(print(extent), std::string(name) + "xyz"[axis]);
  shareCarriers();
}

/// What the host checked to be equal has one carrier.
void SizeText::shareCarriers() {
  std::vector<ir::SizeExprPtr> equations;
  auto collect = [&](auto&& self, const ir::SizeExprPtr& condition) -> void {
    if (condition->kind == SizeExpr::Kind::And)
      for (const ir::SizeExprPtr& arg : condition->args)
        self(self, arg);
    else if (condition->kind == SizeExpr::Kind::Eq)
      equations.push_back(condition);
  };
  for (const ir::HostFact& fact : m_contract.facts)
    if (fact.condition && fact.reliesOn.empty())
      collect(collect, fact.condition);
  for (size_t before = 0; before != m_carriers.size();) {
    before = m_carriers.size();
    for (const ir::SizeExprPtr& equation : equations)
      for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 0)}) {
        const SizeExpr& other = *equation->args[static_cast<size_t>(to)];
        const auto carrier = m_carriers.find(print(*equation->args[static_cast<size_t>(from)]));
        if (carrier != m_carriers.end() && other.kind != SizeExpr::Kind::Constant)
          m_carriers.emplace(print(other), std::string(carrier->second));
      }
  }
}

std::optional<std::string> SizeText::tryText(const SizeExpr& expr) const {
  if (const auto carrier = m_carriers.find(print(expr)); carrier != m_carriers.end())
    return carrier->second;
  return partsText(expr);
}

std::optional<std::string> SizeText::partsText(const SizeExpr& expr) const {
  if (expr.kind == SizeExpr::Kind::Constant)
    return std::to_string(expr.value);
  if (expr.kind == SizeExpr::Kind::Symbol) {
    const auto symbol = std::ranges::find(m_contract.symbols, expr.symbol, &ir::SizeSymbol::name);
    if (symbol != m_contract.symbols.end() && symbol->low == symbol->high)
      return std::to_string(symbol->low);
    return std::nullopt;
  }
  const std::optional<std::string> a = tryText(*expr.args[0]);
  const std::optional<std::string> b = tryText(*expr.args[1]);
  if (!a || !b)
    return std::nullopt;
  auto infix = [&](const char* symbol) { return "(" + *a + " " + symbol + " " + *b + ")"; };
  switch (expr.kind) {
  case SizeExpr::Kind::Add: return infix("+");
  case SizeExpr::Kind::Sub: return infix("-");
  case SizeExpr::Kind::Mul: return infix("*");
  case SizeExpr::Kind::Div: return infix("/");
  case SizeExpr::Kind::Rem: return infix("%");
  case SizeExpr::Kind::Max: return "(" + *a + " < " + *b + " ? " + *b + " : " + *a + ")";
  case SizeExpr::Kind::Min: return "(" + *b + " < " + *a + " ? " + *b + " : " + *a + ")";
  case SizeExpr::Kind::CeilDiv: return "((" + *a + " + " + *b + " - 1) / " + *b + ")";
  case SizeExpr::Kind::Lt: return infix("<");
  case SizeExpr::Kind::Le: return infix("<=");
  case SizeExpr::Kind::Gt: return infix(">");
  case SizeExpr::Kind::Ge: return infix(">=");
  case SizeExpr::Kind::Eq: return infix("==");
  case SizeExpr::Kind::Ne: return infix("!=");
  case SizeExpr::Kind::And: return infix("&&");
  case SizeExpr::Kind::Constant:
  case SizeExpr::Kind::Symbol: break;
  }
  return std::nullopt;
}

std::optional<std::string> SizeText::atMostText(const SizeExpr& expr) const {
  constexpr std::string_view elements = ".numel";
  if (expr.kind != SizeExpr::Kind::Symbol || !expr.symbol.ends_with(elements))
    return std::nullopt;
  const std::string prefix = expr.symbol.substr(0, expr.symbol.size() - elements.size()) + ".size.";
  std::string product;
  for (const ir::SizeSymbol& symbol : m_contract.symbols) {
    if (!symbol.name.starts_with(prefix))
      continue;
    const std::optional<std::string> factor = tryText(*ir::sizeSymbol(symbol.name));
    if (!factor)
      return std::nullopt;
    product = product.empty() ? *factor : "(" + product + " * " + *factor + ")";
  }
  return product.empty() ? std::nullopt : std::optional(product);
}

std::string SizeText::text(const SizeExpr& expr) const {
  std::optional<std::string> made = tryText(expr);
  if (!made)
    refuse("vercors-free-size",
           "the size " + print(expr) +
               ", which neither a parameter of the kernel nor an extent of its launch carries",
           m_contract.where);
  return *std::move(made);
}

/// "n == n": both sides have the same carrier.
bool SizeText::isTrivial(const SizeExpr& condition) const {
  return condition.kind == SizeExpr::Kind::Eq && tryText(*condition.args[0]) == tryText(*condition.args[1]);
}

std::vector<std::string> SizeText::facts() const {
  std::vector<std::string> lines;
  for (const ir::SizeSymbol& symbol : m_contract.symbols)
    if (const auto carrier = m_carriers.find(symbol.name); carrier != m_carriers.end())
      lines.push_back(std::to_string(symbol.low) + " <= " + carrier->second + " && " + carrier->second +
                      " <= " + std::to_string(symbol.high));
  for (const auto& [name, value] : m_definitions)
    if (const std::optional<std::string> made = tryText(*value); made && *made != name)
      lines.push_back(name + " == " + *made);
  for (const ir::HostFact& fact : m_contract.facts)
    if (fact.condition && fact.reliesOn.empty())
      if (std::optional<std::string> made = tryText(*fact.condition); made && !isTrivial(*fact.condition))
        lines.push_back(*std::move(made));
  return lines;
}

} // namespace plumbline::gate::vercors
