#include "core/vc/thread_map.h"

#include "core/vc/int_normal.h"

#include <algorithm>

namespace plumbline::vc {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr const char* axisNames[] = {"x", "y", "z"};

/// One axis that the index depends on: index contains stride * (block * extent + thread).
struct Axis {
  size_t number;
  Polynomial stride;
};

bool mentions(const TermStore& store, const Polynomial& polynomial) {
  for (const auto& [atoms, coefficient] : polynomial.terms)
    for (TermId atom : atoms)
      for (TermId id : store.postOrder(atom)) {
        const std::string& symbol = store.symbolText(id);
        if (store[id].op == Op::Var && (symbol.starts_with("blockIdx.") || symbol.starts_with("threadIdx.")))
          return true;
      }
  return false;
}

/// The factor of the atom in the polynomial, or nothing when it occurs in another way than linearly.
std::optional<Polynomial> coefficientOf(const TermStore& store, const Polynomial& polynomial, TermId atom) {
  Polynomial result;
  for (const auto& [atoms, coefficient] : polynomial.terms) {
    const auto count = std::count(atoms.begin(), atoms.end(), atom);
    if (count == 0)
      continue;
    if (count > 1)
      return std::nullopt;
    std::vector<TermId> others = atoms;
    others.erase(std::find(others.begin(), others.end(), atom));
    result.terms[others] = coefficient;
  }
  if (mentions(store, result))
    return std::nullopt;
  return result;
}

/// The index as axes plus an offset that does not depend on the thread.
struct SplitIndex {
  std::vector<Axis> axes;
  Polynomial offset;
};

std::optional<SplitIndex> splitAxes(TermStore& store, TermId index, const ThreadGeometry& geometry) {
  std::optional<Polynomial> rest = polynomialOf(store, normaliseIntegers(store, index));
  std::vector<Axis> axes;
  for (size_t axis = 0; axis < 3 && rest; ++axis) {
    const bool oneThread = store.intValue(geometry.blockDim[axis]) == 1;
    const bool oneBlock = store.intValue(geometry.gridDim[axis]) == 1;
    const TermId variable = oneThread ? blockVariable(store, axis) : threadVariable(store, axis);
    const std::optional<Polynomial> stride = coefficientOf(store, *rest, variable);
    if (!stride)
      return std::nullopt;
    if (stride->terms.empty())
      continue;
    const TermId coordinate =
        oneThread || oneBlock ? variable
                              : store.iadd(store.imul(blockVariable(store, axis), geometry.blockDim[axis]),
                                           threadVariable(store, axis));
    const auto coordinatePolynomial = polynomialOf(store, coordinate);
    const auto part = coordinatePolynomial ? multiply(*stride, *coordinatePolynomial) : std::nullopt;
    rest = part ? add(*rest, *part, -1) : std::nullopt;
    axes.push_back({axis, *stride});
  }
  if (!rest || mentions(store, *rest))
    return std::nullopt;
  return SplitIndex{std::move(axes), *std::move(rest)};
}

size_t degree(const Polynomial& polynomial) {
  size_t result = 0;
  for (const auto& [atoms, coefficient] : polynomial.terms)
    result = std::max(result, atoms.size());
  return result;
}

int64_t constantPart(const Polynomial& polynomial) {
  return polynomial.terms.empty() ? 0 : polynomial.terms.begin()->second;
}

} // namespace

TermId blockVariable(TermStore& store, size_t axis) {
  return store.var(Sort::Int, std::string("blockIdx.") + axisNames[axis]);
}

TermId threadVariable(TermStore& store, size_t axis) {
  return store.var(Sort::Int, std::string("threadIdx.") + axisNames[axis]);
}

std::optional<ThreadWitness> proposeWitness(TermStore& store, TermId index, TermId element,
                                            const ThreadGeometry& geometry) {
  std::optional<SplitIndex> split = splitAxes(store, index, geometry);
  if (!split)
    return std::nullopt;
  std::vector<Axis>& axes = split->axes;
  TermId rest = store.isub(element, toTerm(store, split->offset));
  // A single axis may run backwards: index = offset - coordinate.
  if (axes.size() == 1 && axes[0].stride == Polynomial{{{{}, -1}}}) {
    axes[0].stride.terms.begin()->second = 1;
    rest = store.isub(toTerm(store, split->offset), element);
  }
  // Largest stride first: more factors, then the larger constant.
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
    return std::pair(degree(a.stride), constantPart(a.stride)) >
           std::pair(degree(b.stride), constantPart(b.stride));
  });
  const TermId zero = store.integer(0);
  ThreadWitness witness{{zero, zero, zero}, {zero, zero, zero}};
  for (const Axis& axis : axes) {
    const TermId stride = toTerm(store, axis.stride);
    const bool innermost = store.intValue(stride) == 1;
    const TermId coordinate = innermost ? rest : store.idiv(rest, stride);
    const TermId extent = geometry.blockDim[axis.number];
    const bool oneThread = store.intValue(extent) == 1;
    const bool oneBlock = store.intValue(geometry.gridDim[axis.number]) == 1;
    witness.block[axis.number] = oneThread ? coordinate : oneBlock ? zero : store.idiv(coordinate, extent);
    witness.thread[axis.number] = oneThread ? zero : oneBlock ? coordinate : store.irem(coordinate, extent);
    rest = innermost ? zero : store.irem(rest, stride);
  }
  return witness;
}

TermId atWitness(TermStore& store, TermId term, const ThreadWitness& witness) {
  std::unordered_map<TermId, TermId> replacement;
  for (size_t axis = 0; axis < 3; ++axis) {
    replacement.emplace(blockVariable(store, axis), witness.block[axis]);
    replacement.emplace(threadVariable(store, axis), witness.thread[axis]);
  }
  return normaliseIntegers(store, store.substitute(term, replacement));
}

} // namespace plumbline::vc
