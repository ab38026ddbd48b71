"""torch.compile: elements of a full deque are not guarded (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import collections

import torch

queue = collections.deque([1, 2], maxlen=4)


def model(x):
    queue.append(3)
    return x * queue[0]


def run(function):
    queue.clear()
    queue.extend([1, 2])
    return [function(torch.ones(1)).item() for _ in range(5)]


expected, actual = run(model), run(torch.compile(model, backend="eager"))
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
