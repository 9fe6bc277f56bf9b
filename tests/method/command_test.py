"""`plumbline method`: its output follows the schema, its exit status the table, a launch file replaces a wrapper."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arch"))
import test_schemas  # noqa: E402
import tree  # noqa: E402

PROGRAM = str(test_schemas.BIN / "plumbline")
SAMPLES = tree.SOURCE / "resources" / "samples"

BARE = """__global__ void scale(const float* x, float* y, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by;
}
"""
LAUNCH = {"kernels": {"scale": {
    "symbols": {"n": [1, 1000000]}, "block": [128, 1, 1], "grid": ["ceil(n / 128)", 1, 1],
    "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
    "scalars": {"n": "n", "by": "2.0"}}}}


def run(*words):
    return subprocess.run([PROGRAM, "method", *map(str, words)], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env=dict(os.environ))


def pair(sample):
    return SAMPLES / sample / "graph.json", SAMPLES / sample / "kernel.cu"


class Command(unittest.TestCase):
    def test_json_follows_the_schema_and_is_the_text(self):
        for sample in ("relu-guard", "double-literal", "leaky-relu-commuted"):
            printed = json.loads(run(*pair(sample), "--json").stdout)
            self.assertEqual(test_schemas.errors("method", printed), [])
            self.assertEqual(len(printed["lines"]), printed["text"].count("\n"))
            plain = run(*pair(sample))
            self.assertEqual(plain.returncode, 0)
            self.assertEqual(plain.stdout, printed["text"])
            self.assertEqual(bool(printed["inexpressible"]), sample == "double-literal")

    def test_contradictory_hypotheses_give_no_method(self):
        for assumed in ("x.numel <= 0", "x.numel > 5 && x.numel < 3"):
            made = run(*pair("twice"), "--assume", assumed)
            self.assertEqual((made.returncode, made.stdout), (4, ""), assumed)
            self.assertIn("contradictory-hypotheses", made.stderr)
            self.assertIn(f"'{assumed}' (--assume)", made.stderr)
            self.assertIn(f"remove or correct --assume '{assumed}'", made.stderr)
        self.assertEqual(run(*pair("twice"), "--assume", "x.numel > 5").returncode, 0)

    def test_a_witness_becomes_a_theorem(self):
        printed = json.loads(run(*pair("relu-guard"), "--witness", "--json").stdout)
        self.assertEqual(test_schemas.errors("method", printed), [])
        self.assertEqual([(t["kind"], t["axioms"]) for t in printed["theorems"]], [("witness", [])])
        self.assertIn("theorem relu_kernel_witness : ", printed["text"])
        none = run(*pair("twice"), "--witness")
        self.assertEqual((none.returncode, none.stdout), (3, ""))
        self.assertIn("no-witness", none.stderr)

    def test_a_sweep_names_its_axiom(self):
        printed = json.loads(run(*pair("twice"), "--sweep", "--json").stdout)
        self.assertEqual(test_schemas.errors("method", printed), [])
        self.assertEqual([(t["kind"], t["axioms"]) for t in printed["theorems"]], [("sweep", ["native evaluation"])])
        self.assertIn("(by native_decide)", printed["text"])
        self.assertIn("import Plumbline.Sweep\n", printed["text"])
        self.assertEqual(run(*pair("vector-add"), "--sweep").returncode, 3)

    def test_check_keeps_the_witness_document(self):
        with tempfile.TemporaryDirectory() as folder:
            for sample, wanted in (("relu-guard", True), ("twice", False)):
                out = pathlib.Path(folder) / sample
                subprocess.run([PROGRAM, "check", *map(str, pair(sample)), "--out", str(out)], capture_output=True,
                               check=False, stdin=subprocess.DEVNULL)
                self.assertTrue((out / "verdict.json").exists())
                self.assertEqual((out / "method.lean").exists(), wanted, sample)
                if wanted:
                    made = run(*pair(sample), "--witness")
                    self.assertEqual((out / "method.lean").read_text(encoding="utf-8"), made.stdout)

    def test_dialects(self):
        self.assertEqual(run(*pair("twice"), "--dialect", "velvet2").stdout, run(*pair("twice")).stdout)
        unknown = run(*pair("twice"), "--dialect", "velvet3")
        self.assertEqual(unknown.returncode, 4)
        self.assertIn("the dialects are velvet2 and velvet-cav", unknown.stderr)
        self.assertEqual(unknown.stdout, "")

    def test_the_older_dialect_is_over_an_abstract_scalar(self):
        made = run(*pair("twice"), "--dialect", "velvet-cav")
        self.assertEqual(made.returncode, 0, made.stderr)
        code = [line for line in made.stdout.splitlines() if not line.lstrip().startswith("--")]
        self.assertIn("import Velvet.Std", code)
        self.assertIn("  loom_solve!", code)
        self.assertIn("Plumbline.Scalar.", made.stdout)
        self.assertFalse([line for line in code if "Float32" in line or "requires" in line])
        refused = run(*pair("relu-fmaxf"), "--dialect", "velvet-cav")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("Plumbline.fmaxf", refused.stderr)
        self.assertEqual(refused.stdout, "")

    def test_a_rejected_kernel_has_no_document(self):
        rejected = run(*pair("inline-asm"), "--json")
        self.assertEqual(rejected.returncode, 3)
        answer = json.loads(rejected.stdout)
        self.assertEqual(answer["rejections"][0]["id"], "inline-asm")
        self.assertEqual(answer["rejections"][0]["line"], 9)

    def test_missing_files_are_named(self):
        missing = run(SAMPLES / "twice" / "graph.json", "no-such.cu")
        self.assertEqual(missing.returncode, 4)
        self.assertIn("no-such.cu", missing.stderr)

    def test_a_launch_file(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel, launch = pathlib.Path(folder) / "bare.cu", pathlib.Path(folder) / "launch.json"
            kernel.write_text(BARE)
            launch.write_text(json.dumps(LAUNCH))
            made = run(SAMPLES / "half" / "graph.json", kernel, "--kernel", "scale", "--launch", launch)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("requires scale_blockDim_x: ((blockDim_x : Int) = 128)", made.stdout)
        self.assertIn("requires scale_by: (by = Float32.ofBits 0x40000000)".replace("by =", "«by» ="), made.stdout)
        self.assertIn("y := y.set! i.toNat (x[i.toNat]! * «by»)", made.stdout)

    def test_assumptions_become_requirements(self):
        made = run(*pair("twice"), "--assume", "x.numel % 4 == 0")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("-- --assume: x.numel % 4 == 0\n", made.stdout)
        self.assertRegex(made.stdout, r"requires twice_kernel_known\w*: \(Plumbline.cMod \w+ 4 = 0\)")


if __name__ == "__main__":
    unittest.main()
