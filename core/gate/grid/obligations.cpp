#include "core/gate/grid/obligations.h"

#include "core/gate/arithmetic/evaluate.h"

#include <algorithm>

namespace plumbline::gate::grid {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t mostParts = 5000; ///< of a question

} // namespace

Obligations::Obligations(TermStore& store, SymbolTable& symbols, ArithmeticProver& prover,
                         const Program& program, const SymbolicLaunch& launch,
                         std::chrono::steady_clock::time_point deadline, const StopToken& stop)
    : m_store(store), m_symbols(symbols), m_prover(prover), m_program(program), m_launch(launch),
      m_deadline(deadline), m_stop(stop), m_skeleton(program, symbols) {}

std::vector<Answer> Obligations::all() {
  mergeLanes();
  requirements();
  bounds();
  alignment();
  agreements();
  races();
  initialised();
  complete();
  return std::move(m_answers);
}

// --- Helpers

/// The lanes of one vector access are one access. Other arrays may be touched in between, the same one not.
void Obligations::mergeLanes() {
  for (size_t i = 0; i < m_program.accesses.size(); ++i) {
    const Access& access = m_program.accesses[i];
    const auto previous = std::find_if(m_sites.rbegin(), m_sites.rend(), [&](const Site& site) {
      return site.access.object == access.object || site.access.segment != access.segment;
    });
    if (previous != m_sites.rend() && continues(previous->access, access))
      previous->access.width += access.width;
    else
      m_sites.push_back({access, i});
  }
}

bool Obligations::continues(const Access& last, const Access& access) {
  const TermId next = m_store.iadd(last.offset, m_store.integer(last.width));
  return last.object == access.object && last.write == access.write && !access.atomic && !last.atomic &&
         last.guard == access.guard && last.segment == access.segment && last.address == access.address &&
         vc::normaliseIntegers(m_store, next) == vc::normaliseIntegers(m_store, access.offset);
}

bool Obligations::isLate() const {
  return std::chrono::steady_clock::now() > m_deadline;
}

Answer Obligations::ask(Answer answer, std::vector<TermId> hypotheses, TermId goal) {
  if (m_stop.stopRequested()) {
    answer.proof.reason = "cancelled";
    return answer;
  }
  if (m_shown.contains(answer.kind)) {
    answer.proof.reason = "a run shows this fault";
    return answer;
  }
  if (isLate()) {
    answer.proof.reason = "no time is left";
    return answer;
  }
  std::vector<TermId> all = hypotheses;
  all.push_back(goal);
  if (m_store.postOrder(all).size() > mostParts) {
    answer.proof.reason = "the question is too large";
    return answer;
  }
  std::vector<TermId> asked = m_symbols.factsFor(all);
  asked.insert(asked.end(), hypotheses.begin(), hypotheses.end());
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  const auto key = std::pair(goal, asked);
  const auto known = m_asked.find(key);
  if (known != m_asked.end()) {
    answer.proof = known->second;
    return answer;
  }
  answer.proof = m_prover.prove(asked, goal, m_stop);
  m_asked.emplace(key, answer.proof);
  if (answer.proof.status == ProofStatus::Refuted && !answer.kind.empty() && m_refuted)
    if (const auto deadline = m_refuted(answer)) {
      m_shown.insert(answer.kind);
      m_deadline = *deadline;
    }
  return answer;
}

std::optional<TermId> Obligations::divided(TermId bytes, int64_t by) {
  auto polynomial = vc::polynomialOf(m_store, bytes);
  if (!polynomial)
    return std::nullopt;
  for (auto& [atoms, coefficient] : polynomial->terms) {
    if (coefficient % by != 0)
      return std::nullopt;
    coefficient /= by;
  }
  return vc::toTerm(m_store, *polynomial);
}

std::array<TermId, 3> Obligations::coordinates(const char* object, const std::array<TermId, 3>& extents) {
  std::array<TermId, 3> result{};
  for (size_t i = 0; i < 3; ++i)
    result[i] = m_store.intValue(extents[i]) == 1
                    ? m_store.integer(0)
                    : m_store.var(Sort::Int, std::string(object) + "." + "xyz"[i]);
  return result;
}

TermId Obligations::differ(const std::array<TermId, 3>& a, const std::array<TermId, 3>& b) {
  TermId same = m_store.boolean(true);
  for (size_t i = 0; i < 3; ++i)
    if (a[i] != b[i])
      same = m_store.land(same, m_store.ieq(a[i], b[i]));
  return m_store.lnot(same);
}

