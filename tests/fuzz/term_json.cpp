// Terms: what is read is well-sorted and is written in a form that reads to the same terms.
#include "core/logic/term_json.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<Json> json = parseJson(fuzz::text(data, size), "fuzz");
  if (!json)
    return 0;
  logic::TermStore store;
  const Expected<std::vector<logic::TermId>> roots = logic::termsFromJson(store, *json);
  if (!roots) {
    fuzz::check(roots.error().id == "term-json", "a named error");
    return 0;
  }
  for (logic::TermId root : *roots) {
    fuzz::check(!store.print(root).empty(), "prints");
    if (store[root].op == logic::Op::FloatConst && store[root].sort == logic::Sort::F32)
      fuzz::check(store[root].payload <= UINT32_MAX, "binary32 has 32 bits");
  }
  const Json written = logic::toJson(store, *roots);
  const Expected<std::vector<logic::TermId>> again = logic::termsFromJson(store, written);
  fuzz::check(again.has_value(), "written terms read");
  fuzz::check(*again == *roots, "the same terms");
  return 0;
}
