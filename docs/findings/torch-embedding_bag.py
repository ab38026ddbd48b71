"""torch: embedding_bag accepts offsets of rank 2 and corrupts memory (torch 2.13.0). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import torch

print("expected: an exception, or a result at once", flush=True)
for _ in range(100):
    out = torch.embedding_bag(torch.rand(6, 2), torch.zeros(6, 2, dtype=torch.int64), torch.zeros(6, 2, dtype=torch.int64))
    print([t.shape for t in out])