TermId Obligations::warpOf(const std::array<TermId, 3>& thread) {
  const auto& block = m_launch.blockDim;
  const TermId plane = m_store.iadd(thread[1], m_store.imul(block[1], thread[2]));
  const TermId linear = m_store.iadd(thread[0], m_store.imul(block[0], plane));
  return m_store.idiv(vc::normaliseIntegers(m_store, linear), m_store.integer(32));
}

// --- One thread

namespace {

std::string kindOf(Requirement::Kind kind) {
  switch (kind) {
  case Requirement::Kind::Overflow:
  case Requirement::Kind::ShiftRange: return "overflow";
  case Requirement::Kind::DivisionByZero: return "division-by-zero";
  case Requirement::Kind::Uninitialised: return "uninitialised-read";
  case Requirement::Kind::NoReturnValue:
  case Requirement::Kind::Termination:
  case Requirement::Kind::Unknown: return "";
  }
  return "";
}

std::string nameOf(const Requirement& requirement) {
  switch (requirement.kind) {
  case Requirement::Kind::Overflow: return "no overflow";
  case Requirement::Kind::ShiftRange: return "shift count in range";
  case Requirement::Kind::DivisionByZero: return "no division by zero";
  case Requirement::Kind::Uninitialised: return "value before use";
  case Requirement::Kind::NoReturnValue: return "returned value";
  case Requirement::Kind::Termination: return "termination";
  case Requirement::Kind::Unknown: return "construct";
  }
  return "";
}

} // namespace

void Obligations::requirements() {
  for (const Requirement& each : m_program.requirements) {
    Answer answer;
    answer.kind = kindOf(each.kind);
    answer.name = nameOf(each) + ": " + each.message;
    answer.where = each.where;
    add(ask(std::move(answer), {each.guard}, each.holds));
  }
}

void Obligations::bounds() {
  for (const Site& site : m_sites) {
    const Access& access = site.access;
    const Object& object = m_program.objects[static_cast<size_t>(access.object)];
    const int64_t size = ir::byteSize(object.element);
    TermId offset = access.offset;
    TermId end = m_store.iadd(access.offset, m_store.integer(access.width));
    TermId length = object.bytes;
    const auto elements = divided(offset, size);
    const auto count = divided(length, size);
    if (elements && count && access.width % size == 0) {
      offset = *elements;
      end = m_store.iadd(offset, m_store.integer(access.width / size));
      length = *count;
    }
    Answer answer;
    answer.kind = "out-of-bounds";
    answer.name = std::string("bounds: ") + (access.write ? "write" : "read") + " of " + object.name;
    answer.where = access.where;
    add(ask(std::move(answer), {access.guard},
            m_store.land(m_store.ile(m_store.integer(0), offset), m_store.ile(end, length))));
  }
}

void Obligations::alignment() {
  for (const Site& site : m_sites) {
    const Access& access = site.access;
    const Object& object = m_program.objects[static_cast<size_t>(access.object)];
    if (access.alignment <= ir::byteSize(object.element) && divided(access.address, access.alignment))
      continue;
    Answer answer;
    answer.kind = "misaligned";
    answer.name = std::string("alignment: ") + (access.write ? "write" : "read") + " of " + object.name;
    answer.where = access.where;
    const bool base = object.alignment % access.alignment == 0;
    const TermId goal = !base ? m_store.boolean(false)
                        : divided(access.address, access.alignment)
                            ? m_store.boolean(true)
                            : m_store.ieq(m_store.irem(access.address, m_store.integer(access.alignment)),
                                          m_store.integer(0));
    add(ask(std::move(answer), {access.guard}, goal));
  }
}

// --- Two threads

