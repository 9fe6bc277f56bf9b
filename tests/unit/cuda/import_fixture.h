// One warm importer for all tests of this binary, and marked sources.
#pragma once

#include "core/cuda/cuda_import.h"

#include <gtest/gtest.h>

namespace plumbline::cuda::test {

inline StopToken limit() {
  return StopToken().withTimeout(std::chrono::seconds(60));
}

inline ImportedCuda import(const std::string& source) {
  static Expected<CudaImporter> importer = CudaImporter::start();
  if (!importer) {
    ADD_FAILURE() << toString(importer.error());
    return {};
  }
  Expected<ImportedCuda> imported = importer->importSource(source, "test.cu", limit());
  if (!imported) {
    ADD_FAILURE() << toString(imported.error()) << "\n" << source;
    return {};
  }
  return std::move(*imported);
}

/// Source text in which a caret in a comment, `/*^*/`, stands before the place that is spoken of. Comments
/// keep the compiler from minding it.
struct Marked {
  std::string text;
  int line = 1;
  int column = 1;

  explicit Marked(std::string source) : text(std::move(source)) {
    static const std::string mark = "/*^*/";
    const size_t at = text.find(mark);
    for (size_t i = 0; at != std::string::npos && i < at + mark.size(); ++i) {
      column = text[i] == '\n' ? 1 : column + 1;
      line += text[i] == '\n' ? 1 : 0;
    }
  }
};

inline std::string describe(const std::vector<Rejection>& list) {
  std::string text;
  for (const Rejection& rejection : list)
    text += rejection.id + " at " + toString(rejection.where) + ": " + rejection.construct + "\n";
  return text.empty() ? "nothing" : text;
}

inline const Rejection* find(const std::vector<Rejection>& list, const std::string& id) {
  for (const Rejection& rejection : list)
    if (rejection.id == id)
      return &rejection;
  return nullptr;
}

/// The text of the file's first kernel; a failure when it was rejected.
inline std::string printedKernel(const std::string& source) {
  const ImportedCuda imported = import(source);
  if (imported.module.kernels.empty() || imported.module.kernels[0].function < 0) {
    ADD_FAILURE() << source << "\n"
                  << (imported.module.kernels.empty() ? "no kernel"
                                                      : describe(imported.module.kernels[0].rejections));
    return {};
  }
  const int index = imported.module.kernels[0].function;
  return ir::print(imported.module.functions[static_cast<size_t>(index)], imported.module);
}

} // namespace plumbline::cuda::test
