"""Every kernel that gate --vercors exports is run by the rules of its annotations, at small sizes: no thread touches a
cell that it has no permission for, no cell has more than one permission, every invariant and barrier holds
(permissions.py). The outputs are those of `plumbline run` on the kernel itself. Kernels whose annotations are spoilt on
purpose, a barrier left out among them, show that this can fail."""

import itertools
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "arch"))
sys.path.insert(0, str(HERE))
import annotated  # noqa: E402
import permissions  # noqa: E402
import test_schemas  # noqa: E402
import tree  # noqa: E402
from annotated import Violation  # noqa: E402

PROGRAM = str(test_schemas.BIN / "plumbline")
KERNELS = tree.SOURCE / "tests" / "gate" / "kernels"
CORPUS = pathlib.Path(os.environ.get("PLUMBLINE_SHARED", tree.SOURCE.parent / "shared")) / "corpus" / "safety"
VALUES = (1, 2, 3, 5, 16, 33, 100, 257, 300)
MOST_THREADS, MOST_ELEMENTS = 800, 650

# Kernels of tests/gate/kernels and of the corpus that are exported; every other one is refused, by the given id.
EXPORTED = {"scale", "grid_stride", "block_sum", "row_mean", "dynamic_carve", "neighbours", "gather", "loop_break",
            "pair_loop", "softmax_rows", "k01_axpy_guarded", "k13_reverse_barrier", "k14_tree_reduce"}


def parsed(expression):
    reader = annotated.Reader("#include <cuda.h>\n#include <math.h>\n" + str(expression))
    return reader.expression()


def size(e, symbols):
    """The value of a size expression of a launch file."""
    if e[0] == "number":
        return e[1]
    if e[0] == "name":
        return symbols[e[1]]
    if e[0] == "call" and e[1] == "ceil":
        return -(-size(e[2][0][2], symbols) // size(e[2][0][3], symbols))
    if e[0] == "call":
        return {"max": max, "min": min}[e[1]](size(each, symbols) for each in e[2])
    a, b = size(e[2], symbols), size(e[3], symbols)
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: annotated.divide(a, b),
            "%": lambda: annotated.remainder(a, b), "==": lambda: a == b, "<": lambda: a < b, "<=": lambda: a <= b,
            ">": lambda: a > b, ">=": lambda: a >= b, "!=": lambda: a != b}[e[1]]()


class Launch:
    """A launch of a --launch file at sizes."""

    def __init__(self, entry, symbols):
        value = lambda each: size(parsed(each), symbols)  # noqa: E731
        extents = lambda name: tuple(([value(e) for e in entry[name]] + [1, 1])[:3])  # noqa: E731
        self.symbols, self.block, self.grid = symbols, extents("block"), extents("grid")
        self.lengths = {name: value(buffer["len"]) for name, buffer in entry["buffers"].items()}
        self.roles = {name: buffer["role"] for name, buffer in entry["buffers"].items()}
        self.shared = value(entry.get("shared_bytes", 0))
        self.possible = all(value(each) for each in entry.get("assume", []))
        self.threads = 1
        for each in (*self.block, *self.grid):
            self.threads *= each


