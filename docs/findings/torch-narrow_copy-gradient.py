"""torch: gradient of narrow_copy with a negative start is zero (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


def gradient(call):
    x = torch.arange(4.0, requires_grad=True)
    call(x).sum().backward()
    return x.grad.tolist()


expected = gradient(lambda x: x.narrow(0, -1, 1))
actual = gradient(lambda x: x.narrow_copy(0, -1, 1))
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
