"""Fake tensors take torch.put with more indices than elements; the kernel refuses."""
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
    return torch.put(x, index, src)


inputs = (torch.rand(3, 2), torch.zeros(3, dtype=torch.int64), torch.rand(2),)
expected = told(lambda: call(*inputs))
with FakeTensorMode() as mode:
    actual = told(lambda: call(*map(mode.from_tensor, inputs)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
