"""torch.compile: frozen product of integers with a buffer fails (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch
from torch._inductor import config

config.freezing = True


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.tensor([[3, 4]]))

    def forward(self, x):
        return torch.mm(x, self.table)


with torch.no_grad():
    expected = Model()(torch.tensor([[2]])).tolist()
    try:
        actual = torch.compile(Model())(torch.tensor([[2]])).tolist()
    except Exception as error:
        actual = str(error).split("\n")[1]
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
