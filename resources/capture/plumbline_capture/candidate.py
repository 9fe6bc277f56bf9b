"""Reading a candidate's CUDA source and what its forward() does with it. No compiler runs: load_inline and load are
replaced by recorders, and forward() runs on stand-ins that only note what happens to them."""

import contextlib
import inspect
import numbers
import os

import torch
import torch.utils.cpp_extension as cpp_extension

from plumbline_capture import user_module
from plumbline_capture.errors import Refused

CLASS_NAME = "ModelNew"


class Unread(Exception):
    """forward() did something other than one call of a compiled function."""


class Recorder:
    """What the candidate handed to the compiler, and the calls of the compiled functions."""

    def __init__(self):
        self.modules = {}  # by the name of the extension, so that building it again counts once
        self.calls = []
        self.unread = ""

    def stop(self, what):
        """Remembered even if user code catches the exception."""
        self.unread = self.unread or what
        raise Unread(what)

    def load_inline(self, name, cpp_sources, cuda_sources=None, functions=None, extra_cflags=None,
                    extra_cuda_cflags=None, **options):  # fmt: skip
        self.modules[name] = {
            "cuda": texts(cuda_sources),
            "cpp": texts(cpp_sources),
            "functions": list(functions) if isinstance(functions, dict) else texts(functions),
            "flags": list(extra_cuda_cflags or []),
        }
        return Compiled(self)

    def load(self, name, sources, extra_cflags=None, extra_cuda_cflags=None, **options):
        module = {"cuda": [], "cpp": [], "functions": [], "flags": list(extra_cuda_cflags or [])}
        for path in texts(sources):
            with open(path, encoding="utf-8") as source:
                module["cuda" if path.endswith((".cu", ".cuh")) else "cpp"].append(source.read())
        self.modules[name] = module
        return Compiled(self)

    def all(self, part):
        return [each for module in self.modules.values() for each in module[part]]


def texts(value):
    if value is None or value == "":
        return []
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(each) for each in value]


class Compiled:
    """Stands for the extension module."""

    def __init__(self, recorder):
        self._recorder = recorder

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        recorder = self._recorder

        def call(*arguments, **keywords):
            if keywords:
                recorder.stop(f"{name} is called with keyword arguments")
            recorder.calls.append((name, arguments))
            return Result(recorder, len(recorder.calls) - 1)

        return call


class StandIn:
    """A tensor of which nothing may be asked. Copies that keep every element are the tensor itself, since the inputs
    are taken to be contiguous float32 tensors on the GPU."""

    SAME = ("contiguous", "cuda", "detach", "float")

    def __init__(self, recorder, what):
        self.__dict__["_recorder"], self.__dict__["_what"] = recorder, what

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self.SAME:
            return lambda *arguments, **keywords: self
        if name == "to":
            return self._to
        if name in ("is_cuda", "dtype", "device", "is_contiguous"):
            return {"is_cuda": True, "dtype": torch.float32, "device": torch.device("cuda", 0),
                    "is_contiguous": lambda *arguments, **keywords: True}[name]  # fmt: skip
        self._recorder.stop(f"{self._what}.{name}")

    def _to(self, *arguments, **keywords):
        for value in (*arguments, *keywords.values()):
            if not isinstance(value, (str, bool, int, torch.device)) and value is not torch.float32:
                self._recorder.stop(f"{self._what}.to({value!r})")
        return self

    def __setattr__(self, name, value):
        self._recorder.stop(f"{self._what}.{name} = ...")

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", str(function))
        first = next((each for each in flatten((*args, *(kwargs or {}).values())) if isinstance(each, StandIn)), None)
        first._recorder.stop(f"torch.{name}")


def flatten(values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from flatten(value)
        else:
            yield value


class Result(StandIn):
    """What a compiled function returned."""

    def __init__(self, recorder, call):
        super().__init__(recorder, "result")
        self.__dict__["_call"] = call


def refusing(name):
    def method(self, *arguments, **keywords):
        self._recorder.stop(f"{self._what}: {name}")

    return method


for _name in """add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv mod rmod pow
        rpow matmul rmatmul neg pos abs invert and rand or ror xor rxor lt le gt ge eq ne bool len iter getitem setitem
        float int index contains call""".split():
    setattr(StandIn, f"__{_name}__", refusing(_name))
StandIn.__hash__ = object.__hash__


@contextlib.contextmanager
def recording(recorder):
    """No compiler runs inside."""
    saved = cpp_extension.load_inline, cpp_extension.load
    cpp_extension.load_inline, cpp_extension.load = recorder.load_inline, recorder.load
    try:
        yield
    finally:
        cpp_extension.load_inline, cpp_extension.load = saved


@contextlib.contextmanager
def working_folder(folder):
    saved = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(saved)


def handle(request):
    path = os.path.abspath(request["path"])
    recorder = Recorder()
    with working_folder(os.path.dirname(path)), recording(recorder), user_module.loaded(path) as module:
        call, unread = read_forward(module, recorder)
    if not recorder.all("cuda") and not recorder.all("cpp"):
        raise Refused("no-cuda-source", "the file gives no CUDA source to load_inline or load")
    return {
        "cuda": "\n".join(recorder.all("cuda")),
        "cpp": "\n".join(recorder.all("cpp")),
        "flags": recorder.all("flags"),
        "functions": recorder.all("functions"),
        "call": call,
        "unread": unread,
    }


def read_forward(module, recorder):
    """The one wrapper call that forward() makes, or why it is not one."""
    if not hasattr(module, CLASS_NAME):
        return None, f"the file defines no {CLASS_NAME}"
    try:
        model = user_module.build(module, CLASS_NAME)
        first = observe(module, model, recorder)
        if observe(module, model, recorder) != first:
            return None, "two runs of forward() make different calls"
        return first, ""
    except Unread as reason:
        return None, recorder.unread or str(reason)
    except Exception as error:
        return None, recorder.unread or f"forward() fails: {type(error).__name__}: {error}".split("\n")[0]


def observe(module, model, recorder):
    recorder.calls.clear()
    inputs = stand_ins(module, model, recorder)
    returned = model(*inputs)
    if recorder.unread:
        raise Unread(recorder.unread)
    if len(recorder.calls) != 1:
        raise Unread(f"forward() calls {len(recorder.calls)} compiled functions")
    if not isinstance(returned, Result):
        raise Unread("forward() does not return what the compiled function gives")
    name, arguments = recorder.calls[0]
    tensors = [each for each in inputs if isinstance(each, StandIn)]
    return {"function": name, "arguments": [argument(each, tensors, model, name) for each in arguments]}


def stand_ins(module, model, recorder):
    """One stand-in for every tensor that forward() takes; numbers as get_inputs() gives them."""
    if hasattr(module, "get_inputs"):
        with torch._subclasses.fake_tensor.FakeTensorMode(allow_non_fake_inputs=True):
            values = list(module.get_inputs())
        return [StandIn(recorder, f"input {i}") if isinstance(v, torch.Tensor) else v for i, v in enumerate(values)]
    parameters = inspect.signature(model.forward).parameters.values()
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        raise Unread("forward() takes a variable number of arguments")
    return [StandIn(recorder, each.name) for each in parameters if each.default is each.empty]


def argument(value, tensors, model, function):
    for i, each in enumerate(tensors):
        if value is each:
            return {"input": i}
    if isinstance(value, numbers.Real):
        return {"number": float(value), "text": repr(value)}
    for name, each in [*model.named_parameters(), *model.named_buffers()]:
        if value is each:
            return {"parameter": name}
    raise Unread(f"{function} is given {type(value).__name__}")
