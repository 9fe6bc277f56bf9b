"""Calls of matrix products, convolutions and pooling whose exact results do not depend on the order of a sum.

ROWS lists (overload, arguments by name). A tensor argument is `T(shape)`, integers between -5 and 5 that the position
determines; `S(shape)`, with NaN and infinities among them; `Z(shape)`, zeros; or `B(shape)`, truth values. Run as a
program, this writes what the installed PyTorch computes to tests/unit/spec/integer_cases.jsonl, one call per line.
"""

import json
import os

import torch


class Tensor:
    def __init__(self, kind, shape):
        self.kind, self.shape = kind, list(shape)


def T(*shape):
    return Tensor("integers", shape)


def S(*shape):
    return Tensor("specials", shape)


def Z(*shape):
    return Tensor("zeros", shape)


def B(*shape):
    return Tensor("truths", shape)


def row(overload, **arguments):
    return overload, arguments


PRODUCTS = [
    row("matmul.default", self=T(3), other=T(3)),
    row("matmul.default", self=T(2, 3), other=T(3)),
    row("matmul.default", self=T(3), other=T(3, 2)),
    row("matmul.default", self=T(2, 3), other=T(3, 4)),
    row("matmul.default", self=T(5, 2, 3), other=T(3, 2)),
    row("matmul.default", self=T(2, 3), other=T(5, 3, 2)),
    row("matmul.default", self=T(3), other=T(2, 3, 2)),
    row("matmul.default", self=T(2, 2, 3), other=T(3)),
    row("matmul.default", self=T(2, 1, 2, 3), other=T(3, 3, 2)),
    row("matmul.default", self=T(3, 2, 1), other=T(2, 3, 1, 2)),
    row("matmul.default", self=T(1, 1), other=T(1, 1)),
    row("matmul.default", self=T(2, 0), other=T(0, 3)),
    row("mm.default", self=T(3, 4), mat2=T(4, 2)),
    row("bmm.default", self=T(2, 3, 4), mat2=T(2, 4, 2)),
    row("mv.default", self=T(3, 4), vec=T(4)),
    row("dot.default", self=T(7), tensor=T(7)),
    row("vdot.default", self=T(4), other=T(4)),
    row("outer.default", self=T(3), vec2=T(4)),
    row("addmm.default", self=T(3, 2), mat1=T(3, 4), mat2=T(4, 2)),
    row("addmm.default", self=T(2), mat1=T(3, 4), mat2=T(4, 2), beta=3, alpha=2),
    row("addmm.default", self=T(3, 1), mat1=T(3, 4), mat2=T(4, 2), beta=0.5, alpha=-1),
    row("addmm.default", self=T(), mat1=T(3, 4), mat2=T(4, 2), beta=0),
    row("addmm.default", self=S(3, 2), mat1=T(3, 4), mat2=T(4, 2), beta=0, alpha=2),
    row("matmul.default", self=S(3, 4), other=T(4, 5)),
    row("addmv.default", self=T(3), mat=T(3, 4), vec=T(4), beta=2, alpha=3),
    row("baddbmm.default", self=T(2, 3, 2), batch1=T(2, 3, 4), batch2=T(2, 4, 2), beta=2, alpha=3),
    row("baddbmm.default", self=T(1, 2), batch1=T(2, 3, 4), batch2=T(2, 4, 2)),
    row("linear.default", input=T(2, 3), weight=T(4, 3), bias=T(4)),
    row("linear.default", input=T(2, 3), weight=T(4, 3)),
    row("linear.default", input=T(3), weight=T(4, 3), bias=T(4)),
    row("linear.default", input=T(2, 2, 1, 3), weight=T(4, 3), bias=T(4)),
    row("linear.default", input=T(2, 3), weight=T(3)),
    row("linear.default", input=T(4, 1), weight=T(2, 1), bias=T(2)),
]

