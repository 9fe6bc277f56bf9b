#include "core/method/method.h"

#include "core/gate/arithmetic/arithmetic_prover.h"
#include "core/gate/contradiction.h"
#include "core/gate/gate.h"
#include "core/method/array_text.h"
#include "core/method/body.h"
#include "core/method/contract.h"
#include "core/method/imports.h"
#include "core/method/invariants.h"
#include "core/method/lean_names.h"
#include "core/method/problem_copy.h"
#include "core/method/refusal.h"
#include "core/method/scope.h"
#include "core/method/size_text.h"
#include "core/velvet/convert.h"
#include "core/velvet/seal.h"

#include <algorithm>

namespace plumbline::method {

using logic::TermId;
using velvet::BinaryOp;
using velvet::ExprPtr;

namespace {

/// Puts the parts of a document together.
class Generator {
public:
  Generator(const logic::TermStore& store, const torch::Graph& graph, const gate::Problem& problem)
      : m_graph(graph), m_problem(copyProblem(store, problem, m_store)), m_memory(m_problem) {}

  Expected<MethodDocument> run(const MethodOptions& options) {
    if (hypothesesContradict())
      return contradiction();
    m_dialect = options.dialect;
    m_isScalar = !ir::beyondScalarCode(*m_problem.module, m_problem.kernel->function);
    Expected<vc::SymbolicThread> thread = executeThread();
    if (!thread)
      return fail(thread.error());
    m_environment = makeEnvironment(m_store, m_problem, writtenTensors(*thread));
    const std::string name = m_environment.fresh("method");
    for (size_t i = 0; i < m_problem.spec.outputs.size(); ++i)
      m_specs.push_back(specText(m_store, m_graph, m_problem, i, m_environment));
    collectOutputs(*thread);
    collectOpaque(*thread);
    velvet::Method method = makeMethod(name);
    addFacts(options);
    assemble(std::move(method));
    if (options.dialect != velvet::Dialect::Velvet2) {
      Expected<velvet::Document> converted = velvet::convert(m_result.tree, options.dialect);
      if (!converted)
        return fail(converted.error());
      m_result.tree = *std::move(converted);
    }
    velvet::PrintedDocument printed = velvet::printSealed(m_result.tree, options.dialect);
    m_result.text = std::move(printed.text);
    m_result.lines = std::move(printed.lines);
    return std::move(m_result);
  }

private:
  /// As far as the prover's own arithmetic sees, which is where written checks contradict each other.
  bool hypothesesContradict() {
    gate::ArithmeticProver prover(m_store, nullptr);
    for (const auto& [name, range] : m_problem.bounds)
      prover.bound(name, range);
    for (const logic::TermId fact : gate::sizeFacts(m_store, m_problem))
      prover.assume(fact);
    return prover.quick({}, m_store.boolean(false));
  }

  tl::unexpected<Error> contradiction() {
    const std::vector<gate::Hypothesis> guilty =
        gate::contradictoryHypotheses(m_store, m_problem, nullptr, StopToken());
    return fail(ErrorKind::Usage, "contradictory-hypotheses",
                (guilty.empty() ? "no sizes satisfy all hypotheses" : gate::contradictionText(guilty)) +
                    ": every goal of a method would be true and say nothing",
                guilty.empty() ? "remove or correct a hypothesis" : gate::contradictionRemedy(guilty));
  }

  const ir::Function& function() const {
    return m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
  }

  /// Nothing, for a kernel that is more than one straight program a thread.
  Expected<vc::SymbolicThread> executeThread() {
    if (m_isScalar)
      return vc::executeThread(m_store, *m_problem.module, *m_problem.kernel, m_problem.parameters,
                               m_problem.geometry);
    if (const std::optional<Rejection> outside = outsideMethod(*m_problem.module, m_problem.kernel->function))
      refuse(outside->id, outside->construct, outside->where);
    for (int i = 0; i < function().parameterCount; ++i)
      if (const ir::Local& local = function().locals[static_cast<size_t>(i)];
          !m_problem.parameters.contains(local.name))
        refuse("unbound-parameter",
               "kernel parameter '" + local.name + "', which has no value in the launch contract",
               local.where);
    return vc::SymbolicThread{};
  }

