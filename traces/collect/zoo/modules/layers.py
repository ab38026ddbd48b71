"""Normalizations, activations and pointwise chains as people write them in PyTorch: each variant is a module to export."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

WIDTH = 16
Made = tuple[Any, tuple[Any, ...]]
Function = Callable[..., Any]


class Of(nn.Module):  # type: ignore[misc]
    """A module from a function of named parts and the inputs; tensors among the parts become parameters."""

    def __init__(self, function: Function, **parts: Any) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, nn.Parameter(part, part.is_floating_point()) if isinstance(part, torch.Tensor) else part)
        self._function = function

    def forward(self, *inputs: Any) -> Any:
        """The function's result."""
        return self._function(self, *inputs)


def _centred(x: Any) -> Any:
    return x - x.mean(-1, keepdim=True)


SQUARES: dict[str, Function] = {
    "pow": lambda x: _centred(x).pow(2).mean(-1, keepdim=True),
    "mul": lambda x: (_centred(x) * _centred(x)).mean(-1, keepdim=True),
    "var": lambda x: x.var(-1, unbiased=False, keepdim=True),
    "moments": lambda x: (x * x).mean(-1, keepdim=True) - x.mean(-1, keepdim=True) ** 2,
}
SCALES: dict[str, Function] = {
    "sqrt": lambda x, var: x / torch.sqrt(var + 1e-5),
    "rsqrt": lambda x, var: torch.rsqrt(1e-5 + var) * x,
    "pow": lambda x, var: x * (var + 1e-5) ** -0.5,
    "eps": lambda x, var: x / (torch.sqrt(var) + 1e-5),
}
AFFINES: dict[str, Function] = {
    "wx+b": lambda m, x: m.weight * x + m.bias,
    "xw+b": lambda m, x: x * m.weight + m.bias,
    "b+wx": lambda m, x: m.bias + m.weight * x,
    "wx": lambda m, x: m.weight * x,
    "x": lambda m, x: x,
}


def _layer_norm(square: str, scale: str, affine: str, narrow: bool = False) -> Function:
    def call(m: Any, x: Any) -> Any:
        y = x.float() if narrow else x
        d = _centred(y)
        y = SCALES[scale](d, (d * d if square == "mul" else d**2).mean(-1, keepdim=True)
                          if square in ("mul", "pow") else SQUARES[square](y))  # fmt: skip
        return AFFINES[affine](m, y.to(x.dtype) if narrow else y)

    return call


def _rms_norm(square: str, scale: str, affine: str, narrow: bool) -> Function:
    def call(m: Any, x: Any) -> Any:
        y = x.float() if narrow else x
        y = SCALES[scale](y, (y * y if square == "mul" else y.pow(2)).mean(-1, keepdim=True))
        return AFFINES[affine](m, y.to(x.dtype) if narrow else y)

    return call


def _affine(**more: Any) -> dict[str, Any]:
    return {"weight": torch.rand(WIDTH) + 0.5, "bias": torch.randn(WIDTH), **more}


def _sequence() -> Any:
    return torch.randn(2, 5, WIDTH)


def _image() -> Any:
    return torch.randn(1, 8, 6, 6)


def norms() -> Iterator[tuple[str, Made]]:
    """Layer and root-mean-square normalizations in all of their spellings."""
    for square, scale, affine in itertools.product(SQUARES, SCALES, AFFINES):
        if scale in ("sqrt", "rsqrt") or square == "pow":
            yield f"LayerNorm-{square}-{scale}-{affine}", (Of(_layer_norm(square, scale, affine), **_affine()), (_sequence(),))
    for square, scale, affine, narrow in itertools.product(("pow", "mul"), SCALES, ("wx", "xw+b", "x"), (False, True)):
        x = _sequence().half() if narrow else _sequence()
        parts = {name: part.half() if narrow else part for name, part in _affine().items()}
        yield f"RMSNorm-{square}-{scale}-{affine}-{narrow}", (Of(_rms_norm(square, scale, affine, narrow), **parts), (x,))
    for affine in ("wx+b", "b+wx"):
        parts = {name: part.half() for name, part in _affine().items()}
        yield f"LayerNorm-half-{affine}", (Of(_layer_norm("pow", "sqrt", affine, True), **parts), (_sequence().half(),))


