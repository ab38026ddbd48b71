"""Functions: closures, arguments, generators, recursion."""

ROWS = {
    "closure": """
def make$i(scale, seen):
    def run(s, *args):
        seen.append(s.shape[0])
        return $part(*args), s * scale + len(seen)
    return run
SEEN$i = []
run$i = make$i($old, SEEN$i)
---
$made, e = run$i(s, $taken)
extra.append(e)
---
run$i.__closure__[0].cell_contents = $new
run$i.__closure__[1].cell_contents.clear()
run$i = make$i($new, SEEN$i)
SEEN$i.append(7)
---
SEEN$i
run$i.__closure__[0].cell_contents
""",
    "nonlocal": """
def counter$i(step):
    total = step
    def add(x):
        nonlocal total
        total += step
        return x * total
    return add
add$i = counter$i($old)
---
$made = $part($taken)
extra.append(add$i(s))
extra.append(add$i(t))
---
add$i = counter$i($new)
[cell for cell in add$i.__closure__ if True][-1].cell_contents = $new
---
[cell.cell_contents for cell in add$i.__closure__]
""",
    "keyword-arguments": """
OPTIONS$i = {"scale": $old, "shift": 1}
def run$i(x, *rest, scale=1, shift=0, **more):
    return x * scale + shift + len(more) + len(rest)
---
$made = $part($taken)
extra.append(run$i(s, **OPTIONS$i))
extra.append(run$i(s, t, n, **{**OPTIONS$i, "other": n}))
extra.append(dict(OPTIONS$i, n=n))
---
OPTIONS$i["scale"] = $new
OPTIONS$i["added"] = $new
del OPTIONS$i["shift"]
OPTIONS$i = {"shift": $new}
---
OPTIONS$i
""",
    "default-arguments": """
def run$i(x, scale=$old, *, shift=1):
    return x * scale + shift
---
$made = $part($taken)
extra.append(run$i(s))
extra.append(run$i(t, shift=n))
---
run$i.__defaults__ = ($new,)
run$i.__kwdefaults__ = {"shift": $new}
run$i.__kwdefaults__["shift"] = $new
---
run$i.__defaults__
run$i.__kwdefaults__
""",
    "mutable-default": """
def run$i(x, seen=[]):
    seen.append(tuple(x.shape))
    return x + len(seen)
---
$made = $part($taken)
extra.append(run$i(s))
extra.append(run$i(t))
---
run$i.__defaults__[0].clear()
run$i.__defaults__ = ([$new],)
---
run$i.__defaults__
""",
    "generator": """
STEPS$i = [1, $old, 3]
def steps$i(x, log):
    try:
        for step in STEPS$i:
            sent = yield x * step
            log.append(sent)
    finally:
        log.append("closed")
LOG$i = []
---
$made = $part($taken)
total = 0
for e in steps$i(s, LOG$i):
    total = total + e
extra.append(total)
walk = steps$i(t, LOG$i)
extra.append(next(walk))
extra.append(walk.send(n))
walk.close()
---
STEPS$i.append($new)
STEPS$i[1] = $new
LOG$i.clear()
---
STEPS$i
LOG$i
""",
    "comprehension": """
SCALES$i = [1, $old]
---
$made = $part($taken)
extra.extend([(lambda x, k=k: x * k)(s) for k in SCALES$i if k != n])
extra.append({k: x.shape for k, x in zip("st", (s, t))})
extra.append(sum(x * k for x in (s, t[:1]) for k in SCALES$i))
---
SCALES$i.append($new)
SCALES$i[0] = $new
SCALES$i = [$new]
---
SCALES$i
""",
    "recursion": """
DEPTH$i = 2
def run$i(x, depth):
    return x if depth <= 0 else run$i(x + 1, depth - 1) * $old
---
$made = $part($taken)
extra.append(run$i(s, DEPTH$i))
extra.append(run$i(t, min(n, 3)))
---
DEPTH$i = 3
DEPTH$i = 0
run$i = lambda x, depth: x * $new
---
DEPTH$i
""",
    "functools-partial": """
run$i = functools.partial(lambda x, y, scale, **more: x * scale + len(more), y=1, scale=$old)
---
$made = $part($taken)
extra.append(run$i(s))
extra.append(functools.reduce(lambda x, k: x * k, (1, 2, n), t))
---
run$i.keywords["scale"] = $new
run$i = functools.partial(run$i, scale=$new)
run$i = functools.partial(run$i, other=1)
---
run$i.keywords
""",
    "code-exchange": """
def run$i(x):
    return x * $old
def other$i(x):
    return x + $new
---
$made = $part($taken)
extra.append(run$i(s))
---
run$i.__code__ = other$i.__code__
run$i = other$i
run$i, other$i = other$i, run$i
""",
    "global-counter": """
COUNT$i = $old
def step$i():
    global COUNT$i
    COUNT$i += 1
    return COUNT$i
---
$made = $part($taken)
extra.append(s * step$i())
extra.append(step$i())
---
COUNT$i = $new
COUNT$i += 10
---
COUNT$i
""",
    "memo": """
MEMO$i = {}
def cached$i(x, k):
    key = (tuple(x.shape), str(x.dtype), k)
    if key not in MEMO$i:
        MEMO$i[key] = len(MEMO$i) + 1
    return x * MEMO$i[key]
---
$made = $part($taken)
extra.append(cached$i(s, n))
extra.append(cached$i(t, n))
---
MEMO$i.clear()
MEMO$i.update({key: $new for key in MEMO$i})
---
MEMO$i
""",
    "callable-object": """
class Scale$i:
    def __init__(self, k):
        self.k, self.calls = k, 0
    def __call__(self, x, *rest):
        self.calls += 1
        return x * self.k + len(rest)
scale$i = Scale$i($old)
---
$made = $part($taken)
extra.append(scale$i(s))
extra.append(list(map(scale$i, (s, t))))
---
scale$i.k = $new
scale$i = Scale$i($new)
Scale$i.__call__ = lambda self, x, *rest: x + self.k
---
scale$i
""",
}
