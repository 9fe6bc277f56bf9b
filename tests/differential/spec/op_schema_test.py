"""Compares resources/optable/aten.def with the schemas of the installed PyTorch."""

import os
import re
import unittest

import torch

SOURCE = os.environ.get("PLUMBLINE_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", "..", ".."))
ROW = re.compile(r'^PLUMBLINE_ATEN\(\s*"([^"]+)",\s*((?:"[^"]*"\s*)+)\)', re.MULTILINE)


def rows():
    with open(os.path.join(SOURCE, "resources/optable/aten.def"), encoding="utf-8") as table:
        for target, text in ROW.findall(table.read()):
            yield target, "".join(re.findall(r'"([^"]*)"', text))


def parsed(text):
    """[(type, name, default text or None, keyword-only)] of a parameter list in ATen's notation."""
    result, keyword = [], False
    for part in (p.strip() for p in text.split(",") if p.strip()):
        if part == "*":
            keyword = True
            continue
        part, _, default = part.partition("=")
        kind, name = part.rsplit(" ", 1)
        result.append((kind, name, default or None, keyword))
    return result



class OpTable(unittest.TestCase):
    def test_every_row_is_read(self):
        with open(os.path.join(SOURCE, "resources/optable/aten.def"), encoding="utf-8") as table:
            lines = [line for line in table if line.startswith("PLUMBLINE_ATEN")]
        self.assertEqual(len(lines), len(list(rows())))
        self.assertGreater(len(lines), 80)

    def test_rows_match_pytorch(self):
        for target, text in rows():
            operator = torch.ops
            for part in target.split("."):
                operator = getattr(operator, part)
            schema = operator._schema
            with self.subTest(target):
                ours = parsed(text)
                self.assertEqual([name for _, name, _, _ in ours], [a.name for a in schema.arguments])
                self.assertEqual([k for _, _, _, k in ours], [a.kwarg_only for a in schema.arguments])
                for (kind, name, default, _), theirs in zip(ours, schema.arguments):
                    self.assert_parameter(kind, name, default, theirs)

    def assert_parameter(self, kind, name, default, theirs):
        # Sym- and numeric kinds of the schema text are told apart by real_type.
        spelled = str(theirs.real_type).replace("number", "Scalar").replace("Optional", "")
        names = {"Tensor": "Tensor", "Scalar": "Scalar", "float": "float", "bool": "bool"}
        if kind in names:
            self.assertEqual(spelled, names[kind], name)
        self.assertEqual(default is not None, theirs.has_default_value(), name)
        if default is None:
            return
        value = theirs.default_value
        if value is None:
            self.assertEqual(default, "None", name)
        elif isinstance(value, bool):
            self.assertEqual(default, str(value), name)
        elif isinstance(value, (int, float)):
            self.assertEqual(float(default), float(value), name)
            self.assertEqual("." in default, isinstance(value, float), name)
        elif isinstance(value, str):
            self.assertEqual(default, f"'{value}'", name)
        elif isinstance(value, list):
            # A row writes one number for a list of equal ones, as ATen's own declarations do.
            self.assertEqual(default, str(value[0]) if value else "[]", name)
            self.assertLessEqual(len(set(value)), 1, name)
        else:
            self.fail(f"{name}: a default of an unknown kind: {value!r}")


if __name__ == "__main__":
    unittest.main()
