"""torch.compile: decomposed reflection_pad1d accepts padding as wide as the input (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx


def told(call, x):
    try:
        return call(x).tolist()
    except RuntimeError as error:
        return " ".join(str(error).split())[:200]


def model(x):
    return torch.nn.functional.pad(x, (3, 3), mode="reflect")


x = torch.arange(3.0).reshape(1, 3)
expected = told(model, x)
actual = told(lambda x: make_fx(model, decomposition_table=core_aten_decompositions())(x)(x), x)
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
