"""Fake tensors give torch.max over a dimension without elements a result; the kernel refuses."""
import sys

import torch
from torch._subclasses.fake_tensor import FakeTensorMode


def told(run):
    try:
        out = run()
    except Exception as error:
        print(error)
        return "raises"
    return [(tuple(x.shape), x.dtype) for x in (out if isinstance(out, tuple) else [out])]


def call(x):
    return torch.max(x, 1)


inputs = (torch.rand(3, 0, 5),)
expected = told(lambda: call(*inputs))
with FakeTensorMode() as mode:
    actual = told(lambda: call(*map(mode.from_tensor, inputs)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
