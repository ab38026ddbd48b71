"""Fake tensors take a range that ends before it begins; the kernel refuses."""
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
    return x.uniform_(7, 2)


inputs = (torch.rand(5, 2),)
expected = told(lambda: call(*inputs))
with FakeTensorMode() as mode:
    actual = told(lambda: call(*map(mode.from_tensor, inputs)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