void Obligations::agreements() {
  for (const Agreement& each : m_program.agreements) {
    SymbolTable::Relation relation;
    relation.sameBlock = true;
    relation.sameWarp = each.level == Level::Warp;
    for (int loop = each.loop; loop != outside; loop = m_symbols.loop(loop).parent)
      relation.sameIteration.insert(loop);
    const std::array<TermId, 2> terms = {each.guard, each.condition};
    std::vector<TermId> all = m_symbols.factsFor(terms);
    all.insert(all.end(), terms.begin(), terms.end());
    const std::array<TermId, 3> thread = coordinates("threadIdx", m_launch.blockDim);
    all.insert(all.end(), thread.begin(), thread.end());
    const auto renaming = m_symbols.secondThread(all, relation);
    const auto second = [&](TermId term) { return m_store.substitute(term, renaming); };
    std::vector<TermId> hypotheses = {each.guard, second(each.guard)};
    for (TermId fact : m_symbols.factsFor(all)) {
      hypotheses.push_back(fact);
      hypotheses.push_back(second(fact));
    }
    if (each.level == Level::Warp) {
      std::array<TermId, 3> other{};
      for (size_t i = 0; i < 3; ++i)
        other[i] = second(thread[i]);
      hypotheses.push_back(m_store.ieq(warpOf(thread), warpOf(other)));
    }
    // By symmetry one direction is enough.
    hypotheses.push_back(each.condition);
    Answer answer;
    answer.kind = "divergent-barrier";
    answer.name = std::string("uniform: ") +
                  (each.level == Level::Block ? "threads of a block" : "lanes of a warp") + " agree here";
    answer.where = each.where;
    answer.otherWhere = each.barrier;
    answer.twoThreads = true;
    add(ask(std::move(answer), std::move(hypotheses), second(each.condition)));
  }
}

TermId Obligations::disjoint(const Access& a, TermId offsetA, const Access& b, TermId offsetB) {
  if (a.width == b.width) {
    const auto left = divided(offsetA, a.width);
    const auto right = divided(offsetB, a.width);
    if (left && right)
      return m_store.lnot(m_store.ieq(*left, *right));
  }
  int64_t scale = 1;
  for (int64_t each : {int64_t{8}, int64_t{4}, int64_t{2}})
    if (scale == 1 && a.width % each == 0 && b.width % each == 0 && divided(offsetA, each) &&
        divided(offsetB, each))
      scale = each;
  const TermId left = *divided(offsetA, scale);
  const TermId right = *divided(offsetB, scale);
  return m_store.lor(m_store.ile(m_store.iadd(left, m_store.integer(a.width / scale)), right),
                     m_store.ile(m_store.iadd(right, m_store.integer(b.width / scale)), left));
}

void Obligations::races() {
  for (size_t i = 0; i < m_sites.size(); ++i)
    for (size_t j = i; j < m_sites.size(); ++j)
      raceOf(m_sites[i], m_sites[j]);
}

void Obligations::raceOf(const Site& a, const Site& b) {
  if (a.access.object != b.access.object || (!a.access.write && !b.access.write) ||
      (a.access.atomic && b.access.atomic))
    return;
  const Object& object = m_program.objects[static_cast<size_t>(a.access.object)];
  if (object.space == Object::Space::Thread || object.space == Object::Space::Constant)
    return;
  askBlock(a.access, b.access);
  if (object.space == Object::Space::Global)
    askGrid(a.access, b.access);
}

std::set<Steps> Obligations::meetings(int from, int to, bool stopAtWarps) {
  std::set<Steps> result;
  const auto& after = m_skeleton.following(from, stopAtWarps);
  if (const auto found = after.find(to); found != after.end())
    result = found->second;
  if (from == to) {
    Steps same;
    for (int loop = m_program.segments[static_cast<size_t>(from)].loop; loop != outside;
         loop = m_symbols.loop(loop).parent)
      if (m_symbols.loop(loop).level != Level::Thread)
        same[loop] = Step::Same;
    result.insert(same);
  }
  return result;
}

void Obligations::askBlock(const Access& a, const Access& b) {
  const auto& dims = m_launch.blockDim;
  if (std::all_of(dims.begin(), dims.end(), [&](TermId each) { return m_store.intValue(each) == 1; }))
    return;
  const bool warps = m_skeleton.hasWarpBarriers();
  for (const bool sameWarp : {false, true}) {
    if (sameWarp && !warps)
      continue;
    for (const bool forward : {true, false}) {
      if (!forward && &a == &b)
        continue;
      const Access& first = forward ? a : b;
      const Access& second = forward ? b : a;
      for (const Steps& steps : meetings(first.segment, second.segment, sameWarp)) {
        const bool allSame = std::all_of(steps.begin(), steps.end(),
                                         [](const auto& each) { return each.second == Step::Same; });
        if (!forward && allSame && first.segment == second.segment)
          continue; // the same question with the threads exchanged
        Pair pair{first, second, {}, steps, {}};
        pair.relation.sameBlock = true;
        pair.relation.sameWarp = sameWarp;
        for (const auto& [loop, step] : steps)
          if (step == Step::Same && m_symbols.isWithin(first.loop, loop) &&
              (sameWarp || m_symbols.loop(loop).level == Level::Block))
            pair.relation.sameIteration.insert(loop);
        raceIn(std::move(pair), warps ? (sameWarp ? "race-block:warp" : "race-block:other") : "race-block");
      }
    }
  }
}

