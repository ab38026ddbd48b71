"""Lists, dictionaries and other containers."""

ROWS = {
    "list-append": """
SEEN$i = []
LIMITS$i = [1, $old]
---
SEEN$i.append(s.shape[-1])
$made = $part($taken)
SEEN$i.extend([n, len(SEEN$i)])
extra.append(s * LIMITS$i[-1] + len(SEEN$i))
SEEN$i.insert(0, "first")
if len(SEEN$i) > 6:
    SEEN$i.pop()
    del SEEN$i[1]
---
SEEN$i.clear()
LIMITS$i[-1] = $new
LIMITS$i.append($new)
LIMITS$i[:] = [$new, 1]
SEEN$i.reverse()
---
SEEN$i
LIMITS$i
""",
    "list-of-tensors": """
KEPT$i = [torch.ones(1), torch.full((1,), 2.0)]
---
$made = $part($taken)
extra.append(s * KEPT$i[0] + len(KEPT$i))
KEPT$i[1] = KEPT$i[1] + 1
KEPT$i.append(t[:1] * 1)
extra.append(sum(x.sum() for x in KEPT$i))
if len(KEPT$i) > 4:
    KEPT$i.pop(2)
---
KEPT$i[0] = torch.zeros(1)
KEPT$i[0] = torch.ones(1, dtype=torch.float64)
KEPT$i[0].mul_(2)
KEPT$i.pop()
KEPT$i.reverse()
KEPT$i[0] = KEPT$i[1]
---
KEPT$i
""",
    "dict-element": """
STATE$i = {"scale": $old, "calls": 0, 3: "three"}
---
STATE$i["calls"] += 1
$made = $part($taken)
extra.append(s * STATE$i["scale"] + STATE$i.get("shift", 0))
STATE$i.setdefault("shape", tuple(s.shape))
STATE$i.update(last=n)
extra.append(list(STATE$i))
extra.append([k for k, v in STATE$i.items() if v == n])
---
STATE$i["scale"] = $new
STATE$i["shift"] = $new
STATE$i.pop("shape", None)
STATE$i[3] = STATE$i.pop(3, None)
STATE$i = {"scale": $new, "calls": 5}
---
STATE$i
""",
    "dispatch-table": """
TABLE$i = {"add": lambda x: x + $old, "mul": lambda x: x * $old}
NAME$i = "add"
---
$made = $part($taken)
extra.append(TABLE$i[NAME$i](s))
extra.append({name: run(t) for name, run in TABLE$i.items()})
---
TABLE$i["add"] = lambda x: x - $new
NAME$i = "mul"
TABLE$i["more"] = lambda x: x
del TABLE$i["mul"]; NAME$i = "add"
TABLE$i = dict(reversed(list(TABLE$i.items())))
""",
    "set": """
NAMES$i = {1, 2}
---
$made = $part($taken)
NAMES$i.add(s.dim())
extra.append(s + 1 if n in NAMES$i else s * 2)
extra.append(sorted(NAMES$i | {s.shape[0]}))
NAMES$i.discard(7)
extra.append(len(NAMES$i & {1, 2, 3}))
---
NAMES$i.add($new)
NAMES$i.discard(2)
NAMES$i = frozenset([$new])
NAMES$i.clear()
---
sorted(NAMES$i)
""",
    "deque": """
QUEUE$i = collections.deque([1, $old], maxlen=4)
---
$made = $part($taken)
QUEUE$i.append(n)
extra.append(s * QUEUE$i[0] + len(QUEUE$i))
---
QUEUE$i.rotate(1)
QUEUE$i[0] = $new
QUEUE$i.appendleft($new)
QUEUE$i.pop()
QUEUE$i = collections.deque([$new])
---
QUEUE$i
""",
    "collections": """
COUNTS$i = collections.Counter()
GROUPS$i = collections.defaultdict(list)
ORDER$i = collections.OrderedDict(a=1, b=$old)
---
$made = $part($taken)
COUNTS$i[s.dim()] += 1
GROUPS$i[n].append(t.dim())
extra.append(s + COUNTS$i[s.dim()])
ORDER$i.move_to_end("a")
extra.append(t * sum(ORDER$i.values()))
extra.append(list(ORDER$i))
---
COUNTS$i[2] = $new
ORDER$i["b"] = $new
ORDER$i.move_to_end("b")
GROUPS$i.clear()
---
dict(COUNTS$i)
dict(GROUPS$i)
ORDER$i
""",
    "subclassed-containers": """
class Log$i(list):
    def note(self, x):
        self.append(x)
        return len(self)
class Table$i(dict):
    def __missing__(self, key):
        self[key] = $old
        return $old
LOG$i, TABLE$i = Log$i(), Table$i()
---
$made = $part($taken)
extra.append(s * LOG$i.note(s.dim()))
extra.append(t + TABLE$i[n])
---
TABLE$i.clear()
TABLE$i[2] = $new
LOG$i.append($new)
Table$i.__missing__ = lambda self, key: $new
LOG$i = Log$i([1, 2])
---
LOG$i
TABLE$i
""",
    "iterator": """
ITEMS$i = iter([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
COUNT$i = itertools.count($old)
---
$made = $part($taken)
extra.append(s * next(ITEMS$i))
extra.append(next(COUNT$i) + n)
for k, (x, y) in enumerate(zip((s, t), (1, 2, 3)), 1):
    extra.append(x * k + y)
---
next(ITEMS$i)
ITEMS$i = iter([$new, 1, 2, 3, 4, 5])
COUNT$i = itertools.count($new)
---
next(copy.copy(ITEMS$i), None)
""",
    "sorting": """
ORDER$i = [3, 1, 2]
---
$made = $part($taken)
ORDER$i.sort(key=lambda k: -k * n)
extra.append(s * ORDER$i[0])
extra.append([max(ORDER$i), min(ORDER$i, default=0), any(ORDER$i), all(ORDER$i)])
extra.append(sorted(((k, i) for i, k in enumerate(ORDER$i)), reverse=True))
extra.append(sum(ORDER$i[::-1], n))
---
ORDER$i.append($new)
ORDER$i[0] = $new
ORDER$i.reverse()
---
ORDER$i
""",
}
