#include "core/session/sources.h"

#include <algorithm>

namespace plumbline::session {

namespace {

bool isPython(const std::string& path) {
  return path.ends_with(".py");
}

bool isScripted(const std::string& path) {
  return path.ends_with(".pt");
}

Expected<std::vector<torch::InputSpec>> inputSpecs(const std::vector<std::string>& texts) {
  std::vector<torch::InputSpec> specs;
  for (const std::string& text : texts) {
    Expected<torch::InputSpec> spec = torch::parseInputSpec(text);
    if (!spec)
      return fail(spec.error());
    specs.push_back(*std::move(spec));
  }
  return specs;
}

/// "scale<float>" is also called "scale".
bool named(const std::string& instantiated, const std::string& wanted) {
  return instantiated == wanted || instantiated.substr(0, instantiated.find('<')) == wanted;
}

tl::unexpected<Error> rejected(std::string message, std::string next, std::vector<Rejection> rejections) {
  Error error{ErrorKind::Rejected, rejections.front().id,    std::move(message),
              std::move(next),     rejections.front().where, {}};
  error.rejections = std::move(rejections);
  return fail(std::move(error));
}

} // namespace

void ImportChildren::start(const CheckOptions& options) {
  if (!m_cuda)
    m_cuda = cuda::CudaImporter::start();
  if (!m_python && (isPython(options.model) || isScripted(options.model) || isPython(options.kernel)))
    m_python = torch::PythonCapture::start();
}

Expected<cuda::CudaImporter*> ImportChildren::cuda() {
  if (!m_cuda)
    m_cuda = cuda::CudaImporter::start();
  if (!*m_cuda)
    return fail(m_cuda->error());
  return &**m_cuda;
}

Expected<torch::PythonCapture*> ImportChildren::python() {
  if (!m_python)
    m_python = torch::PythonCapture::start();
  if (!*m_python)
    return fail(m_python->error());
  return &**m_python;
}

Expected<torch::Graph> ImportChildren::readModel(const CheckOptions& options, const StopToken& stop) {
  Expected<std::vector<torch::InputSpec>> inputs = inputSpecs(options.inputs);
  if (!inputs)
    return fail(inputs.error());
  if (!isScripted(options.model) && !inputs->empty())
    return fail(ErrorKind::Usage, "input-spec", "--input describes the inputs of a TorchScript .pt only",
                "leave it out: " + options.model + " knows its own shapes");
  if (!isPython(options.model) && !isScripted(options.model))
    return torch::readGraphFile(options.model);
  if (Expected<std::string> readable = readFile(options.model); !readable)
    return fail(readable.error());
  Expected<torch::PythonCapture*> child = python();
  if (!child)
    return fail(child.error());
  if (isScripted(options.model))
    return (*child)->readScripted(options.model, *inputs, stop);
  return (*child)->captureModel(options.model, options.mode, stop);
}

Expected<ImportChildren::Candidate> ImportChildren::readKernel(const CheckOptions& options,
                                                               const StopToken& stop) {
  Expected<std::string> text = options.kernelText ? *options.kernelText : readFile(options.kernel);
  if (!text)
    return fail(text.error());
  Candidate candidate;
  std::vector<std::string> flags;
  if (isPython(options.kernel)) {
    Expected<torch::PythonCapture*> child = python();
    if (!child)
      return fail(child.error());
    Expected<torch::CandidateSource> source = (*child)->captureCandidate(options.kernel, stop);
    if (!source)
      return fail(source.error());
    text = source->cuda;
    candidate.python = true;
    candidate.call = source->call;
    candidate.unread = source->unread;
    flags = source->flags;
  }
  Expected<cuda::CudaImporter*> importer = cuda();
  if (!importer)
    return fail(importer.error());
  Expected<cuda::ImportedCuda> imported = (*importer)->importSource(*text, options.kernel, stop);
  if (!imported) {
    m_cuda.reset(); // a child that died or was stopped is replaced at the next request
    return fail(imported.error());
  }
  candidate.imported = *std::move(imported);
  candidate.text = *std::move(text);
  candidate.imported.flags.insert(candidate.imported.flags.end(), flags.begin(), flags.end());
  return candidate;
}

Expected<Json> ImportChildren::evaluateInPyTorch(const torch::Graph& graph, const Json& inputs,
                                                 const StopToken& stop) {
  Expected<torch::PythonCapture*> child = python();
  if (!child)
    return fail(child.error());
  return (*child)->evaluate(graph, inputs, stop);
}

namespace {

class Chooser {
public:
  Chooser(const ImportChildren::Candidate& candidate, const spec::Spec& spec, const CheckOptions& options)
      : m_candidate(candidate), m_imported(candidate.imported), m_spec(spec), m_options(options) {}

