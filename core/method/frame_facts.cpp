#include "core/method/frame_facts.h"

#include "core/method/lean_names.h"

#include <algorithm>

namespace plumbline::method {

using velvet::BinaryOp;

namespace {

void collectAssigned(const std::vector<velvet::Stmt>& body, std::set<std::string>& names) {
  for (const velvet::Stmt& stmt : body) {
    if (stmt.kind == velvet::StmtKind::Set)
      names.insert(stmt.name);
    collectAssigned(stmt.body, names);
    collectAssigned(stmt.otherwise, names);
  }
}

void eraseDeclared(const std::vector<velvet::Stmt>& body, std::set<std::string>& names) {
  for (const velvet::Stmt& stmt : body) {
    if (stmt.kind == velvet::StmtKind::Let)
      names.erase(stmt.name);
    eraseDeclared(stmt.body, names);
    eraseDeclared(stmt.otherwise, names);
  }
}

} // namespace

void FrameFacts::add(const std::string& name, Fact fact) {
  std::erase_if(m_facts, [&](const auto& known) { return known.first == name; });
  m_facts.emplace_back(name, std::move(fact));
}

std::vector<velvet::Clause> FrameFacts::invariants(const std::vector<velvet::Stmt>& body,
                                                   const std::string& label, const velvet::LineOrigin& origin,
                                                   Environment& environment) const {
  std::set<std::string> assigned;
  collectAssigned(body, assigned);
  eraseDeclared(body, assigned); // every name of a method is declared once
  std::vector<velvet::Clause> result;
  for (const auto& [name, fact] : m_facts) {
    if (!assigned.contains(name))
      continue;
    const bool isArray = fact.size != nullptr;
    velvet::ExprPtr prop =
        isArray ? velvet::binary(BinaryOp::Equal, velvet::field(velvet::name(name), "size"), fact.size)
                : velvet::apply(fitsName(fact.type), {velvet::name(name)});
    result.push_back(
        {environment.fresh(label + "_" + name + (isArray ? "_size" : "_fits")), std::move(prop), origin, {}});
  }
  return result;
}

velvet::Clause openInvariant(const std::string& label, const velvet::LineOrigin& origin,
                             Environment& environment) {
  return {environment.fresh(label + "_open"), velvet::name("True"), origin,
          "yours: what holds of the values after each turn"};
}

} // namespace plumbline::method
