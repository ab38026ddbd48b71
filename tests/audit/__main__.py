"""Plants faults in the audit's inputs, one per API, runs the audit, and checks that it no longer proves the
API's rule.

usage: python3 -m tests.audit [--build build] [--seed 1] [--code 200] [--rules 80] [--rows 80] [--records
80]

There are five sorts of faults. Four are planted in copies below BUILD/audit-faults: in the generated C of a
page (a changed number, relation, operation, argument or binding, or a dropped condition), in a rule of
rules.jsonl (the same, in its text), in a row of the table (a function or number of another row), and in
records (inputs.py). One run of the audit judges all of them, since each is in an API of its
own. C that does not compile, or whose object code is unchanged, does not count as a fault. A changed rule
that is not caught is evaluated on 20,000 calls near the borders; if it gives the same answers it counts as
equal. Faults of the fifth sort, in the checker's own input, are planted one at a time and judged by runs
that audit one API. Exit code: 0 if every fault that is not equal was caught, else 1.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.audit import inputs

RELATIONS = {">": ">=", ">=": ">", "<": "<=", "<=": "<", "==": "!=", "!=": "=="}
OPERATIONS = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "+"}
POINTS = 20000


@dataclass
class Fault:
    """One change. ops: the rules it concerns, one of them must lose its proof; equal: evaluates a
    fault that is not caught."""

    kind: str
    place: str
    change: str
    ops: list[str]
    equal: Callable[[], bool] | None = None


def other_number(text: str, draw: random.Random) -> str:
    return str(int(text) + draw.choice((-1, 1)) if int(text) else 1)


def replace(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


# ---- C


def code_changes(body: str, draw: random.Random) -> list[tuple[str, str, str]]:
    """Texts with one change, with its kind and what it was: one of each kind that there is a place for."""
    places: list[tuple[str, str, Callable[[re.Match[str]], str]]] = [
        ("number", r"(?<![\w\"])\d+(?![\w\"])", lambda m: other_number(m.group(), draw)),
        ("relation", r"(?<=[\w)] )(>=|<=|==|!=|<|>)(?= [\w(-])", lambda m: RELATIONS[m.group()]),
        ("operation", r"(?<=[\w)] )[+*-](?= [\w(])", lambda m: OPERATIONS[m.group()]),
        ("condition dropped", r"require\([^;]*\);", lambda m: ";"),
        ("first two arguments", r"(?<=[a-z_0-9]\()(\w+), (\w+)(?=[,)])", lambda m: f"{m.group(2)}, {m.group(1)}"),
        ("binding", r"FROM\((\d+), (\d+)\)", lambda m: f"FROM({int(m.group(1)) + 1}, {m.group(2)})"),
        ("answer", r"return true;", lambda m: "return false;"),
        ("both and either", r"&&|\|\|", lambda m: "||" if m.group() == "&&" else "&&"),
    ]
    found = []
    for kind, pattern, make in places:
        matches = [m for m in re.finditer(pattern, body) if make(m) != m.group()]
        if matches:
            m = draw.choice(matches)
            found.append((kind, replace(body, m, make(m)), f"{' '.join(m.group().split())!r} to {make(m)!r}"))
    return found


def object_code(source: Path, root: Path) -> bytes | None:
    """What a compiler makes of a file, without its name; None where it does not compile."""
    made = source.with_suffix(".o")
    command = ["cc", "-std=gnu11", "-O2", "-w", "-c", "-iquote", str(root / "runtime/include"), str(source), "-o", str(made)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    code = subprocess.run(["objdump", "-d", "-r", "-s", "-j", ".text", str(made)], capture_output=True, check=True).stdout
    made.unlink()
    return b"\n".join(code.splitlines()[3:])


def plant_code(page: Path, original: Path, ops: list[str], draw: random.Random, wanted: Counter[str]) -> Fault | None:
    head, mark, body = page.read_text().partition('#include "../code.h"\n')
    root = Path.cwd()
    before = object_code(page, root)
    for kind, text, what in sorted(code_changes(body, draw), key=lambda c: wanted[c[0]]):  # rarest first
        page.write_text(head + mark + text)
        if object_code(page, root) not in (None, before):  # it compiles, to other code
            wanted[kind] += 1
            return Fault(f"C: {kind}", str(original), what, ops)
    page.write_text(head + mark + body)
    return None


# ---- rules


def rule_changes(text: str, nsym: int, draw: random.Random) -> list[tuple[str, str]]:
    places: list[tuple[str, str, Callable[[re.Match[str]], str]]] = [
        ("number", r"(?<![\ws])\d+\b", lambda m: other_number(m.group(), draw)),
        ("relation", r"(?<= )(>=|<=|==|!=|<|>)(?= )", lambda m: RELATIONS[m.group()]),
        ("operation", r"(?<=[\w) ])(//|[+*%-])(?=[\w( ])", lambda m: OPERATIONS[m.group()]),
        ("symbol", r"\bs\d+\b", lambda m: f"s{(int(m.group()[1:]) + 1) % nsym}"),
    ]
    found = []
    for kind, pattern, make in places:
        matches = [m for m in re.finditer(pattern, text) if make(m) != m.group()]
        if matches:
            m = draw.choice(matches)
            found.append((kind, replace(text, m, make(m))))
    return found


WORDS = re.compile(r"(s\d+|\d+|min|max|and|or|not|if|else|//|[<>=!]=|[-+*%<>(),]|\s)*")


def compiled(text: str) -> Any:
    """A rule's text is Python's; nothing but its words is."""
    if not WORDS.fullmatch(text):
        raise SystemExit(f"rules.jsonl: error: {text!r} is no rule")
    return compile(text, "rule", "eval")


def value(code: Any, call: list[int]) -> object:
    try:
        return eval(code, {"__builtins__": {}, "min": min, "max": max}, {f"s{i}": v for i, v in enumerate(call)})
    except ZeroDivisionError:
        return None


def answers(rule: dict[str, Any], calls: list[list[int]]) -> list[object]:
    """What a rule says of calls: None, or its outputs."""
    clauses = [compiled(c) for c in rule["valid"]]
    outputs = [compiled(o) for o in rule["out"]]
    dims = [int(s[1:]) for a in json.dumps(rule["args"]).split('"tensor": [')[1:] for s in re.findall(r"s\d+", a.split("]")[0])]
    said: list[object] = []
    for call in calls:
        ok = all(call[d] >= 0 for d in dims) and all(value(c, call) for c in clauses)
        out = [value(o, call) for o in outputs] if ok else [None]
        said.append(None if any(o is None or o < 0 for o in out) else out)  # type: ignore[operator]
    return said


def same_answers(old: dict[str, Any], new: dict[str, Any], draw: random.Random) -> bool:
    n, seen = old["nsym"], [r[: old["nsym"]] for r in old["records"]]
    calls = [[draw.randint(-2, 8) for _ in range(n)] for _ in range(POINTS // 2)]
    for _ in range(POINTS // 2):  # a few steps from what was recorded
        call = list(draw.choice(seen)) if seen else [1] * n
        for _ in range(draw.randint(0, 3)):
            if n:
                call[draw.randrange(n)] += draw.choice((-2, -1, 1, 2))
        calls.append(call)
    return answers(old, calls) == answers(new, calls)


def plant_rule(rule: dict[str, Any], draw: random.Random) -> Fault | None:
    old = json.loads(json.dumps(rule))
    where = [(k, i) for k in ("valid", "out") for i in range(len(rule[k]))]
    if not where:
        return None
    key, i = draw.choice(where)
    before = rule[key][i]
    if key == "valid" and draw.random() < 0.2:
        kind, what = "clause dropped", before
        del rule[key][i]
    else:
        changes = rule_changes(before, rule["nsym"], draw)
        if not changes:
            return None
        kind, rule[key][i] = draw.choice(changes)
        what = f"{before!r} to {rule[key][i]!r}"
    seed = draw.random()
    return Fault(f"rule: {kind}", rule["op"], what, [rule["op"]], equal=lambda: same_answers(old, rule, random.Random(seed)))


# ---- rows


ROW = re.compile(r'ROW\("([^"]+)","\w+",\w+,\w+,\w+(?:\([^)]*\))?,\d+,\d+, (\w+),(\w+),(\d+),(\d+),(\d+), ')


def rows_of(lines: list[str]) -> Iterator[tuple[int, str, re.Match[str]]]:
    """The lines of rows, with their API."""
    api = ""
    for i, line in enumerate(lines):
        if line.startswith("#define API "):
            api = json.loads(line.removeprefix("#define API "))
        elif m := ROW.match(line):
            yield i, api, m


def plant_row(row: str, donor: str, draw: random.Random) -> tuple[str, str, str] | None:
    """A row with its numbers or its call from another row."""
    mine, other = ROW.match(row), ROW.match(donor)
    if not mine or not other:
        return None
    at = draw.randrange(5)
    new = other.group(at + 2) if at < 2 else other_number(mine.group(at + 2), draw)
    if new == mine.group(at + 2):
        return None
    kind = ("arguments", "values", "symbols", "inputs", "outputs")[at]
    changed = row[: mine.start(at + 2)] + new + row[mine.end(at + 2) :]
    return kind, changed, f"{mine.group(at + 2)} to {new}"


# ---- all of it


def read_certificate(path: Path) -> dict[str, tuple[str, str]]:
    """Of an operator: the verdict, and that of its sampler."""
    words = (line.split() for line in path.read_text().splitlines())
    return {w[0]: (w[3], w[5]) for w in words}


def audit(build: Path, generated: Path, rules: Path, traces: Path, to: Path) -> dict[str, tuple[str, str]]:
    cache = build / "audit-faults/cache"
    command: list[str | Path] = [build / "audit-c", "--rules", rules, "--generated", generated, "--cache", cache]
    command += ["--certificate", to, "--library", build / "librulesmith.so"]
    for folder in sorted({f.parent for f in traces.glob("*/*.jsonl")}):
        command += ["--traces", folder]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    print(ran.stdout.strip() or ran.stderr.strip()[-300:], flush=True)
    return read_certificate(to)


class Plan:
    """Copies, and which APIs have a fault already."""

    def __init__(self, build: Path, seed: int) -> None:
        self.folder = build / "audit-faults"
        self.draw = random.Random(seed)
        self.header, *lines = (build / "rules.jsonl").read_text().splitlines()
        self.rules = {r["op"]: r for r in map(json.loads, lines)}
        self.by_api: dict[str, list[str]] = {}
        for op, rule in self.rules.items():
            self.by_api.setdefault(rule["api"], []).append(op)
        self.taken: set[str] = set()
        self.faults: list[Fault] = []
        shutil.rmtree(self.folder / "generated", ignore_errors=True)
        shutil.copytree("generated", self.folder / "generated")
        shutil.rmtree(self.folder / "traces", ignore_errors=True)
        for path in Path("traces").glob("*/*.jsonl"):
            to = self.folder / path
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)

    def take(self, fault: Fault | None, api: str) -> bool:
        if fault:
            self.faults.append(fault)
            self.taken.add(api)
        return fault is not None

    def api_of(self, page: str) -> str:
        """The API of a page: torch/abs is of torch.abs."""
        framework, _, name = page.partition("/")
        api = f"{'tf' if framework == 'tensorflow' else framework}.{name}"
        return api if api in self.by_api else api.replace("tf.", "tf.raw_ops.")

    def code(self, count: int, proved: set[str]) -> None:
        pages = sorted(p for p in self.folder.glob("generated/*/*.c") if not re.match(r"shared|table|data", p.name))
        wanted: Counter[str] = Counter()
        self.draw.shuffle(pages)
        for page in pages:
            api = self.api_of(f"{page.parent.name}/{page.stem}")
            ops = [op for op in self.by_api.get(api, []) if op in proved]
            if count and ops and api not in self.taken:
                original = Path("generated") / page.parent.name / page.name
                count -= self.take(plant_code(page, original, ops, self.draw, wanted), api)

    def texts(self, count: int, proved: set[str]) -> None:
        ops = sorted(proved)
        self.draw.shuffle(ops)
        for op in ops:
            rule = self.rules[op]
            if count and rule["api"] not in self.taken:
                count -= self.take(plant_rule(rule, self.draw), rule["api"])
        lines = (json.dumps(r, separators=(",", ":"), ensure_ascii=False) for r in self.rules.values())
        (self.folder / "rules.jsonl").write_text("\n".join([self.header, *lines]) + "\n")

    def rows(self, count: int, proved: set[str]) -> None:
        files = sorted([*self.folder.glob("generated/*/table_*.h"), *self.folder.glob("generated/*/table.c")])
        texts = {f: f.read_text().split("\n") for f in files}
        rows = [(f, i, api + m[1]) for f in files for i, api, m in rows_of(texts[f])]
        self.draw.shuffle(rows)
        for f, i, op in rows:
            if not count or op not in proved or self.rules[op]["api"] in self.taken:
                continue
            at, _, _ = self.draw.choice(list(rows_of(texts[f])))
            made = plant_row(texts[f][i], texts[f][at], self.draw)
            if made:
                kind, texts[f][i], what = made
                count -= self.take(Fault(f"row: {kind}", op, what, [op]), self.rules[op]["api"])
        for f, lines in texts.items():
            f.write_text("\n".join(lines))

    def records(self, count: int, proved: set[str]) -> None:
        files = sorted(self.folder.glob("traces/*/*.jsonl"))
        self.draw.shuffle(files)
        wanted: Counter[str] = Counter()
        for file in files:
            api = file.stem
            ops = {op for op in self.by_api.get(api, []) if op in proved}
            if not count or not ops or api in self.taken:
                continue
            kinds = sorted(inputs.RECORDS, key=lambda k: wanted[k])
            made = inputs.plant_record(file, ops, kinds, self.draw)
            if made:
                kind, op, what = made
                wanted[kind] += 1
                count -= self.take(Fault(f"records: {kind}", op, what, [op]), api)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--build", type=Path, default=Path("build"))
    for name, default in (("seed", 1), ("code", 200), ("rules", 80), ("rows", 80), ("records", 80)):
        parser.add_argument(f"--{name}", type=int, default=default)
    o = parser.parse_args()
    plan = Plan(o.build, o.seed)
    before = audit(o.build, Path("generated"), o.build / "rules.jsonl", Path("traces"), plan.folder / "before")
    proved = {op for op, (verdict, _) in before.items() if verdict == "proved"}
    plan.code(o.code, proved)
    plan.texts(o.rules, proved)
    plan.rows(o.rows, proved)
    plan.records(o.records, proved)
    changed = (plan.folder / "generated", plan.folder / "rules.jsonl", plan.folder / "traces")
    after = audit(o.build, *changed, plan.folder / "after")
    count: Counter[tuple[str, str]] = inputs.run_inputs(o.build, random.Random(o.seed))
    total = sum(count.values()) + len(plan.faults)
    for fault in plan.faults:
        caught = any(after.get(op, ("none",))[0] != "proved" for op in fault.ops)
        end = "caught" if caught else "equal" if fault.equal and fault.equal() else "escaped"
        count[fault.kind, end] += 1
        if end == "escaped":
            print(f"{fault.place}: escaped: {fault.kind}: {fault.change}")
    for kind in sorted({k for k, _ in count}):
        print(f"{kind:28} {count[kind, 'caught']:4} caught, {count[kind, 'equal']:3} equal, {count[kind, 'escaped']:3} escaped")
    ends = Counter(end for (_, end), n in count.items() for _ in range(n))
    print(f"{total} faults: {ends['caught']} caught, {ends['equal']} equal, {ends['escaped']} escaped")
    return 1 if ends["escaped"] else 0


if __name__ == "__main__":
    sys.exit(main())
