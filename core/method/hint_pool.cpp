#include "core/method/hint_pool.h"

#include "core/base/child_process.h"

#ifndef PLUMBLINE_RESOURCES
#error "the build defines PLUMBLINE_RESOURCES, the folder of the source tree's resources"
#endif

namespace plumbline::method {

namespace {

/// The text of a member, or nothing when it is of another type.
std::optional<std::string> textOf(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                     : std::nullopt;
}

std::optional<std::string> enginesOf(const Json& object) {
  const auto evidence = object.find("evidence");
  if (evidence == object.end() || !evidence->is_array())
    return std::nullopt;
  std::string engines;
  for (const Json& each : *evidence) {
    const std::optional<std::string> engine = textOf(each, "engine");
    if (!engine)
      return std::nullopt;
    engines += (engines.empty() ? "" : " ") + *engine;
  }
  return engines;
}

std::optional<Hint> hintFrom(const Json& object) {
  Hint hint;
  const std::pair<const char*, std::string*> texts[] = {
      {"name", &hint.name},           {"lean", &hint.theorem},          {"module", &hint.module},
      {"statement", &hint.statement}, {"attributes", &hint.attributes}, {"checked", &hint.checked}};
  for (const auto& [member, target] : texts) {
    std::optional<std::string> text = textOf(object, member);
    if (!text)
      return std::nullopt;
    *target = *std::move(text);
  }
  const std::optional<std::string> engines = enginesOf(object);
  const auto axioms = object.find("axioms");
  const auto formula = object.find("formula");
  if (!engines || axioms == object.end() || !axioms->is_array() || formula == object.end())
    return std::nullopt;
  hint.engines = *engines;
  for (const Json& axiom : *axioms)
    if (axiom.is_string())
      hint.axioms.push_back(axiom.get<std::string>());
  hint.formula = *formula;
  return hint;
}

} // namespace

std::filesystem::path hintPoolFile() {
  namespace fs = std::filesystem;
  const fs::path installed = fs::path(executableFolder()) / ".." / "share" / "plumbline" / "hints.json";
  std::error_code code;
  return fs::exists(installed, code) ? installed.lexically_normal()
                                     : fs::path(PLUMBLINE_RESOURCES "/hints.json");
}

Expected<std::vector<Hint>> readHintPool(const std::filesystem::path& file) {
  const Expected<std::string> text = readFile(file);
  if (!text)
    return fail(text.error());
  const Expected<Json> json = parseJson(*text, file.string());
  if (!json)
    return fail(json.error());
  std::vector<Hint> hints;
  const auto list = json->is_object() ? json->find("hints") : json->end();
  if (list == json->end() || !list->is_array())
    return fail(ErrorKind::File, "hint-pool", file.string() + " is no pool of hints",
                "install Plumbline anew");
  for (const Json& object : *list) {
    std::optional<Hint> hint = object.is_object() ? hintFrom(object) : std::nullopt;
    if (!hint)
      return fail(ErrorKind::File, "hint-pool", "a hint of " + file.string() + " lacks a member",
                  "install Plumbline anew");
    hints.push_back(*std::move(hint));
  }
  return hints;
}

} // namespace plumbline::method