POINTWISE: dict[str, Function] = {
    "GeluErf": lambda m, x: x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0))),
    "GeluErfHalfFirst": lambda m, x: 0.5 * x * (torch.erf(x * math.sqrt(0.5)) + 1.0),
    "GeluErfHalfLast": lambda m, x: x * (1 + torch.erf(x / 1.41421)) * 0.5,
    "GeluTanh": lambda m, x: 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0)))),
    "GeluTanhProduct": lambda m, x: 0.5 * x * (1.0 + torch.tanh(x * 0.7978845608 * (1.0 + 0.044715 * x * x))),
    "GeluTanhCube": lambda m, x: x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x * x * x))) * 0.5,
    "GeluOfSum": lambda m, x: F.gelu(x + m.bias),
    "GeluTanhOfSum": lambda m, x: F.gelu(x @ m.square + m.bias, approximate="tanh"),
    "GeluModule": lambda m, x: F.gelu(x),
    "QuickGelu": lambda m, x: x * torch.sigmoid(1.702 * x),
    "Swish": lambda m, x: x * torch.sigmoid(x),
    "SwishOfSum": lambda m, x: F.silu(x + m.bias),
    "SwishScaled": lambda m, x: torch.sigmoid(m.weight * x) * x,
    "HardSwish": lambda m, x: x * F.relu6(x + 3.0) / 6.0,
    "HardSwishModule": lambda m, x: F.hardswish(x),
    "HardSwishHardtanh": lambda m, x: x * F.hardtanh(x + 3, 0.0, 6.0) * (1 / 6),
    "HardSigmoid": lambda m, x: F.hardsigmoid(x) * x,
    "Mish": lambda m, x: x * torch.tanh(F.softplus(x)),
    "MishModule": lambda m, x: F.mish(x),
    "Glu": lambda m, x: F.glu(x, -1),
    "SwiGlu": lambda m, x: F.silu(x @ m.square) * (x @ m.other),
    "Relu6": lambda m, x: F.relu6(x + m.bias),
    "ReluClamp": lambda m, x: torch.clamp(F.relu(x), max=6.0),
    "ReluClampBoth": lambda m, x: torch.relu(x).clamp(-1.0, 4.0),
    "ReluMinMax": lambda m, x: torch.maximum(torch.minimum(F.relu(x), m.high), m.low),
    "ClampRelu": lambda m, x: F.relu(torch.clamp(x, -1.0, 1.0)),
    "ClampClamp": lambda m, x: torch.clamp(torch.clamp(x, min=-1.0), max=1.0),
    "ClampMin": lambda m, x: (x * m.weight).clamp(min=0.1).log(),
    "ReluOfMatMul": lambda m, x: torch.clamp(F.relu(x @ m.square), 0.0, 1.0),
    "LeakyByMaximum": lambda m, x: torch.maximum(x, 0.1 * x),
    "PReLU": lambda m, x: F.prelu(x, m.slope),
    "LeakyOfSum": lambda m, x: F.leaky_relu(x + m.bias, 0.2),
    "EluPlusOne": lambda m, x: F.elu(x) + 1,
    "Selu": lambda m, x: F.selu(x),
    "Celu": lambda m, x: F.celu(x, 0.5),
    "SoftmaxByHand": lambda m, x: (x - x.amax(-1, keepdim=True)).exp() / (x - x.amax(-1, keepdim=True)).exp().sum(-1, keepdim=True),
    "LogSumExp": lambda m, x: x - torch.logsumexp(x, -1, keepdim=True),
    "SoftmaxScaled": lambda m, x: F.softmax(x / 0.5, dim=-1) @ m.square,
    "LogOfSoftmax": lambda m, x: torch.log(F.softmax(x, -1)),
    "Normalize": lambda m, x: F.normalize(x, dim=-1) * m.weight,
    "NormalizeByHand": lambda m, x: x / torch.sqrt((x**2).sum(-1, keepdim=True) + 1e-6),
    "CosineSimilarity": lambda m, x: F.cosine_similarity(x, m.weight, dim=-1),
    "ScaleShift": lambda m, x: (x * 2.0 + 1.0) / 4.0 - 0.5,
    "Standardize": lambda m, x: (x / 255.0 - m.bias) / m.weight,
    "TimesOne": lambda m, x: (x * 1.0 + 0.0) / 1.0 - 0.0,
    "Residuals": lambda m, x: x + F.relu(x + m.weight * x),
    "Where": lambda m, x: torch.where(x > 0, x * m.weight, x - m.bias),
    "WhereMasked": lambda m, x: torch.where(torch.isnan(x) | (x.abs() > 2), torch.zeros_like(x), x),
    "NotNot": lambda m, x: (~(~(x > 0.5) | (x < m.low))).float() * x,
    "CastPair": lambda m, x: x.half().float() + m.bias,
    "CastChain": lambda m, x: x.double().float().to(torch.int32).to(torch.float16).float(),
    "CastBool": lambda m, x: (x > 0).to(torch.int64).to(torch.float32) * x,
    "SumOfReduces": lambda m, x: x.mean(-1).sum(-1) + x.amax(1).mean(-1),
    "ReduceSqueeze": lambda m, x: x.sum(-1, keepdim=True).squeeze(-1).unsqueeze(1),
    "Std": lambda m, x: (x - x.mean((1, 2), keepdim=True)) / x.std((1, 2), keepdim=True),
    "SumSquares": lambda m, x: torch.sqrt(torch.sum(x * x, -1)),
    "AbsNorm": lambda m, x: x / x.abs().sum(-1, keepdim=True),
    "Quantized": lambda m, x: torch.round(x / 0.1).clamp(-128, 127) * 0.1,
    "FakeQuantize": lambda m, x: torch.fake_quantize_per_tensor_affine(x, 0.05, 3, 0, 255) @ m.square,
    "FloorDivide": lambda m, x: torch.floor(x / 0.3) * 0.3 + torch.remainder(x, 0.3),
    "CumulativeSum": lambda m, x: torch.cumsum(x, 1) / (1 + torch.arange(x.shape[1])).view(1, -1, 1),
    "Lerp": lambda m, x: torch.lerp(x, m.bias.expand_as(x), 0.3),
    "AddcmulAddcdiv": lambda m, x: torch.addcdiv(torch.addcmul(m.bias, x, m.weight, value=0.5), x, m.weight + 1, value=0.2),
    "MinMaxScaled": lambda m, x: (x - x.amin(-1, keepdim=True)) / (x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True) + 1e-6),
    "SigmoidGate": lambda m, x: torch.sigmoid(x @ m.square + m.bias) * torch.tanh(x @ m.other + m.bias),
    "OneMinusSigmoid": lambda m, x: (1 - torch.sigmoid(x)) * m.bias + torch.sigmoid(x) * x,
    "ExpLog": lambda m, x: torch.log1p(torch.exp(-x.abs())) + torch.clamp(x, min=0),
    "SnakeActivation": lambda m, x: x + (1.0 / (m.weight + 1e-9)) * torch.sin(x * m.weight) ** 2,
    "PowerLaw": lambda m, x: torch.sign(x) * torch.pow(torch.abs(x) + 1e-3, 0.5),
    "DropoutIdentity": lambda m, x: m.dropout(x @ m.square) + x,
    "Dynamic8": lambda m, x: (x @ m.square).relu() @ m.other + m.bias,
}


def pointwise() -> Iterator[tuple[str, Made]]:
    """Activations and chains of elementwise and reducing calls on [batch, sequence, channels]."""
    for name, function in POINTWISE.items():
        parts = _affine(square=torch.randn(WIDTH, WIDTH) / 4, other=torch.randn(WIDTH, WIDTH) / 4, low=torch.tensor(0.0),
                        high=torch.tensor(6.0), slope=torch.rand(5), dropout=nn.Dropout(0.1))  # fmt: skip
        yield name, (Of(function, **parts), (_sequence(),))
