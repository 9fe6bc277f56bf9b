#include "core/gate/arithmetic/enumeration.h"

#include "core/gate/arithmetic/integer_part.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t laneCount = 256;
constexpr double largestValue = 4e18; // below 2^62
using Lanes = std::array<int64_t, laneCount>;

struct Node {
  TermId id{};
  Op op = Op::IntConst;
  BitOperation bits = BitOperation::None;
  std::array<size_t, 3> args{};
  double magnitude = 0; ///< no value is larger
};

struct Range {
  size_t node = 0;
  int64_t low = 0;
  uint64_t count = 1;
};

/// The assertions as straight-line code over blocks of values of the innermost variable.
class Program {
public:
  Program(const TermStore& store, std::span<const TermId> assertions, const AtomBounds& bounds)
      : m_store(store) {
    for (const TermId id : store.postOrder(assertions))
      m_usable = m_usable && add(id, bounds);
    for (const TermId assertion : assertions)
      if (m_usable)
        m_roots.push_back(m_index.at(assertion));
    std::stable_sort(m_ranges.begin(), m_ranges.end(),
                     [](const Range& a, const Range& b) { return a.count < b.count; });
  }

  EnumerationResult run(uint64_t maxWork, const StopToken& stop) {
    EnumerationResult result;
    if (!m_usable || m_ranges.empty() || work() > static_cast<double>(maxWork))
      return result;
    m_lanes.resize(m_nodes.size());
    for (size_t i = 0; i < m_nodes.size(); ++i)
      if (m_nodes[i].op == Op::IntConst || m_nodes[i].op == Op::BoolConst)
        m_lanes[i].fill(static_cast<int64_t>(m_store[m_nodes[i].id].payload));
    m_at.assign(m_ranges.size(), 0);
    do {
      if (stop.stopRequested() || !runInnermost(result))
        return result;
    } while (result.status == EnumerationResult::Status::NotTried && advance());
    if (result.status == EnumerationResult::Status::NotTried)
      result.status = EnumerationResult::Status::NoSolution;
    return result;
  }

private:
  double work() const {
    double points = static_cast<double>(m_nodes.size());
    for (const Range& range : m_ranges)
      points *= static_cast<double>(range.count);
    return points;
  }

  bool add(TermId id, const AtomBounds& bounds) {
    const Term& term = m_store[id];
    Node node{id, term.op, bitOperation(m_store, id), {}, 1};
    for (size_t i = 0; i < term.args.size() && i < node.args.size(); ++i)
      node.args.at(i) = m_index.at(term.args[i]);
    if (term.op == Op::Opaque && node.bits == BitOperation::None)
      return false;
    if (term.op == Op::Var && !addRange(id, bounds))
      return false;
    node.magnitude = magnitudeOf(node);
    m_index.emplace(id, m_nodes.size());
    m_nodes.push_back(node);
    return node.magnitude < largestValue;
  }

  bool addRange(TermId id, const AtomBounds& bounds) {
    Bounds range{0, 1};
    if (m_store[id].sort == Sort::Int) {
      const auto found = bounds.find(id);
      range = found != bounds.end() ? found->second : Bounds{};
    }
    if (!range.low || !range.high || *range.low < -(int64_t{1} << 31) || *range.high > (int64_t{1} << 31))
      return false;
    // An empty range has no points.
    const int64_t count = std::max<int64_t>(0, *range.high - *range.low + 1);
    m_ranges.push_back({m_nodes.size(), *range.low, static_cast<uint64_t>(count)});
    return count > 0;
  }

  double magnitudeOf(const Node& node) const {
    const auto arg = [&](size_t index) { return m_nodes[node.args.at(index)].magnitude; };
    switch (node.op) {
    case Op::IntConst: return std::abs(static_cast<double>(static_cast<int64_t>(m_store[node.id].payload)));
    case Op::Var: {
      const Range& range = m_ranges.back();
      return std::max(std::abs(static_cast<double>(range.low)),
                      std::abs(static_cast<double>(range.low) + static_cast<double>(range.count)));
    }
    case Op::IAdd:
    case Op::ISub: return arg(0) + arg(1);
    case Op::IMul: return arg(0) * arg(1);
    case Op::IDiv:
    case Op::IRem: return arg(0);
    case Op::Ite: return std::max(arg(1), arg(2));
    case Op::Opaque: return 2 * (arg(0) + arg(1)) + 1;
    default: return 1;
    }
  }

  /// All values of the innermost variable. False when a value has no meaning.
  bool runInnermost(EnumerationResult& result) {
    for (size_t i = 0; i + 1 < m_ranges.size(); ++i)
      m_lanes[m_ranges[i].node].fill(m_ranges[i].low + static_cast<int64_t>(m_at[i]));
    const Range& inner = m_ranges.back();
    for (uint64_t start = 0; start < inner.count; start += laneCount) {
      const size_t lanes = std::min<uint64_t>(laneCount, inner.count - start);
      for (size_t lane = 0; lane < lanes; ++lane)
        m_lanes[inner.node][lane] = inner.low + static_cast<int64_t>(start + lane);
      for (size_t i = 0; i < m_nodes.size(); ++i)
        if (!compute(i, lanes))
          return false;
      if (const auto lane = solution(lanes)) {
        result.status = EnumerationResult::Status::Solution;
        for (const Range& range : m_ranges)
          result.values[m_nodes[range.node].id] = m_lanes[range.node][*lane];
        return true;
      }
    }
    return true;
  }

