"""torch.embedding_bag takes offsets of rank 2 and writes beyond its memory: SIGABRT or SIGSEGV."""

import torch

print("expected: an exception, or a result at once", flush=True)
for _ in range(100):
    out = torch.embedding_bag(torch.rand(6, 2), torch.zeros(6, 2, dtype=torch.int64), torch.zeros(6, 2, dtype=torch.int64))
    print([t.shape for t in out])
