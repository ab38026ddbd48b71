"""Blocks of vision, attention and recurrent models, and shape arithmetic, as people write them in PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from traces.collect.zoo.modules.layers import WIDTH, Made, Of

HEADS, SIZE = 4, 4


def _conv_bn(*after: Any, **told: Any) -> Any:
    return nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, **told), nn.BatchNorm2d(8), *after)


def _squeeze(m: Any, x: Any, gate: Callable[[Any], Any]) -> Any:
    y = m.up(F.relu(m.down(F.adaptive_avg_pool2d(x, 1))))
    return x * gate(y)


def _squeeze_linear(m: Any, x: Any) -> Any:
    b, c, _, _ = x.size()
    y = m.fc(x.mean((2, 3)).view(b, c)).view(b, c, 1, 1)
    return x * y.expand_as(x)


def _focus(x: Any) -> Any:
    return torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1)


def _shuffle(x: Any) -> Any:
    b, c, h, w = x.shape
    return x.view(b, 2, c // 2, h, w).transpose(1, 2).contiguous().view(b, c, h, w)


def _pixel_shuffle(x: Any, r: int = 2) -> Any:
    b, c, h, w = x.shape
    return x.reshape(b, c // (r * r), r, r, h, w).permute(0, 1, 4, 2, 5, 3).reshape(b, c // (r * r), h * r, w * r)


def _space_to_depth(x: Any) -> Any:
    b, c, h, w = x.size()
    x = x.view(b, c, h // 2, 2, w // 2, 2).permute(0, 3, 5, 1, 2, 4).contiguous()
    return x.view(b, c * 4, h // 2, w // 2)


def _unet_pad(m: Any, x: Any) -> Any:
    y = F.interpolate(m.conv(F.max_pool2d(x, 2)), scale_factor=2)
    h, w = x.size(2) - y.size(2), x.size(3) - y.size(3)
    return torch.cat([x, F.pad(y, [w // 2, w - w // 2, h // 2, h - h // 2])], 1)


def _pyramid(m: Any, x: Any) -> Any:
    y = m.strided(x)
    return m.conv(x + F.interpolate(y, size=x.shape[-2:], mode="nearest"))


def _windows(x: Any) -> Any:
    b, c, h, w = x.shape
    x = x.permute(0, 2, 3, 1).view(b, h // 3, 3, w // 3, 3, c)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 9, c)


def _deformable(m: Any, x: Any) -> Any:
    offset = m.conv(x)[:, :2].permute(0, 2, 3, 1)
    grid = F.affine_grid(torch.eye(2, 3).unsqueeze(0), [1, 1, 6, 6], align_corners=False)
    return F.grid_sample(x, grid + offset / 10, align_corners=False)


def _cspp(m: Any, x: Any) -> Any:
    pools = [F.max_pool2d(x, k, 1, k // 2) for k in (3, 5)]
    return m.fuse(torch.cat([x, *pools], 1))


def _split_conv(m: Any, x: Any) -> Any:
    a, b = m.conv(x).chunk(2, 1)
    return torch.cat([a, b, F.silu(b)], 1)


def _decode(x: Any) -> Any:
    b, _, h, w = x.shape
    y = x.view(b, 2, 4, h, w).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
    xy, wh = y[..., 0:2] * 2.0 - 0.5, (y[..., 2:4] * 2) ** 2
    return torch.cat((xy, wh), -1).view(b, -1, 4)


VISION: dict[str, Callable[[Any, Any], Any]] = {
    "ConvBn": lambda m, x: m.bn(x),
    "ConvBnRelu": lambda m, x: F.relu(m.bn(x)),
    "ConvBnRelu6": lambda m, x: F.relu6(m.bn(x)),
    "ConvBnClamp": lambda m, x: m.bn(x).clamp(0.5, 3.0),
    "ConvBnSilu": lambda m, x: F.silu(m.bn(x)),
    "ConvBnHardswish": lambda m, x: F.hardswish(m.bn(x)),
    "ConvLeaky": lambda m, x: F.leaky_relu(m.conv(x), 0.1),
    "ConvSigmoid": lambda m, x: torch.sigmoid(m.conv(x)),
    "ConvTanh": lambda m, x: torch.tanh(m.conv(x)),
    "ConvAddRelu": lambda m, x: F.relu(m.conv(x) + x),
    "ConvAdd": lambda m, x: m.bare(x) + m.channel,
    "ConvMul": lambda m, x: m.conv(x) * m.channel,
    "ConvMulAdd": lambda m, x: m.bare(x) * m.channel + m.channel,
    "ConvAddClamp": lambda m, x: torch.clamp(x + m.conv(x), 0.0, 6.0),
    "BnConv": lambda m, x: m.conv(F.relu(m.norm(x))),
    "BnRelu": lambda m, x: F.relu(m.norm(x)),
    "Depthwise": lambda m, x: m.fuse1(F.relu6(m.depth(x))),
    "InvertedResidual": lambda m, x: x + m.bn(F.relu6(m.depth(F.relu6(m.bn(x))))),
    "ConvTransposeBn": lambda m, x: F.relu(m.norm(m.back(x))),
    "Conv1dRelu": lambda m, x: F.relu(m.line(x.flatten(2))) + 1,
    "Conv3d": lambda m, x: m.volume(x.unsqueeze(2)).squeeze(2),
    "SqueezeSigmoid": lambda m, x: _squeeze(m, x, torch.sigmoid),
    "SqueezeHard": lambda m, x: _squeeze(m, x, F.hardsigmoid),
    "SqueezeRelu6": lambda m, x: _squeeze(m, x, lambda y: F.relu6(y + 3) / 6),
    "SqueezeLinear": _squeeze_linear,
    "SqueezeMean": lambda m, x: x * torch.sigmoid(m.up(F.silu(m.down(x.mean((2, 3), keepdim=True))))),
    "SpatialAttention": lambda m, x: x * torch.sigmoid(m.pair(torch.cat([x.mean(1, keepdim=True), x.amax(1, keepdim=True)], 1))),
    "ChannelAttention": lambda m, x: x * torch.sigmoid(m.one(x.mean((2, 3)).unsqueeze(1))).squeeze(1)[:, :, None, None],
    "Focus": lambda m, x: m.focus(_focus(x)),
    "PatchMerging": lambda m, x: F.layer_norm(_focus(x).permute(0, 2, 3, 1), (32,)),
    "Shuffle": lambda m, x: _shuffle(m.conv(x)),
    "ShuffleUnit": lambda m, x: _shuffle(torch.cat([x[:, :4], F.relu(m.half(x[:, 4:]))], 1)),
    "PixelShuffle": lambda m, x: F.pixel_shuffle(m.conv(x), 2),
    "PixelShuffleByHand": lambda m, x: _pixel_shuffle(m.conv(x)),
    "PixelUnshuffle": lambda m, x: F.pixel_unshuffle(m.conv(x), 2),
    "SpaceToDepth": lambda m, x: m.focus(_space_to_depth(x)),
    "PadConv": lambda m, x: m.valid(F.pad(x, (0, 1, 0, 1))),
    "PadConvBoth": lambda m, x: m.valid(F.pad(x, (1, 1, 1, 1))),
    "PadReflectConv": lambda m, x: m.valid(F.pad(x, (1, 1, 1, 1), mode="reflect")),
    "PadEdgeConv": lambda m, x: m.valid(F.pad(x, (1, 2, 1, 2), mode="replicate")),
    "PadValueConv": lambda m, x: m.valid(F.pad(x, (1, 1, 1, 1), value=0.5)),
    "PadMaxPool": lambda m, x: F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 3, 2),
    "PadMinusMaxPool": lambda m, x: F.max_pool2d(F.pad(x, (0, 1, 0, 1), value=-math.inf), 3, 2),
    "ReluPadMaxPool": lambda m, x: F.max_pool2d(F.pad(F.relu(m.bn(x)), (1, 1, 1, 1)), 3, 2),
    "PadAveragePool": lambda m, x: F.avg_pool2d(F.pad(x, (1, 1, 1, 1)), 3, 2),
    "PadPad": lambda m, x: F.pad(F.pad(x, (1, 1)), (0, 0, 2, 2)),
    "PadChannels": lambda m, x: F.pad(F.avg_pool2d(x, 2), (0, 0, 0, 0, 2, 2)),
    "Crop": lambda m, x: m.valid(F.pad(x, (-1, 0, -1, 0))),
    "BlurPool": lambda m, x: F.conv2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), m.blur, stride=2, groups=8),
    "PoolCeil": lambda m, x: F.avg_pool2d(F.max_pool2d(x, 3, 2, ceil_mode=True), 2, ceil_mode=True, count_include_pad=False),
    "PoolMaxRelu": lambda m, x: F.max_pool2d(F.relu(m.conv(x)), 2),
    "PoolMix": lambda m, x: F.max_pool2d(x, 2) + F.avg_pool2d(x, 2),
    "GlobalPoolLinear": lambda m, x: m.head(F.adaptive_avg_pool2d(m.conv(x), 1).flatten(1)),
    "GlobalPoolView": lambda m, x: m.head(F.adaptive_max_pool2d(x, (1, 1)).view(x.size(0), -1)),
    "AdaptivePools": lambda m, x: torch.cat([F.adaptive_avg_pool2d(x, s).flatten(2) for s in (1, 2, 3)], 2),
    "PyramidPools": _cspp,
    "UpsampleNearest": lambda m, x: m.conv(F.interpolate(x, scale_factor=2)),
    "UpsampleBilinear": lambda m, x: F.interpolate(m.conv(x), scale_factor=2.0, mode="bilinear", align_corners=True),
    "UpsampleToSize": lambda m, x: F.interpolate(x, size=(9, 9), mode="bilinear", align_corners=False),
    "UpsampleBicubic": lambda m, x: F.interpolate(x, scale_factor=1.5, mode="bicubic"),
    "UpsampleRepeat": lambda m, x: x.repeat_interleave(2, 2).repeat_interleave(2, 3),
    "Downsample": lambda m, x: F.interpolate(x, scale_factor=0.5, mode="area"),
    "Pyramid": _pyramid,
    "UNetPad": _unet_pad,
    "SkipCat": lambda m, x: m.fuse2(torch.cat([x, F.interpolate(F.max_pool2d(x, 2), size=x.shape[2:])], 1)),
    "GroupNorm": lambda m, x: F.silu(F.group_norm(m.conv(x), 4, m.gain, m.shift)),
    "GroupNormByHand": lambda m, x: F.batch_norm(x.reshape(1, 4, -1), None, None, training=True).view(x.shape) * m.channel,
    "InstanceNorm": lambda m, x: F.relu(F.instance_norm(m.conv(x), weight=m.gain, bias=m.shift)),
    "AdaIn": lambda m, x: F.instance_norm(x) * (1 + m.channel) + m.channel,
    "NormChannelsFirst": lambda m, x: (x - x.mean(1, keepdim=True)) / torch.sqrt(x.var(1, keepdim=True, unbiased=False) + 1e-6) * m.channel,
    "NormChannelsLast": lambda m, x: F.layer_norm(x.permute(0, 2, 3, 1), (8,), m.gain, m.shift).permute(0, 3, 1, 2),
    "ConvNextBlock": lambda m, x: x + (F.gelu(F.layer_norm(m.depth(x).permute(0, 2, 3, 1), (8,), m.gain, m.shift)) * m.gain).permute(0, 3, 1, 2),
    "LocalResponse": lambda m, x: F.local_response_norm(x, 3),
    "DenseBlock": lambda m, x: torch.cat([x, m.conv(F.relu(m.norm(x)))], 1),
    "Cat3": lambda m, x: torch.cat([torch.cat([x, m.conv(x)], 1), x], 1)[:, 4:20],
    "SplitConv": _split_conv,
    "Decode": lambda m, x: _decode(x),
    "Windows": lambda m, x: _windows(torch.roll(x, (-1, -1), (2, 3))),
    "Unfold": lambda m, x: F.unfold(x, 3, padding=1).transpose(1, 2),
    "Fold": lambda m, x: F.fold(F.unfold(x, 2, stride=2), (6, 6), 2, stride=2),
    "Deformable": _deformable,
    "FlattenLinear": lambda m, x: F.relu(m.wide(torch.flatten(x, 1))),
    "LinearBn": lambda m, x: m.norm1(m.head(x.mean((2, 3)))),
    "Maxout": lambda m, x: m.conv(x).view(x.size(0), 4, 2, *x.shape[2:]).amax(2),
    "Argmax": lambda m, x: m.conv(x).argmax(1),
    "SoftmaxExpect": lambda m, x: (F.softmax(x.view(x.shape[0], 2, 4, -1), 2) * m.steps).sum(2),
    "TopKGather": lambda m, x: torch.gather(x.flatten(2), 2, x.flatten(2).topk(3, 2)[1]),
    "Heatmap": lambda m, x: x * (F.max_pool2d(x, 3, 1, 1) == x).float(),
    "WeightNorm": lambda m, x: F.conv2d(x, m.kernel * (m.gain.view(-1, 1, 1, 1) / m.kernel.flatten(1).norm(dim=1).view(-1, 1, 1, 1))),
    "Gram": lambda m, x: torch.bmm(x.flatten(2), x.flatten(2).transpose(1, 2)) / 288,
    "Coordinates": lambda m, x: torch.cat([x, torch.arange(x.shape[2]).float().view(1, 1, -1, 1).expand(x.shape[0], 1, -1, x.shape[3])], 1),
    "SoftPool": lambda m, x: F.avg_pool2d(torch.exp(x) * x, 2) / F.avg_pool2d(torch.exp(x), 2),
    "LayerScale": lambda m, x: x + m.channel * m.conv(x),
    "Ghost": lambda m, x: torch.cat([m.conv(x), m.depth(m.conv(x))], 1)[:, :8] + x,
}


def _vision_parts() -> dict[str, Any]:
    return {
        "conv": nn.Conv2d(8, 8, 3, padding=1), "bare": nn.Conv2d(8, 8, 1, bias=False), "bn": _conv_bn(bias=False), "norm": nn.BatchNorm2d(8),
        "strided": nn.Conv2d(8, 8, 3, 2, 1), "valid": nn.Conv2d(8, 4, 3, 2), "depth": nn.Conv2d(8, 8, 3, padding=1, groups=8),
        "fuse1": nn.Conv2d(8, 4, 1), "fuse2": nn.Conv2d(16, 4, 1), "fuse": nn.Conv2d(24, 4, 1), "focus": nn.Conv2d(32, 4, 1),
        "half": nn.Conv2d(4, 4, 1), "pair": nn.Conv2d(2, 1, 3, padding=1), "one": nn.Conv1d(1, 1, 3, padding=1),
        "down": nn.Conv2d(8, 2, 1), "up": nn.Conv2d(2, 8, 1), "back": nn.ConvTranspose2d(8, 8, 2, 2), "line": nn.Conv1d(8, 8, 3, padding=1),
        "volume": nn.Conv3d(8, 4, (1, 3, 3)), "fc": nn.Sequential(nn.Linear(8, 2), nn.ReLU(), nn.Linear(2, 8), nn.Sigmoid()),
        "head": nn.Linear(8, 5), "wide": nn.Linear(288, 6), "norm1": nn.BatchNorm1d(5), "channel": torch.rand(1, 8, 1, 1),
        "gain": torch.rand(8), "shift": torch.rand(8), "blur": torch.ones(8, 1, 3, 3) / 9, "kernel": torch.randn(8, 8, 1, 1),
        "steps": torch.arange(4.0).view(1, 1, 4, 1),
    }  # fmt: skip


def vision() -> Iterator[tuple[str, Made]]:
    """Blocks on [batch, channels, height, width]."""
    for name, function in VISION.items():
        yield name, (Of(function, **_vision_parts()), (torch.randn(1, 8, 6, 6),))


def _heads(x: Any) -> Any:
    return x.view(x.size(0), -1, HEADS, SIZE).transpose(1, 2)


def _joined(x: Any) -> Any:
    return x.transpose(1, 2).contiguous().view(x.size(0), -1, HEADS * SIZE)


def _attend(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(SIZE)
    return torch.matmul(F.softmax(scores if mask is None else scores + mask, dim=-1), v)


def _projected(m: Any, x: Any) -> tuple[Any, Any, Any]:
    return _heads(m.q(x)), _heads(m.k(x)), _heads(m.v(x))


def _packed(m: Any, x: Any) -> Any:
    b, n, c = x.shape
    q, k, v = m.qkv(x).reshape(b, n, 3, HEADS, c // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
    a = ((q * SIZE**-0.5) @ k.transpose(-2, -1)).softmax(-1)
    return m.out((a @ v).transpose(1, 2).reshape(b, n, c))


def _filled(m: Any, x: Any) -> Any:
    scores = _heads(m.q(x)) @ _heads(m.k(x)).transpose(2, 3)
    scores = scores.masked_fill(torch.tril(torch.ones(x.size(1), x.size(1))) == 0, -1e9) * 0.5
    return m.out(_joined(scores.softmax(-1) @ _heads(m.v(x))))


def _grouped(m: Any, x: Any) -> Any:
    b, n, _ = x.shape
    k, v = (p(x).view(b, n, 2, SIZE).transpose(1, 2)[:, :, None].expand(b, 2, 2, n, SIZE).reshape(b, HEADS, n, SIZE) for p in (m.k2, m.v2))
    return _joined(_attend(_heads(m.q(x)), k, v))


def _rotated(x: Any) -> Any:
    return torch.cat((-x[..., SIZE // 2 :], x[..., : SIZE // 2]), dim=-1)


def _rope(m: Any, x: Any) -> Any:
    angles = torch.arange(x.shape[1]).float()[:, None] * m.frequencies[None, :]
    cos, sin = (torch.cat((f(angles), f(angles)), -1)[None, None] for f in (torch.cos, torch.sin))
    q, k = ((t * cos) + (_rotated(t) * sin) for t in (_heads(m.q(x)), _heads(m.k(x))))
    return _joined(_attend(q, k, _heads(m.v(x))))


def _rope_cached(m: Any, x: Any, positions: Any) -> Any:
    cos, sin = (cache[positions].unsqueeze(1) for cache in (m.cos, m.sin))
    q = _heads(m.q(x))
    a, b = q.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def _rope_interleaved(m: Any, x: Any) -> Any:
    q = _heads(m.q(x))
    cos, sin = m.cos[: x.shape[1]], m.sin[: x.shape[1]]
    even, odd = q[..., 0::2], q[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


def _alibi(m: Any, x: Any) -> Any:
    n = x.shape[1]
    bias = (torch.arange(n)[None, :] - torch.arange(n)[:, None]).abs().neg().float() * m.slopes.view(1, HEADS, 1, 1)
    q, k, v = _projected(m, x)
    return _attend(q, k, v, bias)


def _relative(m: Any, x: Any) -> Any:
    n = x.shape[1]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    bias = m.relative(distance.clamp(-3, 3) + 3).permute(2, 0, 1).unsqueeze(0)
    q, k, v = _projected(m, x)
    return _attend(q, k, v, bias)


def _expanded_mask(m: Any, x: Any, mask: Any) -> Any:
    wide = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
    q, k, v = _projected(m, x)
    return m.out(_joined(_attend(q, k, v, wide)))


def _minimum_mask(m: Any, x: Any, mask: Any) -> Any:
    n = x.shape[1]
    wide = 1.0 - mask[:, None, None, :].expand(x.shape[0], 1, n, n).to(x.dtype)
    wide = wide.masked_fill(wide.to(torch.bool), torch.finfo(x.dtype).min)
    q, k, v = _projected(m, x)
    return m.out(_joined(_attend(q, k, v, wide)))


def _cached(m: Any, x: Any, past: Any) -> Any:
    k = torch.cat([past, _heads(m.k(x))], dim=-2)
    return _joined(_attend(_heads(m.q(x)), k, k)), k


def _transformer(m: Any, x: Any) -> Any:
    y = F.layer_norm(x, (WIDTH,), m.weight, m.bias)
    x = x + m.out(_joined(_attend(*_projected(m, y))))
    return x + m.down(F.gelu(m.up(F.layer_norm(x, (WIDTH,), m.weight, m.bias))))


SEQUENCES: dict[str, Callable[..., Any]] = {
    "Attention": lambda m, x: m.out(_joined(_attend(*_projected(m, x)))),
    "AttentionPacked": _packed,
    "AttentionFilled": _filled,
    "AttentionGrouped": _grouped,
    "AttentionFunction": lambda m, x: _joined(F.scaled_dot_product_attention(_heads(m.q(x)), _heads(m.k(x)), _heads(m.v(x)))),
    "AttentionCausal": lambda m, x: F.scaled_dot_product_attention(_heads(m.q(x)), _heads(m.k(x)), _heads(m.v(x)), is_causal=True),
    "AttentionModule": lambda m, x: m.attention(x, x, x, need_weights=False)[0],
    "AttentionEinsum": lambda m, x: torch.einsum("bhij,bhjd->bihd", torch.einsum("bihd,bjhd->bhij", *(p(x).view(2, 5, HEADS, SIZE) for p in (m.q, m.k))).softmax(-1), _heads(m.v(x))),
    "AttentionLinear": lambda m, x: (F.elu(_heads(m.q(x))) + 1) @ ((F.elu(_heads(m.k(x))) + 1).transpose(2, 3) @ _heads(m.v(x))),
    "AttentionAlibi": _alibi,
    "AttentionRelative": _relative,
    "Rope": _rope,
    "RopeInterleaved": _rope_interleaved,
    "Encoder": _transformer,
    "EncoderModule": lambda m, x: m.encoder(x),
    "SkipNorm": lambda m, x: F.layer_norm(x + m.out(x), (WIDTH,), m.weight, m.bias),
    "SkipNormBias": lambda m, x: F.layer_norm(m.out(x) + x, (WIDTH,), m.weight, m.bias) + x,
    "NormLinear": lambda m, x: m.up(F.layer_norm(x, (WIDTH,))),
    "RmsModule": lambda m, x: F.rms_norm(x, (WIDTH,), m.weight) + x,
    "Mlp": lambda m, x: m.down(F.relu(m.up(x))) + x,
    "MlpGelu": lambda m, x: x + m.down(F.gelu(m.up(x), approximate="tanh")),
    "MatMulAdd": lambda m, x: torch.matmul(x, m.out.weight) + m.bias,
    "MatMulScaled": lambda m, x: (x @ x.transpose(1, 2)) * 0.25,
    "MatMulTransposed": lambda m, x: (x.transpose(1, 2) @ x).transpose(1, 2) / 3,
    "MatMulBoth": lambda m, x: x.permute(0, 2, 1).matmul(m.five) * 2.0,
    "Addmm": lambda m, x: torch.addmm(m.bias, x[0], m.out.weight, beta=0.5, alpha=2.0),
    "LinearRelu": lambda m, x: F.relu(m.out(x[:, 0])),
    "LinearTwice": lambda m, x: m.out(m.out(x[:, -1])),
    "Baddbmm": lambda m, x: torch.baddbmm(m.square.expand(2, 5, 5), x, x.transpose(1, 2), alpha=0.5),
    "Bilinear": lambda m, x: torch.einsum("bnc,cd,bmd->bnm", x, m.out.weight, x),
    "EinsumOuter": lambda m, x: torch.einsum("bi,bj->bij", x[:, 0], x[:, 1]),
    "EinsumSum": lambda m, x: torch.einsum("bnc->bc", x) @ m.out.weight,
    "EinsumDiagonal": lambda m, x: torch.einsum("bnc,bnc->bn", x, x),
    "Lstm": lambda m, x: m.lstm(x)[0],
    "LstmBoth": lambda m, x: m.lstm2(x)[0][:, -1],
    "Gru": lambda m, x: m.gru(x)[0] + x[..., :8],
    "GruState": lambda m, x: m.gru(x)[1].squeeze(0),
    "RnnTanh": lambda m, x: m.rnn(x)[0],
    "LstmCell": lambda m, x: m.cell(x[:, 0])[0],
    "GruCell": lambda m, x: m.gate(x[:, 1]),
    "PoolFirst": lambda m, x: torch.tanh(m.out(x[:, 0])),
    "PoolMean": lambda m, x: F.normalize(x.mean(1), dim=1),
    "Positions": lambda m, x: x + m.table(torch.arange(x.size(1)).unsqueeze(0)),
    "PositionsSliced": lambda m, x: x + m.positions[:, : x.size(1)],
    "ClassToken": lambda m, x: torch.cat([m.token.expand(x.shape[0], -1, -1), x], 1) + m.positions[:, : x.size(1) + 1],
    "Sinusoid": lambda m, x: x + torch.cat([f(torch.arange(x.size(1)).float().unsqueeze(1) * m.frequencies8) for f in (torch.sin, torch.cos)], 1),
    "ViewBack": lambda m, x: m.out(x.view(-1, WIDTH)).view(x.size(0), x.size(1), -1),
    "ViewDivided": lambda m, x: x.reshape(x.shape[0], x.shape[1], x.shape[2] // 4, 4).flatten(1, 2),
    "ReshapeReshape": lambda m, x: x.reshape(-1, 4).reshape(x.shape[0], -1).unsqueeze(1),
    "TransposeTranspose": lambda m, x: x.permute(0, 2, 1).permute(2, 0, 1).contiguous(),
    "TransposeReshape": lambda m, x: x.transpose(0, 1).reshape(x.size(1), -1).t(),
    "UnsqueezeSqueeze": lambda m, x: x.unsqueeze(1).unsqueeze(-1).squeeze(1) * 2,
    "SliceSlice": lambda m, x: x[:, 1:][:, :-1][..., ::2] + x[:, -3:, 1::2],
    "SliceCat": lambda m, x: torch.cat([x[:, 1:], x[:, :1]], 1) - x,
    "SplitAdd": lambda m, x: sum(part * i for i, part in enumerate(x.split([4, 4, 8], -1)[:2])),
    "SplitMany": lambda m, x: torch.cat([F.relu(part) for part in x.chunk(4, -1)][::-1], -1),
    "Stack": lambda m, x: torch.stack([x, x * 2, -x], 1).amax(1),
    "UnbindStack": lambda m, x: torch.stack([torch.tanh(p) for p in x.unbind(1)], 1),
    "Repeat": lambda m, x: x.mean(1, keepdim=True).repeat(1, x.shape[1], 1) - x,
    "ExpandMul": lambda m, x: m.token.expand(x.shape[0], x.shape[1], WIDTH) * x,
    "ExpandAs": lambda m, x: x.amax(1, keepdim=True).expand_as(x) - x,
    "ZerosCat": lambda m, x: torch.cat([torch.zeros(x.shape[0], 2, WIDTH), x], 1),
    "FullLike": lambda m, x: torch.full_like(x, 2.0) * x + torch.ones_like(x),
    "ArangeMask": lambda m, x: x * (torch.arange(x.shape[1]) < 3).float().view(1, -1, 1),
    "TriangleMask": lambda m, x: (x @ x.transpose(1, 2)).masked_fill(torch.triu(torch.ones(x.size(1), x.size(1), dtype=torch.bool), 1), -math.inf).softmax(-1),
    "PadToMultiple": lambda m, x: F.pad(x, (0, 0, 0, (4 - x.shape[1] % 4) % 4)).view(x.shape[0], -1, 4, WIDTH),
    "Interpolate1d": lambda m, x: F.interpolate(x.transpose(1, 2), scale_factor=2.0, mode="linear").transpose(1, 2),
    "InterpolateTwice": lambda m, x: F.interpolate(x.unsqueeze(1), size=(x.shape[1] * 2, x.shape[2] // 2)),
    "ScaleBySize": lambda m, x: x.sum(1) / x.size(1) * math.sqrt(2),
    "NumelMean": lambda m, x: x.sum() / x.numel(),
    "Roll": lambda m, x: torch.roll(x, 1, 1) + x,
    "Flip": lambda m, x: x.flip(1).cumsum(1).flip(1),
    "GatherLast": lambda m, x: x[torch.arange(x.size(0)), -1],
    "IndexSelect": lambda m, x: x.index_select(1, m.order) + x[:, m.order],
    "ScatterRows": lambda m, x: torch.zeros_like(x).scatter(1, m.order.view(1, -1, 1).expand(2, 5, 16), x),
    "SortTop": lambda m, x: x.sort(1, descending=True)[0][:, :2],
    "OneHot": lambda m, x: F.one_hot(x.argmax(-1), WIDTH).float() @ m.out.weight,
    "MixtureGate": lambda m, x: (m.gate4(x).softmax(-1).unsqueeze(-1) * torch.stack([m.out(x), x, m.q(x), m.k(x)], 2)).sum(2),
    "TopKGate": lambda m, x: m.gate4(x).topk(2, -1)[0].softmax(-1),
    "Conv1dSame": lambda m, x: F.relu(m.conv(F.pad(x.transpose(1, 2), (2, 0)))).transpose(1, 2),
    "Glu1d": lambda m, x: F.glu(m.conv(x.transpose(1, 2)), 1),
    "StateSpace": lambda m, x: torch.cumsum(torch.exp(-F.softplus(m.q(x))) * m.k(x), 1) * F.silu(m.v(x)),
    "TokenShift": lambda m, x: F.pad(x, (0, 0, 1, -1)) * m.weight + x * (1 - m.weight),
    "DropPath": lambda m, x: x.div(0.9) * torch.floor(0.9 + m.weight) + x,
    "Kernel": lambda m, x: torch.exp(-((x[:, :, None] - x[:, None]) ** 2).sum(-1) / 2),
    "Cdist": lambda m, x: torch.cdist(x, x),
    "Fourier": lambda m, x: torch.cat([torch.cos(x @ m.out.weight), torch.sin(x @ m.out.weight)], -1),
    "HalfMatMul": lambda m, x: (x.half() @ m.out.weight.half()).float() + m.bias,
}  # fmt: skip
TOKENS: dict[str, Callable[..., Any]] = {
    "Embedding": lambda m, t: m.table(t),
    "EmbeddingNorm": lambda m, t: F.layer_norm(m.table(t) + m.table2(torch.arange(t.size(1)).expand_as(t)) + m.table2(torch.zeros_like(t)), (WIDTH,), m.weight, m.bias),
    "EmbeddingScaled": lambda m, t: m.table(t) * math.sqrt(WIDTH) + m.positions[:, : t.size(1)],
    "EmbeddingMask": lambda m, t: m.table(t) * (t != 0).unsqueeze(-1).float(),
    "EmbeddingPositions": lambda m, t: m.table(torch.cumsum((t != 1).int(), 1).long() * (t != 1)),
    "EmbeddingTied": lambda m, t: m.table(t) @ m.table.weight.t(),
    "EmbeddingSum": lambda m, t: m.table(t).sum(1) / (t > 0).sum(1, keepdim=True).clamp(min=1),
    "EmbeddingPick": lambda m, t: m.table(t)[torch.arange(t.shape[0]), (t == 3).int().argmax(-1)],
    "MaskFromTokens": lambda m, t: (1.0 - (t != 0).float()[:, None, None, :]) * torch.finfo(torch.float32).min,
    "CausalFromTokens": lambda m, t: torch.where(torch.arange(t.size(1))[:, None] >= torch.arange(t.size(1)), 0.0, -1e4)[None] + m.table(t).sum(-1)[:, None],
}  # fmt: skip


def _sequence_parts() -> dict[str, Any]:
    linear = {name: nn.Linear(WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
    return {
        **linear, "qkv": nn.Linear(WIDTH, 3 * WIDTH), "k2": nn.Linear(WIDTH, 8), "v2": nn.Linear(WIDTH, 8, bias=False),
        "up": nn.Linear(WIDTH, 32), "down": nn.Linear(32, WIDTH), "gate4": nn.Linear(WIDTH, 4, bias=False),
        "attention": nn.MultiheadAttention(WIDTH, HEADS, batch_first=True), "encoder": nn.TransformerEncoderLayer(WIDTH, HEADS, 32, batch_first=True),
        "lstm": nn.LSTM(WIDTH, 8, batch_first=True), "lstm2": nn.LSTM(WIDTH, 8, 2, batch_first=True, bidirectional=True), "gru": nn.GRU(WIDTH, 8, batch_first=True),
        "rnn": nn.RNN(WIDTH, 8, batch_first=True), "cell": nn.LSTMCell(WIDTH, 8), "gate": nn.GRUCell(WIDTH, 8), "conv": nn.Conv1d(WIDTH, WIDTH, 3),
        "table": nn.Embedding(32, WIDTH), "table2": nn.Embedding(32, WIDTH), "relative": nn.Embedding(7, HEADS), "positions": torch.randn(1, 12, WIDTH), "token": torch.randn(1, 1, WIDTH),
        "frequencies": torch.tensor([1.0, 0.1]), "frequencies8": torch.rand(8), "slopes": torch.rand(HEADS), "weight": torch.rand(WIDTH) + 0.5, "bias": torch.randn(WIDTH),
        "cos": torch.rand(12, SIZE // 2), "sin": torch.rand(12, SIZE // 2), "five": torch.randn(5, 3), "square": torch.randn(1, 5, 5), "order": torch.tensor([4, 2, 0, 1, 3]),
    }  # fmt: skip


def sequences() -> Iterator[tuple[str, Made]]:
    """Blocks on [batch, sequence, channels] and on tokens."""
    for name, function in SEQUENCES.items():
        yield name, (Of(function, **_sequence_parts()), (torch.randn(2, 5, WIDTH),))
    for name, function in TOKENS.items():
        yield name, (Of(function, **_sequence_parts()), (torch.randint(0, 32, (2, 5)),))
    x, mask = torch.randn(2, 5, WIDTH), torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0]])
    yield "AttentionMask", (Of(_expanded_mask, **_sequence_parts()), (x, mask))
    yield "AttentionMinimumMask", (Of(_minimum_mask, **_sequence_parts()), (x, mask))
    yield "AttentionCached", (Of(_cached, **_sequence_parts()), (x, torch.randn(2, HEADS, 3, SIZE)))
    yield "RopeCached", (Of(_rope_cached, **_sequence_parts()), (x, torch.arange(5).expand(2, 5).contiguous()))