  Expected<ChosenLaunch> run() {
    if (!m_imported.errors.empty())
      return rejected("the CUDA source does not compile", "mend the errors named above", m_imported.errors);
    if (m_imported.module.kernels.empty())
      return fail(ErrorKind::File, "no-kernel", m_options.kernel + " has no __global__ function",
                  "name a CUDA source with a kernel");
    if (m_candidate.python && !m_candidate.call && m_options.launchFile.empty())
      return fail(kernelRejected().value_or(callUnread(m_candidate.unread).value()));
    Expected<ir::LaunchContract> contract = m_options.launchFile.empty() ? fromWrapper() : fromFile();
    if (!contract)
      return fail(contract.error());
    Expected<const ir::Kernel*> kernel = kernelNamed(contract->kernel);
    if (!kernel)
      return fail(kernel.error());
    if (!(*kernel)->rejections.empty())
      return rejected("kernel '" + (*kernel)->name + "' is outside the accepted fragment",
                      "rewrite the constructs named above", (*kernel)->rejections);
    ChosenLaunch chosen{*kernel, *std::move(contract), {}};
    chosen.bind.assume = m_options.assume;
    if (Expected<void> done = bindCall(chosen); !done)
      return fail(done.error());
    return chosen;
  }

private:
  Expected<const ir::Kernel*> kernelNamed(const std::string& wanted) {
    const ir::Kernel* found = nullptr;
    for (const ir::Kernel& kernel : m_imported.module.kernels) {
      if (kernel.name == wanted)
        return &kernel;
      if (named(kernel.name, wanted)) {
        if (found != nullptr)
          return fail(ErrorKind::Usage, "kernel-ambiguous", "'" + wanted + "' has several instantiations",
                      "name one of them in full: " + kernelNames());
        found = &kernel;
      }
    }
    if (found == nullptr)
      return fail(ErrorKind::Usage, "kernel-unknown", "there is no kernel '" + wanted + "'",
                  "the source has: " + kernelNames());
    return found;
  }

  std::string kernelNames() const {
    std::string text;
    for (const ir::Kernel& kernel : m_imported.module.kernels)
      text += (text.empty() ? "" : ", ") + kernel.name;
    return text;
  }

  Expected<ir::LaunchContract> fromFile() {
    Expected<std::string> text = readFile(m_options.launchFile);
    Expected<Json> json = text ? parseJson(*text, m_options.launchFile) : tl::unexpected(text.error());
    if (!json)
      return fail(json.error());
    std::string kernel = m_options.kernelName;
    if (kernel.empty() && m_imported.module.kernels.size() == 1)
      kernel = m_imported.module.kernels[0].name;
    if (kernel.empty())
      return fail(ErrorKind::Usage, "kernel-unknown", "the source has several kernels",
                  "name one with --kernel: " + kernelNames());
    if (!json->is_object())
      return fail(ErrorKind::File, "launch-json", m_options.launchFile + " is not an object",
                  "see the user guide");
    if (!json->contains("kernels"))
      return ir::launchFromJson(kernel, *json);
    const Json& kernels = (*json)["kernels"];
    const std::string plain = kernel.substr(0, kernel.find('<'));
    for (const std::string& key : {kernel, plain})
      if (kernels.is_object() && kernels.contains(key))
        return ir::launchFromJson(kernel, kernels[key]);
    return fail(ErrorKind::File, "launch-json",
                m_options.launchFile + " has no entry for kernel '" + kernel + "'",
                "add one under \"kernels\"");
  }

