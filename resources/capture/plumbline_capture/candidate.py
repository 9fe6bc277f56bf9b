"""Reading a candidate's CUDA source and what its forward() does with it. No compiler runs: load_inline and load are
replaced by recorders, and forward() runs on stand-ins of which every use is noticed."""

import contextlib
import inspect
import math
import os
import re
import struct
import types

import torch
import torch.utils.cpp_extension as cpp_extension

from plumbline_capture import bindings, user_module, watching
from plumbline_capture.errors import Refused
from plumbline_capture.watching import Unread

CLASS_NAME = "ModelNew"
HARMLESS_OPTIONS = {"extra_ldflags", "build_directory", "verbose", "with_cuda", "keep_intermediates",
                    "with_pytorch_error_handling", "use_pch"}  # fmt: skip
HARMLESS_HOST_FLAG = re.compile(r"-O[0-3s]|-std=\S+|-g\d?|-w|-W[a-z]\S*|-fPIC|-m(arch|tune)=native|-fopenmp")


class Recorder:
    """What the candidate handed to the compiler, and the calls of the compiled functions."""

    def __init__(self):
        self.extensions = []
        self.calls = []
        self.unread = ""
        self.tensors = watching.Tensors()

    def stop(self, what):
        """Remembered even if user code catches the exception."""
        self.unread = self.unread or what
        raise Unread(what)

    def function(self, extension, name):
        """What stands for a function of the extension."""
        return observed(self, extension, name)

    def load_inline(self, name, cpp_sources, cuda_sources=None, functions=None, extra_cflags=None,
                    extra_cuda_cflags=None, **options):  # fmt: skip
        if functions is not None:
            functions = list(functions) if isinstance(functions, dict) else texts(functions)
        cuda, cpp = "\n".join(texts(cuda_sources)), "\n".join(texts(cpp_sources))
        return self.compiled(name, cuda, cpp, functions, extra_cflags, extra_cuda_cflags, options, "")

    def load(self, name, sources, extra_cflags=None, extra_cuda_cflags=None, **options):
        read = {True: [], False: []}
        for path in texts(sources):
            with open(path, encoding="utf-8") as source:
                read[path.endswith(".cu")].append(source.read())
        doubt = "load() is given several files of one language" if any(len(each) > 1 for each in read.values()) else ""
        cuda, cpp = "\n".join(read[True]), "\n".join(read[False])
        return self.compiled(name, cuda, cpp, None, extra_cflags, extra_cuda_cflags, options, doubt)

    def compiled(self, name, cuda, cpp, functions, host_flags, cuda_flags, options, doubt):
        extension = Extension(cuda, cpp, list(cuda_flags or []))
        for flag in host_flags or []:
            if not HARMLESS_HOST_FLAG.fullmatch(flag):
                doubt = doubt or f"the host code is compiled with {flag}"
        for option, value in options.items():
            harmless = option in HARMLESS_OPTIONS or value in (None, []) or (option == "is_python_module" and value)
            if not harmless:
                doubt = doubt or f"the extension is built with {option}={value!r}"
        try:
            extension.names = bindings.resolve(cuda, cpp, functions)
        except bindings.Unknown as reason:
            doubt = doubt or str(reason)
        extension.doubt = doubt
        if extension not in self.extensions:
            self.extensions.append(extension)
        return Compiled(name, self, extension)


class Extension:
    """One extension's sources and its functions: {Python name: (C++ function, kinds of its parameters)}."""

    def __init__(self, cuda, cpp, flags):
        self.cuda, self.cpp, self.flags = cuda, cpp, flags
        self.names, self.doubt = {}, ""

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None


def texts(value):
    if value is None or value == "":
        return []
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(each) for each in value]


class Compiled(types.ModuleType):
    """Stands for the extension module."""

    def __init__(self, name, recorder, extension):
        super().__init__(name)
        self.__dict__["__getattr__"] = lambda wanted: function_of(recorder, extension, wanted)


def function_of(recorder, extension, name):
    if extension.doubt:
        recorder.stop(extension.doubt)
    if name not in extension.names:
        recorder.stop(f"the extension has no function {name}")
    return recorder.function(extension, name)


def observed(recorder, extension, name):
    """A function of which only the calls in forward() are noticed."""

    def call(*arguments, **keywords):
        if keywords:
            recorder.stop(f"{name} is called with keyword arguments")
        if recorder.tensors.result is None:
            recorder.stop(f"{name} is called outside forward()")
        if recorder.calls:
            recorder.stop("forward() calls 2 compiled functions, or one of them twice")
        recorder.calls.append((extension, name, arguments))
        return recorder.tensors.result

    return call


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
    call, unread, used = None, "", None
    with working_folder(os.path.dirname(path)), recording(recorder):
        try:
            with watching.gpu_machine(recorder), watching.OnCpu(), user_module.loaded(path) as module:
                call, used, unread = read_forward(module, recorder)
        except Unread as reason:
            unread = recorder.unread or str(reason)
    extensions = [used] if used else recorder.extensions
    if not any(each.cuda or each.cpp for each in extensions):
        raise Refused("no-cuda-source", "the file gives no CUDA source to load_inline or load")
    return {
        "cuda": "\n".join(each.cuda for each in extensions),
        "cpp": "\n".join(each.cpp for each in extensions),
        "flags": [flag for each in extensions for flag in each.flags],
        "functions": {name: each.names[name][0] for each in extensions for name in each.names},
        "call": call,
        "unread": unread,
    }


