"""Tensor.addbmm_ changes the shape of its operand in place; other operations refuse to."""
import sys

import torch


def told(run):
    try:
        out = run()
    except Exception as error:
        print(error)
        return "raises"
    return [(tuple(x.shape), x.dtype) for x in (out if isinstance(out, tuple) else [out])]


def call(x, a, b):
    return x.clone().addbmm_(a, b)


inputs = (torch.rand(5, 1), torch.rand(5, 5, 5), torch.rand(5, 5, 33),)
expected = told(lambda: call(*inputs))
actual = told(lambda: inputs[0].clone().add_(torch.rand(5, 33)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
