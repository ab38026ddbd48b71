"""Control flow: early returns, exceptions, context managers, graph breaks."""

ROWS = {
    "early-return-shape": """
def run$i(x, *args):
    if x.dim() < 2:
        return $part(*args), x
    if x.shape[0] > 3 or x.shape[-1] == 1:
        return $part(*args), x * 3
    if x.is_contiguous() and x.dtype == torch.float32:
        return $part(*args), x + x.numel()
    return $part(*args), x - 1
---
$made, e = run$i(s, $taken)
extra.append(e)
extra.append(t * 2 if s.shape == t.shape else t * 3)
""",
    "early-return-flag": """
FLAG$i = bool($old)
def run$i(x, *args):
    made = $part(*args)
    if FLAG$i:
        return made, x + 1
    return made, x * 2
---
$made, e = run$i(s, $taken)
extra.append(e)
if n:
    extra.append(t)
---
FLAG$i = not FLAG$i
FLAG$i = $new
FLAG$i = None
FLAG$i = [1][:FLAG$i]
---
bool(FLAG$i)
""",
    "loop-layers": """
class Layer$i(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale, self.calls = scale, 0
    def forward(self, x):
        self.calls += 1
        return x * self.scale
class Net$i(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer$i(1), Layer$i($old)])
    def forward(self, x, *args):
        for i, layer in enumerate(self.layers):
            x = layer(x) + i
        return $part(*args), x
net$i = Net$i()
---
$made, e = net$i(s, $taken)
extra.append(e)
---
net$i.layers[0].scale = $new
net$i.layers.append(Layer$i($new))
net$i.layers[1] = Layer$i($new)
del net$i.layers[0]
net$i.layers = torch.nn.ModuleList([net$i.layers[-1]])
net$i.layers.insert(0, Layer$i($new))
net$i.layers[-1].forward = lambda x: x + $new
Layer$i.forward = lambda self, x: x - self.scale
---
[vars(layer).get("scale") for layer in net$i.layers]
[layer.calls for layer in net$i.layers]
""",
    "try-except": """
class Rejected$i(ValueError):
    pass
LOG$i = []
LIMIT$i = 2
def check$i(x):
    if x.dim() > LIMIT$i or n$i[0] > LIMIT$i:
        raise Rejected$i("too much", LIMIT$i)
    return x + 1
n$i = [$old]
---
try:
    e = check$i(s)
except Rejected$i as error:
    LOG$i.append(error.args)
    e = s * 2
else:
    LOG$i.append("else")
finally:
    LOG$i.append("finally")
$made = $part($taken)
extra.append(e)
try:
    extra.append([1, 2, 3][n] + {1: 1, 2: 2}[n])
except (IndexError, KeyError, TypeError) as error:
    extra.append(type(error).__name__)
---
LIMIT$i = $new
n$i[0] = $new
LOG$i.clear()
---
LOG$i
""",
    "exception-state": """
LOG$i = []
def inner$i(x, k):
    try:
        if k > 1:
            raise KeyError("k")
        return x
    except KeyError as error:
        raise RuntimeError("outer") from error
LIMIT$i = [$old]
---
$made = $part($taken)
try:
    extra.append(inner$i(s, LIMIT$i[0]))
except RuntimeError as error:
    LOG$i.append(type(error.__cause__).__name__)
    extra.append(s + 1)
if n == 7:
    LOG$i.append("raises")
    raise OverflowError("seven")
---
LIMIT$i[0] = 0
LIMIT$i[0] += $new
---
LOG$i
""",
    "finally": """
LOG$i = []
def run$i(x, k):
    for step in range(3):
        try:
            if step == k:
                return x * step
            if step == 0:
                continue
        finally:
            LOG$i.append(step)
    return x - 1
---
$made = $part($taken)
extra.append(run$i(s, n))
extra.append(run$i(t, 1))
---
LOG$i.clear()
---
LOG$i
""",
    "context-manager": """
class Scope$i:
    depth, log = 0, []
    def __init__(self, swallow=False):
        self.swallow = swallow
    def __enter__(self):
        Scope$i.depth += 1
        self.log.append("enter")
        return Scope$i.depth
    def __exit__(self, kind, value, trace):
        Scope$i.depth -= 1
        self.log.append(kind.__name__ if kind else "exit")
        return self.swallow
---
with Scope$i() as depth, Scope$i(True) as inner:
    $made = $part($taken)
    extra.append(s * depth + inner)
    if n > 2:
        raise ValueError(n)
    extra.append(t + Scope$i.depth)
extra.append(s + Scope$i.depth)
---
Scope$i.depth = $new
Scope$i.log = []
Scope$i.__enter__ = lambda self: $new
---
Scope$i.depth
Scope$i.log
""",
    "generator-context": """
LOG$i = []
FACTOR$i = 1
@contextlib.contextmanager
def scaled$i(k):
    global FACTOR$i
    before, FACTOR$i = FACTOR$i, FACTOR$i * k
    LOG$i.append("begin")
    try:
        yield FACTOR$i
    finally:
        FACTOR$i = before
        LOG$i.append("end")
---
with scaled$i($old) as e:
    $made = $part($taken)
    extra.append(s * e)
    with scaled$i(n):
        extra.append(t * FACTOR$i)
extra.append(s * FACTOR$i)
---
FACTOR$i = $new
LOG$i.clear()
---
LOG$i
FACTOR$i
""",
    "print": """
SEEN$i = []
---
SEEN$i.append("before")
e = s * 2
print("shape", tuple(s.shape), n, file=sys.stdout)
$made = $part($taken)
SEEN$i.append("after")
print(f"{n!r:>4} {s.dtype}")
extra.append(e + len(SEEN$i))
---
SEEN$i.clear()
SEEN$i.append($new)
---
SEEN$i
""",
    "graph-break": """
SEEN$i = []
def broken$i(x, k):
    SEEN$i.append(k)
    for step in range(2):
        x = x + step
        torch._dynamo.graph_break()
        SEEN$i.append(x.dim())
    return x * $old
---
e = broken$i(s, n)
$made = $part($taken)
held = [e, {"t": t}]
torch._dynamo.graph_break()
held.append(len(SEEN$i))
extra.append(held)
extra.append([x + 1 for x in (s, t)])
---
SEEN$i.clear()
SEEN$i.append($new)
---
SEEN$i
""",
    "item": """
SEEN$i = []
---
k = s.sum().item()
SEEN$i.append(k)
$made = $part($taken)
extra.append(s + 1 if k > n else s - 1)
extra.append(t * int(t.float().max().item() if t.numel() else 0))
---
SEEN$i.clear()
---
SEEN$i
""",
    "tolist": """
SEEN$i = []
---
items = s.reshape(-1)[:3].tolist()
SEEN$i.extend(items)
$made = $part($taken)
e = t
for k in items:
    e = e + k
extra.append(e)
extra.append(s.reshape(-1)[: len(set(items))])
---
SEEN$i.clear()
SEEN$i.append($new)
---
SEEN$i
""",
    "match": """
MODE$i = ("scale", $old)
---
match MODE$i:
    case ("scale", k) if k != n:
        e = s * k
    case ("shift", *rest):
        e = s + len(rest)
    case {"k": k}:
        e = s - k
    case _:
        e = -s
$made = $part($taken)
extra.append(e)
---
MODE$i = ("shift", 1, 2)
MODE$i = {"k": $new}
MODE$i = ("scale", $new)
MODE$i = None
---
MODE$i
""",
    "python-numbers": """
SCALE$i = $old
---
$made = $part($taken)
extra.append(s * (n // 2) + (-n) % 3)
extra.append([n + 1, n * 2.0, n**2, abs(-n), round(n / 3, 2), divmod(n, 2), -n // 2, bool(n), n == 2, n is None])
extra.append([math.floor(n / 2), math.ceil(n / 2), int(n), float(n), str(n), n < 3 <= 7, max(n, 2), min(n, 2.0)])
extra.append(t[: int(SCALE$i)] * SCALE$i)
extra.append(s.shape[0] * SCALE$i + s.numel() / 2)
---
SCALE$i = $new
SCALE$i += 1
---
SCALE$i
""",
    "formatting": """
PREFIX$i = "a"
TABLE$i = {"a2": 1, "a3": $old, "b2": 4}
---
$made = $part($taken)
extra.append(s * TABLE$i.get(f"{PREFIX$i}{n}", 5))
extra.append("{}-{:>6.2f}".format(PREFIX$i, n))
extra.append(PREFIX$i.upper() + "-".join(map(str, s.shape)) + str(s.dtype).split(".")[1])
---
PREFIX$i = "b"
TABLE$i["a2"] = $new
PREFIX$i += "b"
---
PREFIX$i
""",
}
