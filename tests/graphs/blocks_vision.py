"""Blocks of vision networks: convolutions, norms, resampling, rearrangements."""

import torch
import torch.nn.functional as F
from torch import nn

from programs import function, program, randn


class SqueezeExcite(nn.Module):
    def __init__(self):
        super().__init__()
        self.reduce = nn.Conv2d(8, 2, 1)
        self.expand = nn.Conv2d(2, 8, 1)

    def forward(self, x):
        s = x.mean((2, 3), keepdim=True)
        return x * torch.sigmoid(self.expand(F.relu(self.reduce(s))))


class DepthwiseSeparable(nn.Module):
    def __init__(self):
        super().__init__()
        self.depthwise = nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False)
        self.pointwise = nn.Conv2d(4, 6, 1)

    def forward(self, x):
        return F.hardswish(self.pointwise(self.depthwise(x)))


class GroupNormSiLU(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.GroupNorm(2, 4)
        self.conv = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        return self.conv(F.silu(self.norm(x)))


class SubPixel(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 8, 3, padding=1)
        self.shuffle = nn.PixelShuffle(2)

    def forward(self, x):
        return self.shuffle(self.conv(x))


class PatchEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Conv2d(3, 6, 2, stride=2)
        self.token = nn.Parameter(torch.randn(1, 1, 6))

    def forward(self, x):
        x = self.proj(x).flatten(2).transpose(1, 2)
        return torch.cat((self.token.expand(x.shape[0], -1, -1), x), dim=1)


class ChannelAttention(nn.Module):
    """CBAM: average and maximum over positions through one small network."""

    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(4, 2), nn.ReLU(), nn.Linear(2, 4))

    def forward(self, x):
        gate = self.mlp(x.mean((2, 3))) + self.mlp(x.amax((2, 3)))
        return x * torch.sigmoid(gate)[:, :, None, None]


def channel_shuffle(x):
    b, c, h, w = x.shape
    return x.view(b, 2, c // 2, h, w).transpose(1, 2).reshape(b, c, h, w)


def unfolded_convolution(x, weight):
    columns = F.unfold(x, 3, padding=1)
    return (weight.view(weight.shape[0], -1) @ columns).view(x.shape[0], weight.shape[0], *x.shape[2:])


def overlap_add(columns):
    return F.fold(columns, (4, 5), (2, 3), stride=(1, 2))


def local_windows(x):
    return x.unfold(-1, 4, 2).mean(-1)


def window_partition(x):
    b, h, w, c = x.shape
    x = torch.roll(x, (-1, -1), (1, 2)).view(b, h // 2, 2, w // 2, 2, c)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 4, c)


def blur_pool(x):
    kernel = torch.tensor([1.0, 2.0, 1.0]) / 4
    kernel = (kernel[:, None] * kernel[None, :]).expand(x.shape[1], 1, 3, 3)
    return F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), kernel, stride=2, groups=x.shape[1])


def response_norm(x):
    squares = x.pow(2).unsqueeze(1)
    around = F.avg_pool3d(F.pad(squares, (0, 0, 0, 0, 1, 1)), (3, 1, 1), stride=1).squeeze(1)
    return x / (around * 1e-2 + 1.0).pow(0.75)


def global_response_norm(x, gamma, beta):
    total = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
    return gamma * (x * (total / (total.mean(-1, keepdim=True) + 1e-6))) + beta + x


def feature_pyramid(small, large):
    return F.interpolate(small, scale_factor=2, mode="nearest") + large


def total_variation(x):
    return (x[:, 1:] - x[:, :-1]).abs().mean() + (x[1:] - x[:-1]).abs().mean()


def mixup(x, lam):
    return lam * x + (1 - lam) * x.flip(0)


PROGRAMS = [
    program("squeeze and excite", SqueezeExcite, randn((2, 8, 3, 3))),
    program("depthwise separable convolution", DepthwiseSeparable, randn((1, 4, 5, 5))),
    program("group norm and silu", GroupNormSiLU, randn((1, 4, 3, 3)), slack=1e-5),
    program("sub-pixel convolution", SubPixel, randn((1, 2, 3, 4))),
    program("patch embedding", PatchEmbedding, randn((2, 3, 4, 4))),
    program("channel attention", ChannelAttention, randn((2, 4, 3, 3))),
    function("channel shuffle", channel_shuffle, randn((1, 4, 2, 3))),
    function("pixel unshuffle", lambda x: F.pixel_unshuffle(x, 2), randn((2, 3, 4, 6))),
    function("convolution by unfold", unfolded_convolution, randn((2, 2, 4, 3), (3, 2, 3, 3))),
    function("overlap add", overlap_add, randn((2, 12, 6))),
    function("local windows", local_windows, randn((3, 11))),
    function("shifted window partition", window_partition, randn((1, 4, 4, 2))),
    function("blur pool", blur_pool, randn((1, 2, 5, 5))),
    function("local response norm", response_norm, randn((2, 5, 2, 2))),
    function("global response norm", global_response_norm, randn((2, 3, 3, 4), (4,), (4,))),
    function("feature pyramid", feature_pyramid, randn((1, 2, 2, 3), (1, 2, 4, 6))),
    function("upsample nearest to a size", lambda x: F.interpolate(x, size=(5, 7)), randn((1, 2, 3, 3))),
    function("upsample bilinear", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), randn((1, 2, 3, 3)),
             missing=["aten.upsample_bilinear2d.vec"],
             why="the weights of a bilinear sample are computed in binary32 from a ratio of sizes"),
    function("grid sample", lambda x, grid: F.grid_sample(x, grid, align_corners=False), randn((1, 2, 3, 3), (1, 2, 2, 2)),
             missing=["aten.grid_sampler.default"], why="samples at positions computed from floats"),
    function("total variation", total_variation, randn((4, 5))),
    function("mixup", mixup, randn((4, 5), ())),
]  # fmt: skip
