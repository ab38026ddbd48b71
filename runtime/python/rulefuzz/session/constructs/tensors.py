"""Tensors as Python sees them: aliases, writes, metadata, modes."""

ROWS = {
    "input-write": """
KEEP$i = [torch.zeros(1)]
---
s.add_(1)
$made = $part($taken)
t[..., :1] = 2
s.reshape(-1)[:1].mul_(2)
extra.append(s + t.sum())
KEEP$i[0].add_(n)
extra.append(KEEP$i[0] * 1)
---
KEEP$i[0].fill_(3)
KEEP$i[0] = torch.ones(1)
---
KEEP$i
""",
    "input-view": """
---
$made = $part($taken)
extra.append(s[:1])
extra.append(t.transpose(0, -1))
extra.append(s.reshape(-1))
extra.append(s is t)
---
""",
    "same-result-twice": """
---
$made = $part($taken)
e = s * 2
extra.append([e, e, {"e": e}])
extra.append(s)
extra.append(e.reshape(-1))
---
""",
    "detach": """
---
$made = $part($taken)
extra.append(s.detach() * 2)
extra.append((s * t.detach()) if s.shape == t.shape else s * 2)
with torch.no_grad():
    extra.append(s * 3)
extra.append(s.requires_grad)
---
""",
    "metadata": """
SEEN$i = []
---
$made = $part($taken)
SEEN$i.append((str(s.dtype), tuple(s.shape), s.stride(), s.storage_offset(), s.requires_grad, s.is_leaf))
extra.append(s * s.stride(0) + s.storage_offset())
extra.append(t + 1 if t.is_contiguous() else t - 1)
extra.append(s * 2 if s.dtype.is_floating_point else s * 3)
extra.append([s.size(), s.ndim, s.numel(), s.element_size(), s is t, s.shape == t.shape])
---
SEEN$i.clear()
---
SEEN$i
""",
    "tensor-attribute": """
KEPT$i = torch.ones(1)
KEPT$i.scale = $old
---
$made = $part($taken)
extra.append(s * KEPT$i.scale + KEPT$i)
KEPT$i.calls = getattr(KEPT$i, "calls", 0) + 1
e = s * 2
e.tag = n
extra.append(t * e.tag)
---
KEPT$i.scale = $new
KEPT$i = KEPT$i + 0; KEPT$i.scale = $new
KEPT$i.calls = $new
---
getattr(KEPT$i, "calls", None)
""",
    "tensor-global": """
WEIGHT$i = torch.full((1,), 2.0)
---
$made = $part($taken)
extra.append(s * WEIGHT$i)
extra.append(t + WEIGHT$i.dim())
---
WEIGHT$i = torch.full((1,), 3.0)
WEIGHT$i.fill_(4)
WEIGHT$i = torch.tensor(2)
WEIGHT$i = torch.ones(2, 1, 1, dtype=torch.float64)
WEIGHT$i.requires_grad_()
WEIGHT$i.data = torch.zeros(1)
WEIGHT$i.resize_(0).resize_(1).fill_(5)
WEIGHT$i = 3
---
WEIGHT$i
""",
    "factories": """
---
$made = $part($taken)
extra.append(torch.full((2,), 0.5))
extra.append(torch.tensor(0.5) + s.sum())
extra.append(torch.arange(3) / 2)
extra.append(torch.zeros(s.shape[0], 2) + 1)
extra.append(torch.ones_like(t) * n)
extra.append(torch.get_default_dtype() == torch.float32)
---
""",
    "modes": """
SEEN$i = []
---
$made = $part($taken)
SEEN$i.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.is_autocast_enabled("cpu")))
extra.append(s + 1 if torch.is_grad_enabled() else s - 1)
extra.append(t + 1 if torch.is_autocast_enabled("cpu") else t - 1)
extra.append(str(torch.get_default_dtype()))
---
SEEN$i.clear()
---
SEEN$i
""",
    "grad-mode-region": """
SEEN$i = []
@torch.no_grad()
def quiet$i(x):
    SEEN$i.append(torch.is_grad_enabled())
    return x * $old
---
with torch.enable_grad():
    $made = $part($taken)
    extra.append(s * 2)
    extra.append(quiet$i(s))
    with torch.set_grad_enabled(bool(n)):
        extra.append(t * 3)
SEEN$i.append(torch.is_grad_enabled())
---
SEEN$i.clear()
---
SEEN$i
""",
    "autocast-region": """
ENABLED$i = True
---
m = s.float().reshape(-1, 1)
with torch.autocast("cpu", torch.bfloat16, enabled=ENABLED$i):
    extra.append(m @ m.t())
    with torch.autocast("cpu", enabled=False):
        extra.append(m @ m.t())
$made = $part($taken)
extra.append(m.t() @ m)
---
ENABLED$i = not ENABLED$i
---
ENABLED$i
""",
}
