"""pixel_shuffle of a permuted tensor of five dimensions is refused by eager, whatever the factor; of its copy it is not."""

import torch

x = torch.ones(1, 4, 5, 2, 3).to(memory_format=torch.channels_last_3d)
print("expected:", torch.pixel_shuffle(x.contiguous(), 1).shape)
print("actual:", torch.pixel_shuffle(x, 1).shape)
