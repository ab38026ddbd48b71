"""Modules: buffers, parameters, hooks, training mode."""

ROWS = {
    "buffer-update": """
class Mean$i(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(1))
        self.register_buffer("calls", torch.tensor(0))
    def forward(self, x):
        self.mean.mul_(0.5).add_(x.detach().double().sum().float())
        self.calls += 1
        return x + self.mean * $old
mean$i = Mean$i()
---
$made = $part($taken)
extra.append(mean$i(s))
---
mean$i.mean.fill_(2)
mean$i.mean = torch.ones(1)
mean$i.register_buffer("mean", torch.zeros(1, dtype=torch.float64))
mean$i.double()
mean$i.calls = torch.tensor($new)
---
mean$i.mean
mean$i.calls
""",
    "buffer-assignment": """
class Last$i(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.ones(1))
        self.register_buffer("none", None)
        self.history = []
    def forward(self, x):
        y = x * 2 if self.none is None else x + self.none
        self.history.append(self.last)
        self.last = y.detach().reshape(-1)[:1] * 1
        return y
last$i = Last$i()
---
$made = $part($taken)
extra.append(last$i(s))
extra.append(last$i(t))
---
last$i.none = torch.ones(1)
last$i.last = torch.zeros(2)
last$i.history.clear()
last$i.none = None
---
last$i.last
last$i.history
""",
    "parameter": """
class Scale$i(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1) * 2)
        self.bias = None
    def forward(self, x):
        y = x * self.weight
        return y if self.bias is None else y + self.bias
scale$i = Scale$i()
---
$made = $part($taken)
extra.append(scale$i(s))
extra.append(torch.nn.functional.linear(t.reshape(-1, 1).float(), scale$i.weight.reshape(1, 1)))
---
scale$i.weight.data.fill_(3)
scale$i.weight = torch.nn.Parameter(torch.zeros(1))
scale$i.weight.requires_grad_(False)
scale$i.bias = torch.nn.Parameter(torch.ones(1))
scale$i.weight.data = torch.ones(1, dtype=torch.float64)
scale$i.load_state_dict({"weight": torch.full((1,), 4.0)}, strict=False)
scale$i.half()
---
dict(scale$i.state_dict())
""",
    "norm-statistics": """
norm$i = torch.nn.BatchNorm1d(1, momentum=0.5)
---
$made = $part($taken)
extra.append(norm$i(s.reshape(-1, 1).float()))
---
norm$i.eval()
norm$i.train()
norm$i.momentum = 0.25
norm$i.momentum = None
norm$i.reset_running_stats()
norm$i.track_running_stats = False
norm$i.weight.data.fill_(2)
norm$i.eps = 1.0
---
norm$i.running_mean
norm$i.running_var
norm$i.num_batches_tracked
norm$i.training
""",
    "training-mode": """
class Net$i(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop, self.inner = torch.nn.Dropout(0.0), torch.nn.Sequential(torch.nn.Identity())
    def forward(self, x):
        y = self.inner(self.drop(x))
        return y * 2 if self.training else y + (1 if self.inner.training else 2)
net$i = Net$i()
---
$made = $part($taken)
extra.append(net$i(s))
---
net$i.eval()
net$i.inner.eval()
net$i.train()
net$i.training = False
net$i.inner[0] = torch.nn.ReLU()
net$i.inner.append(torch.nn.Flatten(0))
net$i.drop.p = 1.0
---
net$i.training
""",
    "module-hook": """
LOG$i = []
def hook$i(module, args, result):
    LOG$i.append(tuple(result.shape))
    return result + $old
module$i = torch.nn.Identity()
handle$i = module$i.register_forward_hook(hook$i)
---
$made = $part($taken)
extra.append(module$i(s))
---
handle$i.remove()
handle$i = module$i.register_forward_pre_hook(lambda module, args: (args[0] * $new,))
module$i.register_forward_hook(lambda module, args, result: result - 1)
LOG$i.clear()
module$i.forward = lambda x: x * $new
---
LOG$i
""",
    "module-object": """
config$i = types.ModuleType("config$i")
config$i.scale, config$i.run = $old, lambda x: x + 1
space$i = types.SimpleNamespace(scale=$old, inner=types.SimpleNamespace(k=1))
---
$made = $part($taken)
extra.append(config$i.run(s) * config$i.scale)
extra.append(t * space$i.scale + space$i.inner.k)
config$i.seen = n
space$i.inner.k += 1
---
config$i.scale = $new
config$i.run = lambda x: x - 1
space$i.scale = $new
space$i.inner.k = $new
space$i.inner = types.SimpleNamespace(k=$new)
---
getattr(config$i, "seen", None)
space$i.inner.k
""",
}
