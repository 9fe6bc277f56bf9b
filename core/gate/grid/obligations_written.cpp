// Elements that must have been written: before they are read, and before the kernel ends.
#include "core/gate/grid/obligations.h"

#include <algorithm>

namespace plumbline::gate::grid {

using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {
constexpr std::string_view completeName = "every element is written: ";
}

std::string completeObligation(const std::string& parameter) {
  return std::string(completeName) + parameter;
}

std::string completeParameter(const std::string& obligation) {
  return obligation.starts_with(completeName) ? obligation.substr(completeName.size()) : "";
}

namespace {

constexpr size_t mostWriters = 16;

void conjuncts(const logic::TermStore& store, TermId term, std::vector<TermId>& into) {
  if (store[term].op == Op::And) {
    conjuncts(store, store[term].args[0], into);
    conjuncts(store, store[term].args[1], into);
  } else {
    into.push_back(term);
  }
}

/// Conditions that give a term over free variables a fixed value.
std::vector<std::pair<TermId, TermId>>
equations(logic::TermStore& store, const std::vector<TermId>& conditions, const std::set<TermId>& free) {
  std::vector<std::pair<TermId, TermId>> found;
  for (TermId condition : conditions) {
    const logic::Term& node = store[condition];
    if (node.op != Op::IEq)
      continue;
    for (size_t i = 0; i < 2; ++i) {
      const std::vector<TermId> nodes = store.postOrder(node.args[i]);
      if (store.isConst(node.args[1 - i]) &&
          std::ranges::any_of(nodes, [&](TermId id) { return free.contains(id); }))
        found.emplace_back(node.args[i], node.args[1 - i]);
    }
  }
  return found;
}

} // namespace

/// In elements of the object; `width` becomes the number of elements. Bytes where that does not come out.
TermId Obligations::index(const Access& access, int64_t& width) {
  const int64_t size = ir::byteSize(m_program.objects[static_cast<size_t>(access.object)].element);
  width = access.width / size;
  const auto elements = divided(access.offset, size);
  return elements ? *elements : m_store.idiv(access.offset, m_store.integer(size));
}

/// The indices that the threads of a block write, where these do not depend on anything else.
std::optional<TermId> Obligations::byEnumeration(const Site& site, TermId target) {
  int64_t width = 1;
  const TermId written = index(site.access, width);
  const auto all = byThread(written);
  if (!all || width != 1)
    return std::nullopt;
  std::set<int64_t> values;
  if (m_store.boolValue(site.access.guard) == true)
    values.insert(all->begin(), all->end());
  if (values.empty() || *values.rbegin() - *values.begin() + 1 != static_cast<int64_t>(values.size()))
    return std::nullopt;
  return m_store.land(m_store.ile(m_store.integer(*values.begin()), target),
                      m_store.ile(target, m_store.integer(*values.rbegin())));
}

/// That the writer, run by a well-chosen thread, writes the element; with what may be taken for granted of
/// that thread's unknown values.
std::optional<std::pair<TermId, std::vector<TermId>>> Obligations::writtenBy(const Writer& writer,
                                                                             const Need& need) {
  const Access& access = writer.site->access;
  const bool own = writer.order == Order::Own;
  SymbolTable::Relation relation;
  relation.sameBlock = need.read != nullptr;
  relation.sameThread = own;
  if (need.read != nullptr)
    for (int loop = access.loop; loop != outside; loop = m_symbols.loop(loop).parent)
      if (m_symbols.isWithin(need.read->access.loop, loop) &&
          (own || m_symbols.loop(loop).level == Level::Block))
        relation.sameIteration.insert(loop);
  int64_t width = 1;
  const TermId written = index(access, width);
  std::vector<TermId> terms = {access.guard, written};
  const std::array<TermId, 3> thread = coordinates("threadIdx", m_launch.blockDim);
  const std::array<TermId, 3> block = coordinates("blockIdx", m_launch.gridDim);
  terms.insert(terms.end(), thread.begin(), thread.end());
  terms.insert(terms.end(), block.begin(), block.end());
  const std::vector<TermId> facts = m_symbols.factsFor(terms);
  std::vector<TermId> all = terms;
  all.insert(all.end(), facts.begin(), facts.end());
  std::unordered_map<TermId, TermId> values;
  std::set<TermId> free;
  const std::string suffix = "~" + std::to_string(m_copies++);
  for (const auto& [variable, unused] : m_symbols.secondThread(all, relation)) {
    if (m_symbols.isChoice(variable)) {
      free.insert(variable);
    } else {
      const std::string name = m_store.symbolText(variable) + suffix;
      values[variable] = m_symbols.copyOf(variable, name);
      if (const auto bounds = m_symbols.bounds().find(name); bounds != m_symbols.bounds().end())
        m_prover.bound(name, bounds->second);
    }
  }
  std::vector<TermId> conditions;
  conjuncts(m_store, access.guard, conditions);
  if (const auto choice =
          solveIndex(m_store, written, need.target, free, equations(m_store, conditions, free))) {
    values.insert(choice->begin(), choice->end());
  } else if (need.read != nullptr && !own) {
    const auto within = byEnumeration(*writer.site, need.target);
    if (within && writer.order == Order::Earlier)
      return std::pair(*within, std::vector<TermId>{});
    return std::nullopt;
  } else {
    return std::nullopt;
  }
  for (TermId variable : free) {
    if (values.contains(variable))
      continue;
    TermId value = m_store.integer(0);
    for (TermId condition : conditions) {
      const logic::Term node = m_store[condition];
      if (node.op != Op::IEq)
        continue;
      for (size_t i = 0; i < 2; ++i)
        if (node.args[i] == variable && m_store.isConst(node.args[1 - i]))
          value = node.args[1 - i];
    }
    values[variable] = value;
  }
  const auto chosen = [&](TermId term) { return m_store.substitute(term, values); };
  TermId goal = chosen(access.guard);
  std::vector<TermId> granted;
  for (TermId fact : facts) {
    const std::vector<TermId> nodes = m_store.postOrder(fact);
    const bool unknown = std::any_of(nodes.begin(), nodes.end(), [&](TermId id) {
      return m_store[id].op == Op::Var && values.contains(id) && !free.contains(id);
    });
    if (unknown)
      granted.push_back(chosen(fact));
    else
      goal = m_store.land(goal, chosen(fact));
  }
  for (TermId variable : free)
    goal = m_store.land(goal, m_store.ile(m_store.integer(0), values[variable]));
  const TermId start = vc::normaliseIntegers(m_store, chosen(written));
  goal = m_store.land(
      goal, width == 1 ? m_store.ieq(start, need.target)
                       : m_store.land(m_store.ile(start, need.target),
                                      m_store.ilt(need.target, m_store.iadd(start, m_store.integer(width)))));
  std::array<TermId, 3> other{};
  for (size_t i = 0; i < 3; ++i)
    other[i] = chosen(thread[i]);
  goal = m_store.land(goal, orderHolds(writer.order, thread, other));
  return std::pair(goal, std::move(granted));
}

Obligations::TermId Obligations::orderHolds(Order order, const std::array<TermId, 3>& reader,
                                            const std::array<TermId, 3>& writer) {
  const auto sameWarp = [&] { return m_store.ieq(warpOf(reader), warpOf(writer)); };
  switch (order) {
  case Order::Own:
  case Order::Earlier: return m_store.boolean(true);
  case Order::EarlierInWarp: return sameWarp();
  case Order::Racing: return differ(reader, writer);
  case Order::RacingOtherWarp: return m_store.lnot(sameWarp());
  }
  return m_store.boolean(false);
}

/// Whether the two can lie in one interval, in the same iteration of the loops around both.
bool Obligations::meet(const Access& a, const Access& b, bool stopAtWarps) {
  const std::set<Steps> found = meetings(a.segment, b.segment, stopAtWarps);
  return std::any_of(found.begin(), found.end(), [&](const Steps& steps) {
    return std::all_of(steps.begin(), steps.end(), [&](const auto& each) {
      return each.second == Step::Same || !m_symbols.isWithin(a.loop, each.first);
    });
  });
}

/// Writers that may come before the read, or race with it (which is then said as a race), most promising
/// first.
std::vector<Obligations::Writer> Obligations::writersBefore(const Site& read) {
  std::map<Order, std::vector<Writer>> found;
  const Object& object = m_program.objects[static_cast<size_t>(read.access.object)];
  for (const Site& site : m_sites) {
    if (site.access.object != read.access.object || !site.access.write)
      continue;
    if (site.order < read.order &&
        (object.space != Object::Space::Thread || site.access.life == read.access.life))
      found[Order::Own].push_back({&site, Order::Own});
    if (object.space != Object::Space::Shared)
      continue;
    const auto together = [&](bool stopAtWarps) {
      return meet(site.access, read.access, stopAtWarps) || meet(read.access, site.access, stopAtWarps);
    };
    const bool before =
        site.order < read.order && m_skeleton.canFollow(site.access.segment, read.access.segment);
    const bool races = !(site.access.atomic && read.access.atomic); // two atomics do not
    if (!together(false)) {
      if (before)
        found[Order::Earlier].push_back({&site, Order::Earlier});
    } else if (together(true)) {
      if (races)
        found[Order::Racing].push_back({&site, Order::Racing});
    } else {
      if (before)
        found[Order::EarlierInWarp].push_back({&site, Order::EarlierInWarp});
      if (races)
        found[Order::RacingOtherWarp].push_back({&site, Order::RacingOtherWarp});
    }
  }
  std::vector<Writer> result;
  for (auto& [order, writers] : found) {
    if (order == Order::Own)
      std::reverse(writers.begin(), writers.end());
    for (size_t i = 0; i < writers.size() && i < mostWriters; ++i)
      result.push_back(writers[i]);
  }
  return result;
}

Answer Obligations::askWritten(const Need& need, const std::vector<Writer>& writers, Answer answer) {
  std::vector<TermId> hypotheses = {need.guard};
  TermId goal = m_store.boolean(false);
  for (const Writer& writer : writers) {
    if (isLate())
      break;
    const auto made = writtenBy(writer, need);
    if (!made)
      continue;
    std::vector<TermId> alone = {need.guard};
    alone.insert(alone.end(), made->second.begin(), made->second.end());
    const std::array<TermId, 2> terms = {need.guard, need.target};
    for (TermId fact : m_symbols.factsFor(terms))
      alone.push_back(fact);
    if (m_prover.quick(alone, made->first)) {
      answer.proof.status = ProofStatus::Proved;
      answer.proof.engine = answer.proof.encoding = "linear";
      return answer;
    }
    goal = m_store.lor(goal, made->first);
    hypotheses.insert(hypotheses.end(), made->second.begin(), made->second.end());
  }
  return ask(std::move(answer), std::move(hypotheses), goal);
}

void Obligations::initialised() {
  for (const Site& site : m_sites) {
    const Object& object = m_program.objects[static_cast<size_t>(site.access.object)];
    if (object.initialised || (site.access.write && !site.access.atomic))
      continue;
    int64_t width = 1;
    const TermId first = index(site.access, width);
    for (int64_t lane = 0; lane < width; ++lane) {
      Need need;
      need.target = m_store.iadd(first, m_store.integer(lane));
      need.guard = site.access.guard;
      need.read = &site;
      Answer answer;
      answer.kind = "uninitialised-read";
      answer.name = "written before: read of " + object.name;
      answer.where = site.access.where;
      add(askWritten(need, writersBefore(site), std::move(answer)));
    }
  }
}

void Obligations::complete() {
  for (size_t i = 0; i < m_program.objects.size(); ++i) {
    const Object& object = m_program.objects[i];
    if (object.space != Object::Space::Global || object.role != ir::BufferRole::Output || object.initialised)
      continue;
    const std::string name = "element of " + object.name;
    Need need;
    need.target = m_symbols.make(Sort::Int, name, Level::Grid, outside, {0, std::nullopt});
    m_prover.bound(name, {0, std::nullopt});
    const TermId length = divided(object.bytes, ir::byteSize(object.element)).value_or(m_store.integer(0));
    need.guard = m_store.ilt(need.target, length);
    std::vector<Writer> writers;
    for (const Site& site : m_sites)
      if (site.access.object == static_cast<int>(i) && site.access.write && writers.size() < mostWriters)
        writers.push_back({&site, Order::Earlier});
    Answer answer;
    answer.kind = "incomplete";
    answer.name = completeObligation(object.name);
    answer.where = object.where;
    add(askWritten(need, writers, std::move(answer)));
  }
}

} // namespace plumbline::gate::grid
