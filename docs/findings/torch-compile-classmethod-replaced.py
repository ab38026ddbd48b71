"""torch.compile: a classmethod that is replaced is not seen (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


class Scale:
    @classmethod
    def run(cls, x):
        return x * 2


def model(x):
    return Scale.run(x)


compiled = torch.compile(model, backend="eager")
compiled(torch.ones(1))
Scale.run = classmethod(lambda cls, x: x + 5)
expected, actual = model(torch.ones(1)).item(), compiled(torch.ones(1)).item()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
