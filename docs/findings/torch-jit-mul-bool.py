"""torch.jit stops at an assertion of its own when a frozen buffer is a bool of rank 0: torch 2.13.0."""

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
