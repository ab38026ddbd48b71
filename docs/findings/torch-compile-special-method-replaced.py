"""torch.compile: special methods replaced on their class are not seen (torch 2.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import torch


class Bag:
    def __len__(self):
        return 2

    def __getitem__(self, key):
        return 2


bag = Bag()
expected, actual = [], []
for name, model in (("__len__", lambda x: x * len(bag)), ("__getitem__", lambda x: x * bag[0])):
    compiled = torch.compile(model, backend="eager")
    compiled(torch.ones(1))
    setattr(Bag, name, lambda self, *key: 7)
    expected.append(model(torch.ones(1)).item())
    actual.append(compiled(torch.ones(1)).item())
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))
