#include "core/gate/arithmetic/simplex.h"

#include <algorithm>
#include <limits>

namespace plumbline::gate {

namespace {

using Wide = __int128;

constexpr size_t maxUnknowns = 400;
/// Larger coefficients and bounds are left out, which is sound: a condition fewer.
constexpr int64_t largest = int64_t{1} << 62;

bool fits(Wide value) {
  return value <= largest && value >= -largest;
}

Wide floorDivided(Wide a, Wide b) { // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

} // namespace

SmallRational Simplex::coefficient(const Row& row, Index unknown) {
  const auto found = std::lower_bound(row.coefficients.begin(), row.coefficients.end(), unknown,
                                      [](const auto& entry, Index wanted) { return entry.first < wanted; });
  return found != row.coefficients.end() && found->first == unknown ? found->second : SmallRational();
}

Simplex::Sparse Simplex::combined(const Sparse& a, const SmallRational& factor, const Sparse& b) {
  Sparse result;
  result.reserve(a.size() + b.size());
  auto left = a.begin();
  for (const auto& [index, value] : b) {
    for (; left != a.end() && left->first < index; ++left)
      result.push_back(*left);
    SmallRational sum = SmallRational::product(factor, value, m_gaveUp);
    if (left != a.end() && left->first == index)
      sum = SmallRational::sum((left++)->second, sum, m_gaveUp);
    if (!sum.isZero())
      result.emplace_back(index, sum);
  }
  result.insert(result.end(), left, a.end());
  m_work += result.size();
  return result;
}

Simplex::Index Simplex::monomial(const Monomial& monomial) {
  const auto [entry, added] = m_monomials.try_emplace(monomial, static_cast<Index>(m_unknowns.size()));
  if (added)
    m_unknowns.emplace_back();
  return entry->second;
}

/// The unknown that stands for a form of two or more monomials; its row replaces basic unknowns by their
/// rows.
Simplex::Index Simplex::linearForm(const std::vector<std::pair<Index, int64_t>>& form) {
  const auto [entry, added] = m_forms.try_emplace(form, static_cast<Index>(m_unknowns.size()));
  if (!added)
    return entry->second;
  Unknown unknown;
  unknown.form = form;
  unknown.row = static_cast<Index>(m_rows.size());
  Row row;
  row.basic = entry->second;
  for (const auto& [index, value] : form) {
    const SmallRational factor(value);
    unknown.value = SmallRational::sum(
        unknown.value, SmallRational::product(factor, m_unknowns[index].value, m_gaveUp), m_gaveUp);
    const Sparse single{{index, SmallRational(1)}};
    const auto& own = m_unknowns[index].row;
    row.coefficients = combined(row.coefficients, factor, own ? m_rows[*own].coefficients : single);
  }
  m_unknowns.push_back(std::move(unknown));
  m_rows.push_back(std::move(row));
  return entry->second;
}

std::optional<Simplex::Form> Simplex::formOf(const Polynomial& p) {
  Form result;
  result.content = content(p);
  result.constant = constantTerm(p);
  if (result.content == 0 || result.content > static_cast<uint64_t>(largest) || !fits(result.constant) ||
      m_gaveUp || m_unknowns.size() + p.terms.size() > maxUnknowns)
    return std::nullopt;
  std::vector<std::pair<Index, int64_t>> form;
  for (const auto& [atoms, coefficient] : p.terms) {
    if (atoms.empty())
      continue;
    if (!fits(coefficient))
      return std::nullopt;
    form.emplace_back(monomial(atoms), coefficient / static_cast<int64_t>(result.content));
  }
  std::sort(form.begin(), form.end());
  result.flipped = form[0].second < 0;
  if (result.flipped)
    for (auto& [index, coefficient] : form)
      coefficient = -coefficient;
  result.unknown = form.size() == 1 ? form[0].first : linearForm(form);
  return result;
}

bool Simplex::contradict() {
  m_levels.back().contradiction = true;
  return false;
}

bool Simplex::assertAtLeastZero(const Polynomial& p) {
  if (m_levels.back().contradiction)
    return false;
  if (isConstant(p))
    return constantTerm(p) >= 0 || contradict();
  const std::optional<Form> form = formOf(p);
  if (!form)
    return true;
  // content * (+-L) + constant >= 0, with an integer L.
  const auto bound = static_cast<int64_t>(-floorDivided(form->constant, static_cast<Wide>(form->content)));
  return form->flipped ? setHigh(form->unknown, -bound) : setLow(form->unknown, bound);
}

bool Simplex::assertZero(const Polynomial& p) {
  if (m_levels.back().contradiction)
    return false;
  if (isConstant(p))
    return constantTerm(p) == 0 || contradict();
  const std::optional<Form> form = formOf(p);
  if (!form)
    return true;
  const auto divisor = static_cast<int64_t>(form->content);
  if (form->constant % divisor != 0)
    return contradict();
  const int64_t value = form->flipped ? form->constant / divisor : -(form->constant / divisor);
  return setLow(form->unknown, value) && setHigh(form->unknown, value);
}

void Simplex::saveBounds(Index unknown) {
  m_undo.push_back({unknown, m_unknowns[unknown].low, m_unknowns[unknown].high});
}

bool Simplex::setLow(Index unknown, int64_t low) {
  Unknown& entry = m_unknowns[unknown];
  if (entry.low && *entry.low >= low)
    return true;
  saveBounds(unknown);
  entry.low = low;
  if (entry.high && *entry.high < low)
    return contradict();
  if (!entry.row && entry.value.lessThan(SmallRational(low)))
    moveNonBasic(unknown, SmallRational(low));
  return true;
}

bool Simplex::setHigh(Index unknown, int64_t high) {
  Unknown& entry = m_unknowns[unknown];
  if (entry.high && *entry.high <= high)
    return true;
  saveBounds(unknown);
  entry.high = high;
  if (entry.low && *entry.low > high)
    return contradict();
  if (!entry.row && SmallRational(high).lessThan(entry.value))
    moveNonBasic(unknown, SmallRational(high));
  return true;
}

void Simplex::moveNonBasic(Index unknown, const SmallRational& value) {
  const SmallRational change = SmallRational::difference(value, m_unknowns[unknown].value, m_gaveUp);
  for (const Row& row : m_rows) {
    const SmallRational factor = coefficient(row, unknown);
    if (factor.isZero())
      continue;
    SmallRational& basic = m_unknowns[row.basic].value;
    basic = SmallRational::sum(basic, SmallRational::product(factor, change, m_gaveUp), m_gaveUp);
  }
  m_unknowns[unknown].value = value;
}

void Simplex::push() {
  m_levels.push_back({m_undo.size(), m_unknowns.size(), m_levels.back().contradiction});
}

void Simplex::pop() {
  // Values of non-basic unknowns lie within tighter bounds, so they lie within the old ones.
  for (const size_t keep = m_levels.back().undo; m_undo.size() > keep; m_undo.pop_back()) {
    const Undo& undo = m_undo.back();
    m_unknowns[undo.unknown].low = undo.low;
    m_unknowns[undo.unknown].high = undo.high;
  }
  // Forms of this level have no bounds any more; without their rows pivots stay cheap.
  for (size_t i = m_unknowns.size(); i > m_levels.back().unknowns && !m_gaveUp; --i)
    if (!m_unknowns[i - 1].form.empty())
      removeForm(static_cast<Index>(i - 1));
  m_levels.pop_back();
}

bool Simplex::withinBounds(Index unknown) const {
  const Unknown& entry = m_unknowns[unknown];
  return !(entry.low && entry.value.lessThan(SmallRational(*entry.low))) &&
         !(entry.high && SmallRational(*entry.high).lessThan(entry.value));
}

/// Takes an unbounded form out of the tableau, unless no row can take its place among the non-basic unknowns.
void Simplex::removeForm(Index unknown) {
  if (!m_unknowns[unknown].row)
    for (Index i = 0; i < m_rows.size(); ++i)
      if (withinBounds(m_rows[i].basic) && !coefficient(m_rows[i], unknown).isZero()) {
        pivot(i, unknown);
        break;
      }
  if (!m_unknowns[unknown].row)
    return;
  const Index row = m_unknowns[unknown].row.value_or(0);
  if (row + 1 != m_rows.size()) {
    m_rows[row] = std::move(m_rows.back());
    m_unknowns[m_rows[row].basic].row = row;
  }
  m_rows.pop_back();
  m_forms.erase(m_unknowns[unknown].form);
  m_unknowns[unknown] = Unknown();
  if (unknown + 1 == m_unknowns.size())
    m_unknowns.pop_back();
}

Bounds Simplex::bounds(const Monomial& monomial) const {
  const auto found = m_monomials.find(monomial);
  if (found == m_monomials.end())
    return {};
  return {m_unknowns[found->second].low, m_unknowns[found->second].high};
}

std::optional<int64_t> Simplex::roundedValue(const Monomial& monomial) const {
  const auto found = m_monomials.find(monomial);
  if (found == m_monomials.end() || m_gaveUp)
    return std::nullopt;
  const SmallRational& value = m_unknowns[found->second].value;
  const Wide rounded = floorDivided(value.numerator(), value.denominator());
  return fits(rounded) ? std::optional(static_cast<int64_t>(rounded)) : std::nullopt;
}

/// The least basic unknown outside its bounds (Bland's rule, so that it ends).
std::optional<Simplex::Index> Simplex::violated() const {
  std::optional<Index> result;
  for (const Row& row : m_rows) {
    if ((!result || row.basic < *result) && !withinBounds(row.basic))
      result = row.basic;
  }
  return result;
}

bool Simplex::check() {
  if (m_levels.back().contradiction)
    return false;
  while (!m_gaveUp) {
    const std::optional<Index> basic = violated();
    if (!basic)
      return true;
    m_work += m_rows.size();
    if (m_work > m_maxWork)
      m_gaveUp = true;
    else if (!repair(*basic) && !m_gaveUp)
      return contradict();
  }
  return true;
}

/// Whether a change of this non-basic unknown can move its row in the wanted direction.
bool Simplex::canHelp(Index unknown, const SmallRational& coefficient, bool increase) const {
  if (coefficient.isZero())
    return false;
  const Unknown& entry = m_unknowns[unknown];
  if (increase != coefficient.isNegative())
    return !entry.high || entry.value.lessThan(SmallRational(*entry.high));
  return !entry.low || SmallRational(*entry.low).lessThan(entry.value);
}

/// Brings a basic unknown to its violated bound by a pivot. False when its row proves a contradiction.
bool Simplex::repair(Index basic) {
  const Index rowIndex = m_unknowns[basic].row.value_or(0); // a basic one has a row
  const Row& row = m_rows[rowIndex];
  const Unknown& entry = m_unknowns[basic];
  const bool increase = entry.low && entry.value.lessThan(SmallRational(*entry.low));
  const int64_t target = (increase ? entry.low : entry.high).value_or(0);
  for (const auto& [unknown, factor] : row.coefficients) {
    if (!canHelp(unknown, factor, increase))
      continue;
    const Index entering = unknown;
    const SmallRational gap = SmallRational::difference(SmallRational(target), entry.value, m_gaveUp);
    const SmallRational step = SmallRational::quotient(gap, factor, m_gaveUp);
    moveNonBasic(entering, SmallRational::sum(m_unknowns[entering].value, step, m_gaveUp));
    pivot(rowIndex, entering);
    return true;
  }
  if (!verified(row, increase))
    m_gaveUp = true;
  return false;
}

/// Exchanges the row's basic unknown with `entering`.
void Simplex::pivot(Index rowIndex, Index entering) {
  Row& row = m_rows[rowIndex];
  const Index leaving = row.basic;
  const SmallRational inverse =
      SmallRational::quotient(SmallRational(1), coefficient(row, entering), m_gaveUp);
  const SmallRational negative = SmallRational::product(SmallRational(-1), inverse, m_gaveUp);
  // basic = c * entering + rest becomes entering = basic / c - rest / c.
  std::erase_if(row.coefficients, [&](const auto& entry) { return entry.first == entering; });
  row.coefficients = combined({{leaving, inverse}}, negative, row.coefficients);
  row.basic = entering;
  m_unknowns[entering].row = rowIndex;
  m_unknowns[leaving].row.reset();
  for (Row& other : m_rows) {
    const SmallRational factor = coefficient(other, entering);
    if (&other == &row || factor.isZero())
      continue;
    std::erase_if(other.coefficients, [&](const auto& entry) { return entry.first == entering; });
    other.coefficients = combined(other.coefficients, factor, row.coefficients);
  }
}

/// Whether the row follows from the definitions of its unknowns, and its bounds contradict: independent of
/// how the tableau came about.
bool Simplex::verified(const Row& row, bool increase) const {
  bool overflow = false;
  std::map<Index, SmallRational> sum;
  SmallRational best;
  const auto addForm = [&](Index unknown, const SmallRational& factor) {
    const auto addOne = [&](Index index, const SmallRational& value) {
      sum[index] = SmallRational::sum(sum[index], value, overflow);
    };
    if (m_unknowns[unknown].form.empty())
      addOne(unknown, factor);
    for (const auto& [index, value] : m_unknowns[unknown].form)
      addOne(index, SmallRational::product(factor, SmallRational(value), overflow));
  };
  addForm(row.basic, SmallRational(-1));
  for (const auto& [i, factor] : row.coefficients) {
    addForm(i, factor);
    const auto& bound = increase != factor.isNegative() ? m_unknowns[i].high : m_unknowns[i].low;
    if (!bound)
      return false;
    best =
        SmallRational::sum(best, SmallRational::product(factor, SmallRational(*bound), overflow), overflow);
  }
  if (overflow ||
      !std::all_of(sum.begin(), sum.end(), [](const auto& entry) { return entry.second.isZero(); }))
    return false;
  const Unknown& basic = m_unknowns[row.basic];
  return increase ? basic.low && best.lessThan(SmallRational(*basic.low))
                  : basic.high && SmallRational(*basic.high).lessThan(best);
}

} // namespace plumbline::gate
