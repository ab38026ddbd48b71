"""torch.jit: frozen bool buffer of rank 0 fails with an internal assertion (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("yes", torch.tensor(True))

    def forward(self, x):
        return torch.mul(x, self.yes)


x = torch.tensor([2.0])
expected = Model()(x).tolist()
try:
    traced = torch.jit.freeze(torch.jit.trace(Model().eval(), x))
    actual = traced(x).tolist()
except RuntimeError as error:
    actual = str(error)[:180]
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
