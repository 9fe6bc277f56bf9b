// What one launch site says for a contract: sizes, buffers, scalars. No Clang here.
#pragma once

#include "core/cuda/clang/host_state.h"
#include "core/cuda/clang/pointer_use.h"

namespace plumbline::cuda {

class LaunchBuilder {
public:
  /// A copy of the state: element counts may add checks.
  LaunchBuilder(const HostState& given, const ir::Module& module) : m_state(given), m_module(module) {}

  struct Buffer {
    int tensor = -1;
    PointerUse use;
    SourceRange where;
  };

protected:
  void refuse(std::string id, std::string construct, const SourceRange& where) {
    m_problems.push_back({std::move(id), std::move(construct), where});
  }
  void refuse(const Rejection& rejection) { m_problems.push_back(rejection); }

  /// Kernel, sizes, buffers and scalars of the site into `contract`. A buffer's `tensor` is the name of the
  /// tensor whose memory it is.
  void site(const LaunchSite& site, ir::LaunchContract& contract);
  ir::SizeExprPtr use(const HostValue& value);
  /// The shape of a tensor that is no parameter; nothing where torch decides it.
  void shapeOf(int tensor, std::string& like, std::vector<ir::SizeExprPtr>& shape);
  void wrapperNames(std::vector<std::string>& parameters, std::vector<std::string>& tensors) const;
  /// Facts, checks and the declarations of all names in `expressions` and in those.
  void environment(const std::vector<ir::SizeExprPtr>& expressions, std::vector<ir::SizeSymbol>& symbols,
                   std::vector<ir::HostFact>& facts, std::vector<ir::HostCheck>& checks);
  static void expressionsOf(const ir::LaunchContract& contract, std::vector<ir::SizeExprPtr>& into);
  const HostTensor& tensor(int index) const { return m_state.tensors[static_cast<size_t>(index)]; }
  const WrapperParameter* wrapperParameter(const std::string& name) const;

  HostState m_state;
  const ir::Module& m_module;
  std::vector<Buffer> m_buffers;    ///< of the site
  std::vector<std::string> m_nulls; ///< pointer parameters of the site that get a null pointer
  std::set<size_t> m_checks;
  std::vector<Rejection> m_problems;

private:
  void dimensions(const HostValue& value, std::array<ir::SizeExprPtr, 3>& into);
  void argument(const LaunchArgument& argument, const PointerUse& use);
  void buffer(const LaunchArgument& argument, const PointerUse& use);
  void constantScalar(const LaunchArgument& argument);
  void passedScalar(const LaunchArgument& argument);
  void integerScalar(const LaunchArgument& argument);

  ir::LaunchContract* m_into = nullptr;
};

} // namespace plumbline::cuda
