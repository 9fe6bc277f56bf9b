// .pt2 archives: a document or a named error for any bytes; a document is a graph with a meaning, or has an
// error.
#include "core/torch/archive.h"
#include "tests/fuzz/denoted.h"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = ::memfd_create("archive", MFD_CLOEXEC);
  fuzz::check(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size), "a file in memory");
  const Expected<Json> document = torch::readExportArchive("/proc/self/fd/" + std::to_string(file));
  ::close(file);
  if (!document) {
    fuzz::check(!document.error().id.empty() && !document.error().message.empty(), "a named error");
    return 0;
  }
  if (const Expected<torch::Graph> graph = torch::graphFromExportedJson(*document, "fuzz"))
    fuzz::checkDenotation(*graph);
  return 0;
}
