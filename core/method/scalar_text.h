// Terms of a spec as expressions over the class Plumbline.Scalar.
#pragma once

#include "core/logic/term.h"
#include "core/velvet/syntax.h"

#include <optional>
#include <unordered_map>

namespace plumbline::method {

/// What all writers of specs share; leaves are the writer's own. Throws Refused.
class ScalarText {
public:
  explicit ScalarText(const logic::TermStore& store) : m_store(store) {}
  virtual ~ScalarText() = default;

  /// Of type S, Bool or Int, by sort; the name given to the term by a let where there is one.
  velvet::ExprPtr value(logic::TermId term) const;
  /// From now on the term is written as this name.
  void setName(logic::TermId term, const std::string& name) { m_names[term] = name; }
  bool hasName(logic::TermId term) const { return m_names.contains(term); }

protected:
  const logic::TermStore& store() const { return m_store; }
  virtual velvet::ExprPtr variable(logic::TermId term) const = 0;
  virtual velvet::ExprPtr load(logic::TermId term) const = 0;
  virtual velvet::ExprPtr integer(logic::TermId term) const;

private:
  velvet::ExprPtr boolean(logic::TermId term) const;
  velvet::ExprPtr scalar(logic::TermId term) const;
  velvet::ExprPtr choose(const logic::Term& term) const;
  velvet::ExprPtr operation(const logic::Term& term) const;
  std::optional<velvet::ExprPtr> inverseRoot(const logic::Term& term) const;
  velvet::ExprPtr opaque(logic::TermId term) const;
  std::vector<velvet::ExprPtr> values(const std::vector<logic::TermId>& terms) const;

  const logic::TermStore& m_store;
  std::unordered_map<logic::TermId, std::string> m_names;
};

} // namespace plumbline::method
