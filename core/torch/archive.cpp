#include "core/torch/archive.h"

#include <memory>
#include <minizip/unzip.h>

namespace plumbline::torch {
namespace {

constexpr const char* programMember = "serialized_exported_program.json";
constexpr const char* schemaMajor = "8";
constexpr size_t maxMemberBytes = size_t{1} << 30;

struct CloseZip {
  void operator()(void* file) const { unzClose(file); }
};
using Zip = std::unique_ptr<void, CloseZip>;

tl::unexpected<Error> torn(const std::string& path, const std::string& why) {
  return fail(ErrorKind::File, "archive-torn", path + ": " + why,
              "save the program again with torch.export.save");
}

/// Archives of torch.save put members below a folder named after the file; torch.export.save of 2.6 does not.
bool findMember(unzFile zip, const std::string& member) {
  for (int code = unzGoToFirstFile(zip); code == UNZ_OK; code = unzGoToNextFile(zip)) {
    std::string name(512, '\0');
    if (unzGetCurrentFileInfo(zip, nullptr, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK)
      return false;
    name.resize(std::min(name.find('\0'), name.size()));
    if (name == member || name.ends_with("/" + member))
      return true;
  }
  return false;
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

} // namespace

Expected<Json> readExportArchive(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return fail(ErrorKind::File, "file-not-found", "no such file: " + path, "check the path");
  Zip zip(unzOpen64(path.c_str()));
  if (!zip)
    return torn(path, "it is not a complete zip archive");
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
