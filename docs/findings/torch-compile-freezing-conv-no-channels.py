"""torch.compile: frozen convolution with 0 channels fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch
from torch._inductor import config

config.freezing = True


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 0, 1, 1))

    def forward(self, x):
        return torch.nn.functional.conv2d(x, self.weight)


with torch.no_grad():
    expected = f"a result of {tuple(Model()(torch.ones(1, 0, 3, 3)).shape)}"
    try:
        actual = f"a result of {tuple(torch.compile(Model())(torch.ones(1, 0, 3, 3)).shape)}"
    except Exception as error:
        actual = str(error).splitlines()[1][:101]
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
