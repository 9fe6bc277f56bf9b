"""The list of programs that nobody developed against: typical blocks of networks, each a small module.

`program` makes one entry. The files blocks_*.py hold the entries; their PROGRAMS lists are what test_graphs.py and
tests/differential/spec/cases_graphs.py go through.
"""

import dataclasses
import glob
import importlib
import os
import sys
from collections.abc import Callable

import torch

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass
class Program:
    name: str
    make: Callable  # () -> nn.Module, after torch.manual_seed
    inputs: Callable  # torch.Generator -> list of tensors
    missing: list  # ATen overloads without a denotation; the reviewed expectation
    refused: str  # id of the refusal when it is none of missing operators
    why: str  # the true reason of a refusal
    specials: bool  # also compared on inputs with NaN, infinities and zeros of both signs
    slack: float  # relative: what PyTorch's own form of the same mathematics adds to the derived bound


class Function(torch.nn.Module):
    """A module without state."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        result = self.function(*inputs)
        return tuple(result) if isinstance(result, (tuple, list)) else result  # torch.sort gives a tuple of its own


def program(name, make, inputs, *, missing=(), refused="", why="", specials=True, slack=0.0):
    """`make` is a class or function that makes a module, or, if it takes the inputs, wrap it with `function`."""
    assert not (missing or refused) or why, name
    return Program(name, make, inputs, sorted(missing), refused, why, specials, slack)


def function(name, compute, inputs, **more):
    return program(name, lambda: Function(compute), inputs, **more)


def randn(*shapes, scale=1.0):
    """Normally distributed values."""
    return lambda g: [torch.randn(shape, generator=g) * scale for shape in shapes]


def with_integers(shape, integer_shape, low, high, count=1):
    """A tensor of floats, then `count` of int64 between low and high - 1."""

    def make(g):
        return [torch.randn(shape, generator=g)] + [
            torch.randint(low, high, integer_shape, generator=g) for _ in range(count)
        ]

    return make


def integers(*shapes, low=-9, high=10):
    return lambda g: [torch.randint(low, high, shape, generator=g) for shape in shapes]


def all_programs():
    if HERE not in sys.path:
        sys.path.insert(0, HERE)
    found = []
    for path in sorted(glob.glob(os.path.join(HERE, "blocks_*.py"))):
        found += importlib.import_module(os.path.basename(path).removesuffix(".py")).PROGRAMS
    assert len({each.name for each in found}) == len(found)
    return found
