"""torch.compile: select_scatter broadcasts its source (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def told(call, *inputs, **more):
    try:
        out = call(*inputs, **more)
    except Exception as error:
        return "error: " + " ".join(str(error).split())[:200]
    return [(list(x.shape), str(x.dtype)) for x in (out if isinstance(out, tuple) else [out])]


def model(x, src):
    return torch.select_scatter(x, src, 1, -1)


INPUTS = (torch.rand(3, 5, 5), torch.rand(1, 5))
expected = told(model, *INPUTS)
print("expected:", expected)
actual = told(torch.compile(model), *INPUTS)
print("actual:  ", actual)
sys.exit(actual != expected)
