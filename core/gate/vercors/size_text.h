// Sizes of a launch as C over the kernel's own parameters: VerCors sees the kernel alone, so a size that no
// parameter carries, and no extent of the launch is, has no name there.
#pragma once

#include "core/ir/kernel.h"
#include "core/ir/launch.h"

namespace plumbline::gate::vercors {

class SizeText {
public:
  SizeText(const ir::LaunchContract& contract, const ir::Function& kernel);

  /// Throws Refused, "vercors-free-size".
  std::string text(const ir::SizeExpr& expr) const;
  /// Nothing: it has no name there.
  std::optional<std::string> tryText(const ir::SizeExpr& expr) const;
  /// The same in terms of its parts, where another name carries the whole.
  std::optional<std::string> partsText(const ir::SizeExpr& expr) const;
  /// A size that is at most this one: of the elements of a tensor, the product of those of its sizes that the
  /// launch speaks of. Nothing when one of them has no name either.
  std::optional<std::string> atMostText(const ir::SizeExpr& expr) const;
  /// What the launch promises of the parameters: ranges, values, conditions. Conditions that need a size
  /// without a parameter are left out: the contract then says less.
  std::vector<std::string> facts() const;

private:
  void shareCarriers();
  bool isTrivial(const ir::SizeExpr& condition) const;

  const ir::LaunchContract& m_contract;
  std::map<std::string, std::string> m_carriers; ///< printed expression -> parameter, or extent of the launch
  std::vector<std::pair<std::string, ir::SizeExprPtr>> m_definitions; ///< parameter, its value
};

} // namespace plumbline::gate::vercors
