"""Reading a TorchScript module: PyTorch's own converter makes an exported program of it."""

import torch
from torch._export.converter import TS2EPConverter

from plumbline_capture import model
from plumbline_capture.errors import Refused

LARGEST_INPUT = 1 << 30  # bytes of one input; the converter needs it for real


def handle(request):
    module = loaded(request["path"])
    inputs = tensors(module, request["inputs"])
    with torch.no_grad():
        program = TS2EPConverter(module, inputs).convert()
    return {"program": model.document(program), "constants": model.constants(program)}


def loaded(path):
    try:
        return torch.jit.load(path, map_location="cpu")
    except RuntimeError as error:
        raise Refused("script-torn", f"it is no TorchScript module: {str(error).strip().splitlines()[0]}") from error


def tensors(module, described):
    """One tensor for each parameter of forward(), in its order."""
    wanted = [argument.name for argument in module.forward.schema.arguments[1:] if not argument.has_default_value()]
    known = [argument.name for argument in module.forward.schema.arguments[1:]]
    by_name = {entry["name"]: entry for entry in described}
    missing = [name for name in wanted if name not in by_name]
    if missing:
        raise Refused("input-missing", f"forward() takes {', '.join(known)}; describe {missing[0]} with --input")
    unknown = [name for name in by_name if name not in known]
    if unknown:
        raise Refused("input-unknown", f"forward() takes {', '.join(known) or 'nothing'}, not {unknown[0]}")
    return tuple(tensor(by_name[name]) for name in known if name in by_name)


def tensor(entry):
    dtype = getattr(torch, entry["dtype"])
    count = 1
    for size in entry["shape"]:
        count *= size
    if count * torch.empty(0, dtype=dtype).element_size() > LARGEST_INPUT:
        raise Refused("input-large", f"the input {entry['name']} would need more than 1 GiB")
    return torch.zeros(entry["shape"], dtype=dtype)
