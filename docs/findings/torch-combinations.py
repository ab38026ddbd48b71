"""torch: combinations loops 2**27 times for an empty result (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import signal

import torch

print("expected: an exception, or a result at once", flush=True)
signal.alarm(10)  # an empty result should take milliseconds
print(torch.combinations(torch.rand(2), r=27).shape)
