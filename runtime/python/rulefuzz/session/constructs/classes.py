"""Classes and objects: attributes, properties, descriptors, methods."""

ROWS = {
    "class-attribute": """
class Base$i:
    scale = $old
    seen = []
class Config$i(Base$i):
    shift = 1
config$i = Config$i()
---
$made = $part($taken)
Config$i.seen.append(s.dim())
extra.append(s * config$i.scale + Config$i.shift)
Config$i.shift += 1
---
Base$i.scale = $new
Config$i.scale = $new
config$i.scale = $new
Config$i.shift = $new
Base$i.seen = [$new]
Config$i.__bases__[0].scale = $new
---
Config$i.shift
Base$i.seen
vars(config$i)
""",
    "class-in-function": """
WATCHED$i = []
---
class Holder:
    items = []
    def add(self, x):
        self.items.append(x.shape[0])
        return x + len(self.items)
holder = Holder()
e = holder.add(s)
$made = $part($taken)
Holder.items.append(n)
torch._dynamo.graph_break()
extra.append(holder.add(t))
extra.append(e)
extra.append(list(Holder.items))
""",
    "property": """
class Box$i:
    def __init__(self, k):
        self._k, self.reads = k, 0
    @property
    def k(self):
        self.reads += 1
        return self._k
    @k.setter
    def k(self, value):
        self._k = value * 1
    @staticmethod
    def plus(x):
        return x + 1
    @classmethod
    def make(cls, k):
        return cls(k)
box$i = Box$i.make($old)
---
$made = $part($taken)
extra.append(s * box$i.k)
box$i.k = box$i.k + 1
extra.append(Box$i.plus(t) * box$i.k)
---
box$i.k = $new
box$i._k = $new
box$i = Box$i($new)
Box$i.k = property(lambda self: $new)
Box$i.plus = staticmethod(lambda x: x - 1)
---
box$i
""",
    "descriptor": """
class Field$i:
    def __init__(self, k):
        self.k, self.log = k, []
    def __get__(self, owner, kind=None):
        self.log.append("get")
        return self.k if owner is None else owner.base * self.k
    def __set__(self, owner, value):
        self.log.append("set")
        self.k = value
class Owner$i:
    field = Field$i($old)
    __slots__ = ("base",)
owner$i = Owner$i()
owner$i.base = 2
---
$made = $part($taken)
extra.append(s * owner$i.field)
owner$i.field = n
extra.append(t * owner$i.field)
---
owner$i.base = $new
owner$i.field = $new
Owner$i.__dict__["field"].k = $new
---
Owner$i.__dict__["field"]
owner$i.base
""",
    "dataclass": """
@dataclasses.dataclass
class Settings$i:
    scale: float = $old
    items: list = dataclasses.field(default_factory=list)
    inner: object = None
settings$i = Settings$i(inner=Settings$i(1))
---
$made = $part($taken)
settings$i.items.append(s.shape)
extra.append(s * settings$i.scale + settings$i.inner.scale)
e = dataclasses.replace(settings$i, scale=n)
extra.append(t * e.scale + len(e.items))
extra.append(e == settings$i)
---
settings$i.scale = $new
settings$i.inner.scale = $new
settings$i.inner = Settings$i($new)
settings$i = Settings$i($new, inner=settings$i)
settings$i.items.clear()
---
settings$i
""",
    "named-tuple": """
Pair$i = collections.namedtuple("Pair$i", "tensor scale", defaults=[$old])
pair$i = Pair$i(torch.ones(1))
---
$made = $part($taken)
x, k = pair$i
extra.append(s * k + x)
extra.append(Pair$i(t, n))
extra.append(pair$i._replace(tensor=t * pair$i.scale))
---
pair$i = Pair$i(torch.ones(1), $new)
pair$i = pair$i._replace(tensor=torch.zeros(1))
---
pair$i
""",
    "bound-method": """
class Worker$i:
    def __init__(self, k):
        self.k = k
    def run(self, x):
        self.last = tuple(x.shape)
        return x * self.k
worker$i = Worker$i($old)
---
$made = $part($taken)
extra.append(worker$i.run(s))
---
worker$i.k = $new
Worker$i.run = lambda self, x: x + self.k
worker$i.run = types.MethodType(lambda self, x: x - self.k, worker$i)
Worker$i.run.__code__ = (lambda self, x: x * 9).__code__
worker$i.__dict__["k"] = $new
---
worker$i.k
getattr(worker$i, "last", None)
""",
    "method-object": """
class Worker$i:
    def __init__(self, k):
        self.k, self.calls = k, 0
    def run(self, x):
        self.calls += 1
        return x * self.k
    @classmethod
    def plus(cls, x):
        return x + cls.shift
    shift = 1
call$i, plus$i = Worker$i($old).run, Worker$i.plus
---
$made = $part($taken)
extra.append(call$i(s))
extra.append(plus$i(t))
---
call$i = Worker$i($new).run
call$i.__self__.k = $new
call$i.__func__.__code__ = (lambda self, x: x * 9).__code__
Worker$i.shift = $new
---
call$i.__self__.calls
""",
    "class-exchange": """
class One$i:
    k = $old
    def run(self, x):
        return x * self.k
class Two$i(One$i):
    def run(self, x):
        return x + self.k
object$i = One$i()
---
$made = $part($taken)
extra.append(object$i.run(s))
extra.append(isinstance(object$i, Two$i))
extra.append(type(object$i).__name__)
---
object$i.__class__ = Two$i
object$i = Two$i()
One$i.k = $new
One$i.run = Two$i.run
""",
    "super": """
class First$i:
    log = []
    def run(self, x):
        self.log.append("first")
        return x + $old
class Left$i(First$i):
    def run(self, x):
        self.log.append("left")
        return super().run(x) * 2
class Right$i(First$i):
    def run(self, x):
        self.log.append("right")
        return super().run(x) - 1
class Both$i(Left$i, Right$i):
    pass
both$i = Both$i()
---
$made = $part($taken)
extra.append(both$i.run(s))
---
Both$i.__bases__ = (Right$i, Left$i)
First$i.run = lambda self, x: x * $new
Right$i.run = lambda self, x: x + $new
Both$i.run = Right$i.run
---
First$i.log
""",
    "dynamic-attribute": """
class Bag$i:
    def __getattr__(self, name):
        if name.startswith("made"):
            return $old
        raise AttributeError(name)
bag$i = Bag$i()
---
$made = $part($taken)
extra.append(s * bag$i.made + getattr(bag$i, "shift", 1))
extra.append(hasattr(bag$i, "made_too"))
setattr(bag$i, "seen", getattr(bag$i, "seen", 0) + 1)
if hasattr(bag$i, "extra"):
    del bag$i.extra
    extra.append(t + 1)
---
bag$i.shift = $new
bag$i.made = $new
bag$i.extra = $new
bag$i.__dict__.pop("seen", None)
Bag$i.shift = $new
Bag$i.__getattr__ = lambda self, name: $new
---
vars(bag$i)
""",
    "operator-overload": """
class Amount$i:
    def __init__(self, k):
        self.k = k
    def __add__(self, other):
        return Amount$i(self.k + getattr(other, "k", other))
    __radd__ = __add__
    def __mul__(self, x):
        return x * self.k
    def __eq__(self, other):
        return self.k == getattr(other, "k", other)
    def __bool__(self):
        return self.k > 1
    def __len__(self):
        return 3
    def __contains__(self, k):
        return k == self.k
    def __getitem__(self, k):
        return self.k + k
    def __hash__(self):
        return 5
amount$i = Amount$i($old)
---
$made = $part($taken)
extra.append((amount$i + n) * s)
extra.append([amount$i == 2, 2 in amount$i, len(amount$i), amount$i[1], not amount$i])
extra.append(t + 1 if amount$i else t - 1)
---
amount$i.k = $new
amount$i = amount$i + 1
Amount$i.__bool__ = lambda self: self.k < 2
Amount$i.__mul__ = lambda self, x: x - self.k
---
amount$i
""",
    "enumeration": """
class Kind$i(enum.Enum):
    ADD = 1
    SCALE = 2
kind$i = Kind$i.ADD
TABLE$i = {Kind$i.ADD: 1, Kind$i.SCALE: $old}
---
$made = $part($taken)
extra.append(s + 1 if kind$i is Kind$i.ADD else s * 2)
extra.append(t * TABLE$i[kind$i])
extra.append(kind$i.name)
---
kind$i = Kind$i.SCALE
TABLE$i[Kind$i.ADD] = $new
---
TABLE$i[kind$i]
""",
}
