#include "core/session/sources.h"

#include "core/session/wrapper_shapes.h"
#include "core/session/wrapper_ways.h"

#include <algorithm>
#include <cmath>
#include <set>

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

Expected<ImportChildren::Recorded>
ImportChildren::recordClass(const CheckOptions& options, const std::string& name, const StopToken& stop) {
  Expected<Candidate> candidate = readKernel(options, stop);
  if (!candidate)
    return fail(candidate.error());
  Expected<torch::PythonCapture*> child = python();
  if (!child)
    return fail(child.error());
  Expected<torch::RecordedClass> recorded = (*child)->recordClass(
      options.kernel, name, options.model, options.mode, wrapperShapes(candidate->imported), stop);
  if (!recorded)
    return fail(recorded.error());
  return Recorded{*std::move(recorded), *std::move(candidate)};
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
    if (!m_options.kernelName.empty())
      if (Expected<const ir::Kernel*> known = kernelNamed(m_options.kernelName);
          !known && known.error().id == "kernel-unknown")
        return fail(known.error());
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
    Expected<ir::LaunchContract> contract = entry(*json, kernel);
    if (contract && !contract->aliases.empty())
      return fail(ErrorKind::Rejected, "launch-alias",
                  "arrays of " + kernel + " may be one array, by the launch contract",
                  "only 'plumbline gate' reads \"alias\"; describe one of the cases");
    return contract;
  }

  Expected<ir::LaunchContract> entry(const Json& file, const std::string& kernel) const {
    if (!file.contains("kernels"))
      return ir::launchFromJson(kernel, file);
    const Json& kernels = file["kernels"];
    const std::string plain = kernel.substr(0, kernel.find('<'));
    for (const std::string& key : {kernel, plain})
      if (kernels.is_object() && kernels.contains(key))
        return ir::launchFromJson(kernel, kernels[key]);
    return fail(ErrorKind::File, "launch-json",
                m_options.launchFile + " has no entry for kernel '" + kernel + "'",
                "add one under \"kernels\"");
  }

  bool fits(const ir::LaunchContract& launch) const {
    return m_options.kernelName.empty() || named(launch.kernel, m_options.kernelName);
  }

  bool fits(const ir::HostProgram& program) const {
    return std::ranges::any_of(program.steps, [&](const ir::ProgramStep& step) {
      return step.kind == ir::ProgramStep::Kind::Launch && fits(step.launch);
    });
  }

  /// The wrappers that the comparison may be about.
  std::set<std::string> wrappers() const {
    std::set<std::string> names;
    for (const ir::LaunchContract& launch : m_imported.launches)
      if (fits(launch))
        names.insert(launch.wrapper);
    for (const ir::HostProgram& program : m_imported.programs)
      if (fits(program))
        names.insert(program.wrapper);
    if (m_candidate.call)
      std::erase_if(names, [&](const std::string& name) { return name != m_candidate.call->function; });
    return names;
  }

  Expected<ir::LaunchContract> fromWrapper() {
    const std::set<std::string> names = wrappers();
    const std::string wrapper = names.size() == 1 ? *names.begin() : "";
    // Without a call nothing says that a wrapper that could not be read is not the one that is meant.
    const bool othersUnread =
        !m_candidate.call && std::ranges::any_of(m_imported.unread, [&](const Rejection& unread) {
          return std::ranges::none_of(m_imported.unreadWays, [&](const ir::UnreadWay& way) {
            return way.wrapper == wrapper && std::ranges::count(way.reasons, unread) != 0;
          });
        });
    if (names.empty() || othersUnread)
      return noLaunch();
    if (names.size() > 1)
      return fail(ErrorKind::Usage, "several-launches", "the source launches kernels in several places",
                  "name one with --kernel: " + kernelNames());
    std::vector<const ir::LaunchContract*> launches;
    for (const ir::LaunchContract& launch : m_imported.launches)
      if (launch.wrapper == wrapper)
        launches.push_back(&launch);
    const bool programs = std::ranges::count(m_imported.programs, wrapper, &ir::HostProgram::wrapper) != 0;
    if (launches.size() == 1 && !programs)
      return *launches[0];
    if (!launches.empty()) // functions of one name
      return fail(ErrorKind::Usage, "several-launches", "the source has several functions '" + wrapper + "'",
                  "name a kernel with --kernel: " + kernelNames());
    Expected<const ir::HostProgram*> way =
        chooseWay(m_imported, wrapper, [&](const std::string& name) { return knownValue(wrapper, name); });
    if (!way)
      return fail(kernelRejected().value_or(way.error()));
    return ir::singleLaunch(**way);
  }

  // --- What the call fixes ---

  /// The graph input that a tensor parameter of the wrapper is; -1 when that is not known.
  int inputOf(const std::vector<std::string>& tensors, const std::vector<std::string>& parameters,
              const std::string& name) const {
    if (m_candidate.call) {
      const auto place = std::ranges::find(parameters, name) - parameters.begin();
      const auto& arguments = m_candidate.call->arguments;
      if (place >= static_cast<std::ptrdiff_t>(arguments.size()) || arguments.size() != parameters.size())
        return -1;
      return inputOf(arguments[static_cast<size_t>(place)]);
    }
    const auto place = static_cast<size_t>(std::ranges::find(tensors, name) - tensors.begin());
    std::vector<int> order;
    for (const bool user : {true, false})
      for (size_t i = 0; i < m_spec.inputs.size(); ++i)
        if ((m_spec.inputs[i].kind == torch::InputKind::User) == user)
          order.push_back(static_cast<int>(i));
    return tensors.size() == order.size() && place < order.size() ? order[place] : -1;
  }

  int inputOf(const torch::WrapperCall::Argument& argument) const {
    int userIndex = 0;
    for (size_t i = 0; i < m_spec.inputs.size(); ++i) {
      const spec::SpecInput& input = m_spec.inputs[i];
      const bool isUser = input.kind == torch::InputKind::User;
      const bool same = argument.input >= 0
                            ? isUser && userIndex == argument.input
                            : !isUser && !argument.parameter.empty() && input.key == argument.parameter;
      userIndex += isUser ? 1 : 0;
      if (same)
        return static_cast<int>(i);
    }
    return -1;
  }

  /// Values of a contract's names that the call or the module fixes: numbers, ranks, which tensors are given.
  std::optional<int64_t> knownValue(const std::string& wrapper, const std::string& name) const {
    const auto program = std::ranges::find(m_imported.programs, wrapper, &ir::HostProgram::wrapper);
    const std::string owner = name.substr(0, name.find('.'));
    const std::vector<std::string>& parameters = program->wrapperParameters;
    const bool tensor = std::ranges::count(program->wrapperTensors, owner) != 0;
    const auto place = static_cast<size_t>(std::ranges::find(parameters, owner) - parameters.begin());
    const torch::WrapperCall::Argument* argument = nullptr;
    if (m_candidate.call && m_candidate.call->arguments.size() == parameters.size() &&
        place < parameters.size())
      argument = &m_candidate.call->arguments[place];
    if (tensor && name.ends_with(".defined") && argument)
      return argument->absent ? 0 : 1;
    if (tensor) {
      const int input = inputOf(program->wrapperTensors, parameters, owner);
      if (input < 0)
        return std::nullopt;
      if (name.ends_with(".defined"))
        return 1;
      if (name.ends_with(".dim"))
        return static_cast<int64_t>(m_spec.inputs[static_cast<size_t>(input)].tensor.shape.size());
      return std::nullopt;
    }
    if (!argument)
      return std::nullopt;
    if (argument->list && name.ends_with(".len"))
      return static_cast<int64_t>(argument->list->size());
    const std::optional<double> number = argument->list ? listEntry(*argument->list, name) : argument->number;
    return number && *number == std::floor(*number) && std::abs(*number) < 1e15
               ? std::optional(static_cast<int64_t>(*number))
               : std::nullopt;
  }

  /// "stride.1" of a list argument.
  static std::optional<double> listEntry(const std::vector<double>& list, const std::string& name) {
    for (size_t i = 0; i < list.size(); ++i)
      if (name.ends_with("." + std::to_string(i)))
        return list[i];
    return std::nullopt;
  }

  /// A rejected kernel that is meant, or whose launch keeps a wrapper from being read.
  std::optional<Error> kernelRejected() const {
    const auto launched = [&](const ir::Kernel& kernel) {
      return std::ranges::any_of(m_imported.unread, [&](const Rejection& each) {
        return each.id == "kernel-rejected" &&
               each.construct.find("'" + kernel.name + "'") != std::string::npos;
      });
    };
    for (const ir::Kernel& kernel : m_imported.module.kernels)
      if (!kernel.rejections.empty() &&
          (m_options.kernelName.empty() || named(kernel.name, m_options.kernelName) || launched(kernel)))
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
    if (argument.absent)
      return {};
    if (argument.number) {
      chosen.bind.wrapperScalars[parameter] = {*argument.number, argument.text};
      return {};
    }
    if (argument.list) {
      const std::vector<double>& list = *argument.list;
      for (size_t i = 0; i < list.size(); ++i)
        chosen.bind.wrapperScalars[parameter + "." + std::to_string(i)] = {list[i], argument.text};
      chosen.bind.wrapperScalars[parameter + ".len"] = {static_cast<double>(list.size()), argument.text};
      return {};
    }
    if (const int input = inputOf(argument); input >= 0) {
      chosen.bind.wrapperTensors[parameter] = input;
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
