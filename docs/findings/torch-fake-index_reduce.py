"""Fake tensors take index_reduce with another number of indices than rows; the kernel refuses."""
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


def call(x, index, src):
    return x.index_reduce(0, index, src, "prod")


inputs = (torch.rand(15), torch.zeros(1, dtype=torch.int64), torch.rand(0),)
expected = told(lambda: call(*inputs))
with FakeTensorMode() as mode:
    actual = told(lambda: call(*map(mode.from_tensor, inputs)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
