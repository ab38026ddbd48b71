"""Fake tensors refuse to shuffle the channels of no images; the kernel does it."""
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
    return torch.native_channel_shuffle(x, 2)


inputs = (torch.rand(0, 4, 2, 5),)
expected = told(lambda: call(*inputs))
with FakeTensorMode() as mode:
    actual = told(lambda: call(*map(mode.from_tensor, inputs)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
