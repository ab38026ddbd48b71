"""torch.compile: as_strided of a clone of a slice reads before the slice (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


def model(x):
    return torch.as_strided_copy(x.clone(), [2], [1], 0)


x = torch.arange(6.0)[2:]
expected, actual = model(x).tolist(), torch.compile(model)(x).tolist()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
