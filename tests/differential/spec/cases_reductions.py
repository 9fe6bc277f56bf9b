"""Reductions, normalisations, losses and gated activations: some calls of recorded_cases.py for every overload, with
other numbers for every seed, and larger calls with the sequential folds that our values must equal.
"""

import numpy
import torch

from case_inputs import case, first_sprinkled, fold_sum, moderate, shapes, sprinkled
from recorded_cases import ROWS

CALLS_EACH = 4  # of one overload
UNIT = 2.0**-24


def operator(overload):
    name, variant = overload.split(".")
    return getattr(getattr(torch.ops.aten, name), variant)


def varied(tensor, generator):
    """Other numbers of the same sign in the same range; special values stay."""
    if tensor.dtype != torch.float32:
        return tensor.clone()
    return tensor * (0.5 + torch.rand(tensor.shape, generator=generator) / 2)


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for each in value for t in tensors_in(each)] if isinstance(value, list) else []


def replaced(value, tensors):
    if isinstance(value, torch.Tensor):
        return next(tensors)
    return [replaced(each, tensors) for each in value] if isinstance(value, list) else value


def recorded(overload, arguments, **options):
    def function(*tensors):
        given = iter(tensors)
        return operator(overload)(**{name: replaced(value, given) for name, value in arguments.items()})

    def inputs(generator):
        return [varied(t, generator) for value in arguments.values() for t in tensors_in(value)]

    return case(function, inputs, **options)


def affine_slack(overload, arguments):
    """PyTorch scales by alpha = w / sqrt(v + eps) and adds beta = b - m alpha, where the definition subtracts m first.

    alpha has at most 4 roundings more, each of x alpha, m alpha, beta and the result one: together less than 8 units
    of |x alpha| + |m alpha| + |b|. With statistics of the batch the error of alpha and m is in the derived bound.
    """
    if overload.split(".")[0] not in ("batch_norm", "instance_norm"):
        return None
    own = arguments.get("training", arguments.get("use_input_stats"))

    def slack(*tensors):
        given = iter(tensors)
        values = {name: replaced_array(value, given) for name, value in arguments.items()}
        x = values["input"]
        axes = tuple(k for k in range(x.ndim) if k != 1 and not (overload.startswith("instance") and k == 0))

        def along(v, otherwise):
            return otherwise if v is None else v.reshape((1, -1) + (1,) * (x.ndim - 2))

        mean = x.mean(axes, keepdims=True) if own else along(values["running_mean"], 0.0)
        variance = x.var(axes, keepdims=True) if own else along(values["running_var"], 1.0)
        alpha = along(values["weight"], 1.0) / numpy.sqrt(variance + values["eps"])
        bias = along(values["bias"], 0.0)
        result = 8 * UNIT * (numpy.abs(x * alpha) + numpy.abs(mean * alpha) + numpy.abs(bias))
        return numpy.broadcast_to(numpy.where(numpy.isfinite(result), result, 0.0), x.shape)

    return slack


def replaced_array(value, arrays):
    return next(arrays) if isinstance(value, torch.Tensor) else value


def chosen():
    """Evenly spread over the rows of each overload."""
    by_overload = {}
    for overload, _, _, arguments in ROWS:
        if all(0 not in t.shape for value in arguments.values() for t in tensors_in(value)):
            by_overload.setdefault(overload, []).append(arguments)
    for overload, calls in by_overload.items():
        step = max(1, len(calls) // CALLS_EACH)
        for number, arguments in enumerate(calls[::step]):
            yield f"{overload} {number}", recorded(overload, arguments, slack=affine_slack(overload, arguments))


def fold_norm(x):
    return numpy.sqrt(fold_sum(x * x, 1))


def scan(x, combine):
    rows = [x[:, 0]]
    for k in range(1, x.shape[1]):
        rows.append(combine(rows[-1], x[:, k]))
    return numpy.stack(rows, 1)


functional = torch.nn.functional
CASES = dict(chosen()) | {
    "cumsum": case(lambda x: x.cumsum(1), sprinkled((9, 37)), fold=lambda x: scan(x, numpy.add)),
    "cumprod": case(lambda x: x.cumprod(1), moderate((9, 37)), fold=lambda x: scan(x, numpy.multiply)),
    "norm": case(lambda x: torch.linalg.vector_norm(x, dim=1), sprinkled((20, 37)), fold=fold_norm),
    "argmax": case(lambda x: x.argmax(1), shapes((61, 37))),
    "argmin": case(lambda x: x.argmin(0), sprinkled((37, 40), every=200)),
    "amax": case(lambda x: x.amax((0, 2)), sprinkled((7, 20, 11), every=500)),
    "amin": case(lambda x: x.amin((0, 2)), sprinkled((7, 20, 11), every=500)),
    "softmax": case(lambda x: x.softmax(1), sprinkled((20, 37), every=300)),
    "softmax of one": case(lambda x: x.softmax(1), shapes((33, 1))),
    "log_softmax": case(lambda x: x.log_softmax(1), sprinkled((20, 37), every=300)),
    "logsumexp": case(lambda x: x.logsumexp(1), sprinkled((20, 37), every=300)),
    "var": case(lambda x: x.var(1), moderate((20, 37))),
    "std": case(lambda x: x.std(1, unbiased=False), moderate((20, 37))),
    "layer_norm": case(lambda x, w, b: functional.layer_norm(x, (37,), w, b), first_sprinkled((9, 37), (37,), (37,))),
    "group_norm": case(lambda x, w, b: functional.group_norm(x, 2, w, b), moderate((2, 4, 9), (4,), (4,))),
    "mse_loss": case(functional.mse_loss, moderate((37, 9), (37, 9))),
}
