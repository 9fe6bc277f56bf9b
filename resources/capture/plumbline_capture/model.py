"""Exporting class Model of a user's file without computing or storing any tensor of its inputs."""

import contextlib
import dataclasses
import json
import os
import re

import torch
from torch._export.serde import serialize as serde
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental import _config as symbolic_config

from plumbline_capture import user_module
from plumbline_capture.errors import Refused

# Two dimensions of equal captured size are two symbols, unless the program needs them to be equal.
symbolic_config.use_duck_shape = False

LARGEST_CONSTANT = 4096
FRAME = re.compile(r'^ *File "(?P<file>.*)", line (?P<line>\d+).*\n(?:    +(?P<text>.*))?', re.MULTILINE)
NOT_THE_USERS = tuple(os.path.dirname(file) + os.sep for file in (torch.__file__, __file__))


def handle(request):
    with no_compiler(request["path"]), user_module.loaded(request["path"]) as module:
        for name in ("Model", "get_inputs"):
            if not hasattr(module, name):
                raise Refused("capture-failed", f"the file defines no {name}")
        model = user_module.build(module, "Model")
        if request["mode"] == "eval":
            model.eval()
        with FakeTensorMode(allow_non_fake_inputs=True):
            inputs = tuple(module.get_inputs())
        program, fixed, reason = export(model, inputs)
        return {
            "program": document(program),
            "constants": constants(program),
            "fixed_sizes": fixed,
            "reason": reason,
        }


def no_compiler(path):
    """A file that also holds CUDA source is not compiled. Importing torch's extension builder takes a while, so it is
    left out for files that do not name it."""
    with open(path, encoding="utf-8") as source:
        if "cpp_extension" not in source.read():
            return contextlib.nullcontext()
    from plumbline_capture import candidate

    return candidate.recording(candidate.Recorder())


def dynamic(value):
    if isinstance(value, torch.Tensor):
        return {i: torch.export.Dim.AUTO for i in range(value.dim())}
    return None


def export(model, inputs):
    """Every size symbolic if the exporter accepts that, otherwise as many inputs as it accepts.
    Returns the program, the positions of inputs with fixed sizes, and why they are."""

    def attempt(shapes):
        return torch.export.export(model, inputs, dynamic_shapes=tuple(shapes), strict=False)

    every = [dynamic(value) for value in inputs]
    try:
        return attempt(every), [], ""
    except Exception as error:
        reason = str(error).strip().split("\n")[0]
    shapes = [None] * len(inputs)
    program = attempt(shapes)
    for i, shape in enumerate(every):
        if not shape:
            continue
        trial = [*shapes[:i], shape, *shapes[i + 1 :]]
        try:
            program = attempt(trial)
            shapes = trial
        except Exception:
            continue
    fixed = [i for i, shape in enumerate(every) if shape and shapes[i] is None]
    return program, fixed, reason if fixed else ""


def document(program):
    """The exported-program document without tensor data; of a node's metadata its line in the user's code."""
    serializer = serde.GraphModuleSerializer(program.graph_signature, program.module_call_graph)
    graph = serializer.serialize(program.graph_module)
    for node in graph.graph.nodes:
        node.metadata = source_line(node.metadata.get("stack_trace"))
    ranges = serde.serialize_range_constraints(program.range_constraints)
    whole = {
        "graph_module": {
            "graph": serde._dataclass_to_dict(graph.graph),
            "signature": serde._dataclass_to_dict(graph.signature),
        },
        "range_constraints": {name: dataclasses.asdict(value) for name, value in ranges.items()},
    }
    return json.loads(json.dumps(whole, cls=serde.EnumEncoder))


def source_line(trace):
    """A trace of one frame: the innermost outside torch and outside this package."""
    frames = [frame for frame in FRAME.finditer(trace or "") if not frame["file"].startswith(("<", *NOT_THE_USERS))]
    if not frames:
        return {}
    last = frames[-1]
    return {"stack_trace": f'  File "{last["file"]}", line {last["line"]}\n    {last["text"] or ""}\n'}


def constants(program):
    """The small float32 tensors that the program holds itself, by name: shape and bit patterns."""
    result = {}
    for name, value in program.constants.items():
        if not isinstance(value, torch.Tensor) or value.dtype != torch.float32 or value.numel() > LARGEST_CONSTANT:
            continue
        if type(value) is not torch.Tensor:
            continue
        bits = value.detach().contiguous().view(torch.int32).reshape(-1).tolist()
        result[name] = {"shape": list(value.shape), "bits": [b & 0xFFFFFFFF for b in bits]}
    return result
