// Clauses changed by hand, one at a time: exactly the goals that the change makes unprovable stay open. What
// must stay open follows from the reason beside each edit, not from a run.
#include "tests/unit/goals/documents.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace plumbline::goals_test {
namespace {

const std::string fill = R"(import Velvet

method fill
    (n : Nat)
    (aIn : Array Int)
  returns (a : Array Int)
  requires size_in: (aIn.size = n)
  ensures size_out: (a.size = n)
  ensures filled: (∀ k : Nat, k < n → a[k]! = 7)
do
  let mut a : Array Int := aIn
  let mut i : Nat := 0
  while more: (i < n)
    invariant i_le: (i ≤ n)
    invariant a_size: (a.size = n)
    invariant seven: (∀ k : Nat, k < i → a[k]! = 7)
    decreasing rest: (n - i)
    done_with finish: (i = n)
  do
    assert inside: (i < a.size)
    a := a.set! i 7
    i := i + 1
  return a
)";

const std::string find = R"(import Velvet

method find
    (n : Nat)
    (x : Array Int)
    (v : Int)
  returns (r : Nat)
  requires x_size: (x.size = n)
  ensures r_le: (r ≤ n)
  ensures earlier: (∀ k : Nat, k < r → x[k]! ≠ v)
  ensures found: (r < n → x[r]! = v)
do
  let mut r : Nat := 0
  while more: (r < n)
    invariant r_in: (r ≤ n)
    invariant none_yet: (∀ k : Nat, k < r → x[k]! ≠ v)
    decreasing rest: (n - r)
    done_with stop: (r < n → x[r]! = v)
  do
    if x[r]! = v then
      break
    r := r + 1
  return r
)";

const std::string halve = R"(import Velvet
import Plumbline

method halve
    (w0 : Int)
  returns (c : Int)
  requires pos: (0 ≤ w0)
  ensures c_pos: (0 ≤ c)
do
  let mut w : Int := w0
  let mut c : Int := 0
  while more: (0 < w)
    invariant w_pos: (0 ≤ w)
    invariant w_le: (w ≤ w0)
    invariant c_nonneg: (0 ≤ c)
    decreasing size: (w.toNat)
    done_with zero: (w = 0)
  do
    w := Plumbline.cDiv w 2
    c := c + 1
  return c
)";

