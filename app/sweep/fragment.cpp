#include "app/sweep/fragment.h"

#include <algorithm>
#include <array>

namespace plumbline::sweep {
namespace {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

tl::unexpected<Error> refuse(std::string id, std::string message) {
  return fail(ErrorKind::Tool, std::move(id), std::move(message), "the other engines are tried instead");
}

tl::unexpected<Error> outOfRange(const TermStore& store, TermId id) {
  return refuse("sweep-int-range", "the integer " + store.print(id) + " may leave 64 bits");
}

/// Applies an operation to the four corners of two ranges. Addition, subtraction and multiplication are
/// linear in each argument, so the corners bound the result. False when a corner overflows.
template <class Operation>
bool corners(const IntRange& a, const IntRange& b, Operation operation, IntRange& out) {
  std::array<int64_t, 4> values{};
  size_t count = 0;
  for (const int64_t x : {a.low, a.high})
    for (const int64_t y : {b.low, b.high})
      if (operation(x, y, &values[count++]))
        return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  out = {*low, *high};
  return true;
}

/// The largest magnitude in the range; false when it is 2^63.
bool magnitude(const IntRange& range, int64_t& out) {
  if (range.low == INT64_MIN)
    return false;
  out = std::max(std::abs(range.low), std::abs(range.high));
  return true;
}

Expected<IntRange> conversionRange(const TermStore& store, TermId id) {
  const unsigned bits = store[id].payload & 0xff;
  const bool isSigned = (store[id].payload & 0x100) != 0;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return refuse("sweep-int-width", "conversion to an integer of " + std::to_string(bits) + " bits");
  if (!isSigned && bits == 64)
    return outOfRange(store, id);
  if (bits == 64)
    return IntRange{INT64_MIN, INT64_MAX};
  const int64_t span = int64_t{1} << (isSigned ? bits - 1 : bits);
  return IntRange{isSigned ? -span : 0, span - 1};
}

Expected<IntRange> divisionRange(const TermStore& store, TermId id, const IntRange& a, const IntRange& b) {
  if (b.contains(0))
    return refuse("sweep-int-division", "the divisor in " + store.print(id) + " may be zero");
  int64_t largest = 0;
  if (!magnitude(store[id].op == Op::IDiv ? a : b, largest))
    return outOfRange(store, id);
  if (store[id].op == Op::IDiv)
    return IntRange{-largest, largest};
  return IntRange{-(largest - 1), largest - 1};
}

Expected<IntRange> intRange(const TermStore& store, TermId id, const IntRanges& known) {
  const Term& term = store[id];
  const auto argument = [&](size_t index) { return known.at(term.args[index]); };
  IntRange range;
  bool fits = true;
  switch (term.op) {
  case Op::IntConst: {
    const auto value = static_cast<int64_t>(term.payload);
    return IntRange{value, value};
  }
  case Op::Ite:
    return IntRange{std::min(argument(1).low, argument(2).low), std::max(argument(1).high, argument(2).high)};
  case Op::FloatToInt: return conversionRange(store, id);
  case Op::IDiv:
  case Op::IRem: return divisionRange(store, id, argument(0), argument(1));
  case Op::IAdd:
    fits = corners(
        argument(0), argument(1), [](auto x, auto y, auto* r) { return __builtin_add_overflow(x, y, r); },
        range);
    break;
  case Op::ISub:
    fits = corners(
        argument(0), argument(1), [](auto x, auto y, auto* r) { return __builtin_sub_overflow(x, y, r); },
        range);
    break;
  case Op::IMul:
    fits = corners(
        argument(0), argument(1), [](auto x, auto y, auto* r) { return __builtin_mul_overflow(x, y, r); },
        range);
    break;
  default: return refuse("sweep-operator", "no machine code for the integer " + store.print(id));
  }
  if (!fits)
    return outOfRange(store, id);
  return range;
}

Expected<void> checkLeaf(const TermStore& store, TermId id, std::string_view variable) {
  const Term& term = store[id];
  if (term.op == Op::Opaque)
    return refuse("sweep-opaque", "the function '" + store.symbolText(id) + "' has no bit-exact meaning");
  if (term.op == Op::Load)
    return refuse("sweep-load", "the term reads the buffer '" + store.symbolText(id) + "'");
  if (term.op == Op::Var && (term.sort != Sort::F32 || store.symbolText(id) != variable))
    return refuse("sweep-free-variable", "the term depends on '" + store.symbolText(id) +
                                             "', which is not the swept binary32 value");
  return {};
}

} // namespace

Expected<IntRanges> checkFragment(const TermStore& store, std::span<const TermId> roots,
                                  std::string_view variable) {
  IntRanges ranges;
  for (const TermId id : store.postOrder(roots)) {
    if (Expected<void> leaf = checkLeaf(store, id, variable); !leaf)
      return fail(leaf.error());
    if (store[id].sort != Sort::Int)
      continue;
    const Expected<IntRange> range = intRange(store, id, ranges);
    if (!range)
      return fail(range.error());
    ranges.emplace(id, *range);
  }
  return ranges;
}

} // namespace plumbline::sweep
