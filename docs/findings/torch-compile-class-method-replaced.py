"""torch.compile: a method that is replaced on its class is not seen (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


class Worker:
    def run(self, x):
        return x * 2


worker = Worker()


def model(x):
    return worker.run(x)


compiled = torch.compile(model, backend="eager")
compiled(torch.ones(1))
Worker.run = lambda self, x: x + 5
expected, actual = model(torch.ones(1)).item(), compiled(torch.ones(1)).item()
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
