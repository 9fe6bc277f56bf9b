#include "core/gate/grid/program_replay.h"

#include "core/gate/grid/contents.h"
#include "core/ir/finding.h"

#include <algorithm>

namespace plumbline::gate::grid {
namespace {

constexpr int64_t mostElements = 1 << 18; ///< of the wrapper's tensors together

/// The element type with which a kernel sees a tensor of the wrapper.
ir::ScalarType typeOf(const ir::Module& module, const ir::HostProgram& program, const std::string& tensor) {
  for (const ir::ProgramStep& step : program.steps)
    for (const ir::BufferContract& buffer : step.launch.buffers) {
      if (step.kind != ir::ProgramStep::Kind::Launch || buffer.tensor != tensor)
        continue;
      for (const ir::Kernel& kernel : module.kernels)
        if (kernel.name == step.launch.kernel && kernel.function >= 0)
          for (const ir::Local& local : module.functions[static_cast<size_t>(kernel.function)].locals)
            if (local.name == buffer.parameter && local.type.pointer)
              return local.type.scalar;
    }
  return ir::ScalarType::F32;
}

class Inputs {
public:
  Inputs(const ir::Module& module, const ir::HostProgram& program,
         const std::map<std::string, int64_t>& sizes)
      : m_module(module), m_program(program), m_sizes(sizes) {}

  /// Nothing when the tensors would be too large.
  std::optional<ir::TensorFile> make(Contents contents) const {
    ir::TensorFile file;
    file.symbols = m_sizes;
    int64_t elements = 0;
    for (const std::string& name : m_program.wrapperParameters) {
      const bool tensor = std::ranges::count(m_program.wrapperTensors, name) != 0;
      if (tensor && known(name + ".defined").value_or(1) == 0)
        continue;
      ir::Tensor made = tensor ? tensorOf(name) : scalarOf(name);
      const std::optional<int64_t> count = ir::elementCount(made.shape);
      elements += count.value_or(mostElements + 1);
      if (!count || elements > mostElements)
        return std::nullopt;
      if (tensor)
        fill(made, *count, contents, file.tensors.size() + 1);
      file.tensors.emplace(name, std::move(made));
    }
    return file;
  }

private:
  std::optional<int64_t> known(const std::string& symbol) const {
    const auto found = m_sizes.find(symbol);
    return found == m_sizes.end() ? std::nullopt : std::optional(found->second);
  }

  ir::Tensor tensorOf(const std::string& name) const {
    ir::Tensor made;
    made.type = typeOf(m_module, m_program, name);
    for (int64_t i = 0; i < 8; ++i)
      if (const std::optional<int64_t> size = known(name + ".size." + std::to_string(i)))
        made.shape.push_back(*size);
    const std::optional<int64_t> elements = known(name + ".numel");
    if (elements && ir::elementCount(made.shape) != elements)
      made.shape = {*elements};
    return made;
  }

  ir::Tensor scalarOf(const std::string& name) const {
    if (const std::optional<int64_t> integer = known(name))
      return {ir::ScalarType::I64, {}, {static_cast<uint64_t>(*integer)}};
    return {ir::ScalarType::F32, {}, {0x3FC00000}}; // 1.5
  }

  static void fill(ir::Tensor& tensor, int64_t count, Contents contents, uint64_t seed) {
    ir::Buffer<ir::IeeeDomain> buffer("", tensor.type, count, [&](int64_t index) {
      return initialCell(tensor.type, contents, seed, index);
    });
    tensor.bits = ir::bitsOf(buffer);
  }

  const ir::Module& m_module;
  const ir::HostProgram& m_program;
  const std::map<std::string, int64_t>& m_sizes;
};

} // namespace

std::optional<ir::RunFinding> seenInProgram(const ir::Module& module, const ir::HostProgram& program,
                                            const Finding& finding, const StopToken& stop) {
  const ir::Schedule backward{ir::Schedule::Kind::Backward, 0};
  for (const Contents contents : {Contents::Small, Contents::Zeros, Contents::Wild}) {
    const std::optional<ir::TensorFile> inputs = Inputs(module, program, finding.sizes).make(contents);
    if (!inputs)
      return std::nullopt;
    for (const ir::Schedule& schedule : {ir::Schedule{}, backward}) {
      const Expected<ir::ProgramRun> run = ir::runProgram(module, program, *inputs, schedule, stop);
      if (!run)
        continue;
      for (const ir::RunFinding& seen : run->findings)
        if (findingKind(seen.kind) == finding.kind)
          return seen;
    }
  }
  return std::nullopt;
}

std::string launchLabel(int number, const std::string& kernel) {
  return "launch " + std::to_string(number) + ", " + kernel;
}

namespace {

std::string launchPrefix(const ir::HostProgram& program, int number) {
  int launches = 0;
  for (const ir::ProgramStep& step : program.steps)
    if (step.kind == ir::ProgramStep::Kind::Launch && ++launches == number)
      return launchLabel(number, step.launch.kernel) + ": ";
  return "";
}

} // namespace

std::vector<Finding> plainProgramFaults(const ir::Module& module, const ir::HostProgram& program,
                                        const std::vector<std::map<std::string, int64_t>>& sizes,
                                        std::chrono::milliseconds budget, const StopToken& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Finding> found;
  for (const std::map<std::string, int64_t>& each : sizes)
    for (const Contents contents : {Contents::Small, Contents::Zeros}) {
      if (stop.stopRequested() || std::chrono::steady_clock::now() - start > budget)
        return found;
      const std::optional<ir::TensorFile> inputs = Inputs(module, program, each).make(contents);
      if (!inputs)
        continue;
      const Expected<ir::ProgramRun> run = ir::runProgram(module, program, *inputs, {}, stop);
      if (!run || run->findings.empty())
        continue;
      const ir::RunFinding& first = run->findings.front();
      const bool alone = std::ranges::all_of(
          run->findings, [&](const ir::RunFinding& seen) { return seen.kind == first.kind; });
      if (!alone || std::ranges::count(found, findingKind(first.kind), &Finding::kind) != 0)
        continue;
      describe(found.emplace_back(), first);
      found.back().message.insert(0, launchPrefix(program, run->faultyLaunch));
      found.back().sizes = each;
    }
  return found;
}

} // namespace plumbline::gate::grid
