"""torch.compile: batch_norm of a transposed tensor has other strides than eager (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch

MEAN, VARIANCE = torch.zeros(2), torch.ones(2)


def model(x):
    return torch.nn.functional.batch_norm(x.transpose(0, 1), MEAN, VARIANCE)


x = torch.ones(2, 3, 4)
expected, actual = model(x).stride(), torch.compile(model)(x).stride()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
