#include "tests/unit/gate_grid/sanitizer_runs.h"

#include "core/gate/grid/replay.h"

#include <algorithm>
#include <functional>

namespace plumbline::gate::grid {
namespace {

using differential::SanitizedKernels;
using differential::SanitizedLaunch;
using differential::Sanitizer;

constexpr int64_t mostThreads = 1600;  // of a launch: each is one for the sanitizer
constexpr int64_t mostElements = 8192; // of its buffers
constexpr size_t fewest = 4, evenlyChosen = 8, busiestChosen = 3;
constexpr size_t batch = 64;
constexpr std::chrono::seconds runLimit{30};

int64_t threadsOf(const ir::ConcreteLaunch& launch) {
  int64_t threads = 1;
  for (size_t axis = 0; axis < 3; ++axis)
    threads *= std::min(launch.grid[axis] * launch.block[axis], mostThreads + 1);
  return threads;
}

int64_t elementsOf(const ir::ConcreteLaunch& launch) {
  int64_t elements = 0;
  for (const auto& [name, buffer] : launch.buffers)
    elements += std::min(buffer.length, mostElements + 1);
  return elements;
}

bool isSmall(const ir::ConcreteLaunch& launch) {
  return threadsOf(launch) <= mostThreads && elementsOf(launch) <= mostElements && launch.findings.empty();
}

double workOfThread(const ir::ConcreteLaunch& launch) {
  return static_cast<double>(elementsOf(launch)) /
         static_cast<double>(std::max<int64_t>(threadsOf(launch), 1));
}

ir::BufferContents contentsFor(const ir::ConcreteLaunch& launch, const ir::Function& function,
                               Contents contents) {
  ir::BufferContents all;
  for (int i = 0; i < function.parameterCount; ++i) {
    const ir::Local& parameter = function.locals[static_cast<size_t>(i)];
    if (!parameter.type.pointer)
      continue;
    const ir::BufferBinding& buffer = launch.buffers.at(parameter.name);
    std::vector<ir::Buffer<ir::IeeeDomain>::Cell> cells;
    cells.reserve(static_cast<size_t>(buffer.length));
    for (int64_t k = 0; k < buffer.length; ++k)
      cells.push_back(initialCell(parameter.type.scalar, buffer.zeroInitialised ? Contents::Zeros : contents,
                                  static_cast<uint64_t>(i) + 1, k));
    all[parameter.name] =
        ir::bitsOf(ir::Buffer<ir::IeeeDomain>(parameter.name, parameter.type.scalar, std::move(cells)));
  }
  return all;
}

/// Small sizes of all kinds, and those where a thread has most to do.
std::vector<ir::ConcreteLaunch> smallLaunches(const Replay& replay) {
  std::vector<ir::ConcreteLaunch> small;
  for (const std::map<std::string, int64_t>& sizes : replay.smallSizes(1000))
    if (std::optional<ir::ConcreteLaunch> launch = replay.launch(sizes); launch && isSmall(*launch))
      small.push_back(std::move(*launch));
  std::vector<ir::ConcreteLaunch> chosen;
  const size_t count = small.empty() ? 0 : std::clamp(small.size(), fewest, evenlyChosen);
  chosen.reserve(count + busiestChosen);
  for (size_t i = 0; i < count; ++i)
    chosen.push_back(small[i * small.size() / count]);
  std::ranges::stable_sort(small, std::greater(), workOfThread);
  small.resize(std::min(small.size(), busiestChosen));
  chosen.insert(chosen.end(), small.begin(), small.end());
  return chosen;
}

/// Each with other contents, another order of the threads, another alignment.
std::vector<SanitizedLaunch> launchesOf(const Replay& replay, const ir::Function& function) {
  std::vector<SanitizedLaunch> launches;
  for (ir::ConcreteLaunch& launch : smallLaunches(replay)) {
    const size_t i = launches.size();
    const Contents contents = i % 3 == 0 ? Contents::Small : i % 3 == 1 ? Contents::Wild : Contents::Zeros;
    ir::BufferContents filled = contentsFor(launch, function, contents);
    launches.push_back({std::move(launch), std::move(filled), i % 2 == 1, i / 2 % 2 == 1});
  }
  return launches;
}

} // namespace

void SanitizerRuns::add(const std::string& source, const ir::Module& module,
                        const ir::LaunchContract& contract) {
  const ir::Kernel& kernel = module.kernels[0];
  const ir::Function& function = module.functions[static_cast<size_t>(kernel.function)];
  const Replay replay(module, kernel, contract, false, {});
  m_cases.push_back({{source, kernel.name}, function, launchesOf(replay, function)});
}

void SanitizerRuns::watchOne(const SanitizedKernels& kernels, size_t position, size_t number,
                             SanitizerVerdict& verdict) const {
  const Case& each = m_cases[number];
  if (!each.function)
    return;
  const Expected<std::string> found = kernels.run(position, *each.function, each.launches, runLimit);
  if (!found)
    verdict.why = toString(found.error());
  else if (!found->empty())
    verdict.kinds.insert(*found);
}

/// Those that do not compile are found by halving.
void SanitizerRuns::watch(const std::vector<size_t>& cases, Sanitizer sanitizer,
                          std::vector<SanitizerVerdict>& verdicts) const {
  std::vector<differential::SanitizedSource> sources;
  sources.reserve(cases.size());
  for (const size_t number : cases)
    sources.push_back(m_cases[number].source);
  const Expected<SanitizedKernels> kernels = SanitizedKernels::compile(sources, sanitizer);
  if (kernels) {
    for (size_t i = 0; i < cases.size(); ++i)
      watchOne(*kernels, i, cases[i], verdicts[cases[i]]);
  } else if (cases.size() == 1 || kernels.error().id != "native-compile") {
    for (const size_t number : cases)
      verdicts[number].why = toString(kernels.error());
  } else {
    const auto middle = cases.begin() + static_cast<ptrdiff_t>(cases.size() / 2);
    watch({cases.begin(), middle}, sanitizer, verdicts);
    watch({middle, cases.end()}, sanitizer, verdicts);
  }
}

std::vector<SanitizerVerdict> SanitizerRuns::run() const {
  std::vector<SanitizerVerdict> verdicts(m_cases.size());
  std::vector<size_t> runnable;
  for (size_t i = 0; i < m_cases.size(); ++i) {
    if (!m_cases[i].launches.empty())
      runnable.push_back(i);
    else
      verdicts[i].why = "no small launch";
  }
  for (const Sanitizer sanitizer : {Sanitizer::Threads, Sanitizer::Addresses})
    for (size_t first = 0; first < runnable.size(); first += batch)
      watch({runnable.begin() + static_cast<ptrdiff_t>(first),
             runnable.begin() + static_cast<ptrdiff_t>(std::min(first + batch, runnable.size()))},
            sanitizer, verdicts);
  for (size_t i = 0; i < verdicts.size(); ++i) {
    SanitizerVerdict& verdict = verdicts[i];
    if (m_cases[i].function)
      verdict.state = !verdict.kinds.empty() ? SanitizerVerdict::State::Found
                      : verdict.why.empty()  ? SanitizerVerdict::State::Nothing
                                             : SanitizerVerdict::State::Unknown;
  }
  return verdicts;
}

} // namespace plumbline::gate::grid
