"""The readings device:nvcc-*, end to end, against an evaluator of PTX written here.

Random element-wise modules, with kernels that compute the same text. What `check` says about the compiled kernel must
be what its PTX computes: on the witness, bit for bit, or on random inputs. Skipped (ctest: Skipped) without nvcc.
"""

import fractions
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import test_nvcc

NAN = 0x7FC00000
PROFILE = "device:nvcc-sm_80"


# --- binary32 ---

def from_bits(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def to_bits(value):
    """The bits of a double rounded to binary32, with one NaN."""
    if math.isnan(value):
        return NAN
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000


def rounded(exact):
    """A non-zero rational rounded to binary32, to nearest, ties to even."""
    sign, magnitude = (0x80000000, -exact) if exact < 0 else (0, exact)
    exponent = max(magnitude.numerator.bit_length() - magnitude.denominator.bit_length(), -126)
    while magnitude >= fractions.Fraction(2) ** (exponent + 1):
        exponent += 1
    while exponent > -126 and magnitude < fractions.Fraction(2) ** exponent:
        exponent -= 1
    steps = round(magnitude / fractions.Fraction(2) ** (exponent - 23))  # Python rounds ties to even
    # Below 2^23 steps the number is subnormal. A carry into the next binade is one more step of the bits as well.
    bits = steps + ((exponent + 126) << 23) if steps >= 1 << 23 else steps
    return sign | min(bits, 0x7F800000)


def fma(a, b, c):
    x, y, z = from_bits(a), from_bits(b), from_bits(c)
    if not all(map(math.isfinite, (x, y, z))):
        if math.isinf(z) and math.isfinite(x) and math.isfinite(y):
            return to_bits(z)
        return to_bits(x * y + z)  # products of binary32 numbers do not overflow a double
    exact = fractions.Fraction(x) * fractions.Fraction(y) + fractions.Fraction(z)
    return rounded(exact) if exact else to_bits(x * y + z)


def plain(op, a, b):
    """+, - and * in double and one rounding more: exact for binary32 operands."""
    x, y = from_bits(a), from_bits(b)
    return to_bits(x + y if op == "add" else x - y if op == "sub" else x * y)


# --- PTX ---

def evaluate(ptx, loads):
    """What a kernel of straight-line floats stores; `loads` are the bits of its global loads by parameter number."""
    registers, result, origin = {}, None, {}

    def value(text):
        return registers[text] if text.startswith("%") else int(text[2:], 16)

    for line in ptx[ptx.index("{"):].splitlines():
        line = line.split("//")[0].strip().rstrip(";")
        if not line or line[0] in "{}.$@" or line == "ret":
            continue
        opcode, rest = line.split(None, 1)
        operands = [word.strip() for word in rest.split(",")]
        root, *parts = opcode.split(".")
        if opcode == "ld.param.u64":
            origin[operands[0]] = int(re.search(r"_param_(\d+)", operands[1]).group(1))
        elif opcode.startswith("cvta"):
            origin[operands[0]] = origin[operands[1]]
        elif opcode == "add.s64":
            found = [origin[word] for word in operands[1:] if word in origin]
            if found:
                origin[operands[0]] = found[0]
        elif root == "ld" and parts[0] == "global":
            registers[operands[0]] = loads[origin[operands[1][1:-1]]]
        elif root == "st":
            result = value(operands[1])
        elif parts and parts[-1] == "f32":
            arguments = [value(word) for word in operands[1:]]
            if root in ("add", "sub", "mul") and parts[:-1] in ([], ["rn"]):
                registers[operands[0]] = plain(root, *arguments)
            elif opcode == "fma.rn.f32":
                registers[operands[0]] = fma(*arguments)
            elif opcode == "neg.f32":
                registers[operands[0]] = NAN if arguments[0] & 0x7FFFFFFF > 0x7F800000 else arguments[0] ^ 0x80000000
            elif opcode == "mov.f32":
                registers[operands[0]] = arguments[0]
            else:
                raise AssertionError(f"the test does not know {opcode}")
    return result


# --- Programs ---

class Program:
    """A few assignments of +, - and *, as CUDA and as Python."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        names = ["v", "w"]
        self.lines = []
        for k in range(self.random.randint(1, 3)):
            self.lines.append((f"t{k}", self.expression(names, self.random.randint(1, 2))))
            names.append(f"t{k}")
        self.lines.append(("last", f"({names[-1]} {self.random.choice('+-*')} (v * w))"))  # both inputs take part
        self.last = "last"

    def expression(self, names, depth):
        if depth == 0:
            return self.random.choice(names) if self.random.random() < 0.8 else self.random.choice(["0.75", "1.5", "0.3"])
        a, b = self.expression(names, depth - 1), self.expression(names, depth - 1)
        op = self.random.choice("+-**")
        if re.fullmatch(r"[0-9.]+", a) and re.fullmatch(r"[0-9.]+", b):
            a = "v"  # constants alone would be folded in double by Python
        return f"({a} {op} {b})"

    def cuda(self):
        body = "".join(f"    float {name} = {re.sub(r'([0-9]+[.][0-9]+)', r'\1f', text)};\n" for name, text in self.lines)
        return ("#include <torch/extension.h>\n"
                "__global__ void k(const float* x, const float* y, float* out, int n) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) {\n    float v = x[i];\n    float w = y[i];\n"
                f"{body}    out[i] = {self.last};\n  }}\n}}\n"
                "torch::Tensor run(torch::Tensor x, torch::Tensor y) {\n"
                "  TORCH_CHECK(x.is_contiguous() && y.is_contiguous());\n  TORCH_CHECK(x.sizes() == y.sizes());\n"
                "  auto out = torch::empty_like(x);\n  int n = x.numel();\n"
                "  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), n);\n"
                "  return out;\n}\n")

    def model(self):
        body = "".join(f"        {name} = {text}\n" for name, text in self.lines)
        return ("import torch\nclass Model(torch.nn.Module):\n    def forward(self, v, w):\n"
                f"{body}        return {self.last}\n"
                "def get_inputs():\n    return [torch.rand(4, 8), torch.rand(4, 8)]\ndef get_init_inputs():\n    return []\n")

    def kernel_alone(self):
        text = self.cuda()
        return text[text.index("__global__"):text.index("torch::Tensor run")]


class Compiled(unittest.TestCase):
    def ptx(self, program, folder):
        source, target = folder / "alone.cu", folder / "alone.ptx"
        source.write_text(program.kernel_alone())
        subprocess.run([shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc", "-ptx", "-arch=sm_80", "-w", "-o", str(target),
                        str(source)], check=True, stdin=subprocess.DEVNULL)
        return target.read_text()

    def one(self, seed):
        program = Program(seed)
        with tempfile.TemporaryDirectory(prefix="plumbline-test-") as name:
            folder = test_nvcc.pathlib.Path(name)
            (folder / "model.py").write_text(program.model())
            (folder / "kernel.cu").write_text(program.cuda())
            run = test_nvcc.plumbline("check", str(folder / "model.py"), str(folder / "kernel.cu"), "--json", "--reading", "ieee",
                                      "--reading", PROFILE, "--timeout", "60")
            verdict = json.loads(run.stdout)
            ieee, device = verdict["readings"]
            self.assertEqual(ieee["relation"], "equal", program.cuda())
            ptx = self.ptx(program, folder)
        if device["relation"] == "different":
            witness = verdict["witness"]
            self.assertEqual(witness["reading"], PROFILE)
            loads = [int(witness["inputs"][t]["bits"][witness["index"]], 16) if isinstance(
                witness["inputs"][t]["bits"][0], str) else witness["inputs"][t]["bits"][witness["index"]] for t in "vw"]
            self.assertEqual(evaluate(ptx, loads), int(witness["kernel"].split()[0], 16), program.cuda() + ptx)
        elif device["relation"] == "equal":
            self.equal_on_samples(program, ptx)
        else:
            self.assertRegex(device["reason"], "^(ambiguous|assembler)-contraction", program.cuda() + ptx)
        return device["relation"]

    def equal_on_samples(self, program, ptx):
        names = {}
        for _ in range(300):
            loads = [self.random_bits() for _ in range(2)]
            names = {"v": loads[0], "w": loads[1]}
            for name, text in program.lines:
                names[name] = self.plainly(text, names)
            self.assertEqual(evaluate(ptx, loads), names[program.last], program.cuda() + ptx)

    @staticmethod
    def random_bits():
        special = (0, 0x80000000, 1, 0x807FFFFF, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, NAN)
        bits = random.choice(special) if random.random() < 0.2 else random.getrandbits(32)
        return NAN if bits & 0x7FFFFFFF > 0x7F800000 else bits

    def plainly(self, text, names):
        """The source's value, every operation rounded."""
        if not text.startswith("("):
            return names[text] if text in names else to_bits(float(text))
        depth = 0
        for at, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if depth == 1 and char == " ":
                break
        op = {"+": "add", "-": "sub", "*": "mul"}[text[at + 1]]
        return plain(op, self.plainly(text[1:at], names), self.plainly(text[at + 3:-1], names))

    def test_verdicts_agree_with_the_ptx(self):
        random.seed(1)
        relations = [self.one(seed) for seed in range(int(os.environ.get("PLUMBLINE_PTX_PROGRAMS", "10")))]
        print({relation: relations.count(relation) for relation in set(relations)})
        self.assertGreater(relations.count("different"), 0)
        self.assertGreater(relations.count("different") + relations.count("equal"), len(relations) // 4)


class Rounding(unittest.TestCase):
    """The test's own arithmetic, against doubles where those are exact enough."""

    def test_rounded_is_what_struct_does(self):
        random.seed(2)
        for _ in range(3000):
            value = from_bits(Compiled.random_bits())
            if not math.isfinite(value) or value == 0:
                continue
            nudged = value * (1 + random.choice((0, 1, -1, 3)) * 2.0 ** -random.choice((24, 25, 26)))
            if nudged:
                self.assertEqual(rounded(fractions.Fraction(nudged)), to_bits(nudged), nudged.hex())

    def test_fma_rounds_once(self):
        one_up = 0x3F800001
        self.assertEqual(fma(one_up, one_up, to_bits(-1.0)), to_bits(2.0 ** -22 + 2.0 ** -46))
        self.assertEqual(fma(1, to_bits(0.5), 1), 2)  # 1.5 steps of the subnormals: a tie, to even


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Rounding)
    there = test_nvcc.nvcc_is_there()
    if there:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(Compiled))
    passed = unittest.TextTestRunner().run(suite).wasSuccessful()
    sys.exit(1 if not passed else 0 if there else test_nvcc.SKIPPED)
