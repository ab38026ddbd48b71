"""torch.compile: frozen convolution ignores the strides of its bias (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch
import torch._inductor.config

torch._inductor.config.freezing = True


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 1, 1, 1))

    def forward(self, x, table):
        return torch.nn.functional.conv2d(x, self.weight, table[:, 0])


model, inputs = Model(), (torch.zeros(1, 1, 1, 1), torch.arange(4.0).reshape(2, 2))
with torch.no_grad():
    expected, actual = (call(*inputs).flatten().tolist() for call in (model, torch.compile(model)))
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
