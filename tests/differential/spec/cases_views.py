"""Operators that move elements: exact. The inputs hold special values."""

import torch

from case_inputs import case, shapes

ops = torch.ops.aten

CASES = {
    "broadcast_tensors": case(lambda x, y: torch.broadcast_tensors(x, y), shapes((5, 1, 7), (3, 1))),
    "cat": case(lambda x, y: torch.cat([x, y, x], 1), shapes((5, 3, 7), (5, 8, 7))),
    "cat first": case(lambda x, y: torch.cat([x, y]), shapes((1,), (37,))),
    "cat last": case(lambda x, y: torch.cat((x, y), dim=-1), shapes((5, 3), (5, 8))),
    "expand": case(lambda x: x.expand(4, 37, -1), shapes((37, 1))),
    "expand stretched": case(lambda x: x.expand(2, 37, 9), shapes((37, 1))),
    "flatten": case(lambda x: ops.flatten.using_ints(x, 1, 2), shapes((3, 5, 7, 2))),
    "flatten all": case(lambda x: ops.flatten.using_ints(x), shapes((3, 5, 7, 2))),
    "flatten scalar": case(lambda x: ops.flatten.using_ints(x), shapes(())),
    "flip": case(lambda x: torch.flip(x, [0, -1]), shapes((5, 3, 37))),
    "flip none": case(lambda x: torch.flip(x, []), shapes((37,))),
    "narrow": case(lambda x: torch.narrow(x, 1, 3, 20), shapes((4, 37))),
    "narrow negative": case(lambda x: torch.narrow(x, 0, -2, 2), shapes((37, 4))),
    "numpy_T": case(lambda x: x.T, shapes((37, 11))),
    "numpy_T of a vector": case(lambda x: ops.numpy_T.default(x), shapes((37,))),
    "permute": case(lambda x: torch.permute(x, (2, 0, 1)), shapes((5, 3, 37))),
    "permute negative": case(lambda x: x.permute(0, -1, 1), shapes((5, 3, 37))),
    "reshape": case(lambda x: ops.reshape.default(x, [37, -1]), shapes((5, 37, 2))),
    "select": case(lambda x: torch.select(x, 1, 3), shapes((5, 7, 2))),
    "select negative": case(lambda x: x[:, :, -1], shapes((5, 7, 2))),
    "slice": case(lambda x: x[1:-2], shapes((37, 3))),
    "slice with steps": case(lambda x: x[:, 2:35:4], shapes((3, 37))),
    "slice beyond the end": case(lambda x: ops.slice.Tensor(x, 0, -100, 100), shapes((37,))),
    "squeeze": case(lambda x: torch.squeeze(x), shapes((1, 37, 1, 3))),
    "squeeze one": case(lambda x: torch.squeeze(x, -2), shapes((1, 37, 1, 3))),
    "squeeze nothing": case(lambda x: torch.squeeze(x, 1), shapes((1, 37, 1, 3))),
    "squeeze some": case(lambda x: torch.squeeze(x, (0, 1)), shapes((1, 37, 1, 3))),
    "t": case(lambda x: ops.t.default(x), shapes((37, 5))),
    "t of a vector": case(lambda x: ops.t.default(x), shapes((37,))),
    "transpose": case(lambda x: x.transpose(0, -1), shapes((5, 3, 37))),
    "tril": case(lambda x: torch.tril(x), shapes((3, 7, 11))),
    "tril above": case(lambda x: torch.tril(x, 2), shapes((11, 7))),
    "tril below": case(lambda x: torch.tril(x, -3), shapes((11, 7))),
    "triu": case(lambda x: torch.triu(x), shapes((3, 11, 7))),
    "triu above": case(lambda x: torch.triu(x, 2), shapes((7, 11))),
    "triu below": case(lambda x: torch.triu(x, -3), shapes((7, 11))),
    "unsqueeze": case(lambda x: torch.unsqueeze(x, 1), shapes((5, 37))),
    "unsqueeze last": case(lambda x: torch.unsqueeze(x, -1), shapes((5, 37))),
    "view": case(lambda x: ops.view.default(x, [5, 2, 37]), shapes((10, 37))),
    "views of views": case(lambda x: x.transpose(0, 1).reshape(-1)[3:].flip(0).unsqueeze(0), shapes((5, 37))),
}
