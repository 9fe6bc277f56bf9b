// Prints the JSON of terms that use every operator, for the schema test.
#include "core/logic/term.h"
#include "core/logic/term_json.h"

#include <array>
#include <iostream>

using namespace plumbline::logic;

namespace {

std::vector<TermId> booleanTerms(TermStore& store, TermId x, TermId n) {
  const TermId p = store.var(Sort::Bool, "p");
  const TermId nan = store.unary(Op::FIsNan, x);
  return {store.lnot(p),
          store.land(p, nan),
          store.lor(p, nan),
          store.boolean(true),
          store.ilt(n, store.integer(3)),
          store.ile(n, store.integer(-3)),
          store.ieq(n, store.integer(0))};
}

std::vector<TermId> everyOperator(TermStore& store) {
  const TermId n = store.var(Sort::Int, "n");
  const TermId m = store.var(Sort::Int, "m");
  const TermId x = store.load(Sort::F32, "x", n);
  const TermId y = store.f32Bits(0x3c23d70a, "0.01");
  const TermId wide = store.f64Bits(0x3ff0000000000000);
  std::vector<TermId> roots = booleanTerms(store, x, n);
  for (Op op : {Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FLt, Op::FLe, Op::FEq, Op::FSame})
    roots.push_back(store.binary(op, x, y));
  for (Op op : {Op::FSqrt, Op::FNeg, Op::FAbs})
    roots.push_back(store.unary(op, x));
  const std::array<TermId, 1> argument{x};
  roots.insert(roots.end(), {store.iadd(n, m), store.isub(n, m), store.imul(n, m), store.idiv(n, m),
                             store.irem(n, m), store.ite(roots[0], x, y), store.fma(x, y, x),
                             store.convert(Sort::F32, wide), store.intToFloat(Sort::F64, n),
                             store.floatToInt(x, 32, true), store.opaque(Sort::F32, "expf", argument)});
  return roots;
}

} // namespace

int main() {
  TermStore store;
  const std::vector<TermId> roots = everyOperator(store);
  std::cout << toJson(store, roots).dump() << '\n';
  return 0;
}
