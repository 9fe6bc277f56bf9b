// Names in an --inputs file that nothing asks for: mostly a misspelt one, whose right name is then missing.
#pragma once

#include "core/ir/tensor_io.h"

#include <string>
#include <vector>

namespace plumbline::cli {

class InputNames {
public:
  /// `known` are the names that may be given, `owner` is whose they are: "the module".
  InputNames(const std::string& owner, const std::vector<std::string>& known,
             const std::vector<std::string>& given);

  /// The error, with an unknown name as its cause where there is one: then of id "input-unknown".
  Error explain(Error error) const;
  /// Tells on standard error what was given and not used.
  void noteUnused(const char* command) const;

private:
  std::string m_unknown; ///< 'a', 'b'; empty: none
  std::string m_known;
  std::string m_owner;
};

/// All names of a file.
std::vector<std::string> namesIn(const ir::TensorFile& file);

} // namespace plumbline::cli