  std::set<std::string> writtenTensors(const vc::SymbolicThread& thread) const {
    std::set<std::string> written;
    for (const vc::ThreadStore& store : thread.stores)
      written.insert(store.buffer);
    if (!m_isScalar)
      for (const std::string& key : m_memory.written(function().body))
        if (!arrayOfKey(key))
          written.insert(key);
    for (const gate::OutputBinding& output : m_problem.outputs)
      written.insert(output.buffer);
    return written;
  }

  // --- Outputs ---

  void collectOutputs(const vc::SymbolicThread& thread) {
    for (const gate::OutputBinding& binding : m_problem.outputs) {
      if (!m_environment.buffers.contains(binding.buffer))
        refuse("method-output", "an output that is none of its parameters", function().where);
      OutputProgress output;
      output.buffer = &m_environment.buffers.at(binding.buffer);
      output.numel = m_problem.spec.outputs[binding.output].tensor.numel;
      output.spec = &m_specs[binding.output];
      output.turn = turnOf(m_store, m_problem, thread, binding.buffer);
      if (output.turn)
        output.turnText = turnText(m_store, *output.turn, m_environment, m_turns);
      if (!output.turn)
        m_result.invariants = "no pattern of one element a thread was recognised for " + output.buffer->name +
                              ": its loops need an invariant about values from you";
      m_outputs.push_back(std::move(output));
    }
    const bool counts =
        std::ranges::any_of(m_outputs, [](const OutputProgress& o) { return o.turn.has_value(); });
    const bool loops = std::ranges::any_of(
        m_environment.axes, [](const Axis& axis) { return !axis.gridDim.empty() || !axis.blockDim.empty(); });
    if (counts && loops)
      m_environment.count = m_environment.names.fresh("g_done");
  }

  // --- The method ---

  velvet::Method makeMethod(const std::string& name) {
    velvet::Method method;
    method.name = name;
    method.origin.cuda = {function().where};
    std::set<std::string> written;
    for (const auto& [tensor, buffer] : m_environment.buffers)
      if (buffer.written)
        written.insert(tensor);
    const BlockPlan plan = planBlocks(m_store, m_problem, written);
    nameArrays(m_problem, plan, m_environment);
    method.binders = parameters(m_problem, m_environment);
    for (velvet::Binder& binder : arrayParameters(m_problem, m_environment))
      method.binders.push_back(std::move(binder));
    method.requirements = requirements(m_store, m_problem, m_environment, m_kernelOpaque);
    for (velvet::Clause& clause : arraySizes(m_store, m_problem, m_environment))
      method.requirements.push_back(std::move(clause));
    nameResult(method);
    addEnsures(method);
    addBody(method, plan);
    return method;
  }

  void addBody(velvet::Method& method, const BlockPlan& plan) {
    FrameFacts facts;
    for (const std::string& tensor : m_environment.bufferOrder)
      if (const Buffer& buffer = m_environment.buffers.at(tensor); buffer.written) {
        method.body.push_back(
            velvet::letStmt(buffer.name, "Array Float32", velvet::name(buffer.entry), {}, true));
        facts.addArray(buffer.name, velvet::field(velvet::name(buffer.entry), "size"));
      }
    for (size_t i = 0; i < m_environment.arrays.size(); ++i)
      if (function().arrays[i].space == ir::ArraySpace::Shared) {
        const ArrayText& text = m_environment.arrays[i];
        method.body.push_back(velvet::letStmt(text.name, "Array " + leanType(text.element),
                                              velvet::name(text.entry),
                                              {{function().arrays[i].where}, {}, true}, true));
        facts.addArray(text.name, velvet::field(velvet::name(text.entry), "size"));
      }
    BodyText body = bodyText({m_store, m_problem, plan, m_memory, facts}, m_environment);
    m_definitions = std::move(body.definitions);
    m_result.inexpressible = std::move(body.inexpressible);
    if (!m_environment.count.empty())
      method.body.push_back(velvet::letStmt(m_environment.count, "Int", velvet::number(0), {}, true));
    const LoopParts parts{m_store, m_problem, m_outputs, m_isScalar ? nullptr : &facts};
    const LoopsOver over = plan.hasBarriers ? LoopsOver::Blocks : LoopsOver::BlocksAndThreads;
    for (velvet::Stmt& stmt : launchLoops(parts, m_environment, over, std::move(body.statements)))
      method.body.push_back(std::move(stmt));
    method.body.push_back(velvet::returnStmt(resultValue(), {}));
  }

