// Bool and Int terms as C.
#pragma once

#include "core/gate/vercors/size_text.h"
#include "core/gate/vercors/walk.h"

namespace plumbline::gate::vercors {

/// What the variables of terms are called at one place of the program. What has no name there has no text.
class TermText {
public:
  TermText(const Setting& setting, const SizeText& sizes, const std::vector<std::string>& locals);

  /// Loop counters by the locals that hold them there.
  void setEnvironment(const Walk& walk, const Environment& environment);
  void setName(logic::TermId variable, std::string name) { m_names[variable] = std::move(name); }

  std::optional<std::string> text(logic::TermId id) const;

private:
  const logic::TermStore& m_store;
  const SizeText& m_sizes;
  std::vector<std::string> m_locals; ///< in the body
  std::map<logic::TermId, std::string> m_names;
};

} // namespace plumbline::gate::vercors