SUMMATIONS = [
    row("einsum.default", equation=equation, tensors=tensors)
    for equation, tensors in [
        ("bijl,lk->bijk", [T(2, 2, 3, 4), T(4, 2)]),
        ("ij,jk", [T(2, 3), T(3, 4)]),
        (" i j , j k -> k i ", [T(2, 3), T(3, 4)]),
        ("ij,ij->", [T(2, 3), T(2, 3)]),
        ("i,j->ij", [T(2), T(3)]),
        ("bi,bj->bij", [T(2, 3), T(2, 2)]),
        ("ji", [T(2, 3)]),
        ("ij->j", [T(2, 3)]),
        ("ij->", [T(2, 3)]),
        ("ii", [T(3, 3)]),
        ("ii->i", [T(3, 3)]),
        ("iij,j->i", [T(2, 2, 3), T(3)]),
        ("Ab,ba", [T(2, 3), T(3, 4)]),
        ("bA,Ac", [T(2, 3), T(3, 2)]),
        ("...ij,...jk->...ik", [T(2, 2, 3), T(2, 3, 2)]),
        ("...i,...i", [T(2, 1, 3), T(4, 3)]),
        ("...i,...i->", [T(2, 1, 3), T(4, 3)]),
        ("i...->...", [T(2, 3, 4)]),
        ("i...j->j...", [T(2, 3, 4)]),
        ("ij,jk->ik", [T(2, 1), T(3, 4)]),
        ("abcd,cde->eba", [T(2, 2, 3, 2), T(3, 2, 2)]),
        ("ij,k->ik", [T(2, 3), T(2)]),
    ]
]

# The scores are 0, so that every key that is seen weighs alike: a power of two of them.
ATTENTION = [
    row("scaled_dot_product_attention.default", query=Z(2, 4), key=T(4, 4), value=T(4, 3)),
    row("scaled_dot_product_attention.default", query=Z(2, 3, 2, 8), key=T(2, 3, 4, 8), value=T(2, 3, 4, 3)),
    row("scaled_dot_product_attention.default", query=Z(3, 2, 5), key=T(1, 2, 5), value=T(1, 2, 4)),
    row("scaled_dot_product_attention.default", query=Z(1, 2, 4), key=T(1, 4, 4), value=T(1, 4, 3), is_causal=True),
    row("scaled_dot_product_attention.default", query=Z(1, 2, 4), key=T(1, 2, 4), value=T(1, 2, 3), scale=0.3),
    row("scaled_dot_product_attention.default", query=Z(1, 3, 4), key=T(1, 4, 4), value=T(1, 4, 3), attn_mask=Z(3, 4)),
    row("scaled_dot_product_attention.default", query=Z(1, 4, 4), key=T(1, 4, 4), value=T(1, 4, 3), attn_mask=B(4, 4)),
    row("scaled_dot_product_attention.default", query=Z(2, 2, 4), key=T(2, 4, 4), value=T(2, 4, 3), attn_mask=B(2, 1, 4)),
]  # fmt: skip

