import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, bias):
        return x - bias


def get_inputs():
    return [torch.randn(37, 53), torch.randn(53)]


def get_init_inputs():
    return []
