"""torch.select_scatter broadcasts a source that eager refuses, when compiled."""
import sys

import torch


def told(run):
    try:
        out = run()
    except Exception as error:
        print(error)
        return "raises"
    return [(tuple(x.shape), x.dtype) for x in (out if isinstance(out, tuple) else [out])]


def call(x, src):
    return torch.select_scatter(x, src, 1, -1)


inputs = (torch.rand(3, 5, 5), torch.rand(1, 5),)
expected = told(lambda: call(*inputs))
actual = told(lambda: torch.compile(call)(*inputs))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