def launches(entry, most=2):
    """Small launches: few threads, different numbers of elements."""
    ranges = [[v for v in {*VALUES, low, min(high, low + 1)} if low <= v <= high] for low, high in entry["symbols"].values()]
    found = []
    for values in itertools.product(*ranges):
        launch = Launch(entry, dict(zip(entry["symbols"], values)))
        legal = launch.possible and all(each >= 1 for each in (*launch.block, *launch.grid))
        if legal and launch.threads <= MOST_THREADS and sum(launch.lengths.values()) <= MOST_ELEMENTS:
            found.append(launch)
    found.sort(key=lambda each: (sum(each.lengths.values()), each.threads))
    return found if len(found) <= most else [found[i * (len(found) - 1) // (most - 1)] for i in range(most)]


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


class Exports(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def export(self, source, name, launch_file):
        out = self.folder / "out.cu"
        out.unlink(missing_ok=True)
        made = subprocess.run([PROGRAM, "gate", str(source), "--kernel", name, "--launch", str(launch_file), "--json",
                               "--vercors", str(out)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "PATH": "/usr/bin:/bin"})
        answer = json.loads(made.stdout)
        return answer, out.read_text() if out.exists() else None

    def interpreted(self, source, name, launch_file, launch, inputs, kinds):
        """Outputs of `plumbline run` on the original kernel, as numbers."""
        tensors = {}
        for buffer, values in inputs.items():
            if launch.roles[buffer] != "output":
                whole = kinds[buffer] not in annotated.FLOATS
                tensors[buffer] = {"shape": [len(values)], "dtype": "int32" if whole else "float32",
                                   "bits": values if whole else [bits(each) for each in values]}
        tensors["symbols"] = launch.symbols
        file = self.folder / "inputs.json"
        file.write_text(json.dumps(tensors))
        made = subprocess.run([PROGRAM, "run", str(source), "--kernel", name, "--launch", str(launch_file), "--inputs",
                               str(file), "--json"], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)
        report = json.loads(made.stdout)
        self.assertEqual(report["findings"], [], name)
        result = {}
        for buffer, tensor in report["outputs"].items():
            words = [int(each, 16) if isinstance(each, str) else each for each in tensor["bits"]]
            result[buffer] = ([struct.unpack("<f", struct.pack("<I", each))[0] for each in words]
                              if tensor["dtype"] == "float32" else words)
        return result

    def run_text(self, text, launch, scalars):
        kernel = next(each for each in annotated.Reader(text).file() if each["kernel"])
        arrays = {}
        for kind, pointer, name in kernel["parameters"]:
            if not pointer:
                continue
            whole = kind not in annotated.FLOATS
            length = launch.lengths[name]
            if launch.roles[name] == "output":
                arrays[name] = [None] * length
            else:
                arrays[name] = [(i * 7 + 3) % 11 - 2 if whole else ((i * 5 + 1) % 9 - 3) / 4 for i in range(length)]
        inputs = {name: list(values) for name, values in arrays.items()}
        values = {name: launch.symbols.get(name, scalars.get(name, 2.0 if kind in annotated.FLOATS else 3))
                  for kind, pointer, name in kernel["parameters"] if not pointer}
        grid = permissions.Grid(text, launch.block, launch.grid, arrays, values, launch.shared // 4)
        grid.run()
        return grid, inputs, values

    def check(self, source, name, launch_file, entry):
        answer, text = self.export(source, name, launch_file)
        self.assertIsNotNone(text, answer["vercors"])
        tried = launches(entry)
        self.assertTrue(tried, f"no small launch of {name}")
        accesses = 0
        for launch in tried:
            with self.subTest(name, sizes=launch.symbols):
                grid, inputs, values = self.run_text(text, launch, {})
                accesses += grid.accesses
                extra = {n: [v] for n, v in values.items() if n not in launch.symbols}
                launch.roles.update({n: "input" for n in extra})
                expected = self.interpreted(source, name, launch_file, launch, {**inputs, **extra},
                                            {name: kind for kind, _, name in grid.kernel["parameters"]})
                for buffer, wanted in expected.items():
                    for got, want in zip(grid.arrays[buffer], wanted, strict=True):
                        self.assertLessEqual(abs(got - want), 1e-5 * (1 + abs(want)), buffer)
        return len(tried), accesses


class Accounts(Exports):
    def kernels(self, folder):
        """(source, name, launch file, entry)"""
        file = folder / "launches.json"
        for name, entry in json.loads(file.read_text())["kernels"].items():
            source = folder / f"{name}.cu" if (folder / f"{name}.cu").exists() else folder / "kernels.cu"
            yield source, name, file, entry

    def check_folder(self, folder):
        count = 0
        for source, name, file, entry in self.kernels(folder):
            if name in EXPORTED:
                sizes, accesses = self.check(source, name, file, entry)
                print(f"{name}: {sizes} sizes, {accesses} accesses")
                count += 1
            elif entry["expect"] in ([], ["accepted"]):
                with self.subTest(name):
                    answer, text = self.export(source, name, file)
                    self.assertIsNone(text, "add it to EXPORTED")
                    print(f"{name}: refused, {answer['vercors']['refused']['id']}")
        return count

    def test_safe_kernels(self):
        self.assertEqual(self.check_folder(KERNELS), 10)

    @unittest.skipUnless((CORPUS / "kernels.cu").exists(), "the corpus is not here")
    def test_corpus(self):
        self.assertEqual(self.check_folder(CORPUS), 3)

    def test_more_shapes(self):
        for what, source, launch in MORE:
            with self.subTest(what):
                (self.folder / "k.cu").write_text(source)
                (self.folder / "launch.json").write_text(json.dumps({"kernels": {"k": launch}}))
                sizes, accesses = self.check(self.folder / "k.cu", "k", self.folder / "launch.json", launch)
                print(f"{what}: {sizes} sizes, {accesses} accesses")

    def test_what_is_not_safe_is_refused_or_shows(self):
        """Exported though the gate refuses them: at some size, something goes wrong by the annotations too."""
        entries = json.loads((KERNELS / "launches.json").read_text())["kernels"]
        for name, words in (("scale_open", "outside"), ("dynamic_short", "outside"), ("gather_open", "outside"),
                            ("neighbours_unset", "before it is written")):
            with self.subTest(name):
                _, text = self.export(KERNELS / f"{name}.cu", name, KERNELS / "launches.json")
                with self.assertRaisesRegex(Violation, words):
                    for launch in launches(entries[name]):
                        self.run_text(text, launch, {})
        # A cell that no thread fills: the first thread has it, and then all have their shares, but no value.
        source = MORE[2][1].replace("int i = threadIdx.x;", "int i = threadIdx.x + 1;")
        (self.folder / "k.cu").write_text(source)
        (self.folder / "launch.json").write_text(json.dumps({"kernels": {"k": MORE[2][2]}}))
        _, text = self.export(self.folder / "k.cu", "k", self.folder / "launch.json")
        with self.assertRaisesRegex(Violation, "before it is written"):
            self.run_text(text, Launch(MORE[2][2], {"n": 5}), {})
        for name in ("block_sum_racing", "broadcast_race", "dynamic_two", "pair_loop_racing", "in_place", "same_slot",
                     "softmax_rows_late"):
            with self.subTest(name):
                answer, text = self.export(KERNELS / f"{name}.cu", name, KERNELS / "launches.json")
                self.assertIsNone(text)
                self.assertEqual(answer["vercors"]["refused"]["id"], "vercors-permission")


def entry(block, grid="1", shared=0, **buffers):
    symbols = {"n": [1, 4000]}
    return {"block": block, "grid": [grid] if isinstance(grid, str) else grid, "symbols": symbols, "shared_bytes": str(shared),
            "buffers": {name: {"len": length, "role": "input" if name == "x" else "output"}
                        for name, length in buffers.items()}}


# Shapes that the kernels in files do not have: (what, source, launch).
MORE = [
    ("tiles with two barriers", """__global__ void k(const float* x, float* y, int n) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int tile = 0; tile < (n + 63) / 64; ++tile) {
    int c = tile * 64 + threadIdx.x;
    s[threadIdx.x] = c < n ? x[c] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += s[j] * (j + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
""", entry([64], x="n", y="64")),
    ("a block of two dimensions, an array of one", """__global__ void k(const float* x, float* y, int n) {
  __shared__ float s[128];
  int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 128 + ty * 16 + tx;
  for (int turn = 0; turn < 3; ++turn) {
    s[ty * 16 + tx] = i < n ? x[i] + turn : 0.0f;
    __syncthreads();
    float v = s[127 - (ty * 16 + tx)];
    __syncthreads();
    if (i < n) y[i] = v;
  }
}
""", entry([16, 8], "ceil(n / 128)", x="n", y="n")),
    ("a loop that fills, one that reads", """__global__ void k(const float* x, float* y, int n) {
  __shared__ float s[100];
  for (int i = threadIdx.x; i < 100; i += blockDim.x) s[i] = i < n ? x[i] : 1.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 99; i >= 0; --i) sum += s[i];
  y[threadIdx.x] = sum;
}
""", entry([32], x="n", y="32")),
    ("a stride that doubles", """__global__ void k(const float* x, float* y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t < n ? x[t] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    float v = t >= d ? s[t - d] : 0.0f;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  y[t] = s[63 - t];
}
""", entry([64], x="n", y="64")),
    ("barriers in two nested loops", """__global__ void k(const float* x, float* y, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int a = 0; a < n / 500 + 1; ++a) {
    s[t] = x[(a + t) % n];
    __syncthreads();
    for (int b = 0; b < 2; ++b) {
      sum += s[(t + b) % 32];
      __syncthreads();
      s[t] = sum;
      __syncthreads();
    }
    __syncthreads();
  }
  y[t] = sum;
}
""", entry([32], x="n", y="32")),
    ("a value that thread 0 hands to all", """__global__ void k(const float* x, float* y, int n) {
  __shared__ float s[2];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int turn = 0; turn < 2; ++turn) {
    if (t == 0) s[0] = x[0] + turn;
    if (t == 1) s[1] = x[n - 1];
    __syncthreads();
    if (i < n) y[i] = s[0] + s[1];
    __syncthreads();
  }
}
""", entry([64], "ceil(n / 64)", x="n", y="n")),
    ("rows of a thread, a parameter that changes", """__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  while (n > 0) {
    sum += x[i] * n;
    n = n / 3;
  }
  for (int k = 0; k < 4; ++k) y[i * 4 + k] = sum + k;
}
""", entry([32], "ceil(n / 32)", x="n", y="n * 4")),
    ("rows and columns", """__global__ void k(const float* x, float* y, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += x[row * n + k] * x[k * n + col];
    y[row * n + col] = sum;
  }
}
""", entry([8, 4], ["ceil(n / 8)", "ceil(n / 4)"], x="n * n", y="n * n")),
    ("a dynamic array in two parts", """__global__ void k(const float* x, float* y, int n) {
  extern __shared__ float pool[];
  float* low = pool;
  float* high = pool + 32;
  int t = threadIdx.x;
  low[t] = x[t % n];
  for (int h = 16; h >= 1; h >>= 1) {
    high[t] = low[t] + h;
    __syncthreads();
    low[31 - t] = high[31 - t] * 0.5f;
    __syncthreads();
  }
  y[t] = low[t] + high[31 - t];
}
""", entry([32], shared=256, x="n", y="32")),
]

# Of block_sum: what is changed in the exported text, and what must be found.
TREE_SPOILT = {
    "the barrier of the loop is left out": (r" {4}/\*@(?:[^@]*)@\*/\n {4}__syncthreads\(\);\n", "", "without|does not have|invariant"),
    "the first barrier hands out a cell twice": (r"ensures \(threadIdx.x < 64\) ==> Perm\(&part\[threadIdx.x\], write\)",
                                                 "ensures Perm(&part[threadIdx.x], write)", "hands out"),
    "a thread too many": (r"\(threadIdx.x < half\)\)( ==> Perm\(&part\[\(threadIdx.x \+ half)", r"(threadIdx.x <= half))\1",
                          "outside|more permission|hands out|does not have"),
    "a share for what is written": (r"requires Perm\(&part\[threadIdx.x\], write\);\n@", "requires Perm(&part[threadIdx.x], write \\\\ 2);\n@",
                                    "writes .* without permission"),
    "no permission at the loop": (r"loop_invariant \(\(0 < half\) && \(threadIdx.x < half\)\) ==> Perm\(&part\[\(threadIdx[^;]*;\n",
                                  "", "reads .* without permission"),
    "an invariant that is false": (r"loop_invariant \(half <= 64\)", "loop_invariant (half <= 63)", "false: "),
    "a measure that stays": (r"decreases half", "decreases 7", "decreases"),
    "everybody writes the result": (r"context \(threadIdx.x == 0\) ==> Perm\(&out", "context Perm(&out", "grid starts"),
    "all of the input for everybody": (r"write \\ \(blockDim.x \* blockDim.y \* blockDim.z \* gridDim.x", "write \\\\ (gridDim.x", "grid starts"),
    "a condition that is not known": (r"context 1 <= n", "context 100000 <= n", "false: "),
}


class Spoilt(Exports):
    """The account notices what is wrong in annotations."""

    def test_a_tree(self):
        entry = json.loads((KERNELS / "launches.json").read_text())["kernels"]["block_sum"]
        _, text = self.export(KERNELS / "block_sum.cu", "block_sum", KERNELS / "launches.json")
        launch = Launch(entry, {"n": 300})
        self.run_text(text, launch, {})
        for what, (pattern, to, words) in TREE_SPOILT.items():
            with self.subTest(what):
                spoilt, changes = re.subn(pattern, to, text)
                self.assertGreater(changes, 0)
                with self.assertRaisesRegex(Violation, words):
                    self.run_text(spoilt, launch, {})

    def test_words_that_are_not_in_the_language(self):
        _, text = self.export(KERNELS / "scale.cu", "scale", KERNELS / "launches.json")
        for line in ("context assume false", "context \\old(n) == n", "inhale n == 1", "context (\\forall int k; 0 <= k; true)",
                     "loop_invariant n == 1", "context Perm(&x[0], read)", "context n & 1 == 1"):
            with self.subTest(line), self.assertRaises(annotated.Malformed):
                annotated.Reader(text.replace("/*@\n", f"/*@\n  {line};\n")).file()

    def test_a_barrier_left_out_of_a_kernel(self):
        """Without any one of its barriers a kernel is refused, or its annotations fail, or the interpreter finds
        nothing either."""
        entries = json.loads((KERNELS / "launches.json").read_text())["kernels"]
        seen = {"refused": 0, "fails": 0, "harmless": 0}
        for name in ("block_sum", "row_mean", "neighbours", "pair_loop", "dynamic_carve", "softmax_rows"):
            parts = (KERNELS / f"{name}.cu").read_text().split("__syncthreads();")
            for i in range(1, len(parts)):
                source = self.folder / "mutant.cu"
                source.write_text("__syncthreads();".join(parts[:i]) + "".join(parts[i:i + 1]) + "".join(
                    "__syncthreads();" + each for each in parts[i + 1:]))
                with self.subTest(name, barrier=i):
                    seen[self.outcome(source, name, entries[name])] += 1
        print(seen)
        self.assertGreaterEqual(seen["refused"] + seen["fails"], 12)

    def outcome(self, source, name, entry):
        answer, text = self.export(source, name, KERNELS / "launches.json")
        if text is None:
            self.assertIn(answer["vercors"]["refused"]["id"], ("vercors-permission", "vercors-barrier"))
            return "refused"
        try:
            for launch in launches(entry):
                self.run_text(text, launch, {})
        except Violation:
            return "fails"
        self.assertEqual(answer["status"], "accepted", "the gate refuses what passes by its annotations")
        return "harmless"


if __name__ == "__main__":
    unittest.main()
