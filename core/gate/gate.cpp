#include "core/gate/gate.h"

#include "core/gate/contradiction.h"
#include "core/gate/grid/contents.h"

#include <algorithm>
#include <set>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

std::string_view name(GateStatus status) {
  switch (status) {
  case GateStatus::Undetermined: return "undetermined";
  case GateStatus::Accepted: return "accepted";
  case GateStatus::Refused: return "refused";
  case GateStatus::Unsupported: return "unsupported";
  }
  return "undetermined";
}

std::string nextStep(const GateReport& report) {
  if (!report.next.empty() || report.rejections.empty() || report.status == GateStatus::Refused)
    return report.next;
  return report.status == GateStatus::Unsupported
             ? "rewrite the constructs named above"
             : "rewrite what is named above, or describe the launch in a file and give it with --launch";
}

std::vector<TermId> sizeFacts(TermStore& store, const Problem& problem) {
  std::vector<TermId> facts;
  for (const Hypothesis& known : problem.hypotheses)
    if (known.condition && store.boolValue(*known.condition) != true)
      facts.push_back(*known.condition);
  facts.insert(facts.end(), problem.definitions.begin(), problem.definitions.end());
  return facts;
}

namespace {

constexpr std::chrono::milliseconds shortLimit{500};
constexpr std::chrono::milliseconds longLimit{8000};
constexpr size_t maxConcreteSizes = 96;
constexpr int64_t maxReplayNumel = 1 << 20;
constexpr int64_t maxConcreteNumel = 1 << 14;

/// Input patterns of the concrete search: each value is repeated over the tensor, so that data-dependent
/// guards take both branches somewhere.
constexpr uint64_t searchPatterns[] = {0x3f800000, 0xbf800000, 0x7fc00000,
                                       0x00000000, 0x80000000, 0x7f800000};

class GateCheck {
public:
  GateCheck(TermStore& store, const Problem& problem, engine::Portfolio* portfolio, const StopToken& stop)
      : m_store(store), m_problem(problem), m_portfolio(portfolio), m_stop(stop) {}

  GateReport run() {
    m_report.facts = sizeFacts(m_store, m_problem);
    Expected<vc::SymbolicThread> thread = vc::executeThread(m_store, *m_problem.module, *m_problem.kernel,
                                                            m_problem.parameters, m_problem.geometry);
    if (!thread) {
      m_report.status = GateStatus::Unsupported;
      m_report.reason = thread.error().message;
      m_report.rejections = thread.error().rejections;
      return std::move(m_report);
    }
    m_thread = *std::move(thread);
    prepareCoordinates();
    if (!hypothesesHoldSomewhere())
      return std::move(m_report);
    if (prove(shortLimit)) {
      m_report.status = GateStatus::Accepted;
      return std::move(m_report);
    }
    // A concrete defect is found faster than a hard query is answered.
    if (m_report.findings.empty())
      searchSmallGrids();
    if (m_report.findings.empty() && m_anyUnknown && prove(longLimit)) {
      m_report.status = GateStatus::Accepted;
      return std::move(m_report);
    }
    if (m_report.findings.empty())
      replayModels();
    if (m_report.findings.empty())
      searchLargeGrids();
    m_report.status = m_report.findings.empty() ? GateStatus::Undetermined : GateStatus::Refused;
    m_report.values.clear();
    return std::move(m_report);
  }

private:
  /// One attempt at all obligations with a time limit for each query.
  bool prove(std::chrono::milliseconds limit) {
    m_limit = limit;
    m_anyUnknown = false;
    m_models.clear();
    m_report.obligations.clear();
    m_report.values.clear();
    m_report.reason.clear();
    const bool host = checkHost();
    const bool thread = host && checkThread();
    return thread && checkOutputs();
  }