CONVOLUTIONS = [
    row("conv1d.default", input=T(2, 3, 7), weight=T(4, 3, 3), bias=T(4)),
    row("conv1d.default", input=T(3, 7), weight=T(4, 3, 3)),
    row("conv1d.default", input=T(1, 4, 9), weight=T(6, 2, 3), bias=T(6), stride=[2], padding=[2], dilation=[2], groups=2),
    row("conv1d.default", input=T(1, 1, 3), weight=T(1, 1, 5), padding=[4], stride=[3]),
    row("conv2d.default", input=T(2, 3, 5, 6), weight=T(4, 3, 3, 2), bias=T(4)),
    row("conv2d.default", input=T(3, 5, 6), weight=T(2, 3, 3, 2), padding=[1, 2]),
    row("conv2d.default", input=T(1, 4, 7, 6), weight=T(6, 2, 3, 2), stride=[2, 3], padding=[1, 1], dilation=[2, 1], groups=2),
    row("conv2d.default", input=T(1, 4, 5, 5), weight=T(4, 1, 3, 3), bias=T(4), padding=[1, 1], groups=4),
    row("conv2d.default", input=T(1, 2, 4, 4), weight=T(6, 1, 1, 1), groups=2),
    row("conv2d.default", input=T(1, 1, 8, 8), weight=T(1, 1, 3, 3), stride=[4, 4], padding=[2, 0]),
    row("conv3d.default", input=T(1, 2, 4, 3, 4), weight=T(2, 2, 2, 3, 2), bias=T(2)),
    row("conv3d.default", input=T(1, 4, 3, 3, 3), weight=T(2, 2, 3, 2, 1), stride=[1, 2, 2], padding=[1, 1, 0], groups=2),
    row("conv1d.padding", input=T(1, 2, 5), weight=T(2, 2, 3), padding="same"),
    row("conv1d.padding", input=T(1, 2, 5), weight=T(2, 2, 4), padding="same"),
    row("conv2d.padding", input=T(1, 2, 5, 4), weight=T(2, 2, 3, 2), bias=T(2), padding="same", dilation=[1, 3]),
    row("conv2d.padding", input=T(1, 2, 5, 4), weight=T(2, 2, 3, 2), padding="valid", stride=[2, 1]),
    row("conv3d.padding", input=T(1, 1, 3, 3, 2), weight=T(1, 1, 2, 3, 2), padding="same"),
    row("conv_transpose1d.default", input=T(2, 3, 4), weight=T(3, 2, 3), bias=T(2)),
    row("conv_transpose1d.default", input=T(3, 4), weight=T(3, 2, 3), stride=[2], padding=[1], output_padding=[1]),
    row("conv_transpose1d.default", input=T(1, 4, 5), weight=T(4, 3, 3), stride=[3], padding=[2], dilation=[2], groups=2),
    row("conv_transpose1d.default", input=T(1, 1, 1), weight=T(1, 1, 2), stride=[5], output_padding=[4]),
    row("conv_transpose2d.input", input=T(1, 2, 3, 4), weight=T(2, 3, 3, 2), bias=T(3)),
    row("conv_transpose2d.input", input=T(2, 3, 3), weight=T(2, 1, 2, 3), stride=[2, 1], padding=[0, 2]),
    row("conv_transpose2d.input", input=T(1, 4, 3, 2), weight=T(4, 2, 3, 3), bias=T(4), stride=[2, 3], padding=[1, 1],
        output_padding=[1, 2], groups=2, dilation=[2, 1]),
    row("conv_transpose3d.input", input=T(1, 2, 2, 2, 3), weight=T(2, 2, 2, 1, 3), bias=T(2), stride=[2, 2, 1], padding=[1, 0, 1]),
    row("conv_transpose3d.input", input=T(1, 4, 2, 2, 2), weight=T(4, 1, 3, 2, 2), stride=[2, 1, 3], output_padding=[1, 0, 2], groups=4),
    row("convolution.default", input=T(1, 2, 5), weight=T(4, 1, 3), bias=None, stride=[2], padding=[1], dilation=[1],
        transposed=False, output_padding=[0], groups=2),
    row("convolution.default", input=T(1, 2, 3, 3), weight=T(2, 2, 2, 2), bias=T(2), stride=[2, 2], padding=[1, 1],
        dilation=[1, 1], transposed=True, output_padding=[1, 0], groups=1),
]  # fmt: skip

