"""The measuring program tells agreement, disagreement, unsuitable launches and rejections apart."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(os.environ["PLUMBLINE_BIN_DIR"]) / "compare_directory"

WRAPPED = """#include <torch/extension.h>
#include <vector>
namespace { __device__ float twice(float v) { return v + v; } }
template <typename T> __global__ void scale(const T* x, T* y, int n) {
  __shared__ T tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : T(0);
  __syncthreads();
  if (i < n) y[i] = twice(tile[threadIdx.x]) + expf(tile[threadIdx.x ^ 1]); // "}" in a remark
}
__global__ void unread(float* y) { asm(""); cub::Nothing nothing; }
torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<float><<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run, "{"); }
"""

# The importer is nvcc to the source, the host's compiler is not.
DIFFERENT = """#ifdef __CUDACC__
#define V 1.0f
#else
#define V 1.00000012f
#endif
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * V;
}
"""

OUTSIDE = "__global__ void k(float* y) { y[-1] = 1.0f; }\n"


class CompareDirectory(unittest.TestCase):
    def test_outcomes(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"a/wrapped.cu": WRAPPED, "b/different.cu": DIFFERENT, "b/outside.cu": OUTSIDE}.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            run = subprocess.run([str(PROGRAM), folder, "--wanted", "1"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = [line.split("\t") for line in run.stdout.splitlines()]
        outcomes = {(row[0], row[1]): row[2] for row in rows if len(row) == 4}
        self.assertEqual(outcomes[("a/wrapped.cu", "scale<float>")], "agrees")
        self.assertTrue(outcomes[("a/wrapped.cu", "unread")].startswith("rejected: "))
        self.assertEqual(outcomes[("b/different.cu", "k")], "disagrees")
        self.assertEqual(outcomes[("b/outside.cu", "k")], "fault: out-of-bounds")
        self.assertEqual(len(outcomes), 4, run.stdout)
        self.assertIn("b: 2 kernels", run.stdout)

    def test_usage(self):
        for words in ([], ["a", "b"], ["a", "--sample"], ["a", "--sample", "x"], ["a", "--other", "1"]):
            run = subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 4, words)
            self.assertIn("usage", run.stderr)


if __name__ == "__main__":
    unittest.main()
