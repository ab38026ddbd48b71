"""torch.compile: interpolate of a transposed sequence has other strides than eager (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


def model(x):
    return torch.nn.functional.interpolate(x.transpose(0, 1), size=3)


x = torch.ones(2, 2, 2)
expected, actual = model(x).stride(), torch.compile(model, backend="aot_eager")(x).stride()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
