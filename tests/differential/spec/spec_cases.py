"""Cases for spec_test.cpp: every operator with a denotation, exported by PyTorch and run by PyTorch.

Writes one JSON object per line: {"name", "program", "inputs", "outputs", "ulp", "known"}. `ulp` bounds the distance of
opaque functions; `known` names a row of core/spec/KNOWN_DIFFERENCES.md.
"""

import json
import math
import sys

import torch
from torch._export.serde import serialize as serde

SEED = 20240611
SPECIAL = [
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000,
    0x3F7FFFFF, 0x3F800001, 0x3C23D70A, 0xBC23D70A, 0x40C00000, 0x40BFFFFF, 0x40C00001, 0xC0400000, 0x40400000,
    0x41A00000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0x42B17218,
    0xC2AEAC50, 0x3F000000, 0xBF000000, 0x40490FDB, 0x5F000000, 0x1F800000,
]  # fmt: skip
ROWS, COLUMNS = 37, 61  # neither is a multiple of a vector length


def tensor(bits):
    signed = [b - (1 << 32) if b >> 31 else b for b in bits]
    return torch.tensor(signed, dtype=torch.int32).view(torch.float32)


def patterns(count, generator):
    """Special values, then values of moderate size, then random bits."""
    bits = list(SPECIAL)
    near = torch.randn(count // 2, generator=generator) * 3
    bits += [b & 0xFFFFFFFF for b in near.view(torch.int32).tolist()]
    bits += torch.randint(0, 1 << 32, (count,), generator=generator).tolist()
    return bits[:count]


def one(generator):
    return [tensor(patterns(ROWS * COLUMNS, generator)).reshape(ROWS, COLUMNS)]


def two(generator):
    """Every pair of special values is among the pairs."""
    n = len(SPECIAL)
    left = [SPECIAL[i // n] for i in range(n * n)] + patterns(ROWS * COLUMNS - n * n, generator)
    right = [SPECIAL[i % n] for i in range(n * n)] + patterns(ROWS * COLUMNS - n * n, generator)[::-1]
    return [tensor(left).reshape(ROWS, COLUMNS), tensor(right).reshape(ROWS, COLUMNS)]


def three(generator):
    return two(generator) + one(generator)


def shapes(*all_shapes):
    def make(generator):
        return [tensor(patterns(math.prod(shape), generator)).reshape(shape) for shape in all_shapes]

    return make


ops = torch.ops.aten
INF = float("inf")

# name: (function, inputs, ulp, known difference)
CASES = {
    "relu": (torch.relu, one),
    "leaky_relu": (lambda x: torch.nn.functional.leaky_relu(x), one),
    "leaky_relu 0.2": (lambda x: torch.nn.functional.leaky_relu(x, 0.2), one),
    "leaky_relu negative": (lambda x: torch.nn.functional.leaky_relu(x, -0.3), one),
    "leaky_relu int": (lambda x: torch.nn.functional.leaky_relu(x, 2), one),
    "threshold": (lambda x: torch.nn.functional.threshold(x, 0.1, 20.0), one),
    "add": (lambda x, y: x + y, two),
    "add number": (lambda x: x + 0.1, one),
    "add integer": (lambda x: x + 16777217, one),
    "add alpha": (lambda x, y: torch.add(x, y, alpha=0.1), two, 0, "add-alpha"),
    "add alpha 2": (lambda x, y: torch.add(x, y, alpha=2), two, 0, "add-alpha"),
    "sub": (lambda x, y: x - y, two),
    "sub number": (lambda x: x - 0.1, one),
    "sub alpha": (lambda x, y: torch.sub(x, y, alpha=0.7), two, 0, "add-alpha"),
    "rsub": (lambda x: 1 - x, one),
    "rsub 0.3": (lambda x: 0.3 - x, one),
    "rsub alpha": (lambda x: torch.rsub(x, 0.3, alpha=0.7), one, 0, "add-alpha"),
    "mul": (lambda x, y: x * y, two),
    "mul number": (lambda x: x * 0.01, one),
    "multiply": (lambda x, y: torch.multiply(x, y), two),
    "div": (lambda x, y: x / y, two),
    "div 3": (lambda x: x / 3, one),
    "div 0.1": (lambda x: x / 0.1, one),
    "div of number": (lambda x: 2.5 / x, one),
    "neg": (lambda x: -x, one),
    "abs": (torch.abs, one),
    "clamp": (lambda x: torch.clamp(x, 0.1, 0.7), one),
    "clamp zero": (lambda x: torch.clamp(x, 0.0, 6.0), one),
    "clamp to zero": (lambda x: torch.clamp(x, -1.0, 0.0), one),
    "clamp minus zero": (lambda x: torch.clamp(x, -0.0, 0.0), one),
    "clamp crossed": (lambda x: torch.clamp(x, 2.0, 1.0), one),
    "clamp min only": (lambda x: torch.clamp(x, min=-1.5), one),
    "clamp max only": (lambda x: torch.clamp(x, max=0.3), one),
    "clamp integer": (lambda x: torch.clamp(x, 0, 1), one),
    "clamp infinite": (lambda x: torch.clamp(x, -INF, INF), one),
    "clamp NaN": (lambda x: torch.clamp(x, float("nan"), 1.0), one),
    "clamp tensors": (lambda x, y, z: torch.clamp(x, y, z), three),
    "clamp_min": (lambda x: torch.clamp_min(x, 0.0), one),
    "clamp_max": (lambda x: torch.clamp_max(x, 0.0), one),
    "clamp_min tensor": (lambda x, y: torch.clamp_min(x, y), two),
    "clamp_max tensor": (lambda x, y: torch.clamp_max(x, y), two),
    "clip": (lambda x: torch.clip(x, -0.5, 0.5), one),
    "hardtanh": (lambda x: torch.nn.functional.hardtanh(x), one),
    "hardtanh 0 1": (lambda x: torch.nn.functional.hardtanh(x, 0.0, 1.0), one),
    "relu6": (lambda x: torch.nn.functional.relu6(x), one),
    "relu6 op": (lambda x: ops.relu6.default(x), one),
    "maximum": (lambda x, y: torch.maximum(x, y), two),
    "minimum": (lambda x, y: torch.minimum(x, y), two),
    "max other": (lambda x, y: torch.max(x, y), two),
    "min other": (lambda x, y: torch.min(x, y), two),
    "where": (lambda x, y: torch.where(x > y, x, y), two),
    "where numbers": (lambda x: torch.where(x > 0.1, x, 0.3), one),
    "where number first": (lambda x: torch.where(x > 0.1, 0.3, x), one),
    "masked_fill": (lambda x: x.masked_fill(x < 0.1, 0.3), one),
    "gt": (lambda x, y: x > y, two),
    "ge": (lambda x, y: x >= y, two),
    "lt": (lambda x, y: x < y, two),
    "le": (lambda x, y: x <= y, two),
    "eq": (lambda x, y: x == y, two),
    "ne": (lambda x, y: x != y, two),
    "gt number": (lambda x: x > 0.01, one),
    "ge number": (lambda x: x >= 0.01, one),
    "lt number": (lambda x: x < 0.01, one),
    "le number": (lambda x: x <= 0.01, one),
    "eq number": (lambda x: x == 0.01, one),
    "ne number": (lambda x: x != 0.01, one),
    "eq zero": (lambda x: x == 0, one),
    "logic": (lambda x, y: torch.logical_or(torch.logical_and(x > 0, y > 0), torch.logical_not(x < y)), two),
    "bitwise": (lambda x, y: ((x > 0) & (y > 0)) | ~(x < y), two),
    "bitwise functions": (
        lambda x, y: torch.bitwise_or(torch.bitwise_and(x > 0, y > 0), torch.bitwise_not(x < y)), two),
    "isnan": (torch.isnan, one),
    "truth times value": (lambda x: (x > 0) * x, one),
    "truth to float": (lambda x: (x > 0).float() * 2.0, one),
    "truth times number": (lambda x: (x > 0) * 0.7, one),
    "ones_like": (lambda x: torch.ones_like(x) + x, one),
    "zeros_like": (lambda x: torch.zeros_like(x) - x, one),
    "full_like": (lambda x: torch.full_like(x, 0.3) * x, one),
    "full": (lambda x: torch.full((COLUMNS,), 0.3) * x, one),
    "ones zeros": (lambda x: torch.ones((COLUMNS,)) * x + torch.zeros((ROWS, 1)), one),
    "copies": (lambda x: x.clone().detach().contiguous() * 3, one),
    "sqrt": (torch.sqrt, one),
    "reciprocal": (torch.reciprocal, one),
    "square": (torch.square, one),
    "pow 0": (lambda x: x**0, one),
    "pow 1": (lambda x: x**1, one),
    "pow 2": (lambda x: x**2, one),
    "pow 3": (lambda x: x**3, one),
    "pow 0.5": (lambda x: x**0.5, one),
    "pow -1": (lambda x: x**-1, one),
    "pow -2": (lambda x: x**-2, one),
    "pow -0.5": (lambda x: x**-0.5, one, 2),
    "pow 2.5": (lambda x: x**2.5, one, 2),
    "exp": (torch.exp, one, 2),
    "expm1": (torch.expm1, one, 2),
    "log": (torch.log, one, 2),
    "log1p": (torch.log1p, one, 2, "log1p-huge"),
    "log2": (torch.log2, one, 2),
    "erf": (torch.erf, one, 2, "erf-cpu"),
    "sin": (torch.sin, one, 2),
    "cos": (torch.cos, one, 2),
    "tanh": (torch.tanh, one, 2),
    "rsqrt": (torch.rsqrt, one, 2),
    "sigmoid": (torch.sigmoid, one, 4),
    "silu": (torch.nn.functional.silu, one, 4),
    "hardsigmoid": (torch.nn.functional.hardsigmoid, one),
    "hardswish": (torch.nn.functional.hardswish, one),
    "elu": (torch.nn.functional.elu, one, 0, "exp-minus-one"),
    "elu alpha": (lambda x: torch.nn.functional.elu(x, 0.3), one, 0, "exp-minus-one"),
    "elu op": (lambda x: ops.elu.default(x, 1.5, 0.7, 1.3), one, 0, "exp-minus-one"),
    "selu": (torch.nn.functional.selu, one, 0, "exp-minus-one"),
    "softplus": (torch.nn.functional.softplus, one, 4),
    "softplus beta": (lambda x: torch.nn.functional.softplus(x, 2.0, 15.0), one, 4),
    "mish": (torch.nn.functional.mish, one, 6),
    "gelu": (torch.nn.functional.gelu, one, 2, "gelu-cpu"),
    "broadcast row": (lambda x, y: x + y, shapes((5, 7), (7,))),
    "broadcast column": (lambda x, y: x * y, shapes((5, 7), (5, 1))),
    "broadcast both": (lambda x, y: x - y, shapes((5, 1), (1, 7))),
    "broadcast channels": (lambda x, y: x * y + y, shapes((2, 3, 4, 5), (3, 1, 1))),
    "broadcast middle": (lambda x, y: x / y, shapes((2, 3, 4, 5), (2, 1, 4, 1))),
    "broadcast scalar": (lambda x, y: x * y, shapes((3, 5), ())),
    "broadcast of relu": (lambda x, y: x + torch.relu(y), shapes((5, 7), (7,))),
    "relu twice": (lambda x: torch.relu(torch.relu(x) * -1.0), one),
}


class Wrapped(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def document(program):
    serializer = serde.GraphModuleSerializer(program.graph_signature, program.module_call_graph)
    graph = serializer.serialize(program.graph_module)
    for node in graph.graph.nodes:
        node.metadata = {}
    whole = {
        "graph": serde._dataclass_to_dict(graph.graph),
        "signature": serde._dataclass_to_dict(graph.signature),
    }
    return json.loads(json.dumps({"graph_module": whole}, cls=serde.EnumEncoder))


def bits(value):
    if value.dtype == torch.bool:
        return [int(b) for b in value.reshape(-1).tolist()]
    return [b & 0xFFFFFFFF for b in value.contiguous().view(torch.int32).reshape(-1).tolist()]


def described(value):
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch."), "bits": bits(value)}


def run(name, function, make_inputs, ulp=0, known=""):
    generator = torch.Generator().manual_seed(SEED)
    inputs = make_inputs(generator)
    program = torch.export.export(Wrapped(function), tuple(inputs), strict=False)
    names = [s.arg.name for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    output = program.graph_signature.output_specs[0].arg.name
    return {
        "name": name,
        "program": document(program),
        "inputs": {n: described(v) for n, v in zip(names, inputs)},
        "outputs": {output: described(function(*inputs))},
        "ulp": ulp,
        "known": known,
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for case, row in CASES.items():
        json.dump(run(case, *row), sys.stdout)
        sys.stdout.write("\n")
