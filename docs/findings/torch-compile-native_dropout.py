"""torch.native_dropout of an empty tensor: eager returns a float mask, compiled a bool one."""
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
    return torch.native_dropout(x, 0.5, True)


inputs = (torch.rand(2, 0),)
expected = told(lambda: call(*inputs))
actual = told(lambda: torch.compile(call)(*inputs))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
