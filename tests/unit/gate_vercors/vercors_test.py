"""gate --vercors: the text of the export (golden), what is refused by name, how answers of a scripted `vercors` are read,
and, where the real one is installed, the canaries that a sound tool refuses. PLUMBLINE_UPDATE_GOLDEN=1 writes golden files
anew, to be read before they are committed."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "arch"))
import test_schemas  # noqa: E402
import tree  # noqa: E402

PROGRAM = str(test_schemas.BIN / "plumbline")
SAMPLES = tree.SOURCE / "resources" / "samples"
REAL = shutil.which("vercors")

LAUNCH = {"symbols": {"n": [1, 1000000]}, "block": [256, 1, 1], "grid": ["ceil(n / 256)", 1, 1],
          "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}}


def kernel(body, parameters="const float* x, float* y, int n", before=""):
    return (f"{before}__global__ void k({parameters}) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"  {body}\n}}\n")


SHARED = "__shared__ float s[256]; int t = threadIdx.x; "

# What has no export, by the id that names it.
REFUSED = {
    "vercors-bit-operation": kernel("if (i < n) y[i ^ 0] = x[i];"),
    "vercors-atomic": kernel("if (i < n) atomicAdd(&y[i], x[i]);"),
    "vercors-warp": kernel("float v = i < n ? x[i] : 0.0f; v = __shfl_down_sync(0xffffffff, v, 1); if (i < n) y[i] = v;"),
    "vercors-fence": kernel("if (i < n) y[i] = x[i]; __threadfence();"),
    "vercors-barrier": kernel("if (i < n) { y[i] = x[i]; __syncthreads(); }"),
    "vercors-loop": kernel("int k = 0; do { ++k; } while (k < 3); if (i < n) y[i] = x[i] + k;"),
    "vercors-jump": kernel("switch (n) { case 1: break; default: i = i + 0; } if (i < n) y[i] = x[i];"),
    "vercors-vector": kernel("if (i < n) y[i] = reinterpret_cast<const float4*>(x)[0].x;"),
    "vercors-array": kernel("__shared__ float s[16][16]; s[0][0] = 0.0f; if (i < n) y[i] = x[i];"),
    "vercors-pointer": kernel("const float* p = x; if (i > 3) p = y; if (i < n) y[i] = p[i];"),
    "vercors-function": kernel("if (i < n) y[i] = rsqrtf(x[i]);"),
    "vercors-float": kernel("if (i < n) y[i] = (float)(int)x[i];"),
    "vercors-wrap": kernel("unsigned u = i; if (u < n && u - 1 < n) y[i] = x[u - 1];"),
    "vercors-index": kernel("if (i < n) y[(int)threadIdx.x * 0 + i % (n + (x[0] > 0 ? 1 : 0))] = x[i];"),
    "vercors-permission": kernel("if (i < n) { y[i] = 0.0f; y[n - 1 - i] = 1.0f; }"),
}

# The same id for other reasons, and a part of the message.
REFUSED_TOO = [
    ("vercors-permission", "two threads", kernel("if (i < n) y[i] = i > 0 ? y[i - 1] : x[i];")),
    ("vercors-permission", "array 's', before the first barrier",
     kernel(SHARED + "s[t] = 1.0f; if (i < n) y[i] = s[255 - t];")),
    ("vercors-permission", "array 's', from the loop in line 4",
     kernel(SHARED + "s[t] = 1.0f; __syncthreads(); \n"
            "  for (int h = 128; h > 0; h /= 2) { if (t < h) s[t] += s[t + h]; if (t < 1) s[t + 1] = 0.0f; __syncthreads(); }"
            " if (i < n) y[i] = s[0];")),
    ("vercors-barrier", "a barrier inside a branch", kernel(SHARED + "if (n > 5) __syncthreads(); if (i < n) y[i] = x[i];")),
    ("vercors-barrier", "not all threads", kernel("for (int k = threadIdx.x; k < 300; k += 256) __syncthreads();"
                                                  " if (i < n) y[i] = x[i];")),
    ("vercors-barrier", "a jump leaves", kernel("for (int k = 0; k < n; ++k) { if (k > 7) break; __syncthreads(); }"
                                                " if (i < n) y[i] = x[i];")),
    ("vercors-array", "'v'", kernel("float v[2]; v[0] = 1.0f; if (i < n) y[i] = v[0];")),
]


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out.cu"

    def gate(self, source, *words, path=None, launch=None):
        """(JSON, text of the export or None)"""
        file = self.folder / "kernel.cu"
        file.write_text(source)
        if launch is not None:
            (self.folder / "launch.json").write_text(json.dumps({"kernels": {"k": launch}}))
            words = (*words, "--kernel", "k", "--launch", str(self.folder / "launch.json"))
        environment = dict(os.environ)
        environment["PATH"] = (str(path) + ":" if path else "") + "/usr/bin:/bin"
        made = subprocess.run([PROGRAM, "gate", str(file), "--json", "--vercors", str(self.out), *words],
                              capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL)
        answer = json.loads(made.stdout)
        self.assertEqual(test_schemas.errors("gate", answer), [])
        return answer, self.out.read_text() if self.out.exists() else None


class Export(Run):
    def expect_golden(self, name, text):
        path = HERE / "golden" / f"{name}.cu"
        if os.environ.get("PLUMBLINE_UPDATE_GOLDEN"):
            path.write_text(text)
        self.assertEqual(text, path.read_text() if path.exists() else "(no file)")

    def test_samples(self):
        for sample in ("leaky-relu-commuted", "vector-add", "relu-guard"):
            answer, text = self.gate((SAMPLES / sample / "kernel.cu").read_text())
            self.assertEqual(answer["status"], "accepted")
            self.assertEqual(answer["vercors"]["file"], str(self.out))
            self.expect_golden(sample, text)

    def test_a_launch_file(self):
        answer, text = self.gate(kernel("if (i >= n) return; y[i] = by * x[i];",
                                        "const float* x, float* y, float by, int n"), launch=LAUNCH)
        self.assertEqual(answer["status"], "accepted", answer)
        self.expect_golden("early-return", text)

    def test_two_dimensions_and_a_condition_on_data(self):
        launch = {"symbols": {"rows": [1, 1000], "cols": [1, 1000]}, "block": [16, 16, 1],
                  "grid": ["ceil(cols / 16)", "ceil(rows / 16)", 1],
                  "buffers": {"x": {"len": "rows * cols", "role": "input"},
                              "y": {"len": "rows * cols", "role": "inout"}}}
        source = """__global__ void k(const float* x, float* y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols && x[r * cols + c] > 0.0f) y[r * cols + c] = x[r * cols + c];
}
"""
        answer, text = self.gate(source, launch=launch)
        self.assertNotIn("refused", answer["vercors"], answer["vercors"])
        self.expect_golden("two-dimensions", text)
        # The permission must not depend on data: it is given wherever the place allows the write.
        contract = text[text.index("/*@"):text.index("@*/")]
        self.assertNotIn("x[", contract.replace("&x[k_]", ""))
        self.assertIn("Perm(&y[", contract)

    def test_refusals_are_named_with_their_place(self):
        for wanted, source in REFUSED.items():
            with self.subTest(wanted):
                self.out.unlink(missing_ok=True)
                answer, text = self.gate(source, launch=LAUNCH)
                self.assertIsNone(text)
                self.assertEqual(answer["vercors"]["refused"]["id"], wanted)
                self.assertEqual(answer["vercors"]["status"], "not run")
                self.assertIn(answer["vercors"]["refused"]["where"]["line"], (2, 3))

    def test_a_refused_export_leaves_none_of_an_earlier_run(self):
        good, refused = kernel("if (i < n) y[i] = x[i];"), REFUSED["vercors-atomic"]
        self.assertIsNotNone(self.gate(good, launch=LAUNCH)[1])
        answer, text = self.gate(refused, launch=LAUNCH)
        self.assertIsNone(text)
        self.assertEqual((answer["vercors"]["file"], answer["vercors"]["removed"]), ("", str(self.out)))
        again, _ = self.gate(refused, launch=LAUNCH)
        self.assertNotIn("removed", again["vercors"])
        self.out.write_text("somebody's notes\n")
        answer, text = self.gate(refused, launch=LAUNCH)
        self.assertEqual((text, answer["vercors"].get("removed")), ("somebody's notes\n", None))

    def test_the_kernel_itself_is_not_overwritten(self):
        self.out = self.folder / "kernel.cu"
        file = self.folder / "kernel.cu"
        file.write_text(kernel("if (i < n) y[i] = x[i];"))
        made = subprocess.run([PROGRAM, "gate", str(file), "--vercors", str(file)], capture_output=True, text=True,
                              check=False)
        self.assertEqual(made.returncode, 4)
        self.assertIn("would overwrite", made.stderr)
        self.assertEqual(file.read_text(), kernel("if (i < n) y[i] = x[i];"))

    def test_several_launches_are_listed(self):
        head = "#include <torch/extension.h>\n"
        first = kernel("if (i < n) y[i] = x[i];")
        second = first.replace(" k(", " m(")
        launch = "  %s<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());\n"
        begin, end = "torch::Tensor %s(torch::Tensor x) {\n  auto y = torch::empty_like(x);\n", "  return y;\n}\n"
        file = self.folder / "kernel.cu"
        both = head + first + second + begin % "f" + launch % "k" + launch % "m" + end
        apart = head + first + second + begin % "f" + launch % "k" + end + begin % "g" + launch % "m" + end
        twice = head + first + begin % "f" + launch % "k" + end + begin % "g" + launch % "k" + end
        for source, names, words in ((both, "km", ()), (apart, "km", ()), (twice, "kk", ()),
                                     (twice, "kk", ("--kernel", "k"))):
            with self.subTest(source=source, words=words):
                answer, text = self.gate(source, *words)
                self.assertIsNone(text)
                refused = answer["vercors"]["refused"]
                self.assertEqual(refused["id"], "vercors-launch")
                self.assertIn("the source has 2 launches", refused["message"])
                lines = [i + 1 for i, line in enumerate(source.split("\n")) if "<<<" in line]
                for name, line in zip(names, lines):
                    self.assertRegex(refused["message"], rf"\b{name} in [fg] \({file}:{line}:3\)")
        _, text = self.gate(apart, "--kernel", "m")
        self.assertIn("kernel 'm'", text)

    def test_other_refusals(self):
        for wanted, words, source in REFUSED_TOO:
            with self.subTest(words):
                self.out.unlink(missing_ok=True)
                answer, text = self.gate(source, launch=LAUNCH)
                self.assertIsNone(text)
                self.assertEqual(answer["vercors"]["refused"]["id"], wanted, answer["vercors"])
                self.assertIn(words, answer["vercors"]["refused"]["message"])

    def test_loops_barriers_and_shared_arrays(self):
        """Each of them is also run by its own rules in accounts_test.py."""
        folder = tree.SOURCE / "tests" / "gate" / "kernels"
        entries = json.loads((folder / "launches.json").read_text())["kernels"]
        for name in ("grid_stride", "block_sum", "row_mean", "neighbours", "pair_loop", "softmax_rows", "loop_break"):
            with self.subTest(name):
                entry = {key: value for key, value in entries[name].items() if key != "expect"}
                source = (folder / f"{name}.cu").read_text().replace(f" {name}(", " k(")
                answer, text = self.gate(source, launch=entry)
                self.assertEqual(answer["status"], "accepted")
                self.assertNotIn("refused", answer["vercors"], answer["vercors"])
                self.expect_golden(name, text)

    def test_a_size_without_a_parameter_is_refused(self):
        launch = {**LAUNCH, "symbols": {"n": [1, 1000], "m": [1, 1000]}}
        launch["buffers"] = {**LAUNCH["buffers"], "x": {"len": "n * m", "role": "input"}}
        answer, text = self.gate(kernel("if (i < n) y[i] = x[i];"), launch=launch)
        self.assertIsNone(text)
        self.assertEqual(answer["vercors"]["refused"]["id"], "vercors-free-size")

    def test_a_tensor_with_sizes_that_nobody_names(self):
        """x may have more dimensions than the two that the wrapper asks for: it has at least their product."""
        source = """#include <torch/extension.h>
