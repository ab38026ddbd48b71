"""torch: gru with weights that do not fit the input crashes (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected: an exception, or a result at once", flush=True)
x, h = torch.rand(3, 1, 2), torch.rand(4, 1, 2)
sizes = [[1, 2], [6, 2], [6, 2], [6, 2], [6, 4], [6, 2], [6, 4], [6, 2]]
params = [torch.rand(size) for size in sizes]
print([t.shape for t in torch.gru(x, h, params, False, 2, 0.0, False, True, False)])
