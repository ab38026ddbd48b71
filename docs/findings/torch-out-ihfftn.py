"""torch.fft.ihfftn without dimensions to transform leaves out= as it is."""
import sys

import torch


def told(run):
    try:
        out = run()
    except Exception as error:
        print(error)
        return "raises"
    return [(tuple(x.shape), x.dtype) for x in (out if isinstance(out, tuple) else [out])]


def call(x, **more):
    return torch.fft.ihfftn(x, **more)


inputs = (torch.rand(40),)
expected = told(lambda: call(*inputs))
actual = told(lambda: call(*inputs, out=torch.empty(0, dtype=torch.complex64)))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
