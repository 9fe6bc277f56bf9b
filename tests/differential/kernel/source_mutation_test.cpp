// Kernel sources with small mistakes go through the importer, and what it translates through the interpreter.
// A child process that dies or hangs is a named error in this one, and a fault of the child.
#include "core/base/json.h"
#include "core/cuda/cuda_import.h"
#include "core/ir/interpreter.h"
#include "tests/differential/kernel/sampled_launch.h"

#include <gtest/gtest.h>
#include <regex>

namespace plumbline::differential {
namespace {

constexpr auto kLimit = std::chrono::seconds(30);

uint64_t fromEnvironment(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// The cases of this folder and the samples; or the folder that PLUMBLINE_MUTATION_SEEDS names.
std::vector<std::string> seedSources() {
  const char* folder = std::getenv("PLUMBLINE_MUTATION_SEEDS");
  std::vector<std::filesystem::path> paths;
  for (const std::string& root : folder ? std::vector<std::string>{folder}
                                        : std::vector<std::string>{PLUMBLINE_CASES, PLUMBLINE_SAMPLES})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.path().extension() == ".cu")
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> sources;
  for (const std::filesystem::path& path : paths)
    if (Expected<std::string> text = readFile(path))
      sources.push_back(*std::move(text));
  return sources;
}

std::vector<std::string> tokensOf(const std::string& source) {
  static const std::regex token(
      R"([A-Za-z_]\w*|\d[\w.]*|<<<|>>>|::|->|&&|\|\||[<>=!+\-*/%&|^]=|\+\+|--|\s+|[^\s\w])");
  return {std::sregex_token_iterator(source.begin(), source.end(), token), std::sregex_token_iterator()};
}

class Mutator {
public:
  Mutator(const std::vector<std::string>& sources, uint64_t seed) : m_random(seed) {
    for (const std::string& source : sources)
      m_sources.push_back(tokensOf(source));
  }

  std::string next() {
    std::vector<std::string> tokens = any(m_sources);
    for (uint64_t edits = 1 + m_random() % 3; edits > 0; --edits)
      if (!tokens.empty())
        edit(tokens);
    std::string text;
    for (const std::string& token : tokens)
      text += token;
    return text;
  }

private:
  template <class T> const T& any(const std::vector<T>& from) { return from[m_random() % from.size()]; }

  void edit(std::vector<std::string>& tokens) {
    static const std::vector<std::string> literals = {
        "0",     "1",         "-1",  "2147483647", "2147483648", "0x7fffffffffffffff",
        "1e30f", "0.0f/0.0f", "3.5", "31",         "32",         "4294967295",
        "1u",    "2LL",       "'a'", "true",       "nullptr",    "\"s\""};
    static const std::vector<std::string> words = {
        "float",      "double",        "int",        "unsigned", "half",   "float4", "const",    "volatile",
        "__shared__", "__device__",    "__global__", "static",   "return", "break",  "continue", "for",
        "switch",     "__syncthreads", "&",          "*",        "[0]",    "()",     "{",        "}",
        "template",   "auto",          "<<<1,1>>>",  "~",        "?:",     "goto",   "struct",   "this"};
    const size_t at = m_random() % tokens.size();
    const auto place = tokens.begin() + static_cast<int64_t>(at);
    switch (m_random() % 8) {
    case 0: tokens.erase(place); break;
    case 1: tokens.insert(place, *place); break;
    case 2: std::swap(tokens[at], tokens[m_random() % tokens.size()]); break;
    case 3: literal(tokens, any(literals)); break;
    case 4: tokens.insert(place, " " + any(words) + " "); break;
    case 5: *place = any(any(m_sources)); break;
    case 6: {
      const size_t length = std::min(tokens.size() - at, 1 + m_random() % 20);
      const std::vector<std::string> part(place, place + static_cast<int64_t>(length));
      tokens.insert(tokens.begin() + static_cast<int64_t>(m_random() % tokens.size()), part.begin(),
                    part.end());
      break;
    }
    default:
      if (m_random() % 8 == 0)
        tokens.resize(at);
      else
        tokens.erase(place, place + static_cast<int64_t>(std::min(tokens.size() - at, m_random() % 12)));
    }
  }

  void literal(std::vector<std::string>& tokens, const std::string& replacement) {
    for (size_t tried = 0; tried < 50; ++tried)
      if (std::string& token = tokens[m_random() % tokens.size()];
          std::isdigit(static_cast<unsigned char>(token[0]))) {
        token = replacement;
        return;
      }
  }

  std::vector<std::vector<std::string>> m_sources;
  std::mt19937_64 m_random;
};

/// Runs every kernel once; what it finds wrong is of no interest here.
size_t runKernels(const ir::Module& module, uint64_t seed) {
  size_t ran = 0;
  for (const ir::Kernel& kernel : module.kernels) {
    if (kernel.function < 0)
      continue;
    EXPECT_FALSE(ir::print(module.functions[static_cast<size_t>(kernel.function)], module).empty());
    LaunchSampler sampler(module, kernel, nullptr, seed, 2000);
    const std::optional<LaunchSample> sample = sampler.next();
    if (!sample)
      continue;
    auto memory = ir::makeMemory(sample->launch, module.functions[static_cast<size_t>(kernel.function)],
                                 sample->contents);
    const auto interpreter = ir::Interpreter<ir::IeeeDomain>::make(module, kernel.function);
    if (!memory || !interpreter)
      continue;
    ir::RunOptions<ir::IeeeDomain> options;
    options.stepLimit = 1 << 20;
    ran += interpreter->run(sample->launch, *memory, options).has_value();
  }
  return ran;
}

TEST(SourceMutation, IsAnAnswerOrANamedError) {
  const std::vector<std::string> sources = seedSources();
  ASSERT_GT(sources.size(), 10U);
  const uint64_t seed = fromEnvironment("PLUMBLINE_MUTATION_SEED", 1);
  const uint64_t count = fromEnvironment("PLUMBLINE_MUTATIONS", 250);
  Mutator mutator(sources, seed);
  Expected<cuda::CudaImporter> importer = cuda::CudaImporter::start();
  ASSERT_TRUE(importer);
  size_t answers = 0, ran = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string text = mutator.next();
    const auto imported = importer->importSource(text, "mutated.cu", StopToken().withTimeout(kLimit));
    if (imported) {
      ++answers;
      ran += runKernels(imported->module, i);
    } else if (imported.error().id != "empty-source") {
      ADD_FAILURE() << "mutation " << i << " of seed " << seed << ": " << toString(imported.error()) << "\n"
                    << text;
      importer = cuda::CudaImporter::start();
      ASSERT_TRUE(importer);
    }
  }
  std::cout << count << " mutated sources, " << answers << " answers, " << ran << " kernels run\n";
  EXPECT_GT(answers, count / 2);
  EXPECT_GT(ran, count / 20);
}

} // namespace
} // namespace plumbline::differential
