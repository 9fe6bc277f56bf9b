// plumbline method: the method document of a pair.
#include "app/cli/commands.h"

#include "core/method/method.h"
#include "core/session/comparison.h"
#include "core/session/document_facts.h"

#include <cstdio>

namespace plumbline::cli {
namespace {

tl::unexpected<Error> usage(std::string message, std::string next) {
  return fail(ErrorKind::Usage, "usage", std::move(message), std::move(next));
}

Expected<method::MethodOptions> readMethodOptions(const Arguments& arguments) {
  const std::string text = arguments.value("--dialect", std::string(velvet::name(velvet::Dialect::Velvet2)));
  const auto dialect = velvet::dialectFromName(text);
  if (!dialect)
    return usage("there is no dialect '" + text + "'", "the dialects are velvet2 and velvet-cav");
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

tl::unexpected<Error> unread() {
  return fail(ErrorKind::Internal, "comparison-incomplete", "the pair was not read to the end",
              "report this input");
}

Expected<method::MethodDocument> makeDocument(const session::CheckOptions& check,
                                              const method::MethodOptions& options) {
  session::ImportChildren children;
  children.start(check);
  session::Comparison comparison;
  if (Expected<void> done = session::readModel(comparison, check, children, {}, {}); !done)
    return fail(done.error());
  if (Expected<void> done = session::readKernel(comparison, check, children, {}, {}); !done)
    return fail(done.error());
  if (!comparison.graph || !comparison.problem)
    return unread();
  return method::generateMethod(comparison.store, *comparison.graph, *comparison.problem, options);
}

/// The document with what a check of the pair finds.
Expected<method::MethodDocument> makeDocumentWithFacts(const session::CheckOptions& check,
                                                       method::MethodOptions options, bool witness,
                                                       bool sweep) {
  session::CheckOutcome outcome = session::runCheck(
      check, {}, [](const std::string& text) { std::fprintf(stderr, "[plumbline] %s\n", text.c_str()); });
  if (outcome.verdict.error)
    return fail(*outcome.verdict.error);
  const session::Comparison& comparison = *outcome.comparison;
  if (!comparison.graph || !comparison.problem)
    return unread();
  if (witness) {
    Expected<method::WitnessFact> fact = session::witnessFact(outcome);
    if (!fact)
      return fail(fact.error());
    options.witness = *std::move(fact);
  }
  if (sweep) {
    Expected<method::SweepFact> fact = session::sweepFact(outcome);
    if (!fact)
      return fail(fact.error());
    options.sweep = *std::move(fact);
  }
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
  Json theorems = Json::array();
  for (const method::FactInfo& fact : document.facts)
    theorems.push_back({{"name", fact.theorem},
                        {"kind", fact.kind},
                        {"axioms", fact.axiom.empty() ? Json::array() : Json::array({fact.axiom})},
                        {"checked", "not checked by Lean"}});
  return {{"schema", 1},
          {"text", document.text},
          {"lines", linesJson(document)},
          {"inexpressible", std::move(inexpressible)},
          {"theorems", std::move(theorems)},
          {"invariants", document.invariants}};
}

} // namespace

int methodCommand(const std::vector<std::string>& words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  const ArgumentRules rules{
      {"--json", "--witness", "--sweep"}, {"--dialect", "--mode", "--kernel", "--launch"}, {"--assume"}, 2};
  Expected<Arguments> arguments = parseArguments(words, rules);
  if (!arguments)
    return report(arguments.error(), json);
  Expected<method::MethodOptions> options = readMethodOptions(*arguments);
  Expected<session::CheckOptions> check = readCheckOptions(*arguments);
  if (!options || !check)
    return report(options ? check.error() : options.error(), json);
  if (Expected<std::string> readable = readFile(check->kernel); !readable)
    return report(readable.error(), json);
  const bool witness = arguments->has("--witness");
  const bool sweep = arguments->has("--sweep");
  Expected<method::MethodDocument> document = witness || sweep
                                                  ? makeDocumentWithFacts(*check, *options, witness, sweep)
                                                  : makeDocument(*check, *options);
  if (!document) {
    const int status = report(document.error(), json);
    return document.error().id == "kernel-refused" ? 5 : status;
  }
  return printOut(json ? prettyJson(toJson(*document)) : document->text) ? 0 : 4;
}

} // namespace plumbline::cli
