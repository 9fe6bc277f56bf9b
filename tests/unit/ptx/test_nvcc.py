"""plumbline import cuda --ptx with nvcc itself. Skipped (ctest: Skipped) where nvcc is not installed."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("PLUMBLINE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[3]))
BIN = pathlib.Path(os.environ.get("PLUMBLINE_BIN_DIR", SOURCE / "build" / "bin"))
SKIPPED = 77

sys.path.insert(0, str(SOURCE / "tests" / "arch"))
import test_schemas  # noqa: E402 (validators of resources/schema)

AXPY = """#include <torch/extension.h>
template <typename T> __global__ void axpy(const T* x, T* y, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
torch::Tensor run(torch::Tensor x, torch::Tensor y, double a) {
  int n = x.numel();
  axpy<float><<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), a, n);
  return y;
}
"""


def plumbline(*words, **environment):
    return subprocess.run([str(BIN / "plumbline"), *words], capture_output=True, text=True, check=False, timeout=250,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})


def nvcc_is_there():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.cu"
        path.write_text("__global__ void k() {}\n")
        answer = json.loads(plumbline("import", "cuda", str(path), "--ptx", "--json").stdout)
        return answer.get("error", {}).get("id") != "nvcc-missing"


class Nvcc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plumbline-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ptx(self, text, *options, status=0):
        path = self.folder / "kernel.cu"
        path.write_text(text)
        run = plumbline("import", "cuda", str(path), "--ptx", "--json", *options)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        answer = json.loads(run.stdout)
        if status == 0:
            self.assertEqual(test_schemas.errors("ptx", answer), [])
        return answer

    def facts(self, answer):
        return [(f["opcode"], f["where"]["line"]) for k in answer["kernels"] for f in k["facts"]]

    def test_a_product_and_a_sum_are_fused_unless_told_otherwise(self):
        self.assertEqual(self.facts(self.ptx(AXPY)), [("fma.rn.f32", 5)])
        self.assertEqual(self.facts(self.ptx(AXPY, "--flags", "-fmad=false")), [])

    def test_the_template_keeps_its_name(self):
        self.assertEqual([k["name"] for k in self.ptx(AXPY)["kernels"]], ["axpy<float>"])

    def test_fast_math_flushes_and_approximates(self):
        text = ("__global__ void k(float* x, float* y) {\n  x[0] = x[1] / y[0];\n"
                "  x[2] = sqrtf(x[3]);\n}\n")
        exact = self.ptx(text)
        self.assertEqual(self.facts(exact), [("div.rn.f32", 2), ("sqrt.rn.f32", 3)])
        fast = self.ptx(text, "--flags", "-use_fast_math")
        self.assertEqual(self.facts(fast), [("div.approx.ftz.f32", 2), ("sqrt.approx.ftz.f32", 3)])
        self.assertEqual(fast["compiler"]["flags"], ["-use_fast_math"])

    def test_the_architecture_is_asked_for(self):
        self.assertEqual(self.ptx(AXPY, "--arch", "sm_90")["compiler"]["arch"], "sm_90")
        self.assertEqual(self.ptx(AXPY, "--arch", "90", status=4)["error"]["id"], "nvcc-arch")

    def test_errors_have_the_line_of_the_source(self):
        path = self.folder / "kernel.cu"
        path.write_text("\n__global__ void k(float* x) {\n  x[0] = missing(x[1]);\n}\n")
        run = plumbline("import", "cuda", str(path), "--ptx")
        self.assertEqual(run.returncode, 4)
        self.assertIn("kernel.cu:3", run.stderr)
        self.assertIn("[nvcc-rejects]", run.stderr)

    def test_flags_that_name_programs_are_refused(self):
        for flag in ("-ccbin", "--options-file", "-include", "-Xcudafe"):
            self.assertEqual(self.ptx(AXPY, "--flags", flag, status=4)["error"]["id"], "nvcc-flag")


class Missing(unittest.TestCase):
    """Needs no nvcc."""

    def test_a_missing_compiler_is_named(self):
        run = plumbline("import", "cuda", str(SOURCE / "resources/samples/twice/kernel.cu"), "--ptx", "--json",
                        "--nvcc", "/nowhere/nvcc")
        self.assertEqual(run.returncode, 4)
        self.assertEqual(json.loads(run.stdout)["error"]["id"], "nvcc-missing")

    def test_another_program_is_not_taken_for_it(self):
        run = plumbline("import", "cuda", str(SOURCE / "resources/samples/twice/kernel.cu"), "--ptx", "--json",
                        "--nvcc", "/bin/true")
        self.assertEqual(run.returncode, 4)
        self.assertEqual(json.loads(run.stdout)["error"]["id"], "nvcc-failed")


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Missing)
    if nvcc_is_there():
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(Nvcc))
        sys.exit(0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1)
    passed = unittest.TextTestRunner().run(suite).wasSuccessful()
    print("nvcc is not installed: ./dev nvcc gets it")
    sys.exit(SKIPPED if passed else 1)