void Obligations::askGrid(const Access& a, const Access& b) {
  const auto& dims = m_launch.gridDim;
  if (std::all_of(dims.begin(), dims.end(), [&](TermId each) { return m_store.intValue(each) == 1; }))
    return;
  raceIn(Pair{a, b, {}, {}, {}}, "race-grid");
}

void Obligations::raceIn(Pair pair, const char* kindText) {
  const std::string kind = kindText;
  const Access& a = pair.a;
  const Access& b = pair.b;
  const std::array<TermId, 3> thread = coordinates("threadIdx", m_launch.blockDim);
  const std::array<TermId, 3> block = coordinates("blockIdx", m_launch.gridDim);
  std::vector<TermId> terms = {a.guard, a.offset, b.guard, b.offset};
  terms.insert(terms.end(), thread.begin(), thread.end());
  terms.insert(terms.end(), block.begin(), block.end());
  for (const auto& [loop, step] : pair.steps)
    terms.push_back(m_symbols.loop(loop).counter);
  const std::vector<TermId> facts = m_symbols.factsFor(terms);
  std::vector<TermId> all = terms;
  all.insert(all.end(), facts.begin(), facts.end());
  const auto renaming = m_symbols.secondThread(all, pair.relation);
  const auto second = [&](TermId term) { return m_store.substitute(term, renaming); };
  std::vector<TermId>& hypotheses = pair.hypotheses;
  hypotheses = {a.guard, second(b.guard)};
  for (TermId fact : facts) {
    hypotheses.push_back(fact);
    hypotheses.push_back(second(fact));
  }
  std::array<TermId, 3> otherThread{}, otherBlock{};
  for (size_t i = 0; i < 3; ++i) {
    otherThread[i] = second(thread[i]);
    otherBlock[i] = second(block[i]);
  }
  hypotheses.push_back(pair.relation.sameBlock ? differ(thread, otherThread) : differ(block, otherBlock));
  if (kind == "race-block:warp")
    hypotheses.push_back(m_store.ieq(warpOf(thread), warpOf(otherThread)));
  if (kind == "race-block:other")
    hypotheses.push_back(m_store.lnot(m_store.ieq(warpOf(thread), warpOf(otherThread))));
  for (const auto& [loop, step] : pair.steps) {
    if (m_symbols.loop(loop).level != Level::Block && !pair.relation.sameWarp)
      continue;
    const TermId counter = m_symbols.loop(loop).counter;
    if (step == Step::Next && m_symbols.isWithin(a.loop, loop))
      hypotheses.push_back(m_store.ieq(second(counter), m_store.iadd(counter, m_store.integer(1))));
    else if (step == Step::First)
      hypotheses.push_back(m_store.ieq(second(counter), m_store.integer(0)));
  }
  Answer answer;
  answer.kind = kind.substr(0, kind.find(':'));
  answer.name = (pair.relation.sameBlock ? "no race in a block: " : "no race between blocks: ") +
                m_program.objects[static_cast<size_t>(a.object)].name;
  answer.where = a.where;
  answer.otherWhere = b.where;
  answer.twoThreads = true;
  if (pair.relation.sameBlock && distinctByEnumeration(a, b)) {
    answer.proof.status = ProofStatus::Proved;
    answer.proof.engine = answer.proof.encoding = "enumeration";
    return add(std::move(answer));
  }
  add(ask(std::move(answer), hypotheses,
          digitwise(hypotheses, disjoint(a, a.offset, b, second(b.offset)), 0)));
}