  /// From contradictory hypotheses everything follows, so nothing may be concluded from them.
  bool hypothesesHoldSomewhere() {
    if (!smallSizes(m_store, m_problem, 1, maxConcreteNumel).empty())
      return true;
    m_limit = longLimit;
    TermId all = m_store.boolean(true);
    for (TermId fact : m_report.facts)
      all = m_store.land(all, fact);
    const IndexProof proof = sizeProver().prove(all, m_store.boolean(false), m_stop);
    if (proof.status == ProofStatus::Refuted)
      return true;
    m_report.reason = "no sizes were found that satisfy all hypotheses";
    m_report.next = "remove a hypothesis, or give one that is easier to satisfy";
    if (proof.status != ProofStatus::Proved)
      return false;
    m_report.reason = "contradictory-hypotheses: no sizes satisfy all hypotheses";
    m_report.next = "remove or correct a hypothesis";
    const std::vector<Hypothesis> guilty = contradictoryHypotheses(m_store, m_problem, m_portfolio, m_stop);
    if (guilty.empty())
      return false;
    m_report.reason = "contradictory-hypotheses: " + contradictionText(guilty);
    m_report.next = contradictionRemedy(guilty);
    return false;
  }

  /// The first attempt ends at the first hard query: running small grids comes before waiting for solvers.
  bool givenUp() const { return m_limit == shortLimit && m_anyUnknown; }

  // --- Coordinates ---

  /// Coordinates along an axis of one block or one thread are 0; the others get their range.
  void prepareCoordinates() {
    std::unordered_map<TermId, TermId> zeros;
    m_bounds = m_problem.bounds;
    for (size_t axis = 0; axis < 3; ++axis) {
      addCoordinate(vc::blockVariable(m_store, axis), m_problem.geometry.gridDim[axis], zeros);
      addCoordinate(vc::threadVariable(m_store, axis), m_problem.geometry.blockDim[axis], zeros);
    }
    auto apply = [&](TermId& id) { id = vc::normaliseIntegers(m_store, m_store.substitute(id, zeros)); };
    for (vc::ThreadStore& entry : m_thread.stores) {
      apply(entry.guard);
      apply(entry.index);
      apply(entry.value);
    }
    for (vc::ThreadLoad& entry : m_thread.loads) {
      apply(entry.guard);
      apply(entry.index);
    }
    // Obligations keep their shape: bounds of the written form are often tighter than of the expanded one.
    for (vc::Obligation& entry : m_thread.obligations) {
      entry.guard = m_store.substitute(entry.guard, zeros);
      entry.holds = m_store.substitute(entry.holds, zeros);
    }
  }

  void addCoordinate(TermId variable, TermId extent, std::unordered_map<TermId, TermId>& zeros) {
    if (m_store.intValue(extent) == 1) {
      zeros.emplace(variable, m_store.integer(0));
      return;
    }
    m_coordinates.push_back(variable);
    m_coordinateFacts.push_back(
        m_store.land(m_store.ile(m_store.integer(0), variable), m_store.ilt(variable, extent)));
    vc::Bounds bounds{0, std::nullopt};
    if (const auto high = vc::boundsOf(m_store, extent, m_problem.bounds).high)
      bounds.high = *high - 1;
    m_bounds[m_store.symbolText(variable)] = bounds;
  }

  IndexProver prover(std::map<std::string, vc::Bounds> bounds, std::vector<TermId> facts) const {
    IndexProver result(m_store, m_portfolio, std::move(bounds), std::move(facts));
    result.setLimit(m_limit);
    return result;
  }

  IndexProver sizeProver() { return prover(m_problem.bounds, m_report.facts); }

  IndexProver threadProver() {
    std::vector<TermId> facts = m_report.facts;
    facts.insert(facts.end(), m_coordinateFacts.begin(), m_coordinateFacts.end());
    return prover(m_bounds, std::move(facts));
  }

  bool record(std::string obligation, const SourceRange& where, IndexProof proof) {
    const bool proved = proof.status == ProofStatus::Proved;
    m_anyUnknown |= proof.status == ProofStatus::Unknown;
    if (proof.status == ProofStatus::Refuted)
      m_models.push_back(proof.model);
    if (!proved && m_report.reason.empty()) {
      m_report.reason = obligation;
      if (!proof.reason.empty())
        m_report.reason += " (" + proof.reason + ")";
    }
    m_report.obligations.push_back({std::move(obligation), where, std::move(proof)});
    return proved;
  }