  /// Opaque functions of binary32 that a thread's results depend on.
  void collectOpaque(const vc::SymbolicThread& thread) {
    if (!m_isScalar)
      m_kernelOpaque = opaqueFunctions(*m_problem.module, m_problem.kernel->function);
    std::vector<TermId> roots;
    for (const vc::ThreadStore& store : thread.stores)
      roots.insert(roots.end(), {store.guard, store.index, store.value});
    for (TermId id : m_store.postOrder(roots))
      if (m_store[id].op == logic::Op::Opaque && m_store[id].sort == logic::Sort::F32)
        m_kernelOpaque.insert(m_store.symbolText(id));
  }

  void nameResult(velvet::Method& method) {
    if (m_outputs.size() == 1) {
      method.resultName = m_outputs[0].buffer->name;
      method.resultType = "Array Float32";
      m_resultParts = {velvet::name(method.resultName)};
      return;
    }
    method.resultName = m_environment.names.fresh("result");
    ExprPtr rest = velvet::name(method.resultName);
    for (size_t i = 0; i < m_outputs.size(); ++i) {
      method.resultType += i == 0 ? "Array Float32" : " × Array Float32";
      const bool last = i + 1 == m_outputs.size();
      m_resultParts.push_back(last ? rest : velvet::field(rest, "1"));
      rest = last ? rest : velvet::field(rest, "2");
    }
  }

  ExprPtr resultValue() const {
    ExprPtr result;
    for (size_t i = m_outputs.size(); i-- > 0;) {
      const ExprPtr name = velvet::name(m_outputs[i].buffer->name);
      result = result ? velvet::pair(name, result) : name;
    }
    return result;
  }

  void addEnsures(velvet::Method& method) {
    auto variable = [this](const std::string& name) { return sizeVariable(m_environment, name); };
    const ExprPtr k = velvet::name(m_environment.index);
    for (size_t i = 0; i < m_outputs.size(); ++i) {
      const OutputProgress& output = m_outputs[i];
      const std::string& name = output.buffer->name;
      const velvet::LineOrigin& origin = output.spec->origin;
      const ExprPtr numel = intText(m_store, output.numel, variable);
      const ExprPtr size = velvet::ascribe(velvet::field(m_resultParts[i], "size"), "Int");
      method.ensures.push_back({m_environment.fresh(name + "_size_kept"),
                                velvet::binary(BinaryOp::Equal, size, numel),
                                origin,
                                {}});
      const ExprPtr inside = velvet::binary(BinaryOp::Less, velvet::ascribe(k, "Int"), numel);
      const ExprPtr holds = output.spec->holds(velvet::element(m_resultParts[i], k), k);
      method.ensures.push_back(
          {m_environment.fresh(name + "_value"),
           velvet::forall(m_environment.index, "Nat", velvet::binary(BinaryOp::Implies, inside, holds)),
           origin,
           {}});
    }
  }

  // --- Theorems that stem from a verdict ---

