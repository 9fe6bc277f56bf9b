#include "app/cli/cuda_file.h"

namespace plumbline::cli {

Expected<session::ImportChildren::Candidate> readCudaFile(const std::string& path) {
  session::CheckOptions options;
  options.kernel = path;
  session::ImportChildren children;
  Expected<session::ImportChildren::Candidate> candidate = children.readKernel(options, {});
  if (!candidate || candidate->imported.errors.empty())
    return candidate;
  Error error{ErrorKind::Rejected,           "cuda-syntax", "the CUDA source does not compile",
              "mend the errors named above", std::nullopt,  {}};
  error.rejections = candidate->imported.errors;
  return fail(std::move(error));
}

} // namespace plumbline::cli