  std::optional<size_t> solution(size_t lanes) const {
    Lanes all;
    all.fill(1);
    for (const size_t root : m_roots)
      for (size_t lane = 0; lane < lanes; ++lane)
        all[lane] &= m_lanes[root][lane];
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(lanes);
    const auto found = std::find(all.begin(), end, 1);
    return found != end ? std::optional<size_t>(static_cast<size_t>(found - all.begin())) : std::nullopt;
  }

  /// The next values of the outer variables.
  bool advance() {
    for (size_t i = 0; i + 1 < m_ranges.size(); ++i) {
      if (++m_at[i] < m_ranges[i].count)
        return true;
      m_at[i] = 0;
    }
    return false;
  }

  template <class F> void apply(size_t index, size_t lanes, F function) {
    const Lanes& a = m_lanes[m_nodes[index].args[0]];
    const Lanes& b = m_lanes[m_nodes[index].args[1]];
    Lanes& into = m_lanes[index];
    for (size_t lane = 0; lane < lanes; ++lane)
      into[lane] = function(a[lane], b[lane]);
  }

  template <class F> bool holdsForAll(size_t node, size_t lanes, F condition) const {
    const Lanes& values = m_lanes[node];
    bool all = true;
    for (size_t lane = 0; lane < lanes; ++lane)
      all = all && condition(values[lane]);
    return all;
  }

  /// False when a lane divides by zero or has a bit operation on a negative number.
  bool compute(size_t index, size_t lanes) {
    const Node& node = m_nodes[index];
    switch (node.op) {
    case Op::IAdd: apply(index, lanes, [](int64_t a, int64_t b) { return a + b; }); return true;
    case Op::ISub: apply(index, lanes, [](int64_t a, int64_t b) { return a - b; }); return true;
    case Op::IMul: apply(index, lanes, [](int64_t a, int64_t b) { return a * b; }); return true;
    case Op::ILt: apply(index, lanes, [](int64_t a, int64_t b) { return int64_t{a < b}; }); return true;
    case Op::ILe: apply(index, lanes, [](int64_t a, int64_t b) { return int64_t{a <= b}; }); return true;
    case Op::IEq: apply(index, lanes, [](int64_t a, int64_t b) { return int64_t{a == b}; }); return true;
    case Op::And: apply(index, lanes, [](int64_t a, int64_t b) { return a & b; }); return true;
    case Op::Or: apply(index, lanes, [](int64_t a, int64_t b) { return a | b; }); return true;
    case Op::Not:
      for (size_t lane = 0; lane < lanes; ++lane)
        m_lanes[index][lane] = 1 - m_lanes[node.args[0]][lane];
      return true;
    case Op::Ite:
      for (size_t lane = 0; lane < lanes; ++lane)
        m_lanes[index][lane] =
            m_lanes[node.args[0]][lane] != 0 ? m_lanes[node.args[1]][lane] : m_lanes[node.args[2]][lane];
      return true;
    case Op::IDiv:
    case Op::IRem: return divide(index, lanes);
    case Op::Opaque: return combineBits(index, lanes);
    default: return true; // constants and variables are there
    }
  }

  bool divide(size_t index, size_t lanes) {
    const Node& node = m_nodes[index];
    if (!holdsForAll(node.args[1], lanes, [](int64_t value) { return value != 0; }))
      return false;
    if (node.op == Op::IDiv)
      apply(index, lanes, [](int64_t a, int64_t b) { return a / b; });
    else
      apply(index, lanes, [](int64_t a, int64_t b) { return a % b; });
    return true;
  }

  bool combineBits(size_t index, size_t lanes) {
    const Node& node = m_nodes[index];
    const auto natural = [](int64_t value) { return value >= 0; };
    if (!holdsForAll(node.args[0], lanes, natural) || !holdsForAll(node.args[1], lanes, natural))
      return false;
    switch (node.bits) {
    case BitOperation::And: apply(index, lanes, [](int64_t a, int64_t b) { return a & b; }); return true;
    case BitOperation::Or: apply(index, lanes, [](int64_t a, int64_t b) { return a | b; }); return true;
    case BitOperation::Xor: apply(index, lanes, [](int64_t a, int64_t b) { return a ^ b; }); return true;
    case BitOperation::None: break;
    }
    return false;
  }

  const TermStore& m_store;
  std::vector<Node> m_nodes;
  std::unordered_map<TermId, size_t> m_index;
  std::vector<size_t> m_roots;
  std::vector<Range> m_ranges; ///< the innermost last
  std::vector<uint64_t> m_at;
  std::vector<Lanes> m_lanes;
  bool m_usable = true;
};

} // namespace

EnumerationResult enumerate(const TermStore& store, std::span<const TermId> assertions,
                            const AtomBounds& bounds, uint64_t maxWork, const StopToken& stop) {
  return Program(store, assertions, bounds).run(maxWork, stop);
}

} // namespace plumbline::gate
