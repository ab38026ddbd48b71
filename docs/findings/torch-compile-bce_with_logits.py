"""torch.compile: binary_cross_entropy_with_logits broadcasts both operands (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def told(call, *inputs, **more):
    try:
        out = call(*inputs, **more)
    except Exception as error:
        return "error: " + " ".join(str(error).split())[:200]
    return [(list(x.shape), str(x.dtype)) for x in (out if isinstance(out, tuple) else [out])]


def model(x, y):
    return torch.binary_cross_entropy_with_logits(x, y, reduction=0)


INPUTS = (torch.rand(1, 3, 2, 1), torch.rand(3, 1, 2, 1))
expected = told(model, *INPUTS)
print("expected:", expected)
actual = told(torch.compile(model), *INPUTS)
print("actual:  ", actual)
sys.exit(actual != expected)
