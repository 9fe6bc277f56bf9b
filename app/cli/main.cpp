// plumbline: the command line program.
#include "app/cli/commands.h"

#include <cstdio>
#include <cstring>

namespace plumbline::cli {
namespace {

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>& words);
};

constexpr Command commands[] = {
    {"check", checkCommand},       {"import", importCommand}, {"eval", evalCommand},
    {"run", runCommand},           {"method", methodCommand}, {"gate", gateCommand},
    {"coverage", coverageCommand}, {"serve", serveCommand},   {"doctor", doctorCommand},
};

constexpr const char* helpText =
    R"(plumbline: does a CUDA kernel compute the same function as its PyTorch module?

  plumbline check MODEL KERNEL [--reading READING]... [--accept RELATIONS] [--assume EXPR]...
            [--mode train|eval] [--kernel NAME --launch FILE] [--replay pytorch] [--json] [--out DIR]
            [--timeout SECONDS] [--jobs N]
  plumbline import torch FILE|DIR [--json|--lean]
  plumbline import torch FILE.py --class ModelNew [--model MODEL.py] [--mode train|eval] [--json]
  plumbline import cuda FILE|DIR [--json]
  plumbline import cuda FILE|DIR --ptx [--arch sm_80] [--nvcc PATH] [--flags "-use_fast_math ..."] [--json]
  plumbline eval MODEL --inputs FILE [--reading READING] [--at [OUTPUT:]INDEX,...]...
            [--mode train|eval] [--json]
  plumbline run KERNEL --launch FILE --inputs FILE [--kernel NAME] [--schedule forward|backward|random:SEED]
            [--exited-threads-ok] [--json]
  plumbline method MODEL KERNEL [--dialect velvet2|velvet-cav] [--assume EXPR]... [--mode train|eval]
            [--kernel NAME --launch FILE] [--witness] [--sweep] [--json]
  plumbline gate KERNEL [--kernel NAME] [--launch FILE] [--exited-threads-ok] [--queries DIR] [--json]
            [--vercors OUT.cu] [--vercors-timeout SECONDS]
  plumbline coverage DIR [--json]
  plumbline serve                 (the language server for method documents, on standard input and output)
  plumbline doctor [--json]
  plumbline version

READING ieee, real, device:torch-cuda (the module with the formulas of PyTorch's CUDA kernels), or
        device:nvcc-sm_80, ... (the kernel with the products and sums that nvcc fuses)
MODEL   a .py with a class Model (it is executed), a .pt2 archive, or an exported graph .json
KERNEL  a .cu, or a .py that gives CUDA source to load_inline (it is executed)

Exit status of check: 0 equal, 1 different, 2 weaker or undetermined, 3 outside the accepted fragment,
4 usage, file or tool error, 5 refused by the safety gate, 6 conflict.
)";

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

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(helpText, stderr);
    return 4;
  }
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h")
    return printOut(helpText) ? 0 : 4;
  if (words[0] == "version" || words[0] == "--version")
    return printOut("plumbline " PLUMBLINE_VERSION "\n") ? 0 : 4;
  for (const Command& command : commands)
    if (words[0] == command.name)
      return command.run({words.begin() + 1, words.end()});
  return report(
      {ErrorKind::Usage, "usage", "there is no command '" + words[0] + "'", "`plumbline help` shows them"},
      false);
}

} // namespace
} // namespace plumbline::cli

int main(int argc, char** argv) {
  return plumbline::cli::dispatch({argv + 1, argv + argc});
}
