import torch
import torch.nn as nn
class Model(nn.Module):
    def forward(self, x, b):
        return x + b
def get_inputs():
    return [torch.randn(33,65), torch.randn(65)]
def get_init_inputs():
    return []
