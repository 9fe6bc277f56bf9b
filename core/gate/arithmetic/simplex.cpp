#include "core/gate/arithmetic/simplex.h"

#include <algorithm>
#include <limits>

namespace plumbline::gate {

namespace {

using Wide = __int128;

constexpr size_t maxPivots = 4000;
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
  return unknown < row.coefficients.size() ? row.coefficients[unknown] : SmallRational();
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
  row.coefficients.resize(m_unknowns.size() + 1);
  for (const auto& [index, value] : form) {
    const SmallRational factor(value);
    unknown.value = SmallRational::sum(
        unknown.value, SmallRational::product(factor, m_unknowns[index].value, m_gaveUp), m_gaveUp);
    if (!m_unknowns[index].row) {
      row.coefficients[index] = SmallRational::sum(row.coefficients[index], factor, m_gaveUp);
      continue;
    }
    const Row& other = m_rows[*m_unknowns[index].row];
    for (size_t i = 0; i < other.coefficients.size(); ++i)
      if (!other.coefficients[i].isZero())
        row.coefficients[i] = SmallRational::sum(
            row.coefficients[i], SmallRational::product(factor, other.coefficients[i], m_gaveUp), m_gaveUp);
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
  m_levels.push_back({m_undo.size(), m_levels.back().contradiction});
}

void Simplex::pop() {
  // Values of non-basic unknowns lie within tighter bounds, so they lie within the old ones.
  for (const size_t keep = m_levels.back().undo; m_undo.size() > keep; m_undo.pop_back()) {
    const Undo& undo = m_undo.back();
    m_unknowns[undo.unknown].low = undo.low;
    m_unknowns[undo.unknown].high = undo.high;
  }
  m_levels.pop_back();
}

Bounds Simplex::bounds(const Monomial& monomial) const {
  const auto found = m_monomials.find(monomial);
  if (found == m_monomials.end())
    return {};
  return {m_unknowns[found->second].low, m_unknowns[found->second].high};
}

/// The least basic unknown outside its bounds (Bland's rule, so that it ends).
std::optional<Simplex::Index> Simplex::violated() const {
  std::optional<Index> result;
  for (const Row& row : m_rows) {
    const Unknown& entry = m_unknowns[row.basic];
    const bool low = entry.low && entry.value.lessThan(SmallRational(*entry.low));
    const bool high = entry.high && SmallRational(*entry.high).lessThan(entry.value);
    if ((low || high) && (!result || row.basic < *result))
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
    if (++m_pivots > maxPivots)
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
  const Index rowIndex = *m_unknowns[basic].row;
  const Row& row = m_rows[rowIndex];
  const Unknown& entry = m_unknowns[basic];
  const bool increase = entry.low && entry.value.lessThan(SmallRational(*entry.low));
  const int64_t target = increase ? *entry.low : *entry.high;
  for (Index unknown = 0; unknown < row.coefficients.size(); ++unknown) {
    if (!canHelp(unknown, row.coefficients[unknown], increase))
      continue;
    const SmallRational gap = SmallRational::difference(SmallRational(target), entry.value, m_gaveUp);
    const SmallRational step = SmallRational::quotient(gap, row.coefficients[unknown], m_gaveUp);
    moveNonBasic(unknown, SmallRational::sum(m_unknowns[unknown].value, step, m_gaveUp));
    pivot(rowIndex, unknown);
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
  row.coefficients.resize(m_unknowns.size());
  const SmallRational inverse =
      SmallRational::quotient(SmallRational(1), row.coefficients[entering], m_gaveUp);
  const SmallRational negative = SmallRational::product(SmallRational(-1), inverse, m_gaveUp);
  row.coefficients[entering] = SmallRational();
  for (SmallRational& value : row.coefficients)
    if (!value.isZero())
      value = SmallRational::product(value, negative, m_gaveUp);
  row.coefficients[leaving] = inverse;
  row.basic = entering;
  m_unknowns[entering].row = rowIndex;
  m_unknowns[leaving].row.reset();
  for (Row& other : m_rows) {
    const SmallRational factor = coefficient(other, entering);
    if (&other == &row || factor.isZero())
      continue;
    other.coefficients.resize(m_unknowns.size());
    other.coefficients[entering] = SmallRational();
    for (size_t i = 0; i < row.coefficients.size(); ++i)
      if (!row.coefficients[i].isZero())
        other.coefficients[i] = SmallRational::sum(
            other.coefficients[i], SmallRational::product(factor, row.coefficients[i], m_gaveUp), m_gaveUp);
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
  for (Index i = 0; i < row.coefficients.size(); ++i) {
    const SmallRational& factor = row.coefficients[i];
    if (factor.isZero())
      continue;
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
