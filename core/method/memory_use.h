// Which tensors and arrays the statements of a kernel read and write.
#pragma once

#include "core/gate/problem.h"

#include <set>

namespace plumbline::method {

/// The name under which a kernel's array variable stands beside the tensors: "#3".
std::string arrayKey(int array);
std::optional<int> arrayOfKey(const std::string& memory);

/// Of the kernel of a problem. Pointers are followed to where they may have come from, calls into what they
/// are given.
class MemoryUse {
public:
  explicit MemoryUse(const gate::Problem& problem);

  /// Tensors by name and arrays by key that the statements may write.
  std::set<std::string> written(const std::vector<ir::StmtId>& body) const;
  /// The statements name the array, or hold a pointer that may point into it.
  bool mentions(const std::vector<ir::StmtId>& body, int array) const;

private:
  std::set<std::string> roots(ir::ExprId id) const;
  void followPointers();
  void collectWritten(const std::vector<ir::StmtId>& body, std::set<std::string>& result) const;
  void collectCalls(ir::ExprId id, std::set<std::string>& result) const;
  void collectRoots(ir::ExprId id, std::set<std::string>& result) const;
  void collectMentioned(const std::vector<ir::StmtId>& body, std::set<std::string>& result) const;

  const gate::Problem& m_problem;
  const ir::Function& m_function;
  std::vector<std::set<std::string>> m_pointsTo; ///< by local
};

} // namespace plumbline::method
