"""torch.mvlgamma with p = 0 is refused by eager and runs when compiled."""
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
    return torch.mvlgamma(x, 0)


inputs = (torch.rand(3, 2) + 5,)
expected = told(lambda: call(*inputs))
actual = told(lambda: torch.compile(call)(*inputs))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
