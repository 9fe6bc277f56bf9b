"""Running a captured graph node by node in PyTorch on the CPU, on given bit patterns."""

import functools

import torch

from plumbline_capture.errors import Refused

DTYPES = {
    "uint8": torch.uint8, "int8": torch.int8, "int16": torch.int16, "int32": torch.int32, "int64": torch.int64,
    "float16": torch.float16, "float32": torch.float32, "float64": torch.float64, "bool": torch.bool,
    "bfloat16": torch.bfloat16,
}  # fmt: skip
PATTERNS = {torch.float16: torch.int16, torch.bfloat16: torch.int16, torch.float32: torch.int32,
            torch.float64: torch.int64}  # fmt: skip
LAYOUTS = {7: torch.strided}
MEMORY_FORMATS = {1: torch.contiguous_format, 4: torch.preserve_format}


def handle(request):
    values = {name: to_tensor(name, value) for name, value in request["inputs"].items()}
    for wanted in request["graph"]["inputs"]:
        if wanted["name"] not in values:
            raise Refused("input-missing", f"the input '{wanted['name']}' has no value")
    with torch.no_grad():
        for node in request["graph"]["nodes"]:
            run(node, values)
    return {name: from_tensor(values[name]) for name in request["graph"]["outputs"]}


def to_tensor(name, value):
    dtype = DTYPES.get(value["dtype"])
    if dtype is None:
        raise Refused("dtype-unsupported", f"the input '{name}' has the unknown dtype {value['dtype']}")
    pattern = PATTERNS.get(dtype)
    bits = [int(b, 0) if isinstance(b, str) else b for b in value["bits"]]
    if pattern is None:
        return torch.tensor(bits, dtype=dtype).reshape(value["shape"])
    width = torch.iinfo(pattern).bits
    signed = [b - (1 << width) if b >> (width - 1) == 1 else b for b in bits]
    return torch.tensor(signed, dtype=pattern).view(dtype).reshape(value["shape"])


def from_tensor(value):
    name = str(value.dtype).removeprefix("torch.")
    pattern = PATTERNS.get(value.dtype)
    flat = value.detach().contiguous()
    bits = (flat.view(pattern) if pattern else flat).reshape(-1).tolist()
    if pattern:
        mask = (1 << torch.iinfo(pattern).bits) - 1
        bits = [b & mask for b in bits]
    return {"shape": list(value.shape), "dtype": name, "bits": [int(b) for b in bits]}


def run(node, values):
    operator = functools.reduce(getattr, node["target"].split("."), torch.ops)
    given = {each["name"]: argument(each["value"], values) for each in node["inputs"]}
    result = operator(**given)
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    values.update(zip(node["outputs"], results))


def argument(tagged, values):
    ((kind, value),) = tagged.items()
    if kind == "none":
        return None
    if kind == "tensor":
        return values[value]
    if kind == "tensors":
        return [values[name] for name in value]
    if kind == "float":
        return float(value)
    if kind == "floats":
        return [float(each) for each in value]
    if kind == "dtype":
        return DTYPES[value]
    if kind == "layout":
        return LAYOUTS[value]
    if kind == "memory_format":
        return MEMORY_FORMATS[value]
    return value
