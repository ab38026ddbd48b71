"""Fake tensors take a dilation of 0; the kernel refuses."""
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


def call(x, w):
    return torch.nn.functional.conv3d(x, w, dilation=0)


inputs = (torch.rand(1, 1, 5, 5, 5), torch.rand(1, 1, 3, 3, 3),)
expected = told(lambda: call(*inputs))
with FakeTensorMode() as mode:
    actual = told(lambda: call(*map(mode.from_tensor, inputs)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
