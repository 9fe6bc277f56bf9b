#include "core/torch/archive.h"

#include <memory>
#include <minizip/unzip.h>

namespace plumbline::torch {
namespace {

constexpr const char* programMember = "serialized_exported_program.json";
constexpr const char* schemaMajor = "8";
constexpr const char* archiveVersion = "0";
constexpr size_t maxMemberBytes = size_t{1} << 30;

struct CloseZip {
  void operator()(void* file) const { unzClose(file); }
};
using Zip = std::unique_ptr<void, CloseZip>;

tl::unexpected<Error> torn(const std::string& path, const std::string& why) {
  return fail(ErrorKind::File, "archive-torn", path + ": " + why,
              "save the program again with torch.export.save");
}

std::optional<std::string> currentName(unzFile zip) {
  std::string name(512, '\0');
  if (unzGetCurrentFileInfo(zip, nullptr, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK)
    return std::nullopt;
  name.resize(std::min(name.find('\0'), name.size()));
  return name;
}

/// The name without the one folder that holds everything, where there is one (it is named after the file).
std::string withoutRoot(const std::string& name) {
  return name.substr(name.find('/') + 1);
}

/// torch.export.save of 2.6 puts its members at the top, later ones below one folder.
bool findMember(unzFile zip, const std::string& member) {
  for (int code = unzGoToFirstFile(zip); code == UNZ_OK; code = unzGoToNextFile(zip)) {
    const std::optional<std::string> name = currentName(zip);
    if (!name)
      return false;
    if (*name == member || withoutRoot(*name) == member)
      return true;
  }
  return false;
}

/// "models/NAME.json" of the layout of PyTorch 2.7 and later, without the root.
std::vector<std::string> modelMembers(unzFile zip) {
  std::vector<std::string> models;
  for (int code = unzGoToFirstFile(zip); code == UNZ_OK; code = unzGoToNextFile(zip))
    if (const std::optional<std::string> name = currentName(zip))
      if (const std::string inner = withoutRoot(*name);
          inner.starts_with("models/") && inner.ends_with(".json"))
        models.push_back(inner);
  return models;
}

/// The bytes of the current member; the checksum is verified when it is closed.
Expected<std::string> readCurrent(unzFile zip, const std::string& path, const std::string& member) {
  if (unzOpenCurrentFile(zip) != UNZ_OK)
    return torn(path, "the member " + member + " cannot be opened");
  std::string content;
  std::string chunk(size_t{1} << 16, '\0');
  int count = 0;
  while ((count = unzReadCurrentFile(zip, chunk.data(), static_cast<unsigned>(chunk.size()))) > 0 &&
         content.size() <= maxMemberBytes)
    content.append(chunk, 0, static_cast<size_t>(count));
  int closed = unzCloseCurrentFile(zip);
  if (count < 0 || closed != UNZ_OK)
    return torn(path, "the member " + member + " is damaged");
  if (content.size() > maxMemberBytes)
    return torn(path, "the member " + member + " is too large");
  return content;
}

Expected<std::string> readMember(unzFile zip, const std::string& path, const std::string& member) {
  if (!findMember(zip, member))
    return torn(path, "it has no member " + member);
  return readCurrent(zip, path, member);
}

/// PyTorch 2.7 and later: archive_format, archive_version, models/NAME.json. The schema's version stands in
/// the document itself.
Expected<Json> readModelArchive(unzFile zip, const std::string& path) {
  auto format = readMember(zip, path, "archive_format");
  if (!format)
    return fail(format.error());
  if (!format->starts_with("pt2"))
    return torn(path, "its archive_format is not pt2");
  auto version = readMember(zip, path, "archive_version");
  if (!version)
    return fail(version.error());
  if (version->substr(0, version->find_last_not_of(" \n") + 1) != archiveVersion)
    return fail(ErrorKind::File, "archive-version",
                path + " has archive version " + version->substr(0, 20) + "; this program reads version 0",
                "save the program with a PyTorch from 2.6 on that writes version 0");
  const std::vector<std::string> models = modelMembers(zip);
  if (models.empty())
    return torn(path, "it has no member models/NAME.json");
  if (models.size() > 1)
    return fail(ErrorKind::Usage, "archive-models",
                path + " holds several programs: " + models[0] + ", " + models[1] +
                    (models.size() > 2 ? ", ..." : ""),
                "save each program in an archive of its own");
  auto text = readMember(zip, path, models[0]);
  return text ? parseJson(*text, path + "/" + models[0]) : fail(text.error());
}

} // namespace

Expected<Json> readExportArchive(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return fail(ErrorKind::File, "file-not-found", "no such file: " + path, "check the path");
  Zip zip(unzOpen64(path.c_str()));
  if (!zip)
    return torn(path, "it is not a complete zip archive");
  if (findMember(zip.get(), "archive_format"))
    return readModelArchive(zip.get(), path);
  auto version = readMember(zip.get(), path, "version");
  if (!version)
    return fail(version.error());
  if (version->substr(0, version->find('.')) != schemaMajor)
    return fail(ErrorKind::File, "archive-version",
                path + " has schema version " + version->substr(0, 20) +
                    "; this program reads version 8 (PyTorch 2.6)",
                "save the program with PyTorch 2.6");
  auto text = readMember(zip.get(), path, programMember);
  if (!text)
    return fail(text.error());
  return parseJson(*text, path + "/" + programMember);
}

} // namespace plumbline::torch