  // --- Obligations ---

  bool checkHost() {
    bool all = true;
    IndexProver sizes = sizeProver();
    const TermId always = m_store.boolean(true);
    for (const HostObligation& obligation : m_problem.hostObligations) {
      IndexProof proof = sizes.prove(always, obligation.holds, m_stop);
      if (proof.status == ProofStatus::Refuted && !obligation.kind.empty())
        refuteHost(obligation, proof.model);
      all &= record((obligation.kind.empty() ? "launch" : obligation.kind) + ": " + obligation.message,
                    obligation.where, std::move(proof));
    }
    return all;
  }

  void refuteHost(const HostObligation& obligation, const std::map<std::string, int64_t>& model) {
    Sizes sizes = sizesOf(model);
    for (const Sizes& small : smallSizes(m_store, m_problem, maxConcreteSizes, maxConcreteNumel))
      if (evaluateAt(m_store, m_problem, obligation.holds, small) == 0) {
        sizes = small;
        break;
      }
    if (!admissible(m_store, m_problem, sizes) ||
        evaluateAt(m_store, m_problem, obligation.holds, sizes) != 0)
      return;
    m_report.findings.push_back({obligation.kind, obligation.message, {obligation.where}, {}, sizes, true});
  }

  bool checkThread() {
    std::vector<std::pair<TermId, TermId>> all;
    for (const vc::Obligation& obligation : m_thread.obligations)
      all.emplace_back(obligation.guard, obligation.holds);
    IndexProver threads = threadProver();
    const IndexProof together = threads.proveAll(all, m_stop);
    bool proved = true;
    for (const vc::Obligation& obligation : m_thread.obligations) {
      if (givenUp())
        return false;
      IndexProof proof = together.status == ProofStatus::Proved
                             ? together
                             : threads.prove(obligation.guard, obligation.holds, m_stop);
      proved &= record(std::string(vc::name(obligation.kind)) + ": " + obligation.message, obligation.where,
                       std::move(proof));
    }
    return proved;
  }

  bool checkOutputs() {
    bool all = true;
    std::set<std::string> written;
    for (const OutputBinding& output : m_problem.outputs) {
      written.insert(output.buffer);
      all &= checkOutput(output);
    }
    for (const vc::ThreadStore& entry : m_thread.stores)
      if (!written.contains(entry.buffer))
        all &= record("input-written: a store to " + entry.buffer + ", which is no output", entry.where, {});
    return all;
  }

  bool checkOutput(const OutputBinding& output) {
    std::vector<const vc::ThreadStore*> stores;
    for (const vc::ThreadStore& entry : m_thread.stores)
      if (entry.buffer == output.buffer && m_store.boolValue(entry.guard) != false)
        stores.push_back(&entry);
    if (stores.empty())
      return record("coverage: no thread writes " + output.buffer,
                    m_problem.kernel->function >= 0 ? kernelRange() : SourceRange{}, {});
    for (const vc::ThreadStore* entry : stores)
      if (entry->index != stores[0]->index)
        return record("one-element: a thread writes " + output.buffer + " under several indices",
                      entry->where, unknown("only kernels that write one element per thread are covered"));
    const TermId index = stores[0]->index;
    const TermId element = m_store.var(Sort::Int, elementName);
    const auto witness = vc::proposeWitness(m_store, index, element, m_problem.geometry);
    if (!witness)
      return record("index-map: which thread writes which element of " + output.buffer, stores[0]->where,
                    unknown("the index is not a sum of strides times block and thread coordinates"));
    TermId active = m_store.boolean(false);
    for (const vc::ThreadStore* entry : stores)
      active = m_store.lor(active, entry->guard);
    const bool unique = proveUnique(output, index, active, *witness, element, stores[0]->where);
    if (!unique || givenUp())
      return false;
    const std::optional<TermId> value = coveredValue(output, stores, active, *witness);
    if (!value || !proveReadsSeparate(output, index, active))
      return false;
    ElementValue written{output.output, *value, originsAt(*witness), {}};
    for (const vc::ThreadStore* entry : stores)
      written.stores.push_back(entry->where);
    m_report.values.push_back(std::move(written));
    return true;
  }