  void addFacts(const MethodOptions& options) {
    if (options.witness) {
      const std::string name = m_environment.fresh("witness");
      m_facts.push_back(
          witnessTheorem(*options.witness, m_specs.at(options.witness->output), m_environment, name));
      m_result.facts.push_back({name, "witness", ""});
    }
    if (options.sweep) {
      const std::string name = m_environment.fresh("sweep");
      for (velvet::Item& item :
           sweepTheorem(*options.sweep, m_specs.at(options.sweep->output), m_environment, name))
        m_facts.push_back(std::move(item));
      m_result.facts.push_back({name, "sweep", "native evaluation"});
    }
  }

  // --- The document ---

  void assemble(velvet::Method method) {
    std::vector<velvet::Item>& items = m_result.tree.items;
    items.emplace_back(velvet::Comment{headLines(), {}});
    velvet::Proof proof{method.name, {}};
    for (OutputText& spec : m_specs)
      for (velvet::Definition& definition : spec.definitions) {
        proof.unfold.push_back(definition.name);
        items.emplace_back(std::move(definition));
      }
    for (velvet::Definition& definition : arrayDefinitions(m_problem, m_environment)) {
      proof.unfold.push_back(definition.name);
      items.emplace_back(std::move(definition));
    }
    for (velvet::Definition& definition : m_definitions) {
      proof.unfold.push_back(definition.name);
      items.emplace_back(std::move(definition));
    }
    for (velvet::Definition& definition : m_turns) {
      proof.unfold.push_back(definition.name);
      items.emplace_back(std::move(definition));
    }
    items.emplace_back(velvet::Comment{{"Lemmas that the proof needs go here."}, {{}, {}, false}});
    for (velvet::Item& fact : m_facts)
      items.push_back(std::move(fact));
    items.emplace_back(std::move(method));
    if (m_result.inexpressible.empty())
      items.emplace_back(std::move(proof));
    else
      items.emplace_back(velvet::Comment{noProofLines(), {}});
    addImports();
  }

  /// After the head comment. A spec is read at Float32, whatever else it uses.
  void addImports() {
    std::vector<velvet::Item>& items = m_result.tree.items;
    std::set<std::string> modules = usedModules(m_result.tree);
    modules.insert("Plumbline.Float32");
    modules.merge(lemmaModules(m_result.tree, *m_problem.module, m_problem.kernel->function));
    std::vector<velvet::Item> imports = importItems(modules, true);
    items.insert(items.begin() + 1, std::make_move_iterator(imports.begin()),
                 std::make_move_iterator(imports.end()));
  }

  std::vector<std::string> noProofLines() const {
    std::vector<std::string> lines{
        "No proof is claimed: Lean gives no meaning to what this kernel does at",
    };
    for (const Inexpressible& part : m_result.inexpressible)
      lines.push_back("  " + placeText(part.where) + ": not expressible: " + part.what);
    return lines;
  }

  std::vector<std::string> headLines() const {
    const std::string kernel =
        "kernel '" + m_problem.kernel->name + "' (" + placeText(function().where) + ")";
    std::vector<std::string> lines{
        "Method document of Plumbline: " + kernel + " compared with the module in " +
            baseName(m_graph.source) + ".",
        "Lean has not checked this text: it was written for " +
            std::string(m_dialect == velvet::Dialect::Velvet2 ? "Velvet 2 on Lean 4.34"
                                                              : "the CAV 2026 Velvet on Lean 4.24") +
            " without running either.",
        "Generated and locked: definitions, requires, body, ensures. Yours: invariants, lemmas, the proof.",
        "",
        "Reading: ieee. A Float32 has one NaN; equality is equality of bits, so 0 and -0 differ.",
        "Scope: all inputs and sizes that satisfy the requires clauses.",
    };
    const std::vector<std::string> claims = m_isScalar ? scalarClaims() : generalClaims();
    lines.insert(lines.end(), claims.begin(), claims.end());
    addHypotheses(lines);
    addAssumptions(lines);
    for (const FactInfo& fact : m_result.facts)
      lines.push_back("Theorem " + fact.theorem + " (" + fact.kind + "): " +
                      (fact.axiom.empty() ? "no axiom besides Lean's own."
                                          : "rests on the axiom of " + fact.axiom + "."));
    if (!m_result.invariants.empty())
      lines.push_back("Invariants: " + m_result.invariants + ".");
    return lines;
  }

