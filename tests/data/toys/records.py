"""Records of toy operators: python records.py API.

toy.clause needs a clause template, toy.output an output template, toy.operation an operation: the first number rounded up to
a multiple of the second."""

from __future__ import annotations

import json
import random
import sys

FLOATS = "float32"


def accepted(v: tuple[int, ...]) -> bool:
    """The constraint of toy.clause: position by position."""
    return all(min(v[i], v[2 + i]) % 3 == 2 for i in (0, 1))


def clause() -> None:
    """A tensor and a list, whose items depend on the tensor's dimensions."""
    numbers = random.Random(1)
    good: set[tuple[int, ...]] = set()
    bad: set[tuple[int, ...]] = set()
    while len(good) < 60:
        v = tuple(numbers.randint(1, 12) for _ in range(4))
        (good if accepted(v) else bad).add(v)
    items = [{"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": FLOATS}},
             {"name": "k", "pos": True, "value": ["s2", "s3"]}]  # fmt: skip
    say("toy.clause", items, ["o0", "o1"], {v: v[:2] for v in sorted(good)}, sorted(bad)[:120])


def output() -> None:
    """A tensor, and an output dimension that no other template builds."""
    sizes = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    items = [{"name": "x", "pos": True, "value": {"tensor": ["s0", "s1"], "dtype": FLOATS}}]
    say("toy.output", items, ["o0"], {(a, b): ((a * a + b * b) * (a + 7),) for a, b in sizes}, [])


def round_up(a: int, b: int) -> int:
    """The operation."""
    return -(-a // b) * b


def operation() -> None:
    """A tensor and two numbers. Only the operation expresses the output dimension, which the second number limits."""
    numbers = random.Random(2)
    good: dict[tuple[int, ...], tuple[int, ...]] = {}
    bad: set[tuple[int, ...]] = set()
    while len(good) < 80:
        v = (numbers.randint(1, 30), numbers.randint(1, 7), numbers.randint(1, 40))
        if round_up(v[0], v[1]) <= v[2]:
            good[v] = (round_up(v[0], v[1]),)
        else:
            bad.add(v)
    items = [{"name": "x", "pos": True, "value": {"tensor": ["s0"], "dtype": FLOATS}},
             {"name": "to", "pos": True, "value": "s1"}, {"name": "most", "pos": True, "value": "s2"}]  # fmt: skip
    say("toy.operation", items, ["o0"], good, sorted(bad)[:120])


def say(api: str, args: list[dict[str, object]], out: list[str], good: dict[tuple[int, ...], tuple[int, ...]],
        bad: list[tuple[int, ...]]) -> None:  # fmt: skip
    """Prints a line of records."""
    print(json.dumps({"op": f"{api}-0", "api": api, "framework": "onnx", "version": "1", "args": args,
                      "outputs": [{"tensor": out, "dtype": FLOATS}], "dtypes": [[[FLOATS], [FLOATS]]], "source": ["examples"],
                      "pass": [[v, o] for v, o in good.items()], "fail": bad}))  # fmt: skip


if __name__ == "__main__":
    {"toy.clause": clause, "toy.output": output, "toy.operation": operation}[sys.argv[1]]()
