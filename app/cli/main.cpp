// plumbline: the command line program.
#include "app/cli/commands.h"
#include "app/cli/usage.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace plumbline::cli {
namespace {

struct Command {
  std::string_view name;
  int (*run)(const std::vector<std::string>& words);
};

constexpr Command commands[] = {
    {"check", checkCommand},       {"import", importCommand}, {"eval", evalCommand},
    {"run", runCommand},           {"method", methodCommand}, {"gate", gateCommand},
    {"coverage", coverageCommand}, {"serve", serveCommand},   {"doctor", doctorCommand},
};

} // namespace

int report(const Error& error, bool json) {
  if (json) {
    Json rejections = Json::array();
    for (const Rejection& rejection : error.rejections)
      rejections.push_back(toJson(rejection));
    printOut(prettyJson({{"schema", 1},
                         {"error", {{"id", error.id}, {"message", error.message}, {"next", error.next}}},
                         {"rejections", rejections}}));
  } else {
    std::fprintf(stderr, "plumbline: %s\n", toString(error).c_str());
  }
  return error.kind == ErrorKind::Rejected ? 3 : 4;
}

bool printOut(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    std::fprintf(stderr, "plumbline: cannot write to standard output [output-unwritable]\n");
  return written;
}

namespace {

const Command* commandNamed(const std::string& name) {
  const auto* found = std::ranges::find(commands, name, &Command::name);
  return found == std::end(commands) ? nullptr : found;
}

bool asksHelp(const std::string& word) {
  return word == "--help" || word == "-h";
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(helpText().c_str(), stderr);
    return 4;
  }
  if (words[0] == "version" || words[0] == "--version")
    return printOut("plumbline " PLUMBLINE_VERSION "\n") ? 0 : 4;
  const bool isHelp = words[0] == "help" || asksHelp(words[0]);
  if (isHelp && words.size() == 1)
    return printOut(helpText()) ? 0 : 4;
  const std::string& name = isHelp ? words[1] : words[0];
  const Command* command = commandNamed(name);
  if (!command)
    return report(
        {ErrorKind::Usage, "usage", "there is no command '" + name + "'", "`plumbline help` shows them"},
        false);
  if (isHelp || std::ranges::any_of(words, asksHelp))
    return printOut(usageOf(name)) ? 0 : 4;
  return command->run({words.begin() + 1, words.end()});
}

} // namespace
} // namespace plumbline::cli

int main(int argc, char** argv) {
  return plumbline::cli::dispatch({argv + 1, argv + argc});
}
