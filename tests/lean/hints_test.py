"""resources/hints.json follows the schema, and each theorem is in the module it names."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arch"))
import test_schemas  # noqa: E402
import tree  # noqa: E402

HINTS = json.loads((tree.SOURCE / "resources" / "hints.json").read_text(encoding="utf-8"))["hints"]


class Hints(unittest.TestCase):
    def test_each_follows_the_schema(self):
        self.assertGreater(len(HINTS), 20)
        for hint in HINTS:
            self.assertEqual(test_schemas.errors("hint", hint), [], hint["name"])

    def test_each_is_in_its_module(self):
        for hint in HINTS:
            text = (tree.SOURCE / "lean" / (hint["module"].replace(".", "/") + ".lean")).read_text(encoding="utf-8")
            self.assertIn(f"theorem {hint['name']} {hint['statement']} := by\n", text)
            self.assertEqual("native_decide" in text, hint["axioms"] == ["native evaluation"], hint["name"])


if __name__ == "__main__":
    unittest.main()
