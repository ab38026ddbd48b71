"""torch: lstm with an input of rank 5 crashes (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected: an exception, or a result at once", flush=True)
x, h, c = torch.rand(2, 3, 3, 1, 2), torch.rand(4, 1, 3), torch.rand(4, 1, 3)
sizes = [[12, 2], [12, 3], [12, 2], [12, 3], [12, 6], [12, 3], [12, 6], [12, 3]]
params = [torch.rand(size) for size in sizes]
print([t.shape for t in torch.lstm(x, [h, c], params, False, 2, 0.0, False, True, False)])
