"""Idioms of tensor programs: scans, orders, integers, rearrangements."""

import torch

from programs import function, integers, randn, with_integers


def running_maximum(x):
    return torch.cummax(x, 1)


def segment_positions(x):
    inside = (x > 0).to(torch.int64)
    return inside.cumsum(1) * inside


def checkerboard(x):
    i = torch.arange(x.shape[0])[:, None]
    j = torch.arange(x.shape[1])[None, :]
    return torch.where((i + j) % 2 == 0, x, -x)


def block_diagonal(x):
    block = torch.arange(x.shape[0]) // 2
    return x * (block[:, None] == block[None, :])


def band(x):
    keep = torch.ones(x.shape[0], x.shape[1], dtype=torch.bool).triu(-1).tril(1)
    return x.masked_fill(~keep, 0.0)


def clipped_offsets(i, j):
    return (i - j).clamp(-4, 4) + 4


def bucketed(i):
    small = i.abs().clamp(max=100)
    return torch.where(small < 8, small, 8 + (small - 8) // 4)


def polynomial(x, coefficients):
    result = torch.zeros_like(x)
    for each in coefficients.unbind(0):
        result = result * x + each
    return result


def exponential_average(x):
    state = x[:, 0]
    states = [state]
    for t in range(1, 5):
        state = 0.9 * state + 0.1 * x[:, t]
        states.append(state)
    return torch.stack(states, 1)


def complex_product(a, b):
    (ar, ai), (br, bi) = a.unbind(-1), b.unbind(-1)
    return torch.stack((ar * br - ai * bi, ar * bi + ai * br), -1)


def in_place(x, y):
    z = x.clone()
    z += y
    z.mul_(2).clamp_(-1, 1)
    return z


def argmax_of_scores(x, noise):
    return (x + noise).argmax(-1)


def standardise(x):
    return (x - x.mean(0)) / (x.std(0) + 1e-5)


def sorted_rows(x):
    return torch.sort(x, dim=-1)


def moving_sum(x):
    total = torch.cat((torch.zeros(x.shape[0], 1), x.cumsum(1)), 1)
    return total[:, 3:] - total[:, :-3]


PROGRAMS = [
    function("cumulative maximum", running_maximum, randn((3, 7))),
    function("positions in segments", segment_positions, randn((3, 7))),
    function("checkerboard", checkerboard, randn((4, 5))),
    function("block diagonal", block_diagonal, randn((5, 5))),
    function("band of a matrix", band, randn((4, 6))),
    function("clipped offsets", clipped_offsets, integers((3, 4), (3, 4)), refused="int64-range",
             why="the difference of two int64 inputs may wrap"),
    function("bucketed positions", bucketed, integers((4, 6)), refused="int64-range",
             why="the absolute value of the smallest int64 wraps"),
    function("buckets of limited positions", lambda i: torch.where(i.clamp(0, 99) < 8, i.clamp(0, 99), 8 + i.clamp(0, 99) // 4),
             integers((4, 6), low=-5, high=120)),
    function("hash of positions", lambda i: (i.clamp(0, 1000) * 31 + 7) % 16, integers((9,), low=0, high=2000)),
    function("parity mask", lambda x, i: torch.where(i % 2 == 0, x, 0.0), with_integers((3, 4), (3, 4), -9, 10)),
    function("polynomial", polynomial, randn((9,), (4, 9))),
    function("exponential average", exponential_average, randn((3, 5))),
    function("complex product", complex_product, randn((5, 2), (5, 2))),
    function("writes in place", in_place, randn((3, 4), (3, 4))),
    function("argmax of noisy scores", argmax_of_scores, randn((3, 5), (3, 5))),
    function("standardise", standardise, randn((6, 3))),
    function("sorted rows", sorted_rows, randn((3, 6)), missing=["aten.sort.default"],
             why="which of equal elements comes first is not defined, nor is the order of zeros of both signs"),
    function("moving sum", moving_sum, randn((2, 8)), slack=1e-5),
    function("tile and roll", lambda x: torch.roll(x.tile(2, 3), 1, 0), randn((2, 3))),
    function("movedim and swapaxes", lambda x: x.movedim(0, -1).swapaxes(0, 1), randn((2, 3, 4))),
    function("repeat interleave", lambda x: x.repeat_interleave(3, dim=1), randn((2, 3))),
    function("split by sizes", lambda x: torch.split(x, [1, 3, 2], 1), randn((2, 6))),
    function("three operands of einsum", lambda a, b, c: torch.einsum("ij,jk,kl->il", a, b, c), randn((2, 3), (3, 4), (4, 2))),
    function("bilinear form", lambda x, w, y: torch.einsum("bi,oij,bj->bo", x, w, y), randn((3, 4), (2, 4, 5), (3, 5))),
    function("diagonal", lambda x: torch.diagonal(x, 0, -2, -1).sum(-1), randn((2, 4, 4))),
    function("rows by a constant index", lambda x: x[torch.tensor([2, 0, 2])], randn((3, 4))),
    function("scatter", lambda x, i: torch.zeros(3, 5).scatter(1, i, x), with_integers((3, 4), (3, 4), 0, 5),
             missing=["aten.scatter.src"], why="which of several writes to one place stays is not defined"),
    function("non-zero positions", lambda x: torch.nonzero(x > 0), randn((3, 4)), refused="graph-unsupported",
             why="the shape of the result depends on the data"),
    function("int64 that may wrap", lambda i: i * i, integers((4,)), refused="int64-range", why="int64 wraps in PyTorch"),
    function("median", lambda x: x.median(-1).values, randn((3, 5)), missing=["aten.median.dim"],
             why="an order statistic is no fold"),
]  # fmt: skip
