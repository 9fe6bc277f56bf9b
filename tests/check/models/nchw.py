import torch
import torch.nn as nn
class Model(nn.Module):
    def forward(self, x, b):
        return x * b
def get_inputs():
    return [torch.randn(2,3,5,7), torch.randn(1,3,1,1)]
def get_init_inputs():
    return []
