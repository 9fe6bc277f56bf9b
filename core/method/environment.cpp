#include "core/method/environment.h"

#include <algorithm>

namespace plumbline::method {

std::string axisName(size_t axis) {
  return std::string(1, "xyz"[axis]);
}

std::string baseName(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string oneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string placeText(const SourceRange& where) {
  return where.known() ? baseName(where.file) + ":" + std::to_string(where.line) : baseName(where.file);
}

namespace {

class Maker {
public:
  Maker(const logic::TermStore& store, const gate::Problem& problem, const std::set<std::string>& written)
      : m_store(store), m_problem(problem), m_written(written) {}

  Environment run() {
    m_result.method = velvet::identifierFrom(m_problem.kernel->name);
    // The kernel's own names first, in the order of its parameters: they are the ones people look for.
    for (int i = 0; i < function().parameterCount; ++i)
      addParameter(function().locals[static_cast<size_t>(i)]);
    for (const spec::SpecInput& input : m_problem.spec.inputs)
      if (input.tensor.dtype == torch::DType::F32 && !m_result.buffers.contains(input.tensor.name))
        addBuffer(input.tensor.name, input.tensor.name, {});
    for (const std::string& variable : m_problem.sizeVariables)
      m_result.sizes[variable] = m_result.names.fresh(variable);
    for (logic::TermId definition : m_problem.definitions) {
      const std::string& variable = m_store.symbolText(m_store[definition].args[0]);
      m_result.sizes[variable] = m_result.names.fresh(variable);
    }
    for (size_t axis = 0; axis < 3; ++axis)
      addAxis(axis);
    for (const spec::ZeroChoice& choice : m_problem.spec.choices)
      m_result.choices[choice.variable] = m_result.names.fresh(choice.variable);
    m_result.index = m_result.names.fresh("k");
    return std::move(m_result);
  }

private:
  const ir::Function& function() const {
    return m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
  }

  void addParameter(const ir::Local& local) {
    const auto found = m_problem.parameters.find(local.name);
    if (found == m_problem.parameters.end())
      return; // executeThread refuses an unbound parameter
    if (!local.type.pointer)
      m_result.scalars[local.name] = m_result.names.fresh(local.name);
    else if (!m_result.buffers.contains(found->second.buffer))
      addBuffer(found->second.buffer, local.name, found->second);
  }

  void addBuffer(const std::string& tensor, const std::string& wanted, const vc::ParameterBinding& binding) {
    Buffer buffer;
    buffer.tensor = tensor;
    buffer.name = m_result.names.fresh(wanted);
    buffer.written = m_written.contains(tensor);
    buffer.entry = buffer.written ? m_result.names.fresh(wanted + "In") : buffer.name;
    buffer.length = binding.length;
    buffer.zeroInitialised = binding.zeroInitialised;
    buffer.parameter = binding.buffer.empty() ? "" : wanted;
    for (const spec::SpecInput& input : m_problem.spec.inputs)
      if (input.tensor.name == tensor) {
        buffer.isInput = true;
        if (binding.buffer.empty())
          buffer.length = input.tensor.numel;
      }
    m_result.bufferOrder.push_back(tensor);
    m_result.buffers[tensor] = std::move(buffer);
  }

  void addAxis(size_t number) {
    Axis& axis = m_result.axes[number];
    axis.number = number;
    const std::string letter = "_" + axisName(number);
    if (m_store.intValue(m_problem.geometry.gridDim[number]) != 1) {
      axis.gridDim = m_result.names.fresh("gridDim" + letter);
      axis.block = m_result.names.fresh("blk" + letter);
      axis.blockIdx = m_result.names.fresh("blockIdx" + letter);
    }
    if (m_store.intValue(m_problem.geometry.blockDim[number]) != 1) {
      axis.blockDim = m_result.names.fresh("blockDim" + letter);
      axis.thread = m_result.names.fresh("thr" + letter);
      axis.threadIdx = m_result.names.fresh("threadIdx" + letter);
    }
  }

  const logic::TermStore& m_store;
  const gate::Problem& m_problem;
  const std::set<std::string>& m_written;
  Environment m_result;
};

} // namespace

Environment makeEnvironment(const logic::TermStore& store, const gate::Problem& problem,
                            const std::set<std::string>& written) {
  return Maker(store, problem, written).run();
}

} // namespace plumbline::method
