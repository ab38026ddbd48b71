"""torch.binary_cross_entropy_with_logits broadcasts input and target to a third shape when compiled; eager refuses."""
import sys

import torch


def told(run):
    try:
        out = run()
    except Exception as error:
        print(error)
        return "raises"
    return [(tuple(x.shape), x.dtype) for x in (out if isinstance(out, tuple) else [out])]


def call(x, y):
    return torch.binary_cross_entropy_with_logits(x, y, reduction=0)


inputs = (torch.rand(1, 3, 2, 1), torch.rand(3, 1, 2, 1),)
expected = told(lambda: call(*inputs))
actual = told(lambda: torch.compile(call)(*inputs))
print("expected:", expected, "actual:", actual)
sys.exit(expected != actual)
