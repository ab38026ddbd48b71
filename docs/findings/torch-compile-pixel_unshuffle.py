"""torch.compile: pixel_unshuffle of an empty tensor accepts a width of 13 by 3 (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def told(call, *inputs, **more):
    try:
        out = call(*inputs, **more)
    except Exception as error:
        return "error: " + " ".join(str(error).split())[:200]
    return [(list(x.shape), str(x.dtype)) for x in (out if isinstance(out, tuple) else [out])]


def model(x):
    return torch.nn.functional.pixel_unshuffle(x, 3)


INPUTS = (torch.rand(4, 0, 12, 13),)
expected = told(model, *INPUTS)
print("expected:", expected)
actual = told(torch.compile(model), *INPUTS)
print("actual:  ", actual)
sys.exit(actual != expected)