POOLING = [
    row("max_pool1d.default", self=T(2, 3, 9), kernel_size=[3]),
    row("max_pool1d.default", self=T(3, 9), kernel_size=[4], stride=[2], padding=[2]),
    row("max_pool1d.default", self=T(1, 2, 10), kernel_size=[3], stride=[2], padding=[1], dilation=[2], ceil_mode=True),
    row("max_pool1d_with_indices.default", self=T(2, 2, 8), kernel_size=[3], stride=[1], padding=[1]),
    row("max_pool2d.default", self=T(2, 2, 5, 6), kernel_size=[2, 3]),
    row("max_pool2d.default", self=T(2, 5, 6), kernel_size=[3, 3], stride=[1, 2], padding=[1, 1]),
    row("max_pool2d.default", self=T(1, 1, 6, 7), kernel_size=[2, 2], stride=[2, 2], ceil_mode=True),
    row("max_pool2d.default", self=T(1, 1, 3, 3), kernel_size=[2, 2], stride=[3, 3], padding=[1, 1], ceil_mode=True),
    row("max_pool2d_with_indices.default", self=T(1, 2, 6, 5), kernel_size=[3, 2], stride=[2, 1], padding=[1, 0], dilation=[1, 2]),
    row("max_pool2d_with_indices.default", self=Z(1, 1, 4, 4), kernel_size=[2, 2]),
    row("max_pool2d_with_indices.default", self=T(1, 2, 7), kernel_size=[1, 2], stride=[1, 1], padding=[0, 1], dilation=[1, 5]),
    row("max_pool2d_with_indices.default", self=T(1, 1, 2), kernel_size=[1, 2], stride=[1, 1], padding=[0, 1], dilation=[1, 3]),
    row("max_pool1d.default", self=S(2, 3, 9), kernel_size=[2], stride=[1], padding=[1]),
    row("max_pool2d_with_indices.default", self=S(2, 4, 7, 8), kernel_size=[2, 3], stride=[1, 2], padding=[1, 1]),
    row("max_pool3d.default", self=T(1, 2, 4, 4, 5), kernel_size=[2, 3, 2], stride=[2, 1, 2], padding=[1, 1, 0]),
    row("max_pool3d.default", self=T(1, 5, 5, 5), kernel_size=[2, 2, 2], stride=[2, 2, 2], dilation=[2, 1, 2], ceil_mode=True),
    row("max_pool3d_with_indices.default", self=T(1, 4, 3, 5), kernel_size=[2, 2, 2], stride=[2, 1, 2], padding=[1, 0, 1]),
    row("avg_pool1d.default", self=T(2, 3, 9), kernel_size=[3]),
    row("avg_pool1d.default", self=T(1, 1, 8), kernel_size=[3], stride=[2], padding=[1], ceil_mode=True),
    row("avg_pool1d.default", self=T(2, 9), kernel_size=[4], stride=[3], padding=[2], ceil_mode=True, count_include_pad=False),
    row("avg_pool2d.default", self=T(2, 2, 5, 6), kernel_size=[2, 3]),
    row("avg_pool2d.default", self=T(2, 5, 6), kernel_size=[3, 3], stride=[1, 2], padding=[1, 1]),
    row("avg_pool2d.default", self=T(2, 5, 6), kernel_size=[3, 3], stride=[2, 2], padding=[1, 1], count_include_pad=False),
    row("avg_pool2d.default", self=T(1, 1, 6, 7), kernel_size=[3, 2], stride=[2, 2], padding=[1, 0], ceil_mode=True),
    row("avg_pool2d.default", self=T(1, 1, 6, 7), kernel_size=[3, 2], padding=[1, 1], ceil_mode=True, divisor_override=7),
    row("avg_pool3d.default", self=T(1, 2, 4, 4, 5), kernel_size=[2, 3, 2], stride=[2, 1, 2], padding=[1, 1, 0]),
    row("avg_pool3d.default", self=T(1, 5, 4, 5), kernel_size=[3, 2, 2], padding=[1, 1, 1], ceil_mode=True, count_include_pad=False),
    row("adaptive_avg_pool1d.default", self=T(2, 2, 7), output_size=[3]),
    row("adaptive_avg_pool1d.default", self=T(2, 6), output_size=[2]),
    row("adaptive_avg_pool1d.default", self=T(1, 1, 3), output_size=[5]),
    row("adaptive_avg_pool2d.default", self=T(1, 2, 8, 4), output_size=[2, 2]),
    row("adaptive_avg_pool2d.default", self=T(1, 1, 7, 4), output_size=[5, 4]),
    row("adaptive_avg_pool2d.default", self=T(2, 5, 7), output_size=[1, 1]),
    row("adaptive_avg_pool3d.default", self=T(1, 2, 4, 2, 4), output_size=[1, 1, 1]),
    row("adaptive_avg_pool3d.default", self=T(1, 2, 5, 2, 4), output_size=[4, 1, 2]),
    row("adaptive_max_pool1d.default", self=T(2, 2, 7), output_size=[3]),
    row("adaptive_max_pool2d.default", self=T(2, 5, 7), output_size=[3, 2]),
    row("adaptive_max_pool2d.default", self=S(2, 5, 7), output_size=[4, 5]),
    row("adaptive_max_pool3d.default", self=T(1, 1, 3, 5, 4), output_size=[2, 3, 4]),
]  # fmt: skip

