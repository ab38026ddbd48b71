"""torch.compile: native_dropout of an empty tensor returns a bool mask (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import torch


def told(call, *inputs, **more):
    try:
        out = call(*inputs, **more)
    except Exception as error:
        return "error: " + " ".join(str(error).split())[:200]
    return [(list(x.shape), str(x.dtype)) for x in (out if isinstance(out, tuple) else [out])]


def model(x):
    return torch.native_dropout(x, 0.5, True)


INPUTS = (torch.rand(2, 0),)
expected = told(model, *INPUTS)
print("expected:", expected)
actual = told(torch.compile(model), *INPUTS)
print("actual:  ", actual)
sys.exit(actual != expected)