/// Two positions q * n + r with 0 <= r < n differ exactly when q or r differ. Where the hypotheses give the
/// range of both r, the products with n are gone.
TermId Obligations::digitwise(const std::vector<TermId>& hypotheses, TermId goal, int depth) {
  constexpr int deepest = 4;
  const logic::Term outer = m_store[goal];
  if (depth >= deepest || outer.op != Op::Not || m_store[outer.args[0]].op != Op::IEq)
    return goal;
  const std::vector<TermId> sides = m_store[outer.args[0]].args;
  const auto left = vc::polynomialOf(m_store, sides[0]);
  const auto right = vc::polynomialOf(m_store, sides[1]);
  if (!left || !right)
    return goal;
  for (TermId factor : commonFactors(*left, *right)) {
    const auto [q, r] = splitBy(*left, factor);
    const auto [p, s] = splitBy(*right, factor);
    const auto isDigit = [&](TermId term) {
      return m_store.land(m_store.ile(m_store.integer(0), term), m_store.ilt(term, factor));
    };
    if (!m_prover.quick(hypotheses, isDigit(r)) || !m_prover.quick(hypotheses, isDigit(s)))
      continue;
    const TermId high = m_store.lnot(m_store.ieq(q, p));
    const TermId low = m_store.lnot(m_store.ieq(r, s));
    return m_store.lor(digitwise(hypotheses, high, depth + 1), digitwise(hypotheses, low, depth + 1));
  }
  return goal;
}

/// Atoms that occur in a product with something else, in both.
std::vector<TermId> Obligations::commonFactors(const vc::Polynomial& a, const vc::Polynomial& b) {
  const auto factorsOf = [](const vc::Polynomial& polynomial) {
    std::set<TermId> factors;
    for (const auto& [atoms, coefficient] : polynomial.terms)
      if (atoms.size() > 1)
        factors.insert(atoms.begin(), atoms.end());
    return factors;
  };
  const std::set<TermId> left = factorsOf(a), right = factorsOf(b);
  std::vector<TermId> common;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(common));
  return common;
}

/// Quotient and rest of a polynomial by an atom.
std::pair<TermId, TermId> Obligations::splitBy(const vc::Polynomial& polynomial, TermId factor) {
  vc::Polynomial quotient, rest;
  for (const auto& [allAtoms, coefficient] : polynomial.terms) {
    std::vector<TermId> atoms = allAtoms;
    const auto found = std::find(atoms.begin(), atoms.end(), factor);
    if (found == atoms.end()) {
      rest.terms[atoms] = coefficient;
      continue;
    }
    atoms.erase(found);
    quotient.terms[atoms] = coefficient;
  }
  return {vc::toTerm(m_store, quotient), vc::toTerm(m_store, rest)};
}

/// Whether no two threads of a block touch one byte, for addresses that depend on the thread alone and hold
/// bit operations: each thread's address is computed.
bool Obligations::distinctByEnumeration(const Access& a, const Access& b) {
  const auto holdsBits = [&](TermId offset) {
    const std::vector<TermId> nodes = m_store.postOrder(offset);
    return std::any_of(nodes.begin(), nodes.end(), [&](TermId id) { return m_store[id].op == Op::Opaque; });
  };
  if (a.width != b.width || (!holdsBits(a.offset) && !holdsBits(b.offset)))
    return false;
  const auto left = byThread(a.offset);
  const auto right = byThread(b.offset);
  if (!left || !right)
    return false;
  std::map<int64_t, size_t> owner;
  for (size_t t = 0; t < left->size(); ++t)
    if (!owner.emplace((*left)[t], t).second || (*left)[t] % a.width != 0)
      return false;
  for (size_t t = 0; t < right->size(); ++t) {
    const auto found = owner.find((*right)[t]);
    if ((found != owner.end() && found->second != t) || (*right)[t] % a.width != 0)
      return false;
  }
  return true;
}

/// The term's value in each thread of a block of fixed extents; nothing when it depends on anything else.
std::optional<std::vector<int64_t>> Obligations::byThread(TermId term) {
  constexpr int64_t mostThreads = 1024;
  std::array<int64_t, 3> extents{};
  int64_t threads = 1;
  for (size_t i = 0; i < 3; ++i) {
    const auto extent = m_store.intValue(m_launch.blockDim[i]);
    if (!extent || *extent < 1 || *extent > mostThreads)
      return std::nullopt;
    extents[i] = *extent;
    threads *= *extent;
  }
  if (threads > mostThreads)
    return std::nullopt;
  std::vector<int64_t> values;
  for (int64_t t = 0; t < threads; ++t) {
    const VariableValues at = {{m_store.var(Sort::Int, "threadIdx.x"), t % extents[0]},
                               {m_store.var(Sort::Int, "threadIdx.y"), t / extents[0] % extents[1]},
                               {m_store.var(Sort::Int, "threadIdx.z"), t / extents[0] / extents[1]}};
    const auto value = evaluateInteger(m_store, term, at);
    if (!value)
      return std::nullopt;
    values.push_back(static_cast<int64_t>(*value));
  }
  return values;
}

} // namespace plumbline::gate::grid