__global__ void k(const float* x, float* y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) sum += x[r * cols + c];
  y[r] = sum;
}
torch::Tensor sums(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  k<<<(x.size(0) + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}
"""
        answer, text = self.gate(source)
        self.assertIsNotNone(text, answer["vercors"])
        self.assertIn("context x != NULL && (rows * cols) <= \\pointer_length(x);", text)
        self.assertIn("context y != NULL && \\pointer_length(y) == rows;", text)
        self.assertIn("k_ < (rows * cols); Perm(&x[k_], write", text)

    def test_one_array_under_two_names_is_refused(self):
        launch = {**LAUNCH, "alias": [["x", "y"]]}
        answer, text = self.gate(kernel("if (i < n) y[i] = x[i];"), launch=launch)
        self.assertIsNone(text)
        self.assertEqual(answer["vercors"]["refused"]["id"], "vercors-alias")

    def test_every_generated_text_is_free_of_assumptions(self):
        for path in sorted((HERE / "golden").glob("*.cu")):
            text = path.read_text()
            for word in ("assume", "inhale", "exhale", "spec_ignore"):
                self.assertNotIn(word, text, path.name)


class Answers(Run):
    """A scripted vercors."""

    def scripted(self, script):
        tools = self.folder / "bin"
        tools.mkdir(exist_ok=True)
        path = tools / "vercors"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IEXEC)
        return tools

    def ask(self, script, *words, source=None):
        answer, _ = self.gate(source or kernel("if (i < n) y[i] = x[i];"), *words, path=self.scripted(script),
                              launch=LAUNCH)
        return answer

    def test_verified(self):
        made = self.ask('echo "[INFO] Starting verification"; echo "[INFO] Verification completed successfully."\n')
        self.assertEqual((made["vercors"]["status"], made["status"]), ("verified", "accepted"))

    def test_it_is_given_the_file_that_was_written(self):
        made = self.ask('echo "$@" > "$0.words"; echo "[INFO] Verification completed successfully."\n')
        self.assertEqual(made["vercors"]["status"], "verified")
        self.assertIn(str(self.out), (self.folder / "bin" / "vercors.words").read_text())

    def test_failed_with_codes(self):
        made = self.ask('echo "insufficient permission"; echo "https://utwente.nl/vercors#ptrPerm";'
                        ' echo "(https://utwente.nl/vercors#postFailed:false)" >&2; exit 1\n')
        self.assertEqual(made["vercors"]["status"], "failed")
        self.assertEqual(made["vercors"]["codes"], ["postFailed:false", "ptrPerm"])
        self.assertEqual(made["status"], "accepted", "a second opinion does not change the gate's answer")

    def test_everything_unclear_is_no_answer(self):
        for script in ("exit 0\n", 'echo "[INFO] Verification skipped."\n', 'echo "VerCors has crashed" >&2; exit 2\n',
                       "exit 1\n", 'echo "[INFO] Verification completed successfully."; exit 2\n', "kill -9 $$\n"):
            with self.subTest(script):
                self.assertEqual(self.ask(script)["vercors"]["status"], "no answer")

    def test_a_time_limit(self):
        made = self.ask("sleep 60\n", "--vercors-timeout", "1")
        self.assertEqual(made["vercors"]["status"], "timeout")
        self.assertLess(made["vercors"]["time_ms"], 10000)

    def test_nothing_is_asked_about_a_kernel_that_is_not_safe(self):
        made = self.ask('echo "[INFO] Verification completed successfully."\n', source=kernel("y[i] = x[i];"))
        self.assertEqual(made["status"], "refused")
        self.assertEqual(made["vercors"]["status"], "not run")
        self.assertIn("unbounded", made["vercors"]["message"])

    def test_missing(self):
        answer, _ = self.gate(kernel("if (i < n) y[i] = x[i];"), launch=LAUNCH)
        self.assertEqual(answer["vercors"]["status"], "vercors-missing" if not REAL else answer["vercors"]["status"])


@unittest.skipUnless(REAL, "vercors is not installed: its canaries were not run")
class Canaries(unittest.TestCase):
    def verify(self, path):
        made = subprocess.run([REAL, "--backend", "silicon", str(path)], capture_output=True, text=True, check=False,
                              timeout=600)
        return made.returncode == 0 and "Verification completed successfully" in made.stdout + made.stderr

    def test_what_any_tool_refuses(self):
        self.assertFalse(self.verify(HERE / "canaries" / "race.cu"))

    def test_generated_contracts_are_accepted(self):
        self.assertTrue(self.verify(HERE / "golden" / "vector-add.cu"))

    def test_generated_barriers_and_loops_are_reported(self):
        """Whether VerCors finds the proofs is not ours to promise; what it says is printed."""
        for name in ("grid_stride", "block_sum", "row_mean", "neighbours", "pair_loop", "softmax_rows", "loop_break"):
            print(f"{name}: {'verified' if self.verify(HERE / 'golden' / f'{name}.cu') else 'not verified'}")

    def test_known_gaps_are_reported(self):
        """A canary that passes is a known gap of VerCors (docs/safety-gate.md); one that fails is good news."""
        for name in ("barrier_in_branch", "overflow", "float_association"):
            print(f"canary {name}: {'verified, a known gap' if self.verify(HERE / 'canaries' / f'{name}.cu') else 'refused'}")


if __name__ == "__main__":
    unittest.main()
