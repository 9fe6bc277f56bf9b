"""Calls of reductions, normalisations, losses and activations with corner cases in their inputs.

ROWS and CREATIONS (without tensors) list calls made by `row`. Run as a program, this writes what the installed PyTorch
computes to tests/unit/spec/recorded_cases.jsonl, one call per line; tests/unit/spec/recorded_cases.h reads it.
"""

import json
import os
import warnings

import torch

NAN, INF = float("nan"), float("inf")
TINY = 1e-30
ROUNDED = 2e-6  # a few roundings and 2 ulp of an elementary function, in sums of at most 24 terms


def f(*values, shape=None):
    tensor = torch.tensor([float(v) for v in values], dtype=torch.float32)
    return tensor if shape is None else tensor.reshape(shape)


def i(*values, shape=None):
    tensor = torch.tensor(values, dtype=torch.int64)
    return tensor if shape is None else tensor.reshape(shape)


def b(*values):
    return torch.tensor(values, dtype=torch.bool)


def r(*shape, seed=1):
    """Normally distributed values."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def p(*shape, seed=1):
    """Values between 0 and 1."""
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed))


def row(overload, tolerance=0.0, absolute=None, **arguments):
    """`tolerance` is relative, 0 means the same bits (of two zeros either where the operator leaves it open);
    `absolute` is added to it, by default `tolerance`."""
    return overload, tolerance, tolerance if absolute is None else absolute, arguments


MIXED = f(3, -4, 0, 1.5, NAN, 2, -INF, 7, 0.25, -0.0, 5, 1, shape=(3, 4))

EXTREMES = [
    row(f"{name}.default", self=x)
    for name in ("max", "min", "amax", "amin", "argmax", "argmin")
    for x in (f(1, 3, 2, 3), f(1, NAN, INF, NAN), f(-INF, -INF), f(5), f(0, -0.0, 0), f(-0.0, 0), r(), r(3, 4))
] + [
    row("amax.default", self=MIXED, dim=[1]),
    row("amax.default", self=MIXED, dim=[0, -1], keepdim=True),
    row("amin.default", self=MIXED, dim=[0], keepdim=True),
    row("amin.default", self=r(2, 3, 4), dim=[2, 0]),
    row("amax.default", self=f(shape=(2, 0)), dim=[0]),
    row("argmax.default", self=MIXED, dim=1),
    row("argmax.default", self=MIXED, dim=0, keepdim=True),
    row("argmax.default", self=MIXED, keepdim=True),
    row("argmin.default", self=MIXED, dim=-1, keepdim=True),
    row("argmin.default", self=r(2, 3, 4), dim=1),
    row("argmax.default", self=f(4), dim=0),
    row("argmax.default", self=r(), dim=0, keepdim=True),
    row("max.dim", self=MIXED, dim=1),
    row("max.dim", self=MIXED, dim=0, keepdim=True),
    row("min.dim", self=MIXED, dim=1, keepdim=True),
    row("min.dim", self=f(2, 1, 1, 0, -0.0, 0), dim=0),
]

SUMS = [
    row("sum.default", self=f()),
    row("sum.default", self=f(-0.0, -0.0)),
    row("sum.dim_IntList", self=f(shape=(0, 3)), dim=[0]),
    row("mean.default", self=f()),
    row("mean.dim", self=f(shape=(0, 3)), dim=[0], keepdim=True),
    row("prod.default", self=f()),
    row("prod.default", self=f(2, -3, 0.5)),
    row("prod.default", self=f(-0.0, 4)),
    row("prod.default", self=f(INF, 0)),
    row("prod.default", self=r()),
    row("prod.dim_int", self=MIXED, dim=1),
    row("prod.dim_int", self=f(1, 2, 3, 4, 5, 6, shape=(2, 3)), dim=0, keepdim=True),
    row("prod.dim_int", self=f(shape=(0, 2)), dim=0),
    row("any.default", self=f(0, -0.0)),
    row("any.default", self=f(0, NAN)),
    row("any.default", self=f()),
    row("any.dim", self=f(0, 0, 1, 0, -0.0, 0, shape=(2, 3)), dim=1),
    row("any.dim", self=b(False, True), dim=0, keepdim=True),
    row("any.dims", self=f(0, 0, 1, 0, shape=(2, 2)), dim=[0, 1]),
    row("any.dims", self=f(0, 0, 1, 0, shape=(2, 2))),
    row("all.default", self=f(1, NAN)),
    row("all.default", self=f(1, -0.0)),
    row("all.default", self=f()),
    row("all.dim", self=f(1, 2, 1, 0, 3, 4, shape=(2, 3)), dim=0),
    row("all.dims", self=f(1, 2, 1, 1, shape=(2, 2)), dim=[1], keepdim=True),
    row("any.default", self=i(0, 3)),
]

SCANS = [
    row("cumsum.default", self=f(1, 2, 4, 8), dim=0),
    row("cumsum.default", self=f(-0.0, -0.0), dim=0),
    row("cumsum.default", self=f(-0.0), dim=0),
    row("cumsum.default", self=torch.tensor(-0.0), dim=0),
    row("cumsum.default", self=f(INF, -INF, 1), dim=-1),
    row("cumsum.default", self=f(*range(24), shape=(2, 3, 4)), dim=1),
    row("cumsum.default", self=f(), dim=0),
    row("cumprod.default", self=f(2, -0.0, 3, INF), dim=0),
    row("cumprod.default", self=f(1, 2, 3, 4, 5, 6, shape=(2, 3)), dim=0),
    row("cumprod.default", self=torch.tensor(-0.0), dim=-1),
]

SPREADS = [
    row(f"{name}.correction", ROUNDED, self=x, **more)
    for name in ("var", "std")
    for x, more in (
        (r(4, 5), {}),
        (r(4, 5), {"dim": [1]}),
        (r(2, 3, 4), {"dim": [0, -1], "correction": 0, "keepdim": True}),
        (r(4, 5), {"dim": [0], "correction": 2}),
        (f(1, 2, 4), {"correction": 0.5}),
        (f(1, 2), {"correction": 2}),
        (f(1, 2), {"correction": 3}),
        (f(1, 1), {"correction": 2}),
        (f(3), {}),
        (f(3), {"correction": 0}),
        (f(), {}),
        (f(1, INF), {}),
        (f(1, NAN, 2, 3, shape=(2, 2)), {"dim": [1]}),
        (r(), {}),
    )
] + [
    row("var.default", ROUNDED, self=r(4, 5)),
    row("std.default", ROUNDED, self=r(4, 5), unbiased=False),
    row("var.dim", ROUNDED, self=r(4, 5), dim=[1], unbiased=False, keepdim=True),
    row("std.dim", ROUNDED, self=r(4, 5), dim=[0]),
    row("std.dim", ROUNDED, self=r(4, 5), dim=None),
    row("var_mean.correction", ROUNDED, self=r(4, 5), dim=[1]),
    row("std_mean.correction", ROUNDED, self=r(4, 5), correction=0, keepdim=True),
]

NORMS = [
    row("linalg_vector_norm.default", ROUNDED, 0, self=x, ord=order, **more)
    for order in (0, 1, 2, 3, 2.5, 0.5, -1, INF, -INF)
    for x, more in (
        (f(3, -4, 0, 1), {}),
        (f(3, -4, 2, 1, 5, 6, shape=(2, 3)), {"dim": [1]}),
        (f(3, -4, 2, 1, 5, 6, shape=(2, 3)), {"dim": [0], "keepdim": True}),
        (f(NAN, 1), {}),
        (f(INF, 1), {}),
        (f(-0.0, 0), {}),
        (f(1e30), {}),
        (f(1e30, TINY, shape=(2, 1)), {"dim": [1]}),
        (f(-2), {"dim": [0], "keepdim": True}),
    )
] + [
    row("linalg_vector_norm.default", ROUNDED, 0, self=f(1e30, 1e30)),
    row("linalg_vector_norm.default", ROUNDED, 0, self=f(1e30, 1e30), ord=1),
    row("linalg_vector_norm.default", ROUNDED, 0, self=f()),
    row("linalg_vector_norm.default", ROUNDED, 0, self=r(2, 3, 4), dim=[2, 0]),
    row("linalg_vector_norm.default", ROUNDED, 0, self=r()),
    row("norm.Scalar", ROUNDED, self=f(3, 4)),
    row("norm.Scalar", ROUNDED, self=f(3, 4), p=1),
    row("norm.ScalarOpt_dim", ROUNDED, self=r(3, 4), p=None, dim=[1]),
    row("norm.ScalarOpt_dim", ROUNDED, self=r(3, 4), p=3, dim=[0], keepdim=True),
]

SOFTMAX_INPUTS = (
    r(3, 4), r(2, 3, 4), f(-INF, -INF, -INF, 1, INF, 1, shape=(3, 2)), f(NAN, 1, 2, 3, shape=(2, 2)),
    f(3e38, -3e38, 3e38, 3e38, shape=(2, 2)), f(100, 0, -100, 0, 0, 0, shape=(2, 3)), f(7, 8, shape=(2, 1)),
)  # fmt: skip
SOFTMAX = [
    row(f"{name}.int", ROUNDED, self=x, dim=dim)
    for name in ("softmax", "log_softmax")
    for x in SOFTMAX_INPUTS
    for dim in (-1, 0)
] + [
    row("softmax.int", ROUNDED, self=r(), dim=0),
    row("log_softmax.int", ROUNDED, self=r(), dim=-1),
    row("softmax.int", ROUNDED, self=f(), dim=0),
    row("softmax.int", ROUNDED, self=r(2, 3), dim=1, dtype=torch.float32),
    row("_softmax.default", ROUNDED, self=r(2, 3), dim=1, half_to_float=False),
    row("_log_softmax.default", ROUNDED, self=r(2, 3), dim=0, half_to_float=False),
] + [
    row("logsumexp.default", ROUNDED, self=x, dim=dim, keepdim=keep)
    for x in SOFTMAX_INPUTS + (f(INF, -INF, INF, INF, shape=(2, 2)), f(NAN, INF, -INF, 2, shape=(2, 2)))
    for dim, keep in (([-1], False), ([0], True), ([0, 1], False))
] + [row("logsumexp.default", ROUNDED, self=f(), dim=[0]), row("logsumexp.default", ROUNDED, self=r(), dim=[0])]

X = r(2, 4, 3)
W, B, M, V = r(4, seed=2), r(4, seed=3), r(4, seed=4), p(4, seed=5) + 0.1
BATCH = {"momentum": 0.1, "cudnn_enabled": True}
NORMALISATIONS = [
    row("batch_norm.default", ROUNDED, input=x, weight=w, bias=c, running_mean=m, running_var=v, training=training,
        eps=eps, **BATCH)
    for x in (X, r(3, 4), f(1, NAN, 3, 4, 2, INF, 5, 7, shape=(2, 4)))
    for w, c in ((W, B), (None, None), (W, None), (None, B))
    for m, v, training in ((M, V, True), (None, None, True), (M, V, False))
    for eps in (1e-5, 0.3)
] + [
    row("batch_norm.default", ROUNDED, input=f(1, 1, 1, 1, 1, 2, shape=(3, 2)), weight=None, bias=None,
        running_mean=None, running_var=None, training=True, eps=0.0, **BATCH),
    row("batch_norm.default", ROUNDED, input=f(1, 2, shape=(1, 2)), weight=None, bias=None, running_mean=None,
        running_var=None, training=True, eps=1e-5, **BATCH),
    row("batch_norm.default", ROUNDED, input=f(1, 1, 1, 1, shape=(2, 2)), weight=f(2, 3), bias=None,
        running_mean=f(0, INF), running_var=f(-1, 0), training=False, eps=1e-5, **BATCH),
    row("instance_norm.default", ROUNDED, input=X, weight=W, bias=B, running_mean=None, running_var=None,
        use_input_stats=True, eps=1e-5, **BATCH),
    row("instance_norm.default", ROUNDED, input=r(2, 4, 3, 2), weight=None, bias=None, running_mean=None,
        running_var=None, use_input_stats=True, eps=0.2, **BATCH),
    row("instance_norm.default", ROUNDED, input=X, weight=W, bias=None, running_mean=M, running_var=V,
        use_input_stats=False, eps=0.2, **BATCH),
    row("instance_norm.default", ROUNDED, input=f(1, 2, shape=(1, 2, 1)), weight=None, bias=None, running_mean=None,
        running_var=None, use_input_stats=True, eps=1e-5, **BATCH),
    row("group_norm.default", ROUNDED, input=X, num_groups=2, weight=W, bias=B),
    row("group_norm.default", ROUNDED, input=X, num_groups=1, eps=0.5),
    row("group_norm.default", ROUNDED, input=X, num_groups=4, weight=W, bias=None),
    row("group_norm.default", ROUNDED, input=r(3, 4), num_groups=2, weight=None, bias=B),
    row("group_norm.default", ROUNDED, input=r(2, 6, 2, 3), num_groups=3),
    row("group_norm.default", ROUNDED, input=f(1, NAN, 3, 4, 5, INF, shape=(1, 6)), num_groups=3),
    row("layer_norm.default", ROUNDED, input=X, normalized_shape=[3]),
    row("layer_norm.default", ROUNDED, input=X, normalized_shape=[4, 3], weight=r(4, 3, seed=6), bias=r(4, 3, seed=7)),
    row("layer_norm.default", ROUNDED, input=X, normalized_shape=[2, 4, 3], eps=0.5),
    row("layer_norm.default", ROUNDED, input=r(2, 4), normalized_shape=[4], weight=W, bias=None),
    row("layer_norm.default", ROUNDED, input=f(1, NAN, 3, 4, shape=(2, 2)), normalized_shape=[2]),
    row("native_layer_norm.default", ROUNDED, input=X, normalized_shape=[4, 3], weight=None, bias=None, eps=1e-5),
    row("native_layer_norm.default", ROUNDED, input=r(3, 4), normalized_shape=[4], weight=W, bias=B, eps=0.1),
    row("rms_norm.default", ROUNDED, input=X, normalized_shape=[3]),
    row("rms_norm.default", ROUNDED, input=X * 1e-4, normalized_shape=[4, 3], weight=r(4, 3, seed=6)),
    row("rms_norm.default", ROUNDED, input=r(2, 4), normalized_shape=[4], weight=W, eps=0.5),
]  # fmt: skip

A, T = r(3, 4), r(3, 4, seed=9)
PAIRS = [
    row(f"{name}.default", ROUNDED, self=x, target=t, reduction=reduction, **more)
    for name, x, t, more in (
        ("mse_loss", A, T, {}),
        ("mse_loss", f(1, 2), f(3, 5, shape=(2, 1)), {}),
        ("mse_loss", f(), f(), {}),
        ("l1_loss", A, T, {}),
        ("l1_loss", f(1, NAN), f(INF, 2), {}),
        ("smooth_l1_loss", A, T, {}),
        ("smooth_l1_loss", f(1, 2, NAN, INF, 1), f(1.5, 5, 0, 0, 2), {"beta": 0.7}),
        ("smooth_l1_loss", f(1, 2, 3), f(1.5, 5, 3), {"beta": 0.0}),
        ("huber_loss", A, T, {}),
        ("huber_loss", f(1, 2, NAN, INF, 1), f(1.5, 5, 0, 0, 1.5), {"delta": 0.5}),
        ("kl_div", A, p(3, 4), {}),
        ("kl_div", f(1, 2, NAN, INF, INF, 1, 3), f(0, 0.5, 0, 0, -0.0, -1, INF), {}),
        ("kl_div", A, T, {"log_target": True}),
        ("kl_div", f(1, 2, NAN, INF, INF, 1), f(0, -0.5, 0, -INF, INF, NAN), {"log_target": True}),
        ("hinge_embedding_loss", f(1, 2, NAN, 0.5, 3, 3, 0.25), f(1, -1, 1, -1, 0.5, NAN, 0), {}),
        ("hinge_embedding_loss", f(1, 2, 0.5), f(1, -1, -1), {"margin": 1.25}),
        ("binary_cross_entropy", f(0, 1, 0.5, 0, 1, 1e-8), f(0, 1, 0.5, 1, 0, 0), {}),
        ("binary_cross_entropy", p(3, 4), p(3, 4, seed=2), {"weight": p(4, seed=3)}),
        ("binary_cross_entropy_with_logits", f(0, 1, -1, 100, -100, INF, -INF, NAN), f(0, 1, 0.5, 0, 1, 0, 1, 1), {}),
        ("binary_cross_entropy_with_logits", A, p(3, 4), {"weight": p(4, seed=3), "pos_weight": p(4, seed=4)}),
        ("soft_margin_loss", f(1, -2, 100, -100, INF, -INF), f(1, 1, 1, 1, 1, 1), {}),
        ("soft_margin_loss", A, f(*[1, -1] * 6, shape=(3, 4)), {}),
    )
    for reduction in (0, 1, 2)
] + [
    row("mse_loss.default", ROUNDED, self=A, target=T),
    row("mse_loss.default", ROUNDED, self=r(), target=r(seed=2)),
    row("binary_cross_entropy.default", 0.0, self=f(1, 0), target=f(1, 0), reduction=0),
    row("kl_div.default", 0.0, self=f(-3, 3), target=f(0, -0.0), reduction=0),
] + [
    row("margin_ranking_loss.default", ROUNDED, input1=f(1, 2, NAN, 3), input2=f(2, 1, 1, 3), target=f(1, -1, 1, 1),
        margin=0.5, reduction=reduction)
    for reduction in (0, 1, 2)
]  # fmt: skip

CLASSES = i(0, 2, 1)
IGNORING = i(0, -100, 1)
SCORES = r(3, 4)
CROSS = [
    row("cross_entropy_loss.default", ROUNDED, self=x, target=t, reduction=reduction, **more)
    for reduction in (0, 1, 2)
    for x, t, more in (
        (SCORES, CLASSES, {}),
        (SCORES, IGNORING, {}),
        (SCORES, i(-100, -100, -100), {}),
        (SCORES, CLASSES, {"ignore_index": 2}),
        (SCORES, CLASSES, {"weight": p(4)}),
        (SCORES, IGNORING, {"weight": p(4)}),
        (SCORES, CLASSES, {"label_smoothing": 0.1}),
        (SCORES, IGNORING, {"label_smoothing": 0.1}),
        (SCORES, IGNORING, {"label_smoothing": 0.2, "weight": p(4)}),
        (r(4), i(2).reshape(()), {}),
        (r(2, 3, 4), i(0, 2, 1, 0, 1, 2, 2, -100, shape=(2, 4)), {}),
        (r(2, 3, 4), i(0, 2, 1, 0, 1, 2, 2, -100, shape=(2, 4)), {"weight": p(3), "label_smoothing": 0.3}),
        (SCORES, SCORES.softmax(1), {}),
        (SCORES, SCORES.softmax(1), {"weight": p(4), "label_smoothing": 0.1}),
        (r(2, 3, 4), r(2, 3, 4, seed=5).softmax(1), {}),
        (r(4), f(0, 1, 0, 0), {}),
        (f(INF, 1, 2, NAN, 1, 2, -INF, 0, 0, shape=(3, 3)), i(1, 1, 0), {}),
    )
] + [
    row("nll_loss_nd.default", ROUNDED, self=x, target=t, reduction=reduction, **more)
    for reduction in (0, 1, 2)
    for x, t, more in (
        (SCORES, CLASSES, {}),
        (SCORES, IGNORING, {"weight": p(4)}),
        (SCORES, CLASSES, {"weight": f(0, 0, 0, 0)}),
        (SCORES, CLASSES, {"ignore_index": 1}),
        (r(2, 3, 4), i(0, 2, 1, 0, 1, 2, 2, -100, shape=(2, 4)), {"weight": p(3)}),
        (r(4), i(2).reshape(()), {}),
    )
] + [
    row("nll_loss.default", 0.0, self=f(0, 1, shape=(1, 2)), target=i(0), reduction=0),
    row("nll_loss.default", ROUNDED, self=SCORES, target=CLASSES),
]

DISTANCES = [
    row("cosine_similarity.default", ROUNDED, 0, x1=x, x2=y, **more)
    for x, y, more in (
        (r(3, 4), r(3, 4, seed=2), {}),
        (r(3, 4), r(1, 4, seed=2), {"dim": -1}),
        (r(2, 3, 4), r(2, 3, 4, seed=2), {}),
        (f(1, 2), f(3, 4), {"dim": 0, "eps": 4.0}),
        (f(0, 0, 1e-30, 0, 1e30, 0, NAN, 0, INF, 0, shape=(5, 2)), f(3, 4, shape=(1, 2)), {}),
    )
] + [
    row("pairwise_distance.default", ROUNDED, x1=x, x2=y, **more)
    for x, y, more in (
        (r(3, 4), r(3, 4, seed=2), {}),
        (r(3, 4), r(4, seed=2), {"p": 1.0, "keepdim": True}),
        (r(3, 4), r(3, 4), {"eps": 0.5}),
        (f(1, NAN), f(1, 2), {"p": INF}),
    )
] + [
    row("triplet_margin_loss.default", ROUNDED, anchor=r(*shape), positive=r(*shape, seed=2),
        negative=r(*shape, seed=3), reduction=reduction, **more)
    for reduction in (0, 1, 2)
    for shape, more in (
        ((3, 4), {}),
        ((3, 4), {"swap": True, "margin": 2.5}),
        ((2, 3, 4), {"p": 1.0, "eps": 0.1}),
        ((4,), {"margin": 0.25}),
    )
] + [
    row("triplet_margin_loss.default", ROUNDED, anchor=f(NAN, 1, 1, 1, shape=(2, 2)), positive=r(2, 2),
        negative=r(2, 2, seed=2), reduction=0, swap=True),
    row("triplet_margin_loss.default", ROUNDED, anchor=r(2, 2), positive=r(2, 2, seed=3),
        negative=f(NAN, 1, INF, 1, shape=(2, 2)), reduction=0, swap=True),
] + [
    row("cosine_embedding_loss.default", ROUNDED, input1=r(3, 4), input2=r(3, 4, seed=2), target=i(1, -1, 0),
        reduction=reduction, margin=margin)
    for reduction in (0, 1, 2)
    for margin in (0.0, -0.9)
] + [
    row("cosine_embedding_loss.default", ROUNDED, input1=r(4), input2=r(4, seed=2), target=f(1).reshape(())),
    row("cosine_embedding_loss.default", ROUNDED, input1=f(0, 0, 1e30, 1, shape=(2, 2)), input2=r(2, 2),
        target=f(1, -1), reduction=0),
]  # fmt: skip

EDGES = f(0, -0.0, NAN, INF, -INF, -0.5, 0.5, 0.6, -0.6, 1, -1, 200, -200)
ACTIVATIONS = [
    row("celu.default", ROUNDED, self=EDGES),
    row("celu.default", ROUNDED, self=EDGES, alpha=2.0),
    row("celu.default", ROUNDED, self=EDGES, alpha=-1.5),
    row("log_sigmoid.default", ROUNDED, self=EDGES),
    row("hardshrink.default", self=EDGES),
    row("hardshrink.default", self=EDGES, lambd=0.0),
    row("hardshrink.default", self=EDGES, lambd=-0.5),
    row("softshrink.default", self=EDGES),
    row("softshrink.default", self=EDGES, lambd=0.0),
    row("gelu.default", ROUNDED, self=f(0, NAN, -0.5, 0.5, 3, -3, 10, -10), approximate="tanh"),
    row("prelu.default", self=EDGES, weight=f(0.5)),
    row("prelu.default", self=EDGES, weight=f(0)),
    row("prelu.default", self=r(), weight=torch.tensor(0.25)),
    row("prelu.default", self=r(2, 3, 2), weight=f(1, 2, 3)),
    row("prelu.default", self=r(2, 3), weight=f(0.25, 2, -3)),
    row("glu.default", ROUNDED, self=r(3, 4)),
    row("glu.default", ROUNDED, self=r(4, 3), dim=0),
    row("glu.default", ROUNDED, self=f(1, INF, 0, -INF, 0, 2, INF, NAN), dim=-1),
    row("dropout.default", input=EDGES, p=0.5, train=False),
    row("dropout.default", input=EDGES, p=0.0, train=True),
    row("dropout.default", input=EDGES, p=1.0, train=True),
    row("feature_dropout.default", input=r(2, 3), p=0.5, train=False),
    row("alpha_dropout.default", input=r(2, 3), p=1.0, train=True),
]

G = f(*range(24), shape=(2, 3, 4))
PLACEMENTS = [
    row("stack.default", tensors=[r(2, 3), r(2, 3, seed=2), r(2, 3, seed=3)], dim=dim) for dim in (0, 1, -1)
] + [
    row("stack.default", tensors=[f(1), f(2)]),
    row("chunk.default", self=r(5, 2), chunks=4),
    row("chunk.default", self=r(2, 6), chunks=3, dim=-1),
    row("split.Tensor", self=r(2, 5), split_size=2, dim=1),
    row("split.Tensor", self=r(4), split_size=9),
    row("unbind.int", self=r(3, 2)),
    row("unbind.int", self=r(3, 2), dim=1),
    row("expand_as.default", self=r(3, 1), other=r(2, 3, 4)),
    row("expand_as.default", self=r(), other=r(2)),
    row("view_as.default", self=r(2, 6), other=r(3, 4)),
    row("repeat.default", self=r(2, 3), repeats=[2, 1, 3]),
    row("repeat.default", self=r(2), repeats=[3]),
    row("roll.default", self=G, shifts=[1], dims=[1]),
    row("roll.default", self=G, shifts=[-5, 7], dims=[2, 0]),
    row("roll.default", self=G, shifts=[-5]),
    row("constant_pad_nd.default", self=G, pad=[1, 2]),
    row("constant_pad_nd.default", self=G, pad=[-1, 2, 1, -2], value=0.5),
    row("pad.default", self=G, pad=[1, 0, 0, 1, 2, 0]),
    row("pad.default", self=G, pad=[1, 2], mode="constant", value=-1.0),
    row("pad.default", self=G, pad=[3, 2], mode="reflect"),
    row("pad.default", self=G.reshape(1, 2, 3, 4), pad=[1, 2, 2, 1], mode="reflect"),
    row("pad.default", self=G, pad=[5, 2], mode="replicate"),
    row("pad.default", self=G.reshape(1, 2, 3, 4), pad=[1, 4, 3, 2], mode="circular"),
    row("gather.default", self=G, dim=1, index=i(0, 2, 1, 1, 0, 2, 2, 2, shape=(2, 1, 4))),
    row("gather.default", self=r(3, 4), dim=0, index=i(2, 0, 1, 1, shape=(2, 2))),
    row("index_select.default", self=G, dim=1, index=i(2, 0, 0, 1)),
    row("index_select.default", self=G, dim=-1, index=i(3)),
    row("diag.default", self=r(2, 3)),
    row("diag.default", self=r(2, 3), diagonal=2),
    row("diag.default", self=r(3, 2), diagonal=-1),
    row("diag.default", self=r(3)),
    row("diag.default", self=r(2), diagonal=1),
    row("diag.default", self=r(2), diagonal=-2),
    row("mul.Tensor", self=r(3), other=i(2, -3, 16777217)),
]

CREATIONS = [
    row("eye.default", n=3),
    row("arange.default", end=4),
    row("arange.default", end=3.0),
    row("arange.start", start=2, end=5, dtype=torch.float32),
    row("arange.start_step", start=5, end=-2, step=-3),
    row("arange.start_step", start=1, end=8, step=2, dtype=torch.float32),
]

ROWS = (
    EXTREMES + SUMS + SCANS + SPREADS + NORMS + SOFTMAX + NORMALISATIONS + PAIRS + CROSS + DISTANCES + ACTIVATIONS
    + PLACEMENTS
)  # fmt: skip


def described(value):
    if isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
        return [described(v) for v in value]
    if not isinstance(value, torch.Tensor):
        return {"dtype": str(value).removeprefix("torch.")} if isinstance(value, torch.dtype) else value
    if value.dtype == torch.float32:
        bits = [v & 0xFFFFFFFF for v in value.contiguous().view(torch.int32).reshape(-1).tolist()]
    else:
        bits = [int(v) for v in value.reshape(-1).tolist()]
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch."), "bits": bits}


def number(value):
    """JSON has no infinity."""
    return {"number": str(value)} if isinstance(value, float) and value in (INF, -INF) else value


def call(overload, arguments):
    operator = torch.ops.aten
    for part in overload.split("."):
        operator = getattr(operator, part)
    given = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}
    result = operator(**given)
    return list(result) if isinstance(result, (tuple, list)) else [result]


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    source = os.environ.get("PLUMBLINE_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    with open(os.path.join(source, "tests/unit/spec/recorded_cases.jsonl"), "w", encoding="utf-8") as out:
        for overload, tolerance, absolute, arguments in ROWS + CREATIONS:
            try:
                results = call(overload, arguments)
            except RuntimeError as error:
                error.add_note(f"in {overload} {arguments}")
                raise
            line = {
                "target": "aten." + overload,
                "arguments": {k: number(described(v)) for k, v in arguments.items()},
                "results": [described(v) for v in results],
                "tolerance": tolerance,
                "absolute": absolute,
            }
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
