"""torch.nn.functional.pixel_unshuffle of no images: eager refuses a height that does not divide, compiled does not."""
import sys

import torch


def told(run):
    try:
        out = run()
    except Exception as error:
        print(error)
        return "raises"
    return [(tuple(x.shape), x.dtype) for x in (out if isinstance(out, tuple) else [out])]


def call(x):
    return torch.nn.functional.pixel_unshuffle(x, 3)


inputs = (torch.rand(4, 0, 12, 13),)
expected = told(lambda: call(*inputs))
actual = told(lambda: torch.compile(call)(*inputs))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
