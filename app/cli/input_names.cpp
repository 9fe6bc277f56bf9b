#include "app/cli/input_names.h"

#include <algorithm>
#include <cstdio>

namespace plumbline::cli {

InputNames::InputNames(const std::string& owner, const std::vector<std::string>& known,
                       const std::vector<std::string>& given)
    : m_owner(owner) {
  for (const std::string& name : known)
    m_known += (m_known.empty() ? "" : ", ") + name;
  for (const std::string& name : given)
    if (std::ranges::find(known, name) == known.end())
      m_unknown += (m_unknown.empty() ? "'" : ", '") + name + "'";
}

Error InputNames::explain(Error error) const {
  if (m_unknown.empty() || error.kind == ErrorKind::Rejected)
    return error;
  return {ErrorKind::Usage, "input-unknown",
          "the inputs file names " + m_unknown + ", which " + m_owner + " does not take, and " +
              error.message,
          m_owner + " takes " + (m_known.empty() ? "no inputs" : m_known)};
}

void InputNames::noteUnused(const char* command) const {
  if (!m_unknown.empty())
    std::fprintf(stderr, "%s: the inputs file names %s, which %s does not take (it takes %s)\n", command,
                 m_unknown.c_str(), m_owner.c_str(), m_known.empty() ? "no inputs" : m_known.c_str());
}

std::vector<std::string> namesIn(const ir::TensorFile& file) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : file.tensors)
    names.push_back(name);
  for (const auto& [name, value] : file.symbols)
    names.push_back(name);
  return names;
}

} // namespace plumbline::cli
