#include "app/cli/ptx_import.h"

#include "app/cli/commands.h"

#include "core/cuda/ptx/facts.h"
#include "core/session/sources.h"

#include <sstream>

namespace plumbline::cli {
namespace {

Expected<std::pair<std::vector<cuda::KernelFacts>, cuda::PtxText>> compile(const std::string& file,
                                                                           const Arguments& arguments) {
  const Expected<std::string> nvcc = cuda::findNvcc(arguments.value("--nvcc"));
  if (!nvcc)
    return fail(nvcc.error());
  session::CheckOptions options;
  options.kernel = file;
  session::ImportChildren children;
  Expected<session::ImportChildren::Candidate> candidate = children.readKernel(options, {});
  if (!candidate)
    return fail(candidate.error());
  cuda::PtxRequest request = cuda::ptxRequest(candidate->imported, std::move(candidate->text), file);
  request.nvcc = *nvcc;
  request.arch = arguments.value("--arch", request.arch);
  if (const auto given = arguments.values.find("--flags"); given != arguments.values.end())
    for (const std::string& text : given->second) {
      std::istringstream words(text);
      for (std::string word; words >> word;)
        request.flags.push_back(word);
    }
  Expected<cuda::PtxText> text =
      cuda::compileToPtx(request, StopToken().withTimeout(std::chrono::minutes(5)));
  if (!text)
    return fail(text.error());
  const Expected<cuda::PtxModule> module = cuda::readPtx(text->ptx);
  if (!module)
    return fail(module.error());
  return std::pair{cuda::factsOf(*module, file), *std::move(text)};
}

} // namespace

Expected<void> checkPtxOptions(const Arguments& arguments) {
  const bool asked = arguments.has("--ptx");
  const bool isCuda = arguments.positional[0] == "cuda";
  const bool hasOptions = arguments.values.contains("--arch") || arguments.values.contains("--nvcc") ||
                          arguments.values.contains("--flags");
  if ((asked && !isCuda) || (hasOptions && !asked))
    return fail(ErrorKind::Usage, "usage",
                "--ptx goes with import cuda, and --arch, --nvcc and --flags with --ptx",
                "plumbline import cuda FILE --ptx [--arch sm_80] [--nvcc PATH] [--flags FLAGS]");
  return {};
}

int importPtx(const std::string& file, const Arguments& arguments) {
  const bool json = arguments.has("--json");
  const auto compiled = compile(file, arguments);
  if (!compiled)
    return report(compiled.error(), json);
  const auto& [kernels, text] = *compiled;
  return printOut(json ? prettyJson(cuda::toJson(kernels, text, file)) : cuda::print(kernels, text, file))
             ? 0
             : 4;
}

} // namespace plumbline::cli
