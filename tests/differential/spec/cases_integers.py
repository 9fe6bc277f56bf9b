"""int64 tensors: exact. Inputs are limited where PyTorch's arithmetic would wrap."""

import torch

from case_inputs import case, one, shapes

ops = torch.ops.aten
EXTREMES = [-(2**63), 2**63 - 1, -(2**53) - 1, 2**24 + 1, -1, 0, 1, 2, 3, 7, -7, -8, 8, 2**31, -(2**31)]


def whole(*all_shapes):
    """Extremes first, then small and any numbers."""

    def make(generator):
        result = []
        for shape in all_shapes:
            count = torch.Size(shape).numel()
            small = torch.randint(-20, 20, (count,), generator=generator)
            wide = torch.randint(-(2**63), 2**63 - 1, (count,), generator=generator)
            values = torch.where(torch.arange(count) % 3 == 0, wide, small)
            extremes = torch.tensor(EXTREMES)[:count]
            values[: len(extremes)] = extremes
            result.append(values.reshape(shape))
        return result

    return make


def small(low, high, *all_shapes):
    return lambda generator: [torch.randint(low, high, shape, generator=generator) for shape in all_shapes]


def float_and_whole(generator):
    return shapes((5, 37))(generator) + whole((5, 37))(generator)


def truths(function):
    return lambda x, y: function(x > 0, y > x)


def limited(function):
    return lambda x, y: function(x.clamp(-1000, 1000), y.clamp(-1000, 1000))


def positive(x):
    return x.clamp(1, 50)


P = (5, 37)
CASES = {
    "int compare": case(lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), whole(P, P)),
    "int compare with numbers": case(lambda x: (x < 3, x <= 3, x > -7, x >= 2, x == 0, x != 0), whole(P)),
    "int compare with a float": case(lambda x: (x < 2.5, x == 7.0), whole(P)),
    "int compare with floats": case(lambda f, x: (f < x, f == x, x >= f), float_and_whole),
    "bool compare": case(truths(lambda a, b: (a == b, a != b, a < b)), shapes(P, P)),
    "int add": case(limited(lambda x, y: x + y), whole(P, P)),
    "int add alpha": case(limited(lambda x, y: torch.add(x, y, alpha=3)), whole(P, P)),
    "int sub": case(limited(lambda x, y: x - y), whole(P, P)),
    "int rsub": case(lambda x: 5 - x.clamp(max=4, min=-4), whole(P)),
    "int mul": case(limited(lambda x, y: x * y), whole(P, P)),
    "int neg and abs": case(lambda x: (-x.clamp(min=-(2**62)), x.clamp(min=-(2**62)).abs()), whole(P)),
    "int square": case(lambda x: torch.square(x.clamp(-9, 9)), whole(P)),
    "int beside a float": case(lambda x: (x + 0.5, x * 0.1, 1.5 - x), whole(P)),
    "int beside floats": case(lambda f, x: (f + x, f * x, f - x, f / x), float_and_whole),
    "bool beside a number": case(lambda x, y: ((x > y) * 3, (x > y) + 1, (x > y) * (y > 0)), shapes(P, P)),
    "int true division": case(lambda x, y: (x / y, x / 3), whole(P, P)),
    "int elementary": case(lambda x: (torch.sqrt(x), torch.reciprocal(x)), whole(P)),
    "int exp": case(lambda x: torch.exp(x.clamp(-90, 90)), whole(P)),
    "int floor division": case(lambda x: (x // 7, x // -7, x // 1, x // 2**40), whole(P)),
    "int floor division by a tensor": case(lambda x, y: (x // positive(y), x.clamp(min=-(2**62)) // -positive(y)), whole(P, P)),
    "int floor_divide by a number": case(lambda x: ops.floor_divide.Scalar(x, -3), whole(P)),
    "int remainder": case(lambda x: (x % 7, x % -7, x % 2**40), whole(P)),
    "int remainder by a tensor": case(lambda x, y: (x % positive(y), x.clamp(min=-(2**62)) % -positive(y)), whole(P, P)),
    "int clamp": case(lambda x: (x.clamp(-3, 5), x.clamp(min=2), x.clamp(max=2), x.clamp(5, -5)), whole(P)),
    "int clamp by tensors": case(lambda x, y: torch.clamp(x, min=y), whole(P, P)),
    "int maximum": case(lambda x, y: (torch.maximum(x, y), torch.minimum(x, y)), whole(P, P)),
    "int where": case(lambda x, y: (torch.where(x < y, x, y), torch.where(x < y, x, 0), torch.where(x < y, 1.5, x)), whole(P, P)),
    "bool where": case(lambda x, y: torch.where(x > 0, x > y, y > 0), shapes(P, P)),
    "int masked_fill": case(lambda x: (x.masked_fill(x > 3, -1), x.masked_fill(x > 3, 2**40)), whole(P)),
    "bool masked_fill": case(lambda x, y: (x > 0).masked_fill(y > 0, True), shapes(P, P)),
    "masked_fill by a tensor": case(lambda x, v: ops.masked_fill.Tensor(x, x > 0, v), shapes(P, ())),
    "int to bool": case(lambda x: (x.bool(), x.to(torch.bool).long()), whole(P)),
    "float to bool": case(lambda x: x.to(torch.bool), one),
    "bool to int": case(lambda x: (x > 0).to(torch.int64), one),
    "int to float": case(lambda x: x.to(torch.float32), whole(P)),
    "logical of ints": case(lambda x, y: (torch.logical_and(x, y), torch.logical_or(x, y), torch.logical_not(x)), whole(P, P)),
    "logical of floats": case(lambda x, y: (torch.logical_and(x, y), torch.logical_xor(x, y)), shapes(P, P)),
    "bitwise_xor": case(truths(torch.bitwise_xor), shapes(P, P)),
    "bool sum": case(lambda x: ((x > 0).sum(1), (x > 0).sum(), (x > 0).sum(0, keepdim=True)), one),
    "int sum": case(lambda x: (x.clamp(-99, 99).sum(0), x.clamp(-99, 99).sum()), whole(P)),
    "int sum to float": case(lambda x: (x > 0).sum(1, dtype=torch.float32), one),
    "int cumsum": case(lambda x: (x.clamp(-99, 99).cumsum(1), (x > 0).cumsum(0)), whole(P)),
    "int tril and triu": case(lambda x: (torch.tril(x), torch.triu(x > 0, 1)), whole(P)),
    "int creations": case(lambda x: (torch.zeros_like(x) + torch.full_like(x, 7), torch.ones(5, 37, dtype=torch.int64)), whole(P)),
    "int positions": case(lambda x: torch.arange(37) % 5 + torch.arange(5)[:, None] * 2 + x * 0, small(0, 2, P)),
    "int argmax then arithmetic": case(lambda x: x.argmax(1) * 2 + 1, one),
    "int moves": case(lambda x: (x.flip(0), torch.cat([x, x], 1), torch.stack([x, x]), x.roll(2, 1)), whole(P)),
    "one_hot": case(lambda x: torch.nn.functional.one_hot(x, 7), small(0, 7, P)),
    "embedding": case(lambda i, w: torch.nn.functional.embedding(i, w), lambda g: small(0, 9, P)(g) + shapes((9, 4))(g)),
    "index": case(lambda i, j, w: (w[i], w[i, j]), lambda g: small(-9, 9, (4, 3))(g) + small(-4, 4, (3,))(g) + shapes((9, 4))(g)),
}  # fmt: skip
