// plumbline-server: the language server for method documents, on standard input and output.
#include "lean-bridge/server/parts.h"
#include "lean-bridge/server/stdio.h"

#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace {

constexpr const char* usage =
    "usage: plumbline-server [--stdio]\n\n"
    "The language server for method documents: it speaks the Language Server Protocol on standard input and "
    "output\n"
    "and is started by an editor (docs/language-server.md). --stdio is what some editors add; it changes "
    "nothing.\n"
    "Exit status: 0 after shutdown and exit in that order, 1 after another end, 4 for a usage error.\n";

} // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h")
      return std::fputs(usage, stdout) < 0 || std::fflush(stdout) != 0 ? 4 : 0;
    if (word == "--version")
      return std::printf("plumbline-server " PLUMBLINE_VERSION "\n") < 0 || std::fflush(stdout) != 0 ? 4 : 0;
    if (word != "--stdio") {
      std::fprintf(stderr, "plumbline-server: unknown argument '%s'\n%s", argv[i], usage);
      return 4;
    }
  }
  return plumbline::server::serve(STDIN_FILENO, STDOUT_FILENO, plumbline::server::allParts());
}
