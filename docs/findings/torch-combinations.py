"""torch.combinations(x, r) with r > len(x) has no combination to return, but works for 2**27 steps on it: it hangs."""

import signal

import torch

print("expected: an exception, or a result at once", flush=True)
signal.alarm(10)  # the result is empty: milliseconds would do
print(torch.combinations(torch.rand(2), r=27).shape)
