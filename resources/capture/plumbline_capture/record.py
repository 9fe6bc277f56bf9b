"""Exporting a class whose forward() calls compiled functions: each stands in the graph as an operator of its own,
beside those that are left to torch. No compiler runs, and no kernel. What a function returns is what its wrapper's
contract says; a function without one is named."""

import contextlib
import keyword

import torch

from plumbline_capture import candidate, model, user_module, watching
from plumbline_capture.errors import Refused

NAMESPACE = "plumbline_wrapper"
SCHEMA_TYPES = {"tensor": "Tensor", "tensor?": "Tensor?", "ints": "SymInt[]", "bool": "bool", "float": "float",
                "double": "float", 32: "SymInt", 64: "SymInt"}  # fmt: skip


class Operators(candidate.Recorder):
    """Stands for the compiler: the functions that it gives are operators of the exporter."""

    def __init__(self, library, wrappers):
        super().__init__()
        self._library, self._wrappers, self._made = library, wrappers, {}
        self.functions = {}

    def function(self, extension, name):
        function, kinds = extension.names[name]
        known = self._made.setdefault(function, (extension, kinds))
        if known[0] is not extension:
            self.stop(f"two extensions have a function {function}")
        if function not in self.functions:
            self.functions[function] = self._define(function, kinds)
        return self.functions[function]

    def _define(self, function, kinds):
        wrapper = self._wrappers.get(function)
        if wrapper is None:
            self.stop(f"the wrapper {function} was not read")
        if None in kinds:
            self.stop(f"{function} takes an argument of another type")
        names = wrapper["parameters"]
        if len(names) != len(kinds):
            self.stop(f"{function} is bound with other parameters than it has")
        shown = [f"p_{name}" if keyword.iskeyword(name) or name == "self" else name for name in names]
        results = max((len(way["returned"]) for way in wrapper["ways"]), default=1)
        given = ", ".join(f"{SCHEMA_TYPES[kind]} {name}" for kind, name in zip(kinds, shown, strict=True))
        self._library.define(f"{function}({given}) -> {returns(results)}")

        def shapes(*arguments):
            return made(function, wrapper, dict(zip(names, arguments, strict=True)), self)

        torch.library.register_fake(f"{NAMESPACE}::{function}", shapes, lib=self._library)
        return getattr(getattr(torch.ops, NAMESPACE), function)


def returns(count):
    return "Tensor" if count == 1 else "(" + ", ".join(["Tensor"] * count) + ")"


def made(function, wrapper, arguments, recorder):
    """Tensors of the shapes that the contract gives on the way that this call goes."""
    for way in wrapper["ways"]:
        if all(value(condition, arguments) for condition in way["when"]):
            return results(function, way, arguments, recorder)
    recorder.stop(f"{function} raises an error when it is called like this")


def results(function, way, arguments, recorder):
    if way["unread"]:
        recorder.stop(f"{function} could not be read: {way['unread']}")
    if way["modifies"]:
        recorder.stop(f"{function} writes {', '.join(way['modifies'])} in place")
    for fact in way["facts"]:
        if not value(fact, arguments):
            recorder.stop(f"{function} raises an error when it is called like this")
    like = next(each for each in arguments.values() if isinstance(each, torch.Tensor))
    tensors = []
    for each in way["returned"]:
        if each["shape"] is None:
            recorder.stop(f"{function} returns a tensor whose shape is torch's")
        if each["type"] is None:
            recorder.stop(f"{function} returns a tensor whose type is torch's")
        shape = [value(size, arguments) for size in each["shape"]] if each["like"] is None else None
        shape = arguments[each["like"]].shape if shape is None else shape
        tensors.append(like.new_empty(shape, dtype=getattr(torch, each["type"])))
    return tensors[0] if len(tensors) == 1 else tuple(tensors)


