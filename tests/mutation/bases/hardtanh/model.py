import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.hardtanh(x)


def get_inputs():
    return [torch.randn(37, 53)]


def get_init_inputs():
    return []
