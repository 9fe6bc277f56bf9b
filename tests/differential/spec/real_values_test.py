"""`plumbline eval --reading real` against mpmath, which computes the same programs from their definitions.

Every value must lie within the printed bounds, and the printed decimals must be its correctly rounded digits.
"""

import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import mpmath
except ImportError:
    print("skipped: mpmath is not installed")
    sys.exit(77)

mp = mpmath.mp
mp.dps = 120
PLUMBLINE = pathlib.Path(os.environ["PLUMBLINE_BIN_DIR"]) / "plumbline"

MODEL = '''
import torch
import torch.nn.functional as F

class Model(torch.nn.Module):
    def forward(self, x, w):
        return (torch.softmax(x, 1), F.layer_norm(x, (COLUMNS,), eps=0.0078125), F.gelu(x), torch.sigmoid(x),
                torch.matmul(torch.tanh(x), w), torch.logsumexp(x, 1), torch.linalg.vector_norm(x, 2, 1),
                torch.cumsum(torch.sin(x), 1), F.conv1d(torch.exp(x).unsqueeze(0), w.unsqueeze(2)),
                torch.prod(torch.cos(x), 1), torch.log(x), torch.pow(x, 0.5), torch.argmax(torch.erf(x), 1),
                torch.relu(torch.expm1(x)), torch.amax(torch.log1p(x * x), 1), torch.rsqrt(x))
'''
ROWS, COLUMNS = 5, 5
UNDEFINED = "undefined"
# The operator's constant is a Python number; a number means its shortest decimal text.
ROOT_HALF = mp.mpf("0.7071067811865476")


def binary32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits(matrix):
    return [struct.unpack("<I", struct.pack("<f", x))[0] for row in matrix for x in row]


def total(values):
    return mp.fsum(values)


def layer_norm(row):
    mean = total(row) / COLUMNS
    variance = total([(x - mean) ** 2 for x in row]) / COLUMNS
    return [(x - mean) / mp.sqrt(variance + mp.mpf(2) ** -7) for x in row]


def flat(rows):
    return [x for row in rows for x in row]


def where(condition, function):
    return lambda x: function(x) if condition(x) else UNDEFINED


def expected(x, w):
    """The outputs of the model in order, each as a flat list."""
    columns = range(COLUMNS)
    each = flat(x)
    softmax = [[mp.exp(v) / total([mp.exp(u) for u in row]) for v in row] for row in x]
    product = [[total([mp.tanh(row[k]) * w[k][j] for k in columns]) for j in columns] for row in x]
    scan = [[total([mp.sin(u) for u in row[:j + 1]]) for j in columns] for row in x]
    # One tap: output channel o at position j is the sum over channels c of w[o][c] * exp(x[c][j]).
    convolution = [[total([w[o][c] * mp.exp(x[c][j]) for c in columns]) for j in columns] for o in range(len(w))]
    return [
        flat(softmax), flat(map(layer_norm, x)),
        [v / 2 * mp.erfc(-v * ROOT_HALF) for v in each],
        [1 / (1 + mp.exp(-v)) for v in each], flat(product),
        [mp.log(total([mp.exp(v) for v in row])) for row in x],
        [mp.sqrt(total([v * v for v in row])) for row in x], flat(scan), flat(convolution),
        [mp.fprod([mp.cos(v) for v in row]) for row in x],
        list(map(where(lambda v: v > 0, mp.log), each)), list(map(where(lambda v: v >= 0, mp.sqrt), each)),
        [mp.mpf(max(columns, key=lambda k: (row[k], -k))) for row in x],
        [max(mp.mpf(0), mp.expm1(v)) for v in each],
        [max(mp.log(1 + v * v) for v in row) for row in x],
        list(map(where(lambda v: v > 0, lambda v: 1 / mp.sqrt(v)), each)),
    ]


def number(text):
    """A printed decimal or rational."""
    top, _, bottom = text.partition("/")
    return mp.mpf(top) / mp.mpf(bottom) if bottom else mp.mpf(top)


def last_place(text):
    """One unit of the last digit of a decimal."""
    mantissa, _, exponent = text.partition("e")
    places = len(mantissa.partition(".")[2])
    return mp.mpf(10) ** (int(exponent or 0) - places)


