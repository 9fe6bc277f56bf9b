"""Every code action of goals, through the program itself: offered, applied as an editor would, and then the document has
no error that it did not have, and what the action's title says has happened."""

import unittest

from talk import Talk

HEAD = "import Velvet\nimport Plumbline\n\n"
LEMMA = """theorem twice_pos (a : Int) : 0 < a → 0 < a + a := by
  omega

"""
RELU = HEAD + """def relu (v : Float32) : Float32 :=
  if Float32.ofBits 0x00000000 < v then v else Float32.ofBits 0x00000000

method m
    (n : Nat)
    (x : Array Float32)
    (k : Nat)
  returns (r : Float32)
  requires inside: (k < x.size)
  ensures same: (r = relu x[k]!)
do
  return Plumbline.expf x[k]!

prove_correct m by
  velvet_vcgen [m, relu] with try finish
"""
FILL = HEAD + LEMMA + """method fill
    (n : Nat)
    (aIn : Array Int)
  returns (a : Array Int)
  requires size_in: (aIn.size = n)
  ensures filled: (∀ k : Nat, k < n → a[k]! = 7)
do
  let mut a : Array Int := aIn
  let mut i : Nat := 0
  while more: (i < n)
    invariant seven: (∀ k : Nat, k < i → a[k]! = 7)
    decreasing rest: (n - i)
  do
    a := a.set! i 7
    i := i + 1
  return a

prove_correct fill by
  velvet_vcgen [fill] with try finish
"""
# False for k = 5, and nothing else is wrong.
WRONG = HEAD + """method five
    (k : Int)
  returns (r : Int)
  ensures small: (k ≤ 9 → r < 14)
do
  return k + 5

prove_correct five by
  velvet_vcgen [five] with try finish
"""
CASE = HEAD + """method m
    (k : Int)
  returns (r : Int)
  ensures grows: (k < r)
do
  return k + 1

prove_correct m by
  velvet_vcgen [m]
  case grows =>
    skip
"""
COMMUTED = HEAD.replace("import Plumbline\n", "import Plumbline.Float32\n") + """method m
    (a : Float32)
    (b : Float32)
  returns (r : Float32)
  ensures same: (r = Plumbline.expf (b * a))
do
  return Plumbline.logf (a * b)

prove_correct m by
  velvet_vcgen [m] with try finish
"""


def codes(diagnostics, severity=1):
    return sorted(d["code"] for d in diagnostics if d["severity"] == severity)


