"""Losses, metrics and steps around models, as users write them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
import torch.nn.functional as F

from traces.collect.zoo.modules.architectures import Made
from traces.collect.zoo.modules.layers import Function, Of

CLASSES = 6

LOSSES: dict[str, Function] = {
    "CrossEntropy": lambda m, x, y: F.cross_entropy(x, y),
    "CrossEntropySmooth": lambda m, x, y: F.cross_entropy(x * 2.0, y, label_smoothing=0.1),
    "LogSoftmaxNll": lambda m, x, y: F.nll_loss(F.log_softmax(x, dim=-1), y),
    "GatherLogits": lambda m, x, y: -x.log_softmax(-1).gather(1, y.unsqueeze(1)).squeeze(1).mean(),
    "Mse": lambda m, x, y: F.mse_loss(torch.sigmoid(x), F.one_hot(y, CLASSES).float()),
    "MseByHand": lambda m, x, y: ((x - F.one_hot(y, CLASSES).to(x.dtype)) ** 2).mean(),
    "L1": lambda m, x, y: F.l1_loss(x.tanh(), F.one_hot(y, CLASSES).float()),
    "SmoothL1": lambda m, x, y: F.smooth_l1_loss(x, torch.zeros_like(x)),
    "Huber": lambda m, x, y: F.huber_loss(x, torch.ones_like(x), reduction="sum"),
    "BinaryLogits": lambda m, x, y: F.binary_cross_entropy_with_logits(x, F.one_hot(y, CLASSES).float()),
    "Binary": lambda m, x, y: F.binary_cross_entropy(x.sigmoid(), F.one_hot(y, CLASSES).float()),
    "Focal": lambda m, x, y: ((1 - torch.softmax(x, -1)) ** 2.0 * -F.log_softmax(x, -1)).sum(-1).mean(),
    "Divergence": lambda m, x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(x + 1.0, -1), reduction="batchmean"),
    "Entropy": lambda m, x, y: -(x.softmax(-1) * x.log_softmax(-1)).sum(-1).mean(),
    "Cosine": lambda m, x, y: (1 - F.cosine_similarity(x, x.flip(0), dim=-1)).mean(),
    "Contrastive": lambda m, x, y: F.cross_entropy(F.normalize(x, dim=-1) @ F.normalize(x, dim=-1).t() / 0.1, torch.arange(x.size(0))),
    "Triplet": lambda m, x, y: F.triplet_margin_loss(x, x.roll(1, 0), x.roll(2, 0)),
    "Hinge": lambda m, x, y: F.relu(1.0 - x).mean() + F.relu(1.0 + x).mean(),
    "Dice": lambda m, x, y: 1 - (2 * (x.sigmoid() * F.one_hot(y, CLASSES)).sum() + 1.0) / (x.sigmoid().sum() + 1.0),
    "Accuracy": lambda m, x, y: (x.argmax(dim=-1) == y).float().mean(),
    "TopAccuracy": lambda m, x, y: (torch.topk(x, 2, dim=-1).indices == y.unsqueeze(-1)).any(-1).sum(),
    "Perplexity": lambda m, x, y: torch.exp(F.cross_entropy(x, y, reduction="none")),
    "MaskedMean": lambda m, x, y: (x * (y > 2).float().unsqueeze(-1)).sum(0) / (y > 2).sum().clamp(min=1),
    "MaskedFill": lambda m, x, y: x.masked_fill((y > 2).unsqueeze(1), float("-inf")).softmax(0).nan_to_num(0.0),
    "WhereClip": lambda m, x, y: torch.where(x > 0, x.clamp(max=1.0), 0.1 * x),
    "TopFilter": lambda m, x, y: torch.where(x < torch.topk(x, 3)[0][..., -1, None], torch.full_like(x, -1e4), x).softmax(-1),
    "SortCumulative": lambda m, x, y: torch.cumsum(torch.sort(x, descending=True).values.softmax(-1), dim=-1),
    "Standardize": lambda m, x, y: (x - x.mean(0)) / (x.std(0) + 1e-5),
    "StandardizeVariance": lambda m, x, y: (x - x.mean(dim=0, keepdim=True)) * torch.rsqrt(x.var(dim=0, unbiased=False, keepdim=True) + 1e-5),
    "MinMaxScale": lambda m, x, y: (x - x.min()) / (x.max() - x.min() + 1e-8),
    "GradientClip": lambda m, x, y: x * torch.clamp(1.0 / (torch.linalg.vector_norm(x) + 1e-6), max=1.0),
    "Momentum": lambda m, x, y: x - 0.1 * (0.9 * m.moment + x),
    "Adam": lambda m, x, y: x - 1e-3 * m.moment / (torch.sqrt(m.square) + 1e-8),
    "AdamFused": lambda m, x, y: torch.addcdiv(x, m.moment.lerp(x, 0.1), m.square.sqrt().add(1e-8), value=-1e-3),
    "Average": lambda m, x, y: m.moment.mul(0.99).add(x, alpha=0.01),
    "WeightedSum": lambda m, x, y: torch.einsum("bc,bc->b", x, x.softmax(-1)),
    "Outer": lambda m, x, y: torch.einsum("bi,bj->bij", x, x).flatten(1).sum(-1),
    "Distances": lambda m, x, y: torch.cdist(x, x).fill_diagonal_(1e9).min(-1).values,
    "SquaredDistances": lambda m, x, y: (x ** 2).sum(1, keepdim=True) + (x ** 2).sum(1) - 2 * x @ x.t(),
    "ScatterSum": lambda m, x, y: torch.zeros(CLASSES, CLASSES).index_add_(0, y, x),
    "ScatterMean": lambda m, x, y: torch.zeros(CLASSES, CLASSES).scatter_add(0, y.unsqueeze(1).expand_as(x), x) / torch.bincount(y, minlength=CLASSES).clamp(min=1).unsqueeze(1),
    "Positions": lambda m, x, y: (torch.cumsum(y.ne(0).int(), 0) * y.ne(0).int()).long() + 1,
    "Stack": lambda m, x, y: torch.stack([x, x * 2, x.relu()], dim=1).mean(1),
    "ChunkGate": lambda m, x, y: math.prod(part.sigmoid() for part in x.chunk(2, dim=-1)),
    "SplitSum": lambda m, x, y: sum(part.sum(-1, keepdim=True) for part in x.split(2, dim=-1)),
    "LogSum": lambda m, x, y: torch.logsumexp(x, dim=-1) - x.amax(-1),
    "RollDifference": lambda m, x, y: (x - torch.roll(x, 1, dims=0)).abs().mean(),
    "Half": lambda m, x, y: (x.to(torch.bfloat16) @ x.to(torch.bfloat16).t()).float().softmax(-1),
}  # fmt: skip


def losses() -> Iterator[tuple[str, Made]]:
    """Functions of scores [batch, class] and labels [batch]."""
    for name, function in LOSSES.items():
        parts = {"moment": torch.randn(8, CLASSES) / 4, "square": torch.rand(8, CLASSES)}
        yield name, (Of(function, **parts), (torch.randn(8, CLASSES), torch.randint(0, CLASSES, (8,))))
