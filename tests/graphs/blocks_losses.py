"""Losses and similarities."""

import torch
import torch.nn.functional as F

from programs import function, randn, with_integers


def focal(logits, target):
    p = torch.sigmoid(logits)
    ce = F.binary_cross_entropy_with_logits(logits, (target > 0).float(), reduction="none")
    pt = torch.where(target > 0, p, 1 - p)
    return (0.25 * (1 - pt) ** 2 * ce).mean()


def dice(logits, target):
    p = torch.sigmoid(logits).flatten(1)
    t = (target > 0).to(p.dtype).flatten(1)
    return 1 - (2 * (p * t).sum(1) + 1) / (p.sum(1) + t.sum(1) + 1)


def contrastive(a, b):
    a, b = F.normalize(a, dim=-1), F.normalize(b, dim=-1)
    logits = a @ b.t() / 0.1
    return F.cross_entropy(logits, torch.arange(a.shape[0]))


def label_smoothing(logits, target):
    log_p = F.log_softmax(logits, -1)
    picked = log_p.gather(1, target.unsqueeze(1)).squeeze(1)
    return (-0.9 * picked - 0.1 * log_p.mean(-1)).mean()


def one_hot_by_comparison(target):
    return (target.unsqueeze(-1) == torch.arange(5)).float()


def accuracy(logits, target):
    return (logits.argmax(1) == target).float().mean()


def masked_mean(x, mask):
    keep = (mask > 0).float()
    return (x * keep).sum(1) / keep.sum(1).clamp(min=1)


def counted_mean(x, mask):
    keep = mask > 0
    return (x * keep).sum(1) / keep.sum(1)


def charbonnier(x, y):
    return torch.sqrt((x - y).square() + 1e-6).mean()


def quantile_loss(x, y):
    error = y - x
    return torch.maximum(0.9 * error, -0.1 * error).mean()


def log_cosh(x, y):
    error = x - y
    return (error + F.softplus(-2 * error) - 0.6931472).mean()


def pairwise_distances(x, y):
    return ((x * x).sum(1)[:, None] - 2 * x @ y.t() + (y * y).sum(1)[None, :]).clamp(min=0).sqrt()


def maximum_mean_discrepancy(x, y):
    return torch.exp(-((x[:, None, :] - y[None, :, :]) ** 2).sum(-1) / 2).mean()


def kl_of_gaussians(mean, log_var):
    return -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp(), dim=1).mean()


def hinge(scores, target):
    wanted = scores.gather(1, target[:, None])
    margins = F.relu(scores - wanted + 1)
    return (margins.sum(1) - 1).mean()


PROGRAMS = [
    function("focal loss", focal, randn((3, 4), (3, 4))),
    function("dice loss", dice, randn((2, 3, 3), (2, 3, 3))),
    function("contrastive loss", contrastive, randn((4, 5), (4, 5))),
    function("label smoothing by hand", label_smoothing, with_integers((4, 5), (4,), 0, 5)),
    function("one-hot by comparison", one_hot_by_comparison, lambda g: [torch.randint(0, 5, (3, 4), generator=g)]),
    function("one-hot", lambda t: F.one_hot(t, 5).float(), lambda g: [torch.randint(0, 5, (7,), generator=g)]),
    function("accuracy", accuracy, with_integers((6, 4), (6,), 0, 4)),
    function("masked mean", masked_mean, randn((3, 6), (3, 6))),
    function("mean of the counted", counted_mean, randn((3, 6), (3, 6))),
    function("charbonnier loss", charbonnier, randn((4, 5), (4, 5))),
    function("quantile loss", quantile_loss, randn((4, 5), (4, 5))),
    function("log-cosh loss", log_cosh, randn((4, 5), (4, 5))),
    function("cosine similarity", lambda x, y: F.cosine_similarity(x, y, dim=-1), randn((4, 5), (4, 5))),
    function("triplet loss", lambda a, p, n: F.triplet_margin_loss(a, p, n), randn((4, 5), (4, 5), (4, 5))),
    function("pairwise distances", pairwise_distances, randn((4, 5), (3, 5))),
    function("maximum mean discrepancy", maximum_mean_discrepancy, randn((4, 5), (3, 5))),
    function("kl of gaussians", kl_of_gaussians, randn((4, 5), (4, 5))),
    function("multiclass hinge", hinge, with_integers((4, 5), (4,), 0, 5)),
    function("cdist", lambda x, y: torch.cdist(x, y), randn((4, 5), (3, 5)),
             missing=["aten.cdist.default"], why="PyTorch chooses between two formulas by size"),
]  # fmt: skip
