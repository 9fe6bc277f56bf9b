#include "core/gate/finding_picture.h"

#include "core/ir/concrete_launch.h"

#include <algorithm>
#include <set>

namespace plumbline::gate {
namespace {

constexpr int64_t mostElements = 1 << 18; ///< of all buffers
constexpr int64_t mostThreads = 1 << 14;
constexpr int64_t around = 6; ///< elements on either side
constexpr size_t mostRows = 10;
constexpr size_t mostAccesses = 400; ///< noted, before the most telling are chosen

bool isSmall(const ir::ConcreteLaunch& launch) {
  int64_t threads = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (launch.grid[i] > mostThreads || launch.block[i] > mostThreads)
      return false;
    threads = std::min(threads * launch.grid[i] * launch.block[i], mostThreads + 1);
  }
  int64_t elements = 0;
  for (const auto& [parameter, buffer] : launch.buffers)
    elements = buffer.length > mostElements ? mostElements + 1 : elements + buffer.length;
  return threads <= mostThreads && elements <= mostElements;
}

class Observer {
public:
  Observer(const Problem& problem, const ir::ConcreteLaunch& launch, const StopToken& stop)
      : m_problem(problem), m_launch(launch), m_stop(stop) {}

  std::optional<FindingPicture> of(const Finding& finding) {
    for (const uint64_t step : {uint64_t{0}, uint64_t{1}}) {
      const Expected<ir::RunResult> run = runOnce(step, {});
      if (!run)
        return std::nullopt;
      const auto seen = std::ranges::find_if(run->findings, [&](const ir::RunFinding& each) {
        return ir::name(each.kind) == finding.kind && !each.buffer.empty();
      });
      if (seen == run->findings.end())
        continue;
      FindingPicture picture{seen->buffer, seen->index, lengthOf(seen->buffer), {}};
      const Expected<ir::RunResult> again = runOnce(step, [&](const ir::SeenAccess& access) {
        if (access.buffer == picture.buffer && std::abs(access.index - picture.index) <= around &&
            picture.accesses.size() < mostAccesses)
          picture.accesses.push_back(
              {access.thread, access.index, access.write, access.atomic, access.where});
      });
      if (!again)
        return std::nullopt;
      keepTelling(picture);
      return picture;
    }
    return std::nullopt;
  }

private:
  const ir::Function& function() const {
    return m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
  }

  /// Element k of each buffer is k times `step`, as a small number.
  Expected<ir::RunResult> runOnce(uint64_t step, std::function<void(const ir::SeenAccess&)> onAccess) const {
    ir::BufferContents contents;
    for (const auto& [parameter, buffer] : m_launch.buffers) {
      std::vector<uint64_t>& bits = contents[parameter];
      bits.resize(static_cast<size_t>(std::max<int64_t>(buffer.length, 0)));
      for (size_t k = 0; k < bits.size(); ++k)
        bits[k] = step * (k % 7);
    }
    Expected<ir::Memory<ir::IeeeDomain>> memory = ir::makeMemory(m_launch, function(), contents);
    auto interpreter = ir::Interpreter<ir::IeeeDomain>::make(*m_problem.module, m_problem.kernel->function);
    if (!memory || !interpreter)
      return fail(memory ? interpreter.error() : memory.error());
    ir::RunOptions<ir::IeeeDomain> options;
    options.stepLimit = 5'000'000;
    options.stop = m_stop;
    options.onAccess = std::move(onAccess);
    return interpreter->run(m_launch, *memory, options);
  }

  int64_t lengthOf(const std::string& name) const {
    if (const auto buffer = m_launch.buffers.find(name); buffer != m_launch.buffers.end())
      return buffer->second.length;
    for (const ir::ArrayVariable& array : function().arrays)
      if (array.name == name && array.length() >= 0)
        return array.length();
    return -1;
  }

  /// A few threads: those at the element first.
  static void keepTelling(FindingPicture& picture) {
    std::stable_sort(picture.accesses.begin(), picture.accesses.end(),
                     [&](const PictureAccess& a, const PictureAccess& b) {
                       return (a.index == picture.index) > (b.index == picture.index);
                     });
    std::set<std::pair<std::array<int64_t, 3>, std::array<int64_t, 3>>> rows;
    std::vector<PictureAccess> kept;
    for (PictureAccess& access : picture.accesses) {
      const auto row = std::pair(access.thread.block, access.thread.thread);
      if ((rows.size() >= mostRows && !rows.contains(row)) ||
          std::find(kept.begin(), kept.end(), access) != kept.end())
        continue;
      rows.insert(row);
      kept.push_back(std::move(access));
    }
    picture.accesses = std::move(kept);
  }

  const Problem& m_problem;
  const ir::ConcreteLaunch& m_launch;
  const StopToken& m_stop;
};

/// The module's sizes; the finding may have those of the launch contract instead.
std::optional<Sizes> sizesOf(logic::TermStore& store, const Problem& problem, const Finding& finding) {
  Sizes sizes;
  for (const std::string& variable : problem.sizeVariables) {
    const logic::TermId term = store.var(logic::Sort::Int, variable);
    if (const auto given = finding.sizes.find(variable); given != finding.sizes.end())
      sizes[variable] = given->second;
    for (const auto& [symbol, value] : problem.contractSymbols)
      if (const auto given = finding.sizes.find(symbol); value == term && given != finding.sizes.end())
        sizes[variable] = given->second;
  }
  if (sizes.size() == problem.sizeVariables.size())
    return sizes;
  constexpr size_t tried = 64;
  for (Sizes& small : smallSizes(store, problem, tried, mostElements))
    if (const Expected<ir::ConcreteLaunch> launch = launchAt(store, problem, small);
        launch && launch->symbols == finding.sizes)
      return std::move(small);
  return std::nullopt;
}

} // namespace

std::optional<FindingPicture> pictureOf(logic::TermStore& store, const Problem& problem,
                                        const Finding& finding, const StopToken& stop) {
  const std::optional<Sizes> sizes = sizesOf(store, problem, finding);
  if (!sizes)
    return std::nullopt;
  const Expected<ir::ConcreteLaunch> launch = launchAt(store, problem, *sizes);
  if (!launch || !launch->findings.empty() || !isSmall(*launch))
    return std::nullopt;
  return Observer(problem, *launch, stop).of(finding);
}

} // namespace plumbline::gate
