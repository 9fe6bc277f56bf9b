"""The programs of tests/graphs that work, under the derived bound."""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "graphs"))
from case_inputs import case, sprinkle  # noqa: E402
from programs import all_programs  # noqa: E402


def made(program):
    torch.manual_seed(1)
    return program.make()


def tuple_of(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def slack_of(program, module):
    """That part of the largest finite element."""
    if not program.slack:
        return None

    def slack(*inputs):
        with torch.no_grad():
            results = tuple_of(module(*(torch.from_numpy(i).to(torch.float32) for i in inputs)))
        return [(r.nan_to_num(0, 0, 0).abs().max() * program.slack).expand(r.shape).double().numpy() for r in results]

    return slack


def with_specials(program):
    """Special values in the first tensor of floats, so that most rows stay finite and some do not."""

    def make(generator):
        inputs = program.inputs(generator)
        for k, tensor in enumerate(inputs):
            if tensor.dtype == torch.float32 and tensor.numel() > 1:
                inputs[k] = sprinkle(tensor, generator, 9)
                break
        return inputs

    return make


def rows():
    for program in all_programs():
        if program.missing or program.refused:
            continue
        module = made(program)
        slack = slack_of(program, module)
        yield "program: " + program.name, case(module, program.inputs, slack=slack)
        if program.specials:
            yield "program, specials: " + program.name, case(module, with_specials(program), slack=slack)


CASES = dict(rows())