def value(expression, arguments):
    """A size expression over the arguments; its integers may be symbolic. [operator, left, right], name or number."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return named(expression, arguments)
    operator, left, right = expression[0], value(expression[1], arguments), expression[2]
    if operator == "&&":
        return bool(left) and bool(value(right, arguments))
    right = value(right, arguments)
    return OPERATORS[operator](left, right)


def quotient(left, right):
    """C's division: towards zero."""
    if right < 0:
        left, right = -left, -right
    return left // right if left >= 0 else -((-left) // right)


OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": quotient,
    "%": lambda a, b: a - quotient(a, b) * b, "ceil": lambda a, b: -quotient(-a, b) if a <= 0 else (a + b - 1) // b,
    "max": torch.sym_max, "min": torch.sym_min, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


def named(name, arguments):
    owner, _, fact = name.partition(".")
    given = arguments[owner]
    if not fact:
        return given
    if fact == "defined":
        return int(given is not None)
    if isinstance(given, (list, tuple)):
        return len(given) if fact == "len" else given[int(fact)]
    if fact == "numel":
        return given.numel()
    return given.dim() if fact == "dim" else given.shape[int(fact.removeprefix("size."))]


class GpuTensors(watching.OnCpu):
    """Tensors answer as on a GPU where a program asks whether they are there."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name == "__get__" and function.__self__.__name__ == "is_cuda":
            return True
        return super().__torch_function__(function, types, args, kwargs)


@contextlib.contextmanager
def available():
    saved = torch.cuda.is_available, torch.cuda.synchronize
    torch.cuda.is_available, torch.cuda.synchronize = lambda: True, lambda device=None: None
    try:
        yield
    finally:
        torch.cuda.is_available, torch.cuda.synchronize = saved


def handle(request):
    path, reference = request["path"], request["model"] or request["path"]
    with torch.library._scoped_library(NAMESPACE, "DEF") as library:
        recorder = Operators(library, request["wrappers"])
        try:
            with candidate.recording(recorder), available(), GpuTensors():
                return recorded(request, path, reference, recorder)
        except Exception as error:
            if recorder.unread:
                raise Refused("call-unread", recorder.unread) from error
            raise


def recorded(request, path, reference, recorder):
    with user_module.loaded(path) as module:
        name = request["class"]
        if not hasattr(module, name):
            raise Refused("capture-failed", f"the file defines no {name}")
        with contextlib.ExitStack() as stack:
            source = module
            if reference != path or not hasattr(module, "get_inputs"):
                source = stack.enter_context(user_module.loaded(reference))
            if not hasattr(source, "get_inputs"):
                raise Refused("capture-failed", "neither file defines get_inputs; name the module with --model")
            built = user_module.build_with(module, name, source)
            built.train(request["mode"] != "eval")
            with torch._subclasses.fake_tensor.FakeTensorMode(allow_non_fake_inputs=True):
                inputs = tuple(source.get_inputs())
            program, fixed, reason = model.export(built, inputs)
            original = user_module.build_with(source, "Model", source) if hasattr(source, "Model") else None
    if recorder.unread:
        raise Refused("call-unread", recorder.unread)
    return {
        "program": model.document(program),
        "constants": model.constants(program),
        "fixed_sizes": fixed,
        "reason": reason,
        "parameters": correspondence(built, original),
    }


def correspondence(built, original):
    """Which parameter or buffer of Model each one of the class is: by its key, else the first one left of its shape
    in the order of creation."""
    wanted = state(original) if original is not None else {}
    left = dict(wanted)
    result = {}
    for key, tensor in state(built).items():
        if key in left and alike(tensor, left[key]):
            result[key] = {"model": key, "by": "name"}
            del left[key]
    for key, tensor in state(built).items():
        if key in result:
            continue
        found = next((other for other, each in left.items() if alike(tensor, each)), None)
        result[key] = {"model": found, "by": "order"} if found else {"model": None, "by": None}
        left.pop(found, None)
    return {"matched": result, "left": list(left)}


def state(module):
    return dict([*module.named_parameters(), *module.named_buffers()])


def alike(one, other):
    return one.shape == other.shape and one.dtype == other.dtype