def read_forward(module, recorder):
    """The one wrapper call that forward() makes and the extension it calls, or why it is not one call. What forward()
    does may hang on earlier runs, the modes of modules and gradients, or random values, so it runs several times."""
    if not hasattr(module, CLASS_NAME):
        return None, None, f"the file defines no {CLASS_NAME}"
    try:
        model = user_module.build(module, CLASS_NAME)
        first = observe(module, model, recorder)
        before = attributes(module, model)
        for training, gradients in ((True, True), (False, True), (True, False)):
            if observe(module, with_training(model, training), recorder, gradients) != first:
                return None, None, "runs of forward() make different calls"
            if attributes(module, with_training(model, True)) != before:
                return None, None, "forward() changes attributes or global variables"
        if observe(module, user_module.build(module, CLASS_NAME), recorder) != first:
            return None, None, "two instances of the class make different calls"
        return *first, ""
    except Unread as reason:
        return None, None, recorder.unread or str(reason)
    except Exception as error:
        failed = f"forward() fails: {type(error).__name__}: {error}".split("\n")[0]
        return None, None, recorder.unread or failed


def with_training(model, training):
    for each in model.modules():
        each.training = training
    return model


def attributes(module, model):
    """Which object every attribute and global variable is; the objects are kept, so that none is reused."""
    spaces = [vars(module), *(vars(each) for each in model.modules())]
    spaces += [space for each in model.modules() for space in (each._parameters, each._buffers, each._modules)]
    return [{name: Same(value) for name, value in space.items() if name != "training"} for space in spaces]


class Same:
    """Equal to the same object only."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value is other.value

    __hash__ = None


def observe(module, model, recorder, gradients=True):
    recorder.calls.clear()
    tensors = recorder.tensors = watching.Tensors()
    tensors.inputs, tensors.result = stand_ins(module, model), torch.empty(0)
    tensors.state = [*model.parameters(), *model.buffers()]
    with torch.set_grad_enabled(gradients), watching.Functions(recorder, tensors), watching.Dispatched(recorder):
        returned = model(*tensors.inputs)
    if recorder.unread:
        raise Unread(recorder.unread)
    if not recorder.calls:
        raise Unread("forward() calls 0 compiled functions")
    if returned is not tensors.result:
        raise Unread("forward() does not return what the compiled function gives")
    extension, name, given = recorder.calls[0]
    function, kinds = extension.names[name]
    if len(given) != len(kinds):
        raise Unread(f"{name} takes {len(kinds)} arguments and is given {len(given)}")
    values = [argument(value, kind, tensors, model, name) for value, kind in zip(given, kinds, strict=True)]
    return {"function": function, "inputs": len(tensors.inputs), "arguments": values}, extension


def stand_ins(module, model):
    """One tensor for every tensor that forward() takes."""
    if hasattr(module, "get_inputs"):
        with torch._subclasses.fake_tensor.FakeTensorMode(allow_non_fake_inputs=True):
            values = list(module.get_inputs())
        if not all(isinstance(each, torch.Tensor) for each in values):
            raise Unread("get_inputs() gives something else than tensors")
        return [torch.empty(0) for _ in values]
    parameters = inspect.signature(model.forward).parameters.values()
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD, each.KEYWORD_ONLY) for each in parameters):
        raise Unread("forward() takes a variable number of arguments")
    return [torch.empty(0) for each in parameters if each.default is each.empty]


def argument(value, kind, tensors, model, function):
    if value is None and kind == "tensor?":
        return {"absent": True}
    if kind == "ints" and isinstance(value, (list, tuple)):
        numbers = [converted(each, 64) for each in value]
        if None not in numbers:
            return {"list": numbers, "text": repr(list(value))}
    if isinstance(value, torch.Tensor):
        if kind not in ("tensor", "tensor?"):
            raise Unread(f"{function} is given a tensor for something else")
        for i, each in enumerate(tensors.inputs):
            if value is each:
                return {"input": i}
        for name, each in [*model.named_parameters(), *model.named_buffers()]:
            if value is each:
                return {"parameter": name}
        raise Unread(f"{function} is given another {type(value).__name__}")
    number = converted(value, kind)
    if number is None:
        raise Unread(f"{function} is given {value!r}, a {type(value).__name__}, where it takes {described(kind)}")
    return {"number": number, "text": repr(value)}


def described(kind):
    names = {"tensor?": "an optional tensor", "ints": "a list of integers", None: "another type"}
    return f"an integer of {kind} bits" if isinstance(kind, int) else names.get(kind, f"a {kind}")


def converted(value, kind):
    """The number as the C++ parameter holds it; None when the call would fail or the value is not certain."""
    if kind == "bool":
        return float(value) if type(value) is bool else None
    if type(value) is int and abs(value) <= 2**53:
        if kind in (32, 64):
            return float(value) if -(2 ** (kind - 1)) <= value < 2 ** (kind - 1) else None
        value = float(value)
    if type(value) is not float or not math.isfinite(value) or kind not in ("float", "double"):
        return None
    return value if kind == "double" else struct.unpack("f", struct.pack("f", value))[0]