class RealValues(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rng = random.Random(3)
        cls.x = [[binary32(rng.uniform(-3, 3)) for _ in range(COLUMNS)] for _ in range(ROWS)]
        cls.x[1] = [0.0, -0.0, 1.0, 0.0, 1.0]
        cls.x[2] = [80.0, -70.0, 2.0**-20, 3.0, 80.0]
        cls.w = [[binary32(rng.uniform(-1, 1)) for _ in range(COLUMNS)] for _ in range(COLUMNS)]
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        cls.model, cls.inputs = folder / "model.py", folder / "inputs.json"
        tail = f"\n\ndef get_inputs():\n    return [torch.zeros({ROWS}, {COLUMNS}), torch.zeros({COLUMNS}, {COLUMNS})]\n"
        init = "\n\ndef get_init_inputs():\n    return []\n"
        cls.model.write_text(MODEL.replace("COLUMNS", str(COLUMNS)) + tail + init, encoding="utf-8")
        cls.inputs.write_text(json.dumps({
            name: {"shape": [len(m), COLUMNS], "dtype": "float32", "bits": bits(m)}
            for name, m in (("x", cls.x), ("w", cls.w))}), encoding="utf-8")
        cls.outputs = cls.evaluate()

    @classmethod
    def evaluate(cls, *options):
        command = [PLUMBLINE, "eval", cls.model, "--inputs", cls.inputs, "--reading", "real", *options]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    def check_entry(self, label, output, k, value):
        rational, decimal, bounds = (output[field][k] for field in ("rationals", "decimals", "bounds"))
        self.assertIsNone(output["reasons"][k], label)
        if value is UNDEFINED or rational == "undefined":
            self.assertEqual((value, rational), (UNDEFINED, "undefined"), label)
        elif rational != "inexact":
            self.assertLessEqual(abs(number(rational) - value), abs(value) * mp.mpf(10) ** -100, label)
            self.assertEqual((decimal, bounds), (None, None), label)
        else:
            low, high = map(number, bounds)
            self.assertTrue(low <= value <= high, f"{label}: {value} is not in {bounds}")
            if high - low <= mp.mpf(2) ** -1199 and low <= 0 <= high:
                return  # the documented end of precision
            self.assertLessEqual(high - low, abs(value) * mp.mpf(2) ** -60, label)
            self.assertLessEqual(abs(number(decimal) - value) * 2, last_place(decimal) * (1 + mp.mpf(10) ** -60), label)

    def test_every_element(self):
        wanted = expected([[mp.mpf(v) for v in row] for row in self.x], [[mp.mpf(v) for v in row] for row in self.w])
        self.assertEqual(len(self.outputs), len(wanted))
        inexact = 0
        for (name, output), values in zip(self.ordered(), wanted):
            self.assertEqual(len(output["rationals"]), len(values), name)
            for k, value in enumerate(values):
                self.check_entry(f"{name}[{k}]", output, k, value)
                inexact += output["rationals"][k] == "inexact"
        self.assertGreater(inexact, 200)

    def ordered(self):
        order = ["softmax", "layer_norm", "gelu", "sigmoid", "matmul", "logsumexp", "linalg_vector_norm", "cumsum",
                 "conv1d", "prod", "log", "pow_1", "argmax", "relu", "amax", "rsqrt"]
        return [(name, self.outputs[name]) for name in order]

    def test_one_element_is_that_of_the_whole(self):
        chosen = self.evaluate("--at", "softmax:3,1", "--at", "softmax:7", "--at", "prod:2")
        self.assertEqual(sorted(chosen), ["prod", "softmax"])
        self.assertEqual(chosen["softmax"]["indices"], [3 * COLUMNS + 1, 7])
        self.assertEqual(chosen["softmax"]["shape"], [ROWS, COLUMNS])
        for name, indices in (("softmax", [3 * COLUMNS + 1, 7]), ("prod", [2])):
            for field in ("rationals", "decimals", "bounds", "reasons"):
                self.assertEqual(chosen[name][field], [self.outputs[name][field][k] for k in indices])

    def test_places_that_do_not_exist(self):
        for place in ("softmax:5,0", "softmax:25", "nothing:0", "softmax:1,", "softmax:-1", ":1", "x"):
            command = [PLUMBLINE, "eval", self.model, "--inputs", self.inputs, "--at", place]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 4, place)
            self.assertIn("[usage]", run.stderr, place)


if __name__ == "__main__":
    unittest.main()
