// plumbline serve: the language server on standard input and output, as plumbline-server is.
#include "app/cli/commands.h"

#include "lean-bridge/server/parts.h"

#include <unistd.h>

namespace plumbline::cli {

int serveCommand(const std::vector<std::string>& words) {
  const Expected<Arguments> arguments = parseArguments(words, ArgumentRules{{"--stdio"}, {}, {}, 0});
  if (!arguments)
    return report(arguments.error(), false);
  return server::serve(STDIN_FILENO, STDOUT_FILENO, server::allParts());
}

} // namespace plumbline::cli
