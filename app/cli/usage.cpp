#include "app/cli/usage.h"

#include <algorithm>
#include <string_view>

namespace plumbline::cli {
namespace {

constexpr std::string_view summary =
    "plumbline: does a CUDA kernel compute the same function as its PyTorch module?\n";

/// A command begins with two spaces; what stands deeper goes on it.
constexpr std::string_view commands =
    R"(  plumbline check MODEL KERNEL [--reading READING]... [--accept RELATIONS] [--assume EXPR]...
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
  plumbline serve [--stdio]       (the language server for method documents, on standard input and output)
  plumbline doctor [--json]
  plumbline version
)";

/// The capital words of the commands.
constexpr std::string_view words =
    R"(READING ieee, real, device:torch-cuda (the module with the formulas of PyTorch's CUDA kernels), or
        device:nvcc-sm_80, ... (the kernel with the products and sums that nvcc fuses)
MODEL   a .py with a class Model (it is executed), a .pt2 archive, or an exported graph .json
KERNEL  a .cu, or a .py that gives CUDA source to load_inline (it is executed)
)";

constexpr std::string_view checkStatus =
    R"(Exit status of check: 0 equal, 1 different, 2 weaker or undetermined, 3 outside the accepted fragment,
4 usage, file or tool error, 5 refused by the safety gate, 6 conflict.
)";

constexpr std::string_view gateStatus =
    R"(Exit status of gate: 0 accepted, 2 undetermined, 3 unsupported: a kernel has a construct outside the
accepted fragment, or one that the gate does not read, 4 usage, file or tool error, 5 refused.
)";

constexpr std::string_view methodStatus =
    R"(Exit status: 0 with the document on standard output; otherwise there is none: 3 outside the accepted
fragment, or the theorem of --witness or --sweep cannot be written, 4 usage, file or tool error, 5 the
safety gate refuses the kernel, so that --witness and --sweep have nothing compared.
)";

/// Of a text, the lines that begin something `wanted`, with those that go on it.
template <class Wanted>
std::string paragraphs(std::string_view text, std::string_view deeper, const Wanted& wanted) {
  std::string found;
  bool isIn = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    if (!line.starts_with(deeper))
      isIn = wanted(line);
    if (isIn)
      found += line;
    text.remove_prefix(line.size());
  }
  return found;
}

} // namespace

std::string helpText() {
  std::string text(summary);
  text.append("\n").append(commands).append("\n").append(words).append("\n");
  return text.append(checkStatus) + "`plumbline COMMAND --help` shows one command.\n";
}

std::string usageOf(const std::string& command) {
  const std::string begin = "  plumbline " + command;
  std::string text = paragraphs(commands, "            ", [&](std::string_view line) {
    return line.starts_with(begin) && (line[begin.size()] == ' ' || line[begin.size()] == '\n');
  });
  const std::string meaning = paragraphs(words, "        ", [&](std::string_view line) {
    return text.find(line.substr(0, line.find(' '))) != std::string::npos;
  });
  if (!meaning.empty())
    text += "\n" + meaning;
  if (command == "check")
    text.append("\n").append(checkStatus);
  if (command == "gate")
    text.append("\n").append(gateStatus);
  if (command == "method")
    text.append("\n").append(methodStatus);
  return text;
}

} // namespace plumbline::cli