  static std::vector<std::string> scalarClaims() {
    return {
        "The threads run one after another here. That no thread depends on another, that all elements are",
        "written and that the launch is legal is shown by Plumbline's safety gate, not by this document."};
  }

  /// A document of a kernel that no verdict of Plumbline's need cover.
  static std::vector<std::string> generalClaims() {
    const std::string first = "Blocks run one after another here, and between two barriers the threads of a "
                              "block. That is what the";
    return {
        first,
        "kernel does only if the race condition of every phase holds (phases without a barrier between them",
        "count as one), no block depends on another, every thread reaches every barrier, nothing is read",
        "before it is written, and the launch is legal. None of this is shown here: only the answer of",
        "`plumbline check` says whether Plumbline's safety gate has shown it. Shared memory keeps what the",
        "block before left there; the kernel may not depend on it.",
    };
  }

  void addHypotheses(std::vector<std::string>& lines) const {
    for (const gate::Hypothesis& known : m_problem.hypotheses)
      if (!known.condition)
        lines.push_back("Hypothesis (" + known.origin + "): " + oneLine(known.text) + ".");
  }

  void addAssumptions(std::vector<std::string>& lines) const {
    for (const std::string& assumption : m_problem.spec.assumptions)
      lines.push_back("Assumption " + assumption +
                      ": ATen does not fix the sign of a zero chosen on a tie; the spec" +
                      " takes it as a Bool, and either value is allowed.");
    for (const std::string& function : m_problem.spec.opaque)
      lines.push_back("Opaque: " + function +
                      " has no bits that everybody agrees on; it is an unknown function here.");
    for (const std::string& constant : m_problem.spec.openConstants)
      lines.push_back("The constant '" + constant + "' of the module is a parameter here.");
  }

  const torch::Graph& m_graph;
  logic::TermStore m_store; ///< before the problem, whose terms live in it
  gate::Problem m_problem;
  MemoryUse m_memory;
  velvet::Dialect m_dialect = velvet::Dialect::Velvet2;
  bool m_isScalar = true;
  Environment m_environment;
  std::vector<OutputText> m_specs;
  std::vector<OutputProgress> m_outputs;
  std::vector<velvet::Item> m_facts;
  std::vector<velvet::Definition> m_definitions;
  std::vector<velvet::Definition> m_turns;
  std::set<std::string> m_kernelOpaque;
  std::vector<ExprPtr> m_resultParts;
  MethodDocument m_result;
};

Error rejected(Refused refused, const std::string& kernel) {
  Error error{ErrorKind::Rejected,
              refused.rejection.id,
              "kernel '" + kernel + "' has no method: it uses " + refused.rejection.construct,
              "rewrite the construct; `plumbline check` may still decide the pair",
              refused.rejection.where,
              {}};
  if (!refused.rejection.where.known())
    error.where.reset();
  error.rejections.push_back(std::move(refused.rejection));
  return error;
}

} // namespace

Expected<MethodDocument> generateMethod(const logic::TermStore& store, const torch::Graph& graph,
                                        const gate::Problem& problem, const MethodOptions& options) {
  try {
    return Generator(store, graph, problem).run(options);
  } catch (Refused& refused) {
    if (refused.rejection.id == "no-closed-fact")
      return fail(ErrorKind::Rejected, refused.rejection.id,
                  "the theorem cannot be written: it needs " + refused.rejection.construct,
                  "the document without it is written by `plumbline method`");
    return fail(rejected(std::move(refused), problem.kernel->name));
  }
}

} // namespace plumbline::method
