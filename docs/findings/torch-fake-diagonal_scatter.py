"""FakeTensor: diagonal_scatter accepts a source of the wrong length (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""
import sys

import torch
from torch._subclasses.fake_tensor import FakeTensorMode


def told(call, *inputs, **more):
    try:
        out = call(*inputs, **more)
    except Exception as error:
        return "error: " + " ".join(str(error).split())[:200]
    return [(list(x.shape), str(x.dtype)) for x in (out if isinstance(out, tuple) else [out])]


def model(x, src):
    return torch.diagonal_scatter(x, src, -1)


INPUTS = (torch.rand(6, 7), torch.rand(4))
expected = told(model, *INPUTS)
with FakeTensorMode() as mode:
    actual = told(model, *map(mode.from_tensor, INPUTS))
print(f"expected: {expected}\nactual:   {actual}")
sys.exit(actual != expected)