ROWS = PRODUCTS + SUMMATIONS + ATTENTION + CONVOLUTIONS + POOLING


def operator(overload):
    name, variant = overload.split(".")
    return getattr(getattr(torch.ops.aten, name), variant)


def tensors_of(arguments):
    """In the order of the arguments' names."""
    for name, value in sorted(arguments.items()):
        if isinstance(value, Tensor):
            yield name, value
        elif isinstance(value, list) and value and isinstance(value[0], Tensor):
            yield from ((f"{name}{k}", each) for k, each in enumerate(value))


def make(tensor, which):
    """The same in C++: tests/unit/spec/integer_cases.cpp."""
    count = torch.tensor(tensor.shape).prod().int().item() if tensor.shape else 1
    values = [((i * 37 + which * 101 + 11) * 2654435761 % 2**32 >> 16) % 11 - 5 for i in range(count)]
    if tensor.kind == "zeros":
        values = [0] * count
    if tensor.kind == "specials":
        values = [{-5: float("nan"), 5: float("inf"), 4: float("-inf"), 3: float("-inf")}.get(v, v) for v in values]
    result = torch.tensor(values, dtype=torch.float32).reshape(tensor.shape)
    return result > 0 if tensor.kind == "truths" else result


def call(overload, arguments, given):
    """Runs the operator with the tensors `given` in the order of `tensors_of`."""
    given = iter(given)

    def value(argument):
        if isinstance(argument, Tensor):
            return next(given)
        if isinstance(argument, list) and argument and isinstance(argument[0], Tensor):
            return [next(given) for _ in argument]
        return argument

    values = {name: value(argument) for name, argument in sorted(arguments.items())}
    return operator(overload)(**values)


def written(value):
    if isinstance(value, Tensor):
        return {value.kind: value.shape}
    return [written(each) for each in value] if isinstance(value, list) else value


def bits(result):
    """Patterns of float32, with one NaN; numbers of int64."""
    if result.dtype == torch.int64:
        return result.reshape(-1).tolist()
    flat = torch.where(torch.isnan(result), float("nan"), result).reshape(-1)
    return [b & 0xFFFFFFFF for b in flat.view(torch.int32).tolist()]


def computed(overload, arguments):
    results = call(overload, arguments, [make(t, k) for k, (_, t) in enumerate(tensors_of(arguments))])
    results = results if isinstance(results, (tuple, list)) else [results]
    return {
        "target": "aten." + overload,
        "arguments": {name: written(value) for name, value in sorted(arguments.items())},
        "results": [{"shape": list(r.shape), "bits": bits(r)} for r in results],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../../unit/spec/integer_cases.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(json.dumps(computed(*each), separators=(",", ":")) + "\n" for each in ROWS)