  std::vector<vc::TermOrigin> originsAt(const vc::ThreadWitness& witness) {
    std::vector<vc::TermOrigin> origins = m_thread.origins;
    for (vc::TermOrigin& origin : origins)
      origin.term = vc::atWitness(m_store, origin.term, witness);
    return origins;
  }

  SourceRange kernelRange() const {
    return m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)].where;
  }

  static IndexProof unknown(std::string reason) {
    IndexProof proof;
    proof.reason = std::move(reason);
    return proof;
  }

  /// The witness is a left inverse of the index on active threads, so no two of them write one element.
  bool proveUnique(const OutputBinding& output, TermId index, TermId active, const vc::ThreadWitness& witness,
                   TermId element, const SourceRange& where) {
    const std::unordered_map<TermId, TermId> atIndex{{element, index}};
    TermId same = m_store.boolean(true);
    for (size_t axis = 0; axis < 3; ++axis) {
      same = sameCoordinate(same, vc::blockVariable(m_store, axis),
                            m_store.substitute(witness.block[axis], atIndex));
      same = sameCoordinate(same, vc::threadVariable(m_store, axis),
                            m_store.substitute(witness.thread[axis], atIndex));
    }
    IndexProof proof = threadProver().prove(active, same, m_stop);
    m_inverse = same;
    m_leftInverse = proof.status == ProofStatus::Proved;
    if (proof.status == ProofStatus::Refuted ||
        (proof.status == ProofStatus::Unknown && m_limit != shortLimit))
      proof = provePairwise(active, index, active, index, proof);
    return record("unique: each element of " + output.buffer + " is written by one thread", where,
                  std::move(proof));
  }

  TermId sameCoordinate(TermId conjunction, TermId variable, TermId value) {
    if (std::find(m_coordinates.begin(), m_coordinates.end(), variable) == m_coordinates.end())
      return conjunction;
    return m_store.land(conjunction, m_store.ieq(variable, value));
  }

  /// Two different threads under the two guards never have equal indices.
  IndexProof provePairwise(TermId guardA, TermId indexA, TermId guardB, TermId indexB,
                           const IndexProof& first) {
    std::unordered_map<TermId, TermId> primed;
    std::map<std::string, vc::Bounds> bounds = m_bounds;
    TermId same = m_store.boolean(true);
    for (TermId variable : m_coordinates) {
      const std::string other = m_store.symbolText(variable) + "'";
      const TermId copy = m_store.var(Sort::Int, other);
      primed.emplace(variable, copy);
      bounds[other] = m_bounds[m_store.symbolText(variable)];
      same = m_store.land(same, m_store.ieq(variable, copy));
    }
    std::vector<TermId> facts = m_report.facts;
    for (TermId fact : m_coordinateFacts) {
      facts.push_back(fact);
      facts.push_back(m_store.substitute(fact, primed));
    }
    const TermId guard = m_store.land(m_store.land(guardA, primeGuard(guardB, primed)),
                                      m_store.ieq(indexA, m_store.substitute(indexB, primed)));
    IndexProof proof = prover(std::move(bounds), std::move(facts)).prove(guard, same, m_stop);
    proof.timeMs += first.timeMs;
    return proof;
  }

  /// Float conditions of the other thread are other Booleans: loads are at other indices there.
  TermId primeGuard(TermId guard, const std::unordered_map<TermId, TermId>& primed) {
    std::unordered_map<TermId, TermId> replacement = primed;
    for (TermId id : m_store.postOrder(guard)) {
      const logic::Term term = m_store[id];
      const bool overFloats = std::any_of(term.args.begin(), term.args.end(), [&](TermId arg) {
        return m_store[arg].sort == Sort::F32 || m_store[arg].sort == Sort::F64;
      });
      if (term.sort == Sort::Bool && overFloats)
        replacement.emplace(id,
                            m_store.var(Sort::Bool, "other:" + std::to_string(static_cast<uint32_t>(id))));
    }
    return m_store.substitute(guard, replacement);
  }

  /// What element i holds after the launch. Every element is written, or the buffer had defined contents
  /// before and only the witness thread can have changed the element.
  std::optional<TermId> coveredValue(const OutputBinding& output,
                                     const std::vector<const vc::ThreadStore*>& stores, TermId active,
                                     const vc::ThreadWitness& witness) {
    const TermId element = m_store.var(Sort::Int, elementName);
    const TermId writes = writesElement(stores[0]->index, active, witness, element);
    IndexProof proof = proveForElements(output, writes);
    const std::string name = "coverage: every element of " + output.buffer + " is written";
    if (proof.status == ProofStatus::Proved) {
      record(name, stores[0]->where, std::move(proof));
      return valueAt(stores, witness);
    }
    const std::optional<TermId> initial = initialValue(output.buffer, element);
    if (!initial || !m_leftInverse) {
      record(name, stores[0]->where, std::move(proof));
      return std::nullopt;
    }
    return m_store.ite(writes, valueAt(stores, witness), *initial);
  }

  /// Contents before the launch, where they are defined.
  std::optional<TermId> initialValue(const std::string& buffer, TermId element) {
    for (const auto& [parameter, binding] : m_problem.parameters) {
      if (binding.buffer != buffer)
        continue;
      if (binding.zeroInitialised)
        return m_store.f32Bits(0);
      if (!buffer.starts_with("output:"))
        return m_store.load(Sort::F32, buffer, element);
    }
    return std::nullopt;
  }

  /// The witness thread exists, is active and writes the element.
  TermId writesElement(TermId index, TermId active, const vc::ThreadWitness& witness, TermId element) {
    TermId result = m_store.land(vc::atWitness(m_store, active, witness),
                                 m_store.ieq(vc::atWitness(m_store, index, witness), element));
    for (TermId fact : m_coordinateFacts)
      result = m_store.land(result, vc::atWitness(m_store, fact, witness));
    for (size_t axis = 0; axis < 3; ++axis)
      result = m_store.land(result, droppedAxesAreZero(witness, axis));
    return result;
  }

  /// Proves a condition for all 0 <= i < numel.
  IndexProof proveForElements(const OutputBinding& output, TermId goal) {
    const TermId element = m_store.var(Sort::Int, elementName);
    const TermId numel = m_problem.spec.outputs[output.output].tensor.numel;
    std::map<std::string, vc::Bounds> bounds = m_problem.bounds;
    vc::Bounds elementBounds{0, std::nullopt};
    if (const auto high = vc::boundsOf(m_store, numel, m_problem.bounds).high)
      elementBounds.high = *high - 1;
    bounds[elementName] = elementBounds;
    return prover(std::move(bounds), m_report.facts).prove(m_store.ilt(element, numel), goal, m_stop);
  }

  /// The witness must lie in the grid also along axes of extent 1.
  TermId droppedAxesAreZero(const vc::ThreadWitness& witness, size_t axis) {
    auto zeroUnlessFree = [&](TermId variable, TermId value) {
      const bool free =
          std::find(m_coordinates.begin(), m_coordinates.end(), variable) != m_coordinates.end();
      return free ? m_store.boolean(true) : m_store.ieq(value, m_store.integer(0));
    };
    return m_store.land(zeroUnlessFree(vc::blockVariable(m_store, axis), witness.block[axis]),
                        zeroUnlessFree(vc::threadVariable(m_store, axis), witness.thread[axis]));
  }

  /// A read of a buffer that is also written sees a cell of its own thread only.
  bool proveReadsSeparate(const OutputBinding& output, TermId index, TermId active) {
    bool all = true;
    for (const vc::ThreadLoad& load : m_thread.loads) {
      if (load.buffer != output.buffer || (load.index == index && readsOwnCell(load.guard, active)))
        continue;
      all &= record("race: a read of " + output.buffer + " that another thread writes", load.where,
                    provePairwise(load.guard, load.index, active, index, {}));
    }
    return all;
  }

  /// A thread that reads under its own index: it is the writer, or its index is nobody else's. A thread that
  /// does not write (past the end of a row, say) may well compute the index of another one.
  bool readsOwnCell(TermId guard, TermId active) {
    IndexProver threads = threadProver();
    return threads.quick(guard, active) ||
           (m_leftInverse && threads.prove(guard, m_inverse, m_stop).status == ProofStatus::Proved);
  }

  /// What the thread for element i leaves there. Coverage says that one of the guards holds.
  TermId valueAt(const std::vector<const vc::ThreadStore*>& stores, const vc::ThreadWitness& witness) {
    TermId value = stores[0]->value;
    for (size_t k = 1; k < stores.size(); ++k)
      value = m_store.ite(stores[k]->guard, stores[k]->value, value);
    return vc::atWitness(m_store, value, witness);
  }

  // --- Findings ---

  Sizes sizesOf(const std::map<std::string, int64_t>& model) {
    Sizes sizes;
    for (const std::string& variable : m_problem.sizeVariables) {
      const auto found = model.find(variable);
      sizes[variable] = found != model.end() ? found->second : lowest(variable);
    }
    for (TermId definition : m_problem.definitions)
      splitProduct(model, definition, sizes);
    return sizes;
  }

  int64_t lowest(const std::string& variable) const {
    const auto bounds = m_problem.bounds.find(variable);
    return bounds != m_problem.bounds.end() ? bounds->second.low.value_or(1) : 1;
  }

  /// A model may fix a number of elements and leave the dimensions open: they are then chosen to give it, or
  /// as many as fit below it.
  void splitProduct(const std::map<std::string, int64_t>& model, TermId definition, Sizes& sizes) {
    const auto total = model.find(m_store.symbolText(m_store[definition].args[0]));
    if (total == model.end())
      return;
    int64_t others = 1;
    std::string last;
    for (TermId id : m_store.postOrder(m_store[definition].args[1])) {
      const std::string& name = m_store.symbolText(id);
      if (m_store[id].op != Op::Var || model.contains(name) || !sizes.contains(name))
        continue;
      others *= last.empty() ? 1 : sizes[last];
      last = name;
    }
    if (!last.empty() && total->second / others >= lowest(last))
      sizes[last] = total->second / others;
  }

  void searchSmallGrids() {
    for (const Sizes& sizes : smallSizes(m_store, m_problem, maxConcreteSizes, maxConcreteNumel)) {
      if (m_stop.stopRequested())
        return;
      const Expected<GridRun> run = runGrid(m_store, m_problem, sizes, searchInputs(sizes), m_stop);
      if (!run)
        continue;
      addFindings(run->result.findings, sizes);
      if (!m_report.findings.empty())
        return;
    }
  }

  /// Sizes just above powers of two, for launches whose grid is fixed: the last dimension large, the others
  /// small.
  void searchLargeGrids() {
    if (m_problem.sizeVariables.empty() || m_models.empty())
      return;
    for (int64_t size = maxConcreteNumel; size <= maxReplayNumel; size *= 4) {
      Sizes sizes;
      for (const std::string& variable : m_problem.sizeVariables)
        sizes[variable] = lowest(variable);
      sizes[m_problem.sizeVariables.back()] = size + 1;
      if (m_stop.stopRequested() || !m_report.findings.empty())
        return;
      if (!admissible(m_store, m_problem, sizes) || largestNumel(sizes) > 4 * maxReplayNumel)
        continue;
      if (const auto run = runGrid(m_store, m_problem, sizes, searchInputs(sizes), m_stop))
        addFindings(run->result.findings, sizes);
    }
  }

  TensorBits searchInputs(const Sizes& sizes) {
    TensorBits inputs;
    for (const spec::SpecInput& input : m_problem.spec.inputs) {
      const int64_t count = evaluateAt(m_store, m_problem, input.tensor.numel, sizes).value_or(0);
      std::vector<uint64_t>& bits = inputs[input.tensor.name];
      for (int64_t index = 0; index < count; ++index)
        bits.push_back(searchPatterns[static_cast<size_t>(index) % std::size(searchPatterns)]);
    }
    return inputs;
  }

  /// Sizes and threads that a solver proposed for an open obligation: the whole grid where it is small
  /// enough, else the threads alone.
  void replayModels() {
    for (const auto& model : m_models) {
      const Sizes sizes = sizesOf(model);
      if (m_stop.stopRequested() || !admissible(m_store, m_problem, sizes))
        continue;
      if (largestNumel(sizes) <= maxReplayNumel) {
        if (const auto run = runGrid(m_store, m_problem, sizes, searchInputs(sizes), m_stop))
          addFindings(run->result.findings, sizes);
      } else if (const auto run = runThreads(m_store, m_problem, sizes, threadsOf(model), m_stop)) {
        addFindings(run->findings, sizes);
      }
      if (!m_report.findings.empty())
        return;
    }
  }

  int64_t largestNumel(const Sizes& sizes) {
    int64_t largest = 0;
    for (const auto& [parameter, binding] : m_problem.parameters)
      if (!binding.buffer.empty())
        largest =
            std::max(largest, evaluateAt(m_store, m_problem, binding.length, sizes).value_or(INT64_MAX));
    return largest;
  }

  /// The thread of a model and, where the question was about two, the other one.
  std::vector<ir::ThreadId> threadsOf(const std::map<std::string, int64_t>& model) {
    std::vector<ir::ThreadId> threads;
    for (const char* suffix : {"", "'"}) {
      ir::ThreadId thread;
      for (size_t axis = 0; axis < 3; ++axis) {
        thread.block[axis] =
            coordinateOf(model, m_store.symbolText(vc::blockVariable(m_store, axis)) + suffix);
        thread.thread[axis] =
            coordinateOf(model, m_store.symbolText(vc::threadVariable(m_store, axis)) + suffix);
      }
      if (std::find(threads.begin(), threads.end(), thread) == threads.end())
        threads.push_back(thread);
    }
    return threads;
  }

  static int64_t coordinateOf(const std::map<std::string, int64_t>& model, const std::string& name) {
    const auto found = model.find(name);
    return found != model.end() ? found->second : 0;
  }

  void addFindings(const std::vector<ir::RunFinding>& findings, const Sizes& sizes) {
    for (const ir::RunFinding& found : findings) {
      Finding finding;
      grid::describe(finding, found);
      finding.sizes = sizes;
      m_report.findings.push_back(std::move(finding));
    }
  }

  TermStore& m_store;
  const Problem& m_problem;
  engine::Portfolio* m_portfolio;
  const StopToken& m_stop;
  GateReport m_report;
  vc::SymbolicThread m_thread;
  std::vector<TermId> m_coordinates;     ///< coordinates that are not fixed to 0
  std::vector<TermId> m_coordinateFacts; ///< their ranges
  std::map<std::string, vc::Bounds> m_bounds;
  std::vector<std::map<std::string, int64_t>> m_models;
  std::chrono::milliseconds m_limit{};
  bool m_anyUnknown = false;
  TermId m_inverse{};         ///< Bool: a thread is the witness of its own index, of the output at hand
  bool m_leftInverse = false; ///< so it is for every thread that writes: nobody else can write the element
};

} // namespace

GateReport checkGate(TermStore& store, const Problem& problem, engine::Portfolio* portfolio,
                     const StopToken& stop) {
  return GateCheck(store, problem, portfolio, stop).run();
}

} // namespace plumbline::gate
