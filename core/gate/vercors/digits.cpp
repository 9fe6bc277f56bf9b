#include "core/gate/vercors/digits.h"

#include "core/gate/vercors/lists.h"

namespace plumbline::gate::vercors {

using logic::Op;
using logic::TermId;

namespace {

/// A sum of products, which are lists of factors that are not taken apart.
using Product = std::vector<TermId>;
using Sum = std::vector<Product>;

class Digits {
public:
  Digits(Setting& setting, const std::vector<TermId>& facts)
      : m_setting(setting), m_store(setting.store), m_facts(facts) {}

  std::vector<TermId> run(TermId a, TermId b) {
    split(sumOf(a), sumOf(b), 0);
    return std::move(m_equations);
  }

private:
  Sum sumOf(TermId id) const {
    const logic::Term& term = m_store[id];
    if (term.op == Op::IAdd) {
      Sum sum = sumOf(term.args[0]);
      for (Product& each : sumOf(term.args[1]))
        sum.push_back(std::move(each));
      return sum;
    }
    return {productOf(id)};
  }

  Product productOf(TermId id) const {
    const logic::Term& term = m_store[id];
    if (term.op != Op::IMul)
      return {id};
    Product product = productOf(term.args[0]);
    for (const TermId each : productOf(term.args[1]))
      product.push_back(each);
    return product;
  }

  TermId termOf(const Product& product) const {
    TermId made = m_store.integer(1);
    for (size_t i = 0; i < product.size(); ++i)
      made = i == 0 ? product[0] : m_store.imul(made, product[i]);
    return made;
  }

  TermId termOf(const Sum& sum) const {
    TermId made = m_store.integer(0);
    for (size_t i = 0; i < sum.size(); ++i)
      made = i == 0 ? termOf(sum[0]) : m_store.iadd(made, termOf(sum[i]));
    return made;
  }

  /// sum = high * base + low.
  struct Parts {
    Sum high;
    Sum low;
  };
  static Parts partsOf(const Sum& sum, TermId base) {
    Parts parts;
    for (Product product : sum) {
      const auto found = std::ranges::find(product, base);
      if (found == product.end()) {
        parts.low.push_back(std::move(product));
        continue;
      }
      product.erase(found);
      parts.high.push_back(std::move(product));
    }
    return parts;
  }

  bool isDigit(const Sum& low, TermId base) {
    const TermId value = termOf(low);
    return m_setting.proves(m_facts, m_store.ile(m_store.integer(0), value)) &&
           m_setting.proves(m_facts, m_store.ilt(value, base));
  }

  /// high * base + low = high' * base + low' with both low parts in [0, base) is equality of the parts.
  void split(const Sum& a, const Sum& b, int depth) {
    std::vector<TermId> tried;
    for (const Product& product : a)
      for (const TermId base : product) {
        if (product.size() < 2 || depth > 6 || contains(tried, base))
          continue;
        tried.push_back(base);
        const Parts left = partsOf(a, base);
        const Parts right = partsOf(b, base);
        if (right.high.empty() || !isDigit(left.low, base) || !isDigit(right.low, base))
          continue;
        split(left.high, right.high, depth + 1);
        split(left.low, right.low, depth + 1);
        return;
      }
    // One factor of the grid's extents may hide a sum: (by * 16 + ty).
    if (a.size() == 1 && b.size() == 1 && a[0].size() == 1 && b[0].size() == 1 &&
        m_store[a[0][0]].op == Op::IAdd && m_store[b[0][0]].op == Op::IAdd)
      return split(sumOf(a[0][0]), sumOf(b[0][0]), depth + 1);
    m_equations.push_back(m_store.ieq(termOf(a), termOf(b)));
  }

  Setting& m_setting;
  logic::TermStore& m_store;
  const std::vector<TermId>& m_facts;
  std::vector<TermId> m_equations;
};

} // namespace

std::vector<TermId> equalDigits(Setting& setting, const std::vector<TermId>& facts, TermId a, TermId b) {
  return Digits(setting, facts).run(a, b);
}

} // namespace plumbline::gate::vercors
