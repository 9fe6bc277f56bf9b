"""What `plumbline check --json` prints follows verdict.schema.json, and its exit status follows from it."""

import json
import subprocess
import unittest

import test_schemas
import tree

SAMPLES = tree.SOURCE / "resources" / "samples"


def status_of(verdict):
    """The exit status that the object stands for, by the precedence 3, 6, 5, 1, 2, 0."""
    relations = [reading["relation"] for reading in verdict["readings"]]
    if verdict["rejections"]:
        return 3
    if "conflict" in relations:
        return 6
    if verdict["gate"] and verdict["gate"]["status"] == "refused":
        return 5
    if "different" in relations:
        return 1
    return 0 if relations and all(r == "equal" for r in relations) else 2


class Outputs(unittest.TestCase):
    def check(self, sample, *options):
        folder = SAMPLES / sample
        run = subprocess.run([str(test_schemas.BIN / "plumbline"), "check", str(folder / "model.py"), str(folder / "kernel.cu"),
                              "--json", *options], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        verdict = json.loads(run.stdout)
        self.assertEqual(test_schemas.errors("verdict", verdict), [])
        self.assertEqual(run.returncode, status_of(verdict), run.stdout)
        return verdict, run.returncode

    def test_one_sample_for_each_status(self):
        for sample, status in (("twice", 0), ("relu-guard", 1), ("sigmoid-expf", 2), ("inline-asm", 3),
                               ("vector-add-unguarded", 5)):
            with self.subTest(sample):
                self.assertEqual(self.check(sample)[1], status)

    def test_two_readings(self):
        verdict, status = self.check("association", "--reading", "ieee", "--reading", "real")
        self.assertEqual([(r["reading"], r["relation"]) for r in verdict["readings"]],
                         [("ieee", "different"), ("real", "equal")])
        self.assertEqual(status, 1)

    def test_the_gate_alone(self):
        verdict, _ = self.check("twice")
        self.assertEqual(test_schemas.errors("gate", {"schema": 1, **verdict["gate"]}), [])


if __name__ == "__main__":
    unittest.main()
