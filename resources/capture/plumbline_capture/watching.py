"""Running forward() on tensors of which every use is noticed. The stand-ins are ordinary tensors, so that a program
cannot tell them from others; what is asked of a tensor, or of torch about tensors, arrives in a mode."""

import contextlib

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

DEVICE = torch.device("cuda", 0)
PROPERTIES = {"is_cuda": True, "dtype": torch.float32, "device": DEVICE}
# They give the tensor itself, as the inputs are taken to be contiguous float32 tensors on the GPU.
SAME = {"contiguous", "cuda", "detach", "to", "float"}


class Unread(Exception):
    """forward() did something other than one call of a compiled function."""


class Tensors:
    """The tensors that forward() starts from and the one that a compiled function returns."""

    def __init__(self):
        self.inputs, self.state, self.result = [], [], None

    def named(self, value):
        """What to call the tensor; "" for any other value."""
        for i, each in enumerate(self.inputs):
            if value is each:
                return f"input {i}"
        if any(value is each for each in self.state):
            return "a parameter"
        return "result" if value is self.result else ""


class Functions(TorchFunctionMode):
    """Everything that Python asks of torch."""

    def __init__(self, recorder, tensors):
        super().__init__()
        self._recorder, self._tensors = recorder, tensors

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is torch._C._set_grad_enabled:
            return function(*args, **kwargs)
        name = getattr(function, "__name__", str(function))
        first = args[0] if args else None
        subject = self._tensors.named(first) if isinstance(first, torch.Tensor) else ""
        if name == "__get__" and subject.startswith("input") and function.__self__.__name__ in PROPERTIES:
            return PROPERTIES[function.__self__.__name__]
        if subject and function is getattr(torch.Tensor, name, None):
            if name == "is_contiguous" and subject.startswith("input") and len(args) == 1 and not kwargs:
                return True
            if name in SAME and self._is_same(name, first, subject, args[1:], kwargs):
                return first
        if name in ("__get__", "__set__", "__delete__"):
            name = function.__self__.__name__
            self._recorder.stop(f"{subject or 'tensor'}.{name}")
        shown = ", ".join([*map(show, args[1:]), *(f"{key}={show(value)}" for key, value in kwargs.items())])
        self._recorder.stop(f"{subject}.{name}({shown})" if subject else f"torch.{name}")

    @staticmethod
    def _is_same(name, tensor, subject, arguments, keywords):
        if subject == "a parameter":
            with torch._C.DisableTorchFunction():
                if tensor.dtype is not torch.float32 or not tensor.is_contiguous():
                    return False
        if name == "float" and subject == "result":
            return False
        if name != "to":
            return not arguments and not keywords or (name == "cuda" and arguments == (DEVICE,) and not keywords)
        values = [*arguments, *(keywords[each] for each in ("device", "dtype") if each in keywords)]
        fits = [is_gpu(each) or (each is torch.float32 and subject != "result") for each in values]
        return bool(values) and all(fits) and keywords.keys() <= {"device", "dtype", "non_blocking"}


def is_gpu(value):
    """A tensor on the current GPU stays where it is."""
    if isinstance(value, (str, torch.device)):
        device = torch.device(value)
        return device.type == "cuda" and device.index in (None, 0)
    return False


def show(value):
    return "tensor" if isinstance(value, torch.Tensor) else str(value)[:40]


class Dispatched(TorchDispatchMode):
    """What reaches the operators all the same."""

    def __init__(self, recorder):
        super().__init__()
        self._recorder = recorder

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self._recorder.stop(f"torch operator {function}")


class OnCpu(TorchFunctionMode):
    """While a module is built: its tensors are made here, whatever GPU it names."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if function is torch.Tensor.cuda:
            return args[0]
        if "device" in kwargs and is_cuda(kwargs["device"]):
            kwargs["device"] = "cpu"
        if function is torch.Tensor.to:
            args = (args[0], *("cpu" if is_cuda(each) else each for each in args[1:]))
        return function(*args, **kwargs)


def is_cuda(value):
    return isinstance(value, (str, torch.device)) and str(value).startswith("cuda")


def refuses_instances(recorder, name):
    class Meta(type):
        def __instancecheck__(cls, value):
            recorder.stop(f"isinstance(..., {name})")

    return Meta(name, (), {})


@contextlib.contextmanager
def gpu_machine(recorder):
    """torch.cuda as on a machine with a GPU, as far as that is certain; asking for anything else is noticed."""
    saved = []

    def put(module, name, value):
        saved.append((module, name, getattr(module, name)))
        setattr(module, name, value)

    def stopper(name):
        return lambda *arguments, **keywords: recorder.stop(name)

    put(torch.cuda, "is_available", lambda: True)
    put(torch.cuda, "synchronize", lambda device=None: None)
    for name in ("device_count", "get_device_name", "get_device_properties", "get_device_capability",
                 "get_arch_list", "is_initialized", "mem_get_info", "memory_allocated",
                 "max_memory_allocated", "memory_reserved", "is_bf16_supported", "current_device",
                 "current_stream", "default_stream", "is_current_stream_capturing"):  # fmt: skip
        put(torch.cuda, name, stopper(f"torch.cuda.{name}"))
    for name in ("compile", "get_default_device"):
        put(torch, name, stopper(f"torch.{name}"))
    for name in ("script", "trace"):
        put(torch.jit, name, stopper(f"torch.jit.{name}"))
    for module in (torch, torch.cuda):
        for name, value in list(vars(module).items()):
            if type(value).__name__ == "tensortype":
                put(module, name, refuses_instances(recorder, f"{module.__name__}.{name}"))
    try:
        yield
    finally:
        for module, name, value in reversed(saved):
            setattr(module, name, value)
