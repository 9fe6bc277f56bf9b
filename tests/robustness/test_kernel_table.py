"""The table that `plumbline import cuda DIR` prints."""

import json
import pathlib
import unittest

from program import ProgramTest

TILE = """
__global__ void tile(const float* x, float* y, int n) {
  __shared__ float s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[threadIdx.x] = x[i];
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
"""
ASM = '__global__ void a(float* y) { asm(""); }\n__global__ void plain(float* y) { y[0] = 1; }\n'


class KernelTable(ProgramTest):
    def setUp(self):
        super().setUp()
        for name, text in (("tile.cu", TILE), ("inner/asm.cu", ASM), ("empty.cu", ""), ("notes.txt", TILE)):
            self.file(name, text)

    def test_json(self):
        result = self.run_program("import", "cuda", self.folder, "--json")
        self.assertEqual(result.returncode, 3)
        table = json.loads(result.stdout)
        files = {pathlib.Path(each["file"]).name: each for each in table["files"]}
        self.assertEqual(set(files), {"tile.cu", "asm.cu", "empty.cu"})
        tile = files["tile.cu"]["kernels"][0]
        self.assertEqual(tile["state"], "translated")
        self.assertEqual(tile["constructs"], ["barrier", "loop", "shared-memory"])
        states = {each["name"]: each["state"] for each in files["asm.cu"]["kernels"]}
        self.assertEqual(states, {"a": "rejected", "plain": "translated"})
        self.assertEqual(table["rejections"], {"inline-asm": 1})
        self.assertEqual(table["constructs"], {"barrier": 1, "loop": 1, "shared-memory": 1})

    def test_text(self):
        result = self.run_program("import", "cuda", self.folder)
        self.assertEqual(result.returncode, 3)
        self.assertIn("a: rejected [inline-asm]", result.stdout)
        self.assertIn("3 kernels: 2 translated, 1 rejected", result.stdout)


if __name__ == "__main__":
    unittest.main()
