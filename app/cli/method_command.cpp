// plumbline method: the method document of a pair.
#include "app/cli/commands.h"

#include "core/method/method.h"
#include "core/session/comparison.h"

namespace plumbline::cli {
namespace {

tl::unexpected<Error> usage(std::string message, std::string next) {
  return fail(ErrorKind::Usage, "usage", std::move(message), std::move(next));
}

Expected<method::MethodOptions> readMethodOptions(const Arguments& arguments) {
  const std::string text = arguments.value("--dialect", std::string(velvet::name(velvet::Dialect::Velvet2)));
  const auto dialect = velvet::dialectFromName(text);
  if (dialect != velvet::Dialect::Velvet2)
    return usage("there is no dialect '" + text + "'", "the only dialect is velvet2");
  method::MethodOptions options;
  options.dialect = *dialect;
  return options;
}

Expected<session::CheckOptions> readCheckOptions(const Arguments& arguments) {
  session::CheckOptions options;
  options.model = arguments.positional[0];
  options.kernel = arguments.positional[1];
  if (const auto found = arguments.values.find("--assume"); found != arguments.values.end())
    options.assume = found->second;
  options.mode = arguments.value("--mode", "train");
  if (options.mode != "train" && options.mode != "eval")
    return usage("mode '" + options.mode + "' is not known", "use train or eval");
  options.kernelName = arguments.value("--kernel");
  options.launchFile = arguments.value("--launch");
  return options;
}

Expected<method::MethodDocument> makeDocument(const session::CheckOptions& check,
                                              const method::MethodOptions& options) {
  if (Expected<std::string> readable = readFile(check.kernel); !readable)
    return fail(readable.error());
  session::ImportChildren children;
  children.start(check);
  session::Comparison comparison;
  if (Expected<void> done = session::readModel(comparison, check, children, {}, {}); !done)
    return fail(done.error());
  if (Expected<void> done = session::readKernel(comparison, check, children, {}, {}); !done)
    return fail(done.error());
  if (!comparison.graph || !comparison.problem)
    return fail(ErrorKind::Internal, "comparison-incomplete", "the pair was not read to the end",
                "report this input");
  return method::generateMethod(comparison.store, *comparison.graph, *comparison.problem, options);
}

Json linesJson(const method::MethodDocument& document) {
  Json lines = Json::array();
  for (const velvet::LineOrigin& line : document.lines) {
    Json cuda = Json::array();
    for (const SourceRange& range : line.cuda)
      cuda.push_back(toJson(range));
    lines.push_back({{"cuda", std::move(cuda)}, {"nodes", line.nodes}, {"locked", line.locked}});
  }
  return lines;
}

Json toJson(const method::MethodDocument& document) {
  Json inexpressible = Json::array();
  for (const method::Inexpressible& part : document.inexpressible)
    inexpressible.push_back({{"what", part.what}, {"where", plumbline::toJson(part.where)}});
  return {{"schema", 1},
          {"text", document.text},
          {"lines", linesJson(document)},
          {"inexpressible", std::move(inexpressible)},
          {"invariants", document.invariants}};
}

} // namespace

int methodCommand(const std::vector<std::string>& words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  const ArgumentRules rules{{"--json"}, {"--dialect", "--mode", "--kernel", "--launch"}, {"--assume"}, 2};
  Expected<Arguments> arguments = parseArguments(words, rules);
  if (!arguments)
    return report(arguments.error(), json);
  Expected<method::MethodOptions> options = readMethodOptions(*arguments);
  Expected<session::CheckOptions> check = readCheckOptions(*arguments);
  if (!options || !check)
    return report(options ? check.error() : options.error(), json);
  Expected<method::MethodDocument> document = makeDocument(*check, *options);
  if (!document)
    return report(document.error(), json);
  return printOut(json ? prettyJson(toJson(*document)) : document->text) ? 0 : 4;
}

} // namespace plumbline::cli
