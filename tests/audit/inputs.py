"""Faults in what the audit is given beside C and rules: records, and its own input files."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

Line = dict[str, Any]

# ---- records


def drawn(calls: list[Any], draw: random.Random) -> int | None:
    return draw.randrange(len(calls)) if calls else None


def dropped(line: Line, draw: random.Random) -> str | None:
    key = draw.choice(("pass", "fail"))
    i = drawn(line[key], draw)
    return None if i is None else f"a call dropped of {key}: {line[key].pop(i)}"


def doubled(line: Line, draw: random.Random) -> str | None:
    key = draw.choice(("pass", "fail"))
    i = drawn(line[key], draw)
    if i is None:
        return None
    line[key].insert(i, line[key][i])
    return f"a call twice in {key}: {line[key][i]}"


def flipped(line: Line, draw: random.Random) -> str | None:
    i = drawn(line["pass"], draw)
    if i is None:
        return None
    line["fail"].append(line["pass"].pop(i)[0])
    return f"a passing call in fail: {line['fail'][-1]}"


def another_output(line: Line, draw: random.Random) -> str | None:
    i = drawn(line["pass"], draw)
    if i is None or not line["pass"][i][1]:
        return None
    out = line["pass"][i][1]
    out[draw.randrange(len(out))] += 1
    return f"an output changed: {line['pass'][i]}"


def negative(line: Line, draw: random.Random) -> str | None:
    """A dimension of a passing call below 0."""
    dims = [
        int(s)
        for tensor in re.findall(r'"tensor": \[([^]]*)\]', json.dumps(line["args"]))
        for s in re.findall(r"s(\d+)", tensor)
    ]
    i = drawn(line["pass"], draw)
    if i is None or not dims:
        return None
    line["pass"][i][0][draw.choice(dims)] = -1
    return f"a dimension below 0: {line['pass'][i]}"


def short(line: Line, draw: random.Random) -> str | None:
    i = drawn(line["pass"], draw)
    if i is None or not line["pass"][i][0]:
        return None
    line["pass"][i][0].pop()
    return f"a symbol dropped: {line['pass'][i]}"


RECORDS: dict[str, Callable[[Line, random.Random], str | None]] = {
    "a call dropped": dropped,
    "a call twice": doubled,
    "accepted recorded as rejected": flipped,
    "another output": another_output,
    "a dimension below 0": negative,
    "a symbol dropped": short,
}


def plant_record(path: Path, ops: set[str], kinds: list[str], draw: random.Random) -> tuple[str, str, str] | None:
    """Changes one line of a copy: the kind, the operator, what. The kinds in the order in which they are tried."""
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    order = [line for line in lines if line["op"] in ops]
    draw.shuffle(order)
    for line in order:
        for kind in kinds:
            what = RECORDS[kind](line, draw)
            if what:
                path.write_text("".join(json.dumps(x, separators=(",", ":")) + "\n" for x in lines))
                return kind, line["op"], what
    return None


# ---- the checker's own input


def other_digit(text: str, at: int) -> str:
    return text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]


def input_faults(draw: random.Random) -> dict[str, tuple[str, Callable[[str], str]]]:
    """By kind: the file, and what is made of its text."""

    def digit(field: int) -> Callable[[str], str]:
        def change(text: str) -> str:
            lines = text.splitlines(keepends=True)
            i = draw.randrange(len(lines))
            words = lines[i].split(" ")
            at = sum(len(w) + 1 for w in words[:field])
            lines[i] = other_digit(
                lines[i], at + draw.randrange(12 if field < 3 else 1) + (len("records:") if field == 6 else 0)
            )
            return "".join(lines)

        return change

    def line(change: Callable[[list[str]], list[str]]) -> Callable[[str], str]:
        return lambda text: "".join(change(text.splitlines(keepends=True)))

    return {
        "certificate: a rule's hash": ("certificate", digit(1)),
        "certificate: the C's hash": ("certificate", digit(2)),
        "certificate: the records' hash": ("certificate", digit(6)),
        "certificate: a verdict": ("certificate", lambda t: t.replace(" proved ", " unknown ", 1)),
        "certificate: a sampler's verdict": ("certificate", lambda t: t.replace("sampler:proved", "sampler:unknown", 1)),
        "certificate: a method": ("certificate", lambda t: t.replace(" identical ", " z3 ", 1)),
        "certificate: a line dropped": ("certificate", line(lambda x: x[1:])),
        "certificate: a line twice": ("certificate", line(lambda x: x[:1] + x)),
        "certificate: cut": ("certificate", lambda t: t[: len(t) // 2]),
        "certificate: its last byte": ("certificate", lambda t: t[:-1]),
        "certificate: empty": ("certificate", lambda t: ""),
        "certificate: more at its end": ("certificate", lambda t: t + "\n"),
        "rules: cut": ("rules.jsonl", lambda t: t[: len(t) * 2 // 3]),
        "rules: empty": ("rules.jsonl", lambda t: ""),
        "rules: a line dropped": ("rules.jsonl", line(lambda x: [y for y in x if f'"op":"{API}-0"' not in y])),
        "rules: no JSON": ("rules.jsonl", lambda t: t + "{\n"),
        "page: cut": (PAGE, lambda t: t[: len(t) // 2]),
        "page: empty": (PAGE, lambda t: ""),
        "page: another API's": (PAGE, lambda t: Path("generated/torch/bmm.c").read_text()),
        "table: cut": ("generated/torch/table.c", lambda t: t[: len(t) * 2 // 3]),
        "code.h: cut": ("generated/code.h", lambda t: t[: len(t) // 2]),
        "data: cut": ("generated/torch/data_00.h", lambda t: t[: len(t) // 2]),
        "library: cut": ("library.so", lambda t: ""),
        "records: cut": ("traces/torch.mm.jsonl", lambda t: t[: len(t) // 2]),
        "records: none": ("traces/torch.mm.jsonl", lambda t: ""),
        "records: another API's": ("traces/torch.mm.jsonl", lambda t: Path("traces/torch/torch.bmm.jsonl").read_text()),
    }


API, PAGE = "torch.mm", "generated/torch/mm.c"


def run_inputs(build: Path, draw: random.Random) -> Counter[tuple[str, str]]:
    """One fault at a time, of one API: does the audit end with 1 each time, and with 0 when all is put back?"""
    folder = build / "audit-faults/inputs"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "traces").mkdir(parents=True)
    shutil.copytree("generated", folder / "generated")
    shutil.copy(build / "rules.jsonl", folder / "rules.jsonl")
    shutil.copy(build / "librulesmith.so", folder / "library.so")
    shutil.copy("traces/torch/torch.mm.jsonl", folder / "traces")

    def audit(*more: str) -> int:
        command = [str(build / "audit-c"), "--only", API, "--rules", "rules.jsonl", "--generated", "generated"]
        command += ["--library", "library.so", "--traces", "traces", *more]
        command[0] = str((build / "audit-c").resolve())
        command += ["--include", str(Path("runtime/include").resolve())]
        return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode

    count: Counter[tuple[str, str]] = Counter()
    if audit("--certificate", "certificate") or audit("--check", "certificate"):
        raise SystemExit(f"{API}: error: the unchanged input is rejected")
    for kind, (name, change) in input_faults(draw).items():
        file = folder / name
        before = file.read_bytes()
        changed = change(before.decode(errors="replace")).encode()
        if changed == before:
            raise SystemExit(f"{name}: error: nothing to change for {kind!r}")
        file.write_bytes(changed)
        caught = audit("--check", "certificate") == 1
        count[kind, "caught" if caught else "escaped"] += 1
        if not caught:
            print(f"{name}: escaped: {kind}")
        file.write_bytes(before)
    if audit("--check", "certificate"):
        raise SystemExit(f"{API}: error: it is rejected after all changes were undone")
    return count
