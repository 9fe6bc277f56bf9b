"""resources/schema: every schema is valid, accepts its own examples, and describes what the product prints."""

import copy
import json
import os
import pathlib
import re
import subprocess
import unittest

import jsonschema
import referencing

import tree

FOLDER = tree.SOURCE / "resources" / "schema"
BIN = pathlib.Path(os.environ.get("PLUMBLINE_BIN_DIR", tree.SOURCE / "build" / "bin"))
SCHEMAS = {p.name.removesuffix(".schema.json"): json.loads(p.read_text()) for p in sorted(FOLDER.glob("*.schema.json"))}
REGISTRY = referencing.Registry().with_resources(
    (f"{name}.schema.json", referencing.Resource.from_contents(schema)) for name, schema in SCHEMAS.items())


def validator(name):
    return jsonschema.Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def errors(name, value):
    """Why `value` does not follow the schema, as short texts."""
    return [f"{e.json_path}: {e.message[:300]}" for e in validator(name).iter_errors(value)]


def ops():
    """{JSON name: arity} of core/logic/ops.def."""
    rows = re.findall(r'^PLUMBLINE_OP\((\w+), "([\w]+)", (-?\d+)\)', tree.read("core/logic/ops.def"), re.MULTILINE)
    return {json_name: int(arity) for _, json_name, arity in rows}


class Schemas(unittest.TestCase):
    def test_the_promised_schemas_are_there(self):
        promised = {"graph", "term", "kernel", "launch", "goal", "evidence", "hint", "gate", "verdict"}
        self.assertEqual(promised - set(SCHEMAS), set())

    def test_each_is_a_schema_with_a_subject(self):
        for name, schema in SCHEMAS.items():
            with self.subTest(name):
                jsonschema.Draft202012Validator.check_schema(schema)
                self.assertTrue(schema.get("title"))
                self.assertEqual(schema.get("$id"), f"{name}.schema.json")

    def test_each_accepts_its_examples(self):
        for name, schema in SCHEMAS.items():
            for example in schema.get("examples", []):
                with self.subTest(name):
                    self.assertEqual(errors(name, example), [])

    def test_references_resolve(self):
        for name, schema in SCHEMAS.items():
            for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(schema)):
                with self.subTest(f"{name}: {reference}"):
                    base = REGISTRY.resolver(f"{name}.schema.json")
                    base.lookup(reference)


class Terms(unittest.TestCase):
    def node(self, op, arity):
        """A node of that operator that follows the schema, found by trying the sorts and the payload fields."""
        payloads = [{}, {"value": True}, {"value": 1}, {"bits": "0x00000000"}, {"name": "x"},
                    {"width": 32, "signed": True}]
        args = {"args": [0] * arity} if arity > 0 else {}
        for sort in ("bool", "int", "f32", "f64"):
            for payload in payloads:
                node = {"op": op, "sort": sort, **args, **payload}
                if not errors("term", {"nodes": [node], "roots": [0]}):
                    return node
        return None

    def test_every_operator_has_its_arity(self):
        self.assertGreater(len(ops()), 30)
        for op, arity in ops().items():
            with self.subTest(op):
                node = self.node(op, max(arity, 0))
                self.assertIsNotNone(node)
                if arity >= 0:
                    node["args"] = [0] * (arity + 1)
                    self.assertNotEqual(errors("term", {"nodes": [node], "roots": [0]}), [])

    def test_no_operator_that_is_not_in_the_table(self):
        in_schema = {op for form in SCHEMAS["term"]["$defs"]["node"]["oneOf"] for op in form["properties"]["op"]["enum"]}
        self.assertEqual(in_schema, set(ops()))

    def test_what_the_term_library_writes(self):
        printed = subprocess.run([str(BIN / "plumbline-print-terms")], capture_output=True, text=True, check=True).stdout
        terms = json.loads(printed)
        self.assertEqual({n["op"] for n in terms["nodes"]}, set(ops()), "the program covers every operator")
        self.assertEqual(errors("term", terms), [])


class Verdicts(unittest.TestCase):
    """The rules that keep a verdict honest are part of the schema."""

    base = {"schema": 1, "verdict": "equal", "readings": [], "witness": None, "gate": {"status": "accepted", "findings": []},
            "goals": [], "opaque": [], "assumptions": [], "hypotheses": [], "rejections": [], "time_ms": 1}

    witness = {"reading": "ieee", "inputs": {"x": {"shape": [1], "bits": ["0x7fc00000"]}}, "output": "0", "index": 0,
               "spec": "0x7fc00000", "kernel": "0x00000000",
               "replayed": {"interpreter": True, "pytorch": "not run", "gpu": "not run"}}

    def changed(self, **fields):
        value = copy.deepcopy(self.base)
        value.update(fields)
        return value

    def test_the_base_is_valid(self):
        self.assertEqual(errors("verdict", self.base), [])
        self.assertEqual(errors("verdict", self.changed(verdict="different", witness=self.witness)), [])

    def test_contradictions(self):
        finding = {"kind": "out-of-bounds", "message": "x", "spans": []}
        for value in [
                self.changed(gate={"status": "refused", "findings": [finding]}),
                self.changed(gate={"status": "accepted", "findings": [finding]}),
                self.changed(verdict="different", witness=self.witness, gate={"status": "refused", "findings": [finding]}),
                self.changed(verdict="different"),
                self.changed(verdict="undetermined"),
                self.changed(verdict="fine"),
                self.changed(goals=[{"name": "g", "status": "closed", "evidence": []}]),
                self.changed(readings=[{"reading": "ieee", "relation": "equal-modulo", "modulo": [], "scope": None,
                                        "reason": None}])]:
            self.assertNotEqual(errors("verdict", value), [], value)


if __name__ == "__main__":
    unittest.main()
