"""torch.compile: writing to an unfold view with gaps zeroes other elements (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


def model(x):
    x.unfold(0, 1, 2).mul_(10)
    return x.clone()


expected = model(torch.arange(1.0, 6.0)).tolist()
actual = torch.compile(model, backend="aot_eager")(torch.arange(1.0, 6.0)).tolist()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
