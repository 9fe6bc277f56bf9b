"""Sums, means and extremes over dimensions, with the sequential folds that our values must equal."""

import numpy
import torch

from case_inputs import case, fold_sum, moderate, shapes, sprinkled

ops = torch.ops.aten


def mean(x, axis, count):
    return fold_sum(x, axis) / numpy.float32(count)


CASES = {
    "sum": case(torch.sum, sprinkled((37, 61), every=5000), fold=lambda x: fold_sum(x, (0, 1))),
    "sum of one": case(torch.sum, shapes((1,)), fold=lambda x: fold_sum(x, 0)),
    "sum of a scalar": case(torch.sum, moderate(()), fold=lambda x: x + numpy.float32(0)),
    "sum row": case(lambda x: x.sum(-1), sprinkled((40, 37)), fold=lambda x: fold_sum(x, 1)),
    "sum column": case(lambda x: x.sum(0, keepdim=True), sprinkled((37, 40)), fold=lambda x: fold_sum(x, 0)[None]),
    "sum two": case(lambda x: x.sum((2, 0)), sprinkled((7, 40, 11)), fold=lambda x: fold_sum(x, (0, 2))),
    "sum of special values": case(lambda x: x.sum(1), shapes((33, 1)), fold=lambda x: fold_sum(x, 1)),
    "sum of truth": case(lambda x: ((x > 0) * 1.0).sum(0), sprinkled((37, 5)),
                         fold=lambda x: fold_sum((x > 0).astype(numpy.float32), 0)),
    "sum of small pieces": case(lambda x: x.sum(1), sprinkled((60, 3), every=11), fold=lambda x: fold_sum(x, 1)),
    "sum long": case(lambda x: x.sum(1), moderate((4, 2500)), fold=lambda x: fold_sum(x, 1)),
    "mean": case(torch.mean, moderate((37, 61)), fold=lambda x: mean(x, (0, 1), 37 * 61)),
    "mean row": case(lambda x: x.mean(1), sprinkled((40, 37)), fold=lambda x: mean(x, 1, 37)),
    "mean two": case(lambda x: x.mean((-1, 1), keepdim=True), sprinkled((40, 6, 7)),
                     fold=lambda x: mean(x, (1, 2), 42)[:, None, None]),
    "mean of one": case(lambda x: x.mean(1), shapes((33, 1)), fold=lambda x: mean(x, 1, 1)),
    "max over a dimension": case(lambda x: torch.max(x, 1), shapes((61, 37))),
    "max over the first": case(lambda x: torch.max(x, 0, keepdim=True), sprinkled((37, 40))),
    "max of one": case(lambda x: torch.max(x, 1), shapes((33, 1))),
    "max of ties": case(lambda x: torch.max(torch.relu(x), 1), sprinkled((40, 5), scale=0.3)),
    "min over a dimension": case(lambda x: torch.min(x, 1), shapes((61, 37))),
    "min over the first": case(lambda x: torch.min(x, 0, keepdim=True), sprinkled((37, 40))),
    "min of one": case(lambda x: torch.min(x, 1), shapes((33, 1))),
}
