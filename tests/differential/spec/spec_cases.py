"""Cases for spec_test.cpp: every operator with a denotation, exported by PyTorch and run by PyTorch.

Usage: spec_cases.py [FIRST_SEED COUNT]. Writes one JSON object per line: {"name", "program", "inputs", "runs",
"fold", "slack", "roundings", "known"}; case_inputs.case says what they mean. "runs" are the different values that
PyTorch gave for the same inputs: contiguous, transposed and sliced in memory, in pieces of 1 and of 37 elements.
The rows are in the tables CASES of the files cases_*.py.
"""

import glob
import importlib
import json
import os
import sys

import numpy
import torch
from torch._export.serde import serialize as serde

FIRST_SEED = 20240611
PIECE = 37
SINGLES = 363  # so many elements are computed in tensors of their own


def all_cases():
    folder = os.path.dirname(os.path.abspath(__file__))
    for path in sorted(glob.glob(os.path.join(folder, "cases_*.py"))):
        yield from importlib.import_module(os.path.basename(path).removesuffix(".py")).CASES.items()


class Wrapped(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        result = self.function(*inputs)
        return tuple(result) if isinstance(result, tuple) else result  # torch.max gives a tuple of its own


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


def renamed(program, names):
    """The exporter replaces some operators by others of the same meaning."""
    return json.loads(json.dumps(program).replace(f"ops.{names[0]}", f"ops.{names[1]}")) if names else program


def bits(value):
    if value.dtype in (torch.bool, torch.int64):
        return [int(b) for b in value.reshape(-1).tolist()]
    return [b & 0xFFFFFFFF for b in value.contiguous().view(torch.int32).reshape(-1).tolist()]


def described(value):
    value = value.detach()
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch."), "bits": bits(value)}


def transposed(value):
    return value.transpose(0, -1).contiguous().transpose(0, -1) if value.dim() > 1 else value.clone()


def sliced(value):
    if value.dim() == 0:
        return value.clone()
    wide = torch.empty((*value.shape[:-1], 2 * value.shape[-1] + 1), dtype=value.dtype)
    wide.copy_(torch.tensor(7, dtype=value.dtype))
    wide[..., 1::2] = value
    return wide[..., 1::2]


def tuple_of(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def in_pieces(function, inputs):
    """Element by element for the first ones, the rest in pieces."""
    shape = inputs[0].shape
    flat = [i.reshape(-1) for i in inputs]
    count = flat[0].numel()
    cuts = list(range(min(SINGLES, count))) + list(range(SINGLES, count, PIECE)) + [count]
    parts = [tuple_of(function(*(f[a:b] for f in flat))) for a, b in zip(cuts, cuts[1:])]
    return tuple(torch.cat(column).reshape(shape) for column in zip(*parts))


def canonical(results):
    return [[v if isinstance(v, int) and v & 0x7FFFFFFF <= 0x7F800000 else 0x7FC00000 for v in bits(r)] for r in results]


def runs(row, inputs):
    """The distinct results; a layout that the operator refuses (a view) is left out."""
    function = row["function"]
    ways = [("contiguous", lambda: function(*inputs))]
    for name, layout in (("transposed", transposed), ("sliced", sliced)):
        ways.append((name, lambda layout=layout: function(*(layout(i) for i in inputs))))
    if row["elementwise"]:
        ways.append(("pieces", lambda: in_pieces(function, inputs)))
    seen = []
    for name, way in ways:
        try:
            results = tuple_of(way())
        except RuntimeError as error:
            if name == "contiguous" or "view size is not compatible" not in str(error):
                raise
            continue
        key = canonical(results)
        if key not in [k for k, _, _ in seen]:
            seen.append((key, name, results))
    return [(name, results) for _, name, results in seen]


def arrays(function, inputs, dtype):
    if function is None:
        return []
    with numpy.errstate(all="ignore"):
        given = [i.numpy().astype(dtype) if i.dtype == torch.float32 else i.numpy() for i in inputs]
        results = function(*given)
    return [numpy.asarray(r) for r in (results if isinstance(results, (list, tuple)) else [results])]


def fold_bits(array):
    assert array.dtype == numpy.float32, array.dtype
    return [int(b) for b in numpy.ascontiguousarray(array).view(numpy.uint32).reshape(-1)]


def state_of(program):
    """Parameters, buffers and constants."""
    return [s for s in program.graph_signature.input_specs if s.kind.name not in ("USER_INPUT",)]


def run(name, row, seed):
    inputs = row["inputs"](torch.Generator().manual_seed(seed))
    function = row["function"]
    program = torch.export.export(Wrapped(function), tuple(inputs), strict=False)
    names = [s.arg.name for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    names += [s.arg.name for s in state_of(program)]
    state = [program.state_dict.get(s.target, program.constants.get(s.target)) for s in state_of(program)]
    outputs = [s.arg.name for s in program.graph_signature.output_specs]
    return {
        "name": name if seed == FIRST_SEED else f"{name}, seed {seed}",
        "program": renamed(document(program), row["renamed"]),
        "inputs": {n: described(v.detach()) for n, v in zip(names, inputs + state, strict=True)},
        "outputs": outputs,
        "runs": [{"layout": n, "values": [described(r) for r in results]} for n, results in runs(row, inputs)],
        "fold": [fold_bits(a) for a in arrays(row["fold"], inputs, numpy.float32)],
        "slack": [[float(v) for v in a.reshape(-1)] for a in arrays(row["slack"], inputs, numpy.float64)],
        "roundings": row["roundings"],
        "known": row["known"],
    }


def main():
    torch.set_num_threads(1)
    first, count = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (FIRST_SEED, 1)
    written = 0
    for seed in range(first, first + count):
        for name, row in all_cases():
            try:
                json.dump(run(name, row, seed), sys.stdout)
            except Exception as error:
                error.add_note(f"in the case '{name}'")
                raise
            sys.stdout.write("\n")
            written += 1
    json.dump({"written": written}, sys.stdout)  # says that nothing is missing
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
