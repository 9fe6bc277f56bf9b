#include "core/session/save.h"

#include <map>

namespace plumbline::session {

Expected<void> prepareFolder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code || !std::filesystem::is_directory(folder))
    return fail(ErrorKind::File, "file-unwritable", "cannot make the folder " + folder.string(),
                "name a folder that may be written with --out");
  const std::filesystem::path probe = folder / ".plumbline-probe";
  Expected<void> written = writeFile(probe, "");
  std::filesystem::remove(probe, code);
  return written;
}

Expected<void> saveOutcome(const std::filesystem::path& folder, Verdict& verdict) {
  std::map<std::string, std::string> saved; // one file for evidence that shares its text
  for (Goal& goal : verdict.goals)
    for (Evidence& evidence : goal.evidence) {
      if (evidence.text.empty())
        continue;
      auto [entry, fresh] =
          saved.try_emplace(evidence.text, "query-" + std::to_string(saved.size() + 1) + ".smt2");
      if (fresh)
        if (Expected<void> written = writeFile(folder / entry->second, evidence.text); !written)
          return written;
      evidence.artefact = entry->second;
    }
  return writeFile(folder / "verdict.json", prettyJson(toJson(verdict)));
}

} // namespace plumbline::session
