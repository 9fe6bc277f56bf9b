"""Matrix products, einsum, attention, convolutions and pooling: the calls of integer_cases.py on real numbers.

Also a few calls that are too large for integer_cases.jsonl, with the sequential folds that our values must equal.
"""

import numpy
import torch

from case_inputs import case, fold_matmul, fold_sum, moderate, sprinkle, sprinkled
from integer_cases import ROWS, call, tensors_of

UNIT = 2.0**-24


def applied(overload, arguments):
    kinds = [tensor.kind for _, tensor in tensors_of(arguments)]

    def function(*tensors):
        given = [t > 0 if kind == "truths" else t for t, kind in zip(tensors, kinds)]
        return call(overload, arguments, given)

    return function


def larger_sprinkled(names, shapes):
    """Special values only where there is room for others beside them.

    PyTorch multiplies the zeros of the padding by the weight, which may not be infinite or NaN therefore.
    """

    def make(generator):
        tensors = [torch.randn(shape, generator=generator) * 3 for shape in shapes]
        return [
            sprinkle(t, generator, 40) if t.numel() >= 24 and name not in ("weight", "bias") else t
            for name, t in zip(names, tensors)
        ]

    return make


def sums_before_products(overload, arguments):
    """einsum sums an index of only one operand before it multiplies; our fold is over products, as documented.

    The values agree within the bound, the patterns of infinities and NaN need not.
    """
    if overload != "einsum.default" or "," not in arguments["equation"]:
        return False
    inputs, _, output = arguments["equation"].replace(" ", "").partition("->")
    letters = set(inputs) - set("->.,") - set(output)
    sizes = {}
    for subscripts, tensor in zip(inputs.split(","), arguments["tensors"]):
        for letter, size in zip(subscripts, tensor.shape):
            sizes.setdefault(letter, set()).add(size)
    return "..." in inputs or any(inputs.count(x) == 1 or len(sizes[x]) > 1 for x in letters)


def attention_slack(arguments):
    """PyTorch multiplies queries and keys by the root of the scale before their product, instead of the product.

    A score then has at most 8 more roundings in each of its terms; the weights of a row change by twice the largest
    change of a score, relatively.
    """

    def slack(*tensors):
        names = [name for name, _ in tensors_of(arguments)]
        given = {name: numpy.abs(t) for name, t in zip(names, tensors)}
        scale = arguments.get("scale", given["query"].shape[-1] ** -0.5)
        change = 8 * UNIT * scale * (given["query"] @ numpy.swapaxes(given["key"], -1, -2)).max()
        largest = given["value"].max(-2, keepdims=True)
        shape = call_shape(arguments, tensors)
        return numpy.broadcast_to(2.1 * change * largest, shape)

    return slack


def call_shape(arguments, tensors):
    shapes = {name: t.shape for (name, _), t in zip(tensors_of(arguments), tensors)}
    batch = numpy.broadcast_shapes(*(shapes[name][:-2] for name in ("query", "key", "value")))
    return batch + (shapes["query"][-2], shapes["value"][-1])


def generated():
    for number, (overload, arguments) in enumerate(ROWS):
        shapes = [tensor.shape for _, tensor in tensors_of(arguments)]
        names = [name for name, _ in tensors_of(arguments)]
        if any(0 in shape for shape in shapes):
            continue
        options = {}
        if overload.startswith("scaled_dot_product"):
            options["slack"] = attention_slack(arguments)
        # Two or three divisions, by the sizes of the window one after the other.
        if overload.startswith("adaptive_avg_pool"):
            options["roundings"] = 3
        plain = "slack" in options or sums_before_products(overload, arguments)
        inputs = moderate(*shapes) if plain else larger_sprinkled(names, shapes)
        yield f"{overload} {number}", case(applied(overload, arguments), inputs, **options)


def convolved(x, w, b):
    """Stride 1, no padding, one group: the order is channel, row, column."""
    columns = x.shape[-1] - w.shape[-1] + 1
    rows = x.shape[-2] - w.shape[-2] + 1
    result = numpy.zeros((x.shape[0], w.shape[0], rows, columns), numpy.float32)
    for channel in range(w.shape[1]):
        for i in range(w.shape[2]):
            for j in range(w.shape[3]):
                tap = x[:, None, channel, i : i + rows, j : j + columns]
                result = result + tap * w[None, :, channel, i, j, None, None]
    return result + b[None, :, None, None]


def pooled(x):
    """Windows of 3 by 3 with stride 2."""
    rows, columns = (x.shape[-2] - 3) // 2 + 1, (x.shape[-1] - 3) // 2 + 1
    taps = [x[..., i : i + 2 * rows : 2, j : j + 2 * columns : 2][..., :rows, :columns] for i in range(3) for j in range(3)]
    return fold_sum(numpy.stack(taps), 0) / numpy.float32(9)


functional = torch.nn.functional
CASES = dict(generated()) | {
    "matmul": case(torch.matmul, sprinkled((13, 37), (37, 11), every=200), fold=fold_matmul),
    "matmul batched": case(torch.matmul, sprinkled((3, 1, 5, 17), (2, 17, 7), every=200), fold=fold_matmul),
    "matmul long": case(torch.matmul, moderate((2, 2000), (2000, 3), shift=1), fold=fold_matmul),
    "einsum matmul": case(lambda x, y: torch.einsum("ik,kj->ij", x, y), moderate((7, 33), (33, 5)), fold=fold_matmul),
    "linear bias": case(functional.linear, sprinkled((9, 37), (11, 37), (11,), every=200),
                        fold=lambda x, w, b: fold_matmul(x, w.T) + b),
    "addmm scaled": case(lambda s, x, y: torch.addmm(s, x, y, beta=0.3, alpha=1.7), moderate((7, 5), (7, 33), (33, 5)),
                         fold=lambda s, x, y: numpy.float32(0.3) * s + numpy.float32(1.7) * fold_matmul(x, y)),
    "conv2d": case(functional.conv2d, sprinkled((2, 3, 9, 8), (4, 3, 3, 2), (4,), every=200), fold=convolved),
    "avg_pool2d": case(lambda x: functional.avg_pool2d(x, 3, 2), sprinkled((2, 3, 9, 8)), fold=pooled),
}  # fmt: skip