/// The generated document of a pair that is equal.
std::string leaky() {
  std::ifstream file(std::string(PLUMBLINE_SOURCE_DIR) + "/tests/method/golden/leaky-relu-commuted.lean");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Edit {
  std::string name;
  std::string document;
  std::string label;
  std::string prop; ///< "-": the clause is dropped
  std::set<std::string> open;
  std::string why;
};

void PrintTo(const Edit& edit, std::ostream* out) {
  *out << edit.name << ": " << edit.label << " becomes " << edit.prop << ", because " << edit.why;
}

std::vector<Edit> fillEdits() {
  const std::string done = "∀ k : Nat, ";
  return {
      {"fill_1", fill, "i_le", "-", {"finish.exit"}, "i may be above n where the loop ends"},
      {"fill_2", fill, "i_le", "i ≤ n + 1", {"finish.exit"}, "i may be n + 1 where the loop ends"},
      {"fill_3",
       fill,
       "i_le",
       "i < n",
       {"i_le.entry", "i_le.step"},
       "n may be 0, and the last turn makes i = n; at the exit it contradicts the condition"},
      {"fill_4", fill, "i_le", "i = 0", {"i_le.step"}, "a turn makes i = 1; at the exit n ≤ i = 0"},
      {"fill_5",
       fill,
       "i_le",
       "1 ≤ i",
       {"i_le.entry", "finish.exit"},
       "0 at first, and no upper bound is left"},
      {"fill_6",
       fill,
       "i_le",
       "n ≤ i",
       {"i_le.entry", "finish.exit"},
       "false before the loop unless n = 0; inside it contradicts the condition; i may be above n after it"},
      {"fill_7", fill, "a_size", "a.size ≤ n", {"inside", "size_out"}, "the array may be smaller than n"},
      {"fill_8",
       fill,
       "a_size",
       "-",
       {"inside", "size_out"},
       "nothing is known of the size, but the assertion is assumed once it is claimed"},
      {"fill_9", fill, "a_size", "n ≤ a.size", {"size_out"}, "the array may be larger than n"},
      {"fill_10", fill, "a_size", "a.size = n + 1", {"a_size.entry", "size_out"}, "aIn has n elements"},
      {"fill_11",
       fill,
       "a_size",
       "a.size = i",
       {"a_size.entry", "inside"},
       "0 elements before the loop is wrong unless n = 0; i is not below i, and what follows in the turn may "
       "assume "
       "that it is, a contradiction; at the end i = n"},
      {"fill_12", fill, "a_size", "aIn.size = n", {"inside", "size_out"}, "it says nothing of a"},
      {"fill_13", fill, "seven", done + "k < i → a[k]! = 8", {"seven.step", "filled"}, "7 is stored"},
      {"fill_14",
       fill,
       "seven",
       done + "k ≤ i → a[k]! = 7",
       {"seven.entry", "seven.step"},
       "element i is not yet stored; k < n = i is enough at the end"},
      {"fill_15",
       fill,
       "seven",
       done + "k + 1 < i → a[k]! = 7",
       {"seven.step", "filled"},
       "element i - 1 is forgotten"},
      {"fill_16",
       fill,
       "seven",
       done + "i < k → a[k]! = 7",
       {"seven.entry", "filled"},
       "the elements above i are not 7 at first, and those below are unknown; a turn only narrows it"},
      {"fill_17",
       fill,
       "seven",
       done + "k < n → a[k]! = 7",
       {"seven.entry"},
       "true at the end only, yet kept"},
      {"fill_18", fill, "seven", "-", {"filled"}, "nothing is known of the elements"},
      {"fill_19", fill, "seven", done + "k < i → aIn[k]! = 7", {"seven.step", "filled"}, "another array"},
      {"fill_20",
       fill,
       "seven",
       done + "k < i → a[i]! = 7",
       {"seven.step"},
       "after a turn it speaks of the next element; at the end of element n, which is Lean's default 0, so n "
       "is 0"},
      {"fill_21", fill, "seven", done + "k < i → a[k]! ≤ 7", {"filled"}, "weaker than what is promised"},
      {"fill_22",
       fill,
       "seven",
       "∃ k : Nat, k < i ∧ a[k]! = 7",
       {"seven.entry", "filled"},
       "no k is below 0; one element of value 7 is not all"},
      {"fill_23",
       fill,
       "seven",
       "i = 0 ∨ a[0]! = 7",
       {"filled"},
       "the first turn stores element 0 and no later one touches it; the others are unknown"},
      {"fill_24", fill, "finish", "i ≤ n", {"filled"}, "the loop may have ended early"},
      {"fill_25",
       fill,
       "finish",
       "-",
       {},
       "then what holds is that the condition does not, and i ≤ n is kept"},
      {"fill_26",
       fill,
       "finish",
       "n < i",
       {"finish.exit"},
       "i = n at the exit; what follows is contradictory"},
      {"fill_27", fill, "finish", "i + 1 = n", {"finish.exit", "filled"}, "i = n; the last element is lost"},
      {"fill_28", fill, "rest", "i", {"rest.measure"}, "it grows"},
      {"fill_29",
       fill,
       "rest",
       "n - i - 1",
       {"rest.measure"},
       "0 before and after the last turn: Nat has no -1"},
      {"fill_30", fill, "rest", "n + 1 - i", {}, "one more, and still smaller after each turn"},
      {"fill_31", fill, "rest", "n", {"rest.measure"}, "it stays"},
      {"fill_32", fill, "rest", "2 * n - i", {}, "i < n ≤ 2 n"},
      {"fill_33", fill, "rest", "-", {"problem no-measure"}, "nothing shows that the loop ends"},
      {"fill_34", fill, "inside", "i + 1 < a.size", {"inside"}, "false in the last turn"},
      {"fill_35", fill, "inside", "i ≤ a.size", {}, "weaker, and true; i < n = a.size is known anyway"},
  };
}

std::vector<Edit> findEdits() {
  const std::string all = "∀ k : Nat, ";
  return {
      {"find_1", find, "r_in", "-", {"r_le"}, "nothing bounds r; found needs r < n itself"},
      {"find_2", find, "r_in", "r < n", {"r_in.entry", "r_in.step"}, "n may be 0; the last turn makes r = n"},
      {"find_3", find, "r_in", "r ≤ n + 1", {"r_le"}, "r may be n + 1"},
      {"find_4", find, "none_yet", "-", {"earlier"}, "nothing is known of the elements passed"},
      {"find_5",
       find,
       "none_yet",
       all + "k ≤ r → x[k]! ≠ v",
       {"none_yet.entry", "none_yet.step"},
       "element r is not yet looked at; at the break it contradicts the branch"},
      {"find_6",
       find,
       "none_yet",
       all + "k < r → x[k]! = v",
       {"none_yet.step", "earlier"},
       "the element passed is not v"},
      {"find_7",
       find,
       "none_yet",
       all + "r < k → x[k]! ≠ v",
       {"none_yet.entry", "earlier"},
       "nothing is known of the elements ahead, and nothing is kept of those passed"},
      {"find_8",
       find,
       "none_yet",
       all + "k < n → x[k]! ≠ v",
       {"none_yet.entry"},
       "x does not change, so it is kept, but nothing says it at first"},
      {"find_9",
       find,
       "none_yet",
       all + "k + 1 < r → x[k]! ≠ v",
       {"none_yet.step", "earlier"},
       "element r - 1 is forgotten"},
      {"find_10",
       find,
       "none_yet",
       all + "k < r → x[r]! ≠ v",
       {"none_yet.step", "earlier"},
       "after a turn it speaks of the next element; at the break no k is below r, or it contradicts the "
       "branch"},
      {"find_11", find, "stop", "r = n", {"stop.break"}, "r < n at the break"},
      {"find_12", find, "stop", "True", {"found"}, "why the loop ended is forgotten"},
      {"find_13", find, "stop", "x[r]! = v", {"stop.exit"}, "element n is Lean's default there"},
      {"find_14",
       find,
       "stop",
       "-",
       {"more_done.break"},
       "then the negated condition is what must hold, and it does not at the break"},
  };
}

std::vector<Edit> halveEdits() {
  return {
      {"halve_1", halve, "w_pos", "-", {"zero.exit"}, "w may be negative where the loop ends"},
      {"halve_2", halve, "w_pos", "0 < w", {"w_pos.entry", "w_pos.step"}, "w0 may be 0; half of 1 is 0"},
      {"halve_3", halve, "w_pos", "-1 ≤ w", {"zero.exit"}, "w may be -1"},
      {"halve_4", halve, "w_pos", "0 ≤ c", {"zero.exit"}, "the wrong variable"},
      {"halve_5", halve, "w_pos", "1 ≤ w ∨ w = 0", {}, "the same in other words"},
      {"halve_6", halve, "w_le", "w < w0", {"w_le.entry"}, "equal at first; half of a positive w is smaller"},
      {"halve_7", halve, "w_le", "w0 ≤ w", {"w_le.step"}, "half is smaller"},
      {"halve_8", halve, "w_le", "w ≤ c", {"w_le.entry"}, "c is 0 at first; then w falls and c grows"},
      {"halve_9",
       halve,
       "w_le",
       "2 * w ≤ w0",
       {"w_le.entry"},
       "false before the first turn unless w0 = 0; kept"},
      {"halve_10", halve, "c_nonneg", "0 < c", {"c_nonneg.entry"}, "0 at first"},
      {"halve_11",
       halve,
       "c_nonneg",
       "c ≤ 0",
       {"c_nonneg.step", "c_pos"},
       "c grows; nothing bounds it below"},
      {"halve_12", halve, "c_nonneg", "-", {"c_pos"}, "nothing is known of c"},
      {"halve_13", halve, "c_nonneg", "c = 0", {"c_nonneg.step"}, "c grows"},
      {"halve_14", halve, "c_nonneg", "0 ≤ w", {"c_pos"}, "the wrong variable"},
      {"halve_15", halve, "c_nonneg", "-1 ≤ c", {"c_pos"}, "c may be -1"},
      {"halve_16", halve, "size", "(w - 1).toNat", {"size.measure"}, "0 for 1 and for 0"},
      {"halve_17", halve, "size", "w0.toNat", {"size.measure"}, "it stays"},
  };
}

std::vector<Edit> leakyEdits() {
  const std::string p = "leaky_relu_kernel_";
  const std::string text = leaky();
  const std::string all = "∀ k : Nat, (k : Int) < numel_s0_s1_s2 → ";
  const std::string spec = "leaky_relu_kernel_spec x k";
  return {
      {"leaky_1",
       text,
       p + "thr_x_y_done",
       all + "(k : Int) ≤ g_done → y[k]! = " + spec,
       {p + "thr_x_y_done.entry", p + "thr_x_y_done.step"},
       "the element whose turn it is is not written yet"},
      {"leaky_2",
       text,
       p + "thr_x_y_done",
       "-",
       {p + "blk_x_y_done.step"},
       "what the block has written is not known after its threads"},
      {"leaky_3",
       text,
       p + "blk_x_y_done",
       "-",
       {p + "thr_x_y_done.entry", p + "y_value"},
       "what earlier blocks have written is not known"},
      {"leaky_4",
       text,
       p + "thr_x_count",
       "-",
       {p + "thr_x_y_done.step", p + "blk_x_count.step"},
       "g_done has nothing to do with the thread any more"},
      {"leaky_5", text, p + "thr_x_le", "-", {p + "thr_x_end.exit"}, "thr_x may be above blockDim_x"},
      {"leaky_6",
       text,
       p + "thr_x_y_size",
       "-",
       {p + "bound_2", p + "blk_x_y_size.step"},
       "the size of y is not known inside, nor after the threads"},
      {"leaky_7",
       text,
       p + "blk_x_y_size",
       "-",
       {p + "thr_x_y_size.entry", p + "y_size_kept"},
       "the size of y is not known before the threads, nor at the end"},
      {"leaky_8",
       text,
       p + "blk_x_count",
       "-",
       {p + "thr_x_count.entry", p + "y_value"},
       "how much is done is not known before the threads, nor at the end"},
      {"leaky_9", text, p + "blk_x_le", "-", {p + "blk_x_end.exit"}, "blk_x may be above gridDim_x"},
      {"leaky_10",
       text,
       p + "blk_x_y_done",
       all + "(k : Int) < g_done → yIn[k]! = " + spec,
       {p + "thr_x_y_done.entry", p + "blk_x_y_done.step", p + "y_value"},
       "yIn is what was there before: nothing is known of it, and it says nothing of y"},
      {"leaky_11",
       text,
       p + "thr_x_y_done",
       all + "(k : Int) < g_done → y[k]! = x[k]!",
       {p + "thr_x_y_done.entry", p + "thr_x_y_done.step", p + "blk_x_y_done.step"},
       "the module does not keep negative elements"},
      {"leaky_12",
       text,
       p + "thr_x_count",
       "g_done = (blk_x : Int) * (blockDim_x : Int) + (thr_x : Int) + 1",
       {p + "thr_x_count.entry", p + "thr_x_y_done.step", p + "blk_x_count.step"},
       "one too many before the first thread; the element written is not the one that is counted"},
      {"leaky_13",
       text,
       p + "blk_x_le",
       "blk_x < gridDim_x",
       {p + "blk_x_le.step"},
       "true at first, since there is an element and so a block, but false after the last block"},
  };
}

class Edits : public testing::TestWithParam<Edit> {};

TEST_P(Edits, LeaveExactlyTheseGoals) {
  const Edit& edit = GetParam();
  EXPECT_EQ(left(goalsOf(edited(edit.document, edit.label, edit.prop))), edit.open) << edit.why;
}

std::string nameOf(const testing::TestParamInfo<Edit>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Fill, Edits, testing::ValuesIn(fillEdits()), nameOf);
INSTANTIATE_TEST_SUITE_P(Find, Edits, testing::ValuesIn(findEdits()), nameOf);
INSTANTIATE_TEST_SUITE_P(Halve, Edits, testing::ValuesIn(halveEdits()), nameOf);
INSTANTIATE_TEST_SUITE_P(Leaky, Edits, testing::ValuesIn(leakyEdits()), nameOf);

TEST(Edits, WithoutOneEveryGoalIsClosed) {
  for (const std::string& text : {fill, find, halve, leaky()})
    EXPECT_EQ(left(goalsOf(text)), std::set<std::string>()) << text;
}

} // namespace
} // namespace plumbline::goals_test