  Expected<ir::LaunchContract> fromWrapper() {
    std::vector<const ir::LaunchContract*> fitting;
    for (const ir::LaunchContract& launch : m_imported.launches) {
      const bool kernelFits = m_options.kernelName.empty() || named(launch.kernel, m_options.kernelName);
      const bool wrapperFits = !m_candidate.call || launch.wrapper == m_candidate.call->function;
      if (kernelFits && wrapperFits)
        fitting.push_back(&launch);
    }
    if (fitting.size() == 1 && m_imported.unread.empty())
      return *fitting[0];
    if (fitting.empty() || !m_imported.unread.empty())
      return noLaunch();
    return fail(ErrorKind::Usage, "several-launches", "the source launches kernels in several places",
                "name one with --kernel: " + kernelNames());
  }

  std::optional<Error> kernelRejected() const {
    for (const ir::Kernel& kernel : m_imported.module.kernels)
      if (!kernel.rejections.empty() &&
          (m_options.kernelName.empty() || named(kernel.name, m_options.kernelName)))
        return rejected("kernel '" + kernel.name + "' is outside the accepted fragment",
                        "rewrite the constructs named above", kernel.rejections)
            .value();
    return std::nullopt;
  }

  /// Nothing could be read: the kernels' own rejections say more than the wrapper's.
  tl::unexpected<Error> noLaunch() {
    if (std::optional<Error> kernel = kernelRejected())
      return fail(*std::move(kernel));
    if (!m_imported.unread.empty())
      return rejected("the launch could not be read from the host code",
                      "give the launch contract with --kernel NAME --launch FILE", m_imported.unread);
    return fail(ErrorKind::Usage, "launch-unread", "the source has no host code that launches the kernel",
                "give the launch contract with --kernel NAME --launch FILE");
  }

  // --- The Python call site ---

  tl::unexpected<Error> callUnread(const std::string& why) const {
    return rejected("the candidate's forward() could not be read: " + why,
                    "give the launch contract with --kernel NAME --launch FILE",
                    {{"call-unread", why, {m_options.kernel}}});
  }

  int userInputs() const {
    return static_cast<int>(
        std::ranges::count(m_spec.inputs, torch::InputKind::User, &spec::SpecInput::kind));
  }

  Expected<void> bindCall(ChosenLaunch& chosen) {
    if (!m_candidate.python || !m_options.launchFile.empty())
      return {};
    if (chosen.contract.returnedTensors <= 0)
      return callUnread("it uses the result of '" + m_candidate.call->function + "', which returns nothing");
    if (m_candidate.call->inputs != userInputs())
      return callUnread("it takes " + std::to_string(m_candidate.call->inputs) + " tensors, the module " +
                        std::to_string(userInputs()));
    const auto& parameters = chosen.contract.wrapperParameters;
    const auto& arguments = m_candidate.call->arguments;
    if (arguments.size() != parameters.size()) // Python sees no default arguments of the C++ function
      return callUnread("the call passes " + std::to_string(arguments.size()) +
                        " arguments, the wrapper takes " + std::to_string(parameters.size()));
    for (size_t i = 0; i < arguments.size(); ++i)
      if (Expected<void> done = bindArgument(chosen, parameters[i], arguments[i]); !done)
        return done;
    return {};
  }

  Expected<void> bindArgument(ChosenLaunch& chosen, const std::string& parameter,
                              const torch::WrapperCall::Argument& argument) {
    if (argument.number) {
      chosen.bind.wrapperScalars[parameter] = {*argument.number, argument.text};
      return {};
    }
    int userIndex = 0;
    for (size_t i = 0; i < m_spec.inputs.size(); ++i) {
      const spec::SpecInput& input = m_spec.inputs[i];
      const bool isUser = input.kind == torch::InputKind::User;
      const bool same = argument.input >= 0 ? isUser && userIndex == argument.input
                                            : !isUser && input.key == argument.parameter;
      userIndex += isUser ? 1 : 0;
      if (!same)
        continue;
      chosen.bind.wrapperTensors[parameter] = static_cast<int>(i);
      return {};
    }
    return callUnread("the argument for '" + parameter + "' is no input of the module");
  }

  const ImportChildren::Candidate& m_candidate;
  const cuda::ImportedCuda& m_imported;
  const spec::Spec& m_spec;
  const CheckOptions& m_options;
};

} // namespace

Expected<ChosenLaunch> chooseLaunch(const ImportChildren::Candidate& candidate, const spec::Spec& spec,
                                    const CheckOptions& options) {
  return Chooser(candidate, spec, options).run();
}

} // namespace plumbline::session
