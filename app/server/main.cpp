// plumbline-server: the language server for method documents, on standard input and output.
#include "lean-bridge/server/parts.h"
#include "lean-bridge/server/stdio.h"

#include <unistd.h>

int main() {
  return plumbline::server::serve(STDIN_FILENO, STDOUT_FILENO, plumbline::server::allParts());
}
