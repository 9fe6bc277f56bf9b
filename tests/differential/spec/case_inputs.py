"""Inputs and rows shared by the files cases_*.py. A row of a CASES table is made by `case`."""

import math

import numpy
import torch

SPECIAL = [
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000,
    0x3F7FFFFF, 0x3F800001, 0x3C23D70A, 0xBC23D70A, 0x40C00000, 0x40BFFFFF, 0x40C00001, 0xC0400000, 0x40400000,
    0x41A00000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0x42B17218,
    0xC2AEAC50, 0x3F000000, 0xBF000000, 0x40490FDB, 0x5F000000, 0x1F800000,
]  # fmt: skip
ROWS, COLUMNS = 37, 61  # neither is a multiple of a vector length


def case(function, inputs, *, elementwise=False, fold=None, slack=None, roundings=0, known="", renamed=None):
    """One row of a CASES table.

    function     called with the inputs, returns a tensor or a tuple of tensors
    inputs       called with a torch.Generator, returns the list of inputs
    elementwise  every output element depends on the input elements at its own position only: also run in pieces
                 of 1 and of 37 elements
    fold         called with the inputs as numpy arrays, returns what sequential float32 folds give (an array, or
                 a list of them): our own values must have exactly these bits
    slack        called with the inputs as float64 arrays, returns for each output (an array, or a list of them)
                 how much further than the derived bound PyTorch may be, where it is known to compute another
                 algebraic form of the same mathematics; say at the row which form and why the number bounds it
    roundings    PyTorch rounds the result that many times more than our definition does
    known        row of core/spec/KNOWN_DIFFERENCES.md
    renamed      (exported, wanted): the exporter writes another operator of the same meaning for the wanted one
    """
    return {"function": function, "inputs": inputs, "elementwise": elementwise, "fold": fold, "slack": slack,
            "roundings": roundings, "known": known, "renamed": renamed}  # fmt: skip


def tensor(bits):
    signed = [b - (1 << 32) if b >> 31 else b for b in bits]
    return torch.tensor(signed, dtype=torch.int32).view(torch.float32)


def patterns(count, generator):
    """Special values, then values of moderate size, then random bits."""
    bits = list(SPECIAL)
    near = torch.randn(count // 2, generator=generator) * 3
    bits += [b & 0xFFFFFFFF for b in near.view(torch.int32).tolist()]
    bits += torch.randint(0, 1 << 32, (count,), generator=generator).tolist()
    return bits[:count]


def one(generator):
    return [tensor(patterns(ROWS * COLUMNS, generator)).reshape(ROWS, COLUMNS)]


def two(generator):
    """Every pair of special values is among the pairs."""
    n = len(SPECIAL)
    left = [SPECIAL[i // n] for i in range(n * n)] + patterns(ROWS * COLUMNS - n * n, generator)
    right = [SPECIAL[i % n] for i in range(n * n)] + patterns(ROWS * COLUMNS - n * n, generator)[::-1]
    return [tensor(left).reshape(ROWS, COLUMNS), tensor(right).reshape(ROWS, COLUMNS)]


def three(generator):
    return two(generator) + one(generator)


def shapes(*all_shapes):
    """Special values first, then moderate and random ones."""

    def make(generator):
        return [tensor(patterns(math.prod(shape), generator)).reshape(shape) for shape in all_shapes]

    return make


def moderate(*all_shapes, scale=1.0, shift=0.0):
    """Normally distributed values."""

    def make(generator):
        return [torch.randn(shape, generator=generator) * scale + shift for shape in all_shapes]

    return make


def sprinkle(values, generator, every=97):
    """Puts a special value at about one place in `every`, so that most folds stay finite and some do not."""
    flat = values.reshape(-1)
    count = max(1, flat.numel() // every)
    places = torch.randint(0, max(1, flat.numel()), (count,), generator=generator)
    chosen = torch.randint(0, len(SPECIAL), (count,), generator=generator)
    flat[places] = tensor([SPECIAL[k] for k in chosen.tolist()])
    return flat.reshape(values.shape)


def sprinkled(*all_shapes, every=97, scale=3.0):
    """Normally distributed values with a special value here and there, in every tensor."""

    def make(generator):
        return [sprinkle(torch.randn(s, generator=generator) * scale, generator, every) for s in all_shapes]

    return make


def first_sprinkled(*all_shapes, every=97):
    """Special values in the first tensor only: weights and statistics stay moderate."""

    def make(generator):
        values = [torch.randn(shape, generator=generator) for shape in all_shapes]
        return [sprinkle(values[0] * 3, generator, every), *values[1:]]

    return make


def fold_sum(terms, axis):
    """The float32 left fold from +0 along the axes, outermost first, as in a sequential loop."""
    axes = sorted(a % terms.ndim for a in ([axis] if isinstance(axis, int) else axis))
    kept = [a for a in range(terms.ndim) if a not in axes]
    moved = numpy.transpose(terms, axes + kept).reshape((-1,) + tuple(terms.shape[a] for a in kept))
    result = numpy.zeros(moved.shape[1:], numpy.float32)
    for term in moved:
        result = result + term
    return result


def fold_matmul(left, right):
    """(..., n, k) times (..., k, m), every product rounded, summed in the order of k."""
    shape = numpy.broadcast_shapes(left.shape[:-2], right.shape[:-2]) + (left.shape[-2], right.shape[-1])
    result = numpy.zeros(shape, numpy.float32)
    for k in range(left.shape[-1]):
        result = result + left[..., :, k, None] * right[..., None, k, :]
    return result