class Actions(unittest.TestCase):
    def setUp(self):
        self.talk = Talk()
        self.addCleanup(self.talk.kill)

    def apply(self, text, at, title):
        """The states and diagnostics before and after, and the text after."""
        before = self.talk.settle(text)
        actions = self.talk.actions(text, at)
        wanted = [a for a in actions if a["title"].startswith(title)]
        self.assertTrue(wanted, f"{title} is not among {[a['title'] for a in actions]}")
        changes = wanted[0]["edit"]
        edits = [e for d in changes.get("documentChanges", []) for e in d["edits"]]
        self.assertTrue(edits, changes)
        after = self.talk.edited(text, edits)
        self.assertNotEqual(after, text)
        return before, self.talk.settle(after), after

    def assert_no_new_error(self, before, after, gone=()):
        left = codes(before[1])
        for code in codes(after[1]):
            if code == "unsolved-goals" and code in left:
                continue  # of the same goal, also where the tactic stands
            self.assertIn(code, left, after[1])
            left.remove(code)
        for code in gone:
            self.assertNotIn(code, codes(after[1]))

    def test_split_on_a_guard(self):
        before, after, text = self.apply(RELU, "ensures same", "Split 'same' on Float32.ofBits 0x00000000 < x[k]!")
        self.assertIn("  case same =>\n    by_cases guard : Float32.ofBits 0x00000000 < x[k]!\n    · grind\n    · grind", text)
        self.assertEqual(len(self.talk.goals_at(text, "· grind", 3)), 1)
        self.assertIn("guard : Float32.ofBits 0x00000000 < x[k]!", self.talk.goals_at(text, "· grind", 3)[0])
        self.assertIn("guard : ¬", self.talk.goals_at(text, "· grind", 3, last=True)[0])
        self.assertEqual(before[0]["same"], after[0]["same"], "a split claims nothing")

    def test_split_on_a_float_class(self):
        _, _, text = self.apply(RELU, "ensures same", "Split 'same' on Float32.isNaN x[k]! = true")
        self.assertIn("nan : Float32.isNaN x[k]! = true", self.talk.goals_at(text, "· grind", 3)[0])
        self.assertIn("nan : ¬", self.talk.goals_at(text, "· grind", 3, last=True)[0])

    def test_settle_this_goal(self):
        before, after, text = self.apply(RELU, "ensures same", "Settle 'same'")
        self.assertTrue(text.endswith("with try finish\n  case same => grind\n"), text)
        self.assertIn("not-settled", codes(after[1], 2), "the engines were asked, and say that they do not know")
        self.assert_no_new_error(before, after)

    def test_settle_a_goal_that_only_the_script_leaves(self):
        before, after, text = self.apply(CASE[:CASE.index("  case")], "ensures grows", "Settle 'grows'")
        self.assertTrue(text.endswith("[m]\n  case grows => grind\n"), text)
        self.assertIn("unsolved-goals", codes(before[1]))
        self.assert_no_new_error(before, after, gone=["unsolved-goals"])

    def test_find_a_witness(self):
        before, after, text = self.apply(WRONG, "ensures small", "Write down the witness of 'small'")
        self.assertEqual(before[0], {"small": "witnessed"})
        self.assertEqual(after[0], before[0])
        value = int(text[text.index("  --   k = ") + 11:].split("\n")[0])
        self.assertTrue(value <= 9 and not value + 5 < 14, "what is written down shows it")
        self.assert_no_new_error(before, after)

    def test_insert_a_witness_theorem(self):
        before, after, text = self.apply(WRONG, "ensures small", "Insert the witness of 'small' as a theorem")
        self.assertIn("theorem small_witness : ", text)
        self.assert_no_new_error(before, after)
        line = text[:text.index("  first | decide +kernel | decide\n")].count("\n")
        said = [d["message"] for d in after[1] if d["range"]["start"]["line"] == line]
        self.assertEqual(len(said), 1)
        self.assertTrue(said[0].startswith("true ("), said)

    def test_a_witness_theorem_unfolds_propositions(self):
        """A definition has no Decidable instance in Lean."""
        wrong = WRONG.replace("(k ≤ 9 → r < 14)", "(k ≤ 9 → below r)").replace(
            "method five", "def below (r : Int) : Prop :=\n  r < 14\n\nmethod five")
        before, after, text = self.apply(wrong, "ensures small", "Insert the witness of 'small' as a theorem")
        self.assertIn(" := by\n  unfold below\n  first | decide +kernel | decide\n", text)
        self.assert_no_new_error(before, after)

    def test_use_a_hint_of_the_document(self):
        before, after, text = self.apply(FILL, "invariant seven", "Use hint 'twice_pos'")
        self.assertIn("velvet_vcgen [fill, twice_pos] with", text)
        self.assertNotIn("unsettled-hint", codes(after[1], 3), "the engines have shown the lemma")
        self.assert_no_new_error(before, after)

    def test_use_a_hint_of_the_pool(self):
        before, after, text = self.apply(COMMUTED, "ensures same", "Use hint 'Plumbline.f32_mul_comm'")
        self.assertIn("velvet_vcgen [m, Plumbline.f32_mul_comm] with", text)
        self.assertIn("import Plumbline.Lemmas.MulComm\n", text)
        self.assert_no_new_error(before, after)

    def test_promote_to_the_hint_pool(self):
        before, after, text = self.apply(FILL, "theorem twice_pos", "Promote 'twice_pos' to the hint pool")
        self.assertIn("\n@[grind]\ntheorem twice_pos", text)
        self.assert_no_new_error(before, after)

    def test_generate_invariants(self):
        before, after, text = self.apply(FILL, "while more", "Generate invariants for this loop")
        self.assertIn("    invariant i_le: (i ≤ n)\n", text)
        self.assertIn("    invariant a_size: (a.size = aIn.size)\n", text)
        self.assertNotEqual(before[0]["seven.step"], "closed", "i may be outside of the array")
        self.assertEqual(set(after[0].values()), {"closed"}, "with them everything is closed")
        self.assert_no_new_error(before, after, gone=["unsolved-goals", "goal-false"])

    def test_close_a_case(self):
        before, after, text = self.apply(CASE, "skip", "Close this case")
        self.assertIn("    skip\n    grind\n", text)
        self.assertIn("unsolved-goals", codes(before[1]))
        self.assert_no_new_error(before, after, gone=["unsolved-goals"])


if __name__ == "__main__":
    unittest.main()
