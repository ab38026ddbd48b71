"""Writes which passes of onnxruntime change each line of CHAINS.models and PAIRS.models, and shortens lines for rare passes.

    python -m traces.collect.zoo.shrink build/rulefuzz FILE...

A line gets `"passes"`: those that change the file of its calls, by `rulefuzz coverage --passes`. A pass with fewer than FEW
lines of at most LONGEST calls gets shorter ones: its lines without the calls that it does not need. They are added at the
end of the file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from traces.collect.records.write import write_models

FEW = 6
LONGEST = 9
EACH = 8
"""Lines of a pass that are shortened."""
JOBS = 2
Json = Any


def _refs(value: Json) -> Iterator[Json]:
    """The references in a value."""
    if isinstance(value, list):
        for item in value:
            yield from _refs(item)
    elif isinstance(value, dict):
        if "ref" in value:
            yield value
        for item in value.values():
            yield from _refs(item)


def taken(node: Json) -> list[int]:
    """The tensors that a call takes."""
    return [item["ref"] for arg in node["args"] for item in _refs(arg["value"])]


def part(line: Json, kept: set[int]) -> Json | None:
    """The line with some of its calls; results of others become inputs. None: such an input is no float, whose elements are not
    known."""
    nodes = [json.loads(json.dumps(node)) for i, node in enumerate(line["nodes"]) if i in kept]
    made = {tensor["id"] for node in nodes for tensor in node["outputs"]}
    used = {ref for node in nodes for ref in taken(node)}
    cut = [tensor for node in line["nodes"] for tensor in node["outputs"] if tensor["id"] in used - made]
    if any(not tensor["dtype"].startswith("float") for tensor in cut):
        return None
    inputs = [dict(tensor) for tensor in [*line["inputs"], *cut] if tensor["id"] in used]
    tensors = [*inputs, *(tensor for node in nodes for tensor in node["outputs"])]
    number = {tensor["id"]: i for i, tensor in enumerate(tensors)}
    results = [number[tensor["id"]] for node in nodes for tensor in node["outputs"] if tensor["id"] not in used]
    for tensor in tensors:
        tensor["id"] = number[tensor["id"]]
    for node in nodes:
        for arg in node["args"]:
            for item in _refs(arg["value"]):
                item["ref"] = number[item["ref"]]
    return {**line, "inputs": inputs, "nodes": nodes, "outputs": results}


def fired(program: str, line: Json) -> list[str]:
    """The passes that change the file of a line."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="ascii") as file:
        file.write(json.dumps(line))
        file.flush()
        made = subprocess.run([program, "coverage", "--framework", "onnx", "--passes", "--json", file.name], check=False,
                              capture_output=True, text=True)  # fmt: skip
    return sorted(name for name, n in json.loads(made.stdout)["passes"]["changed"].items() if n) if made.stdout else []


def shortened(program: str, line: Json, name: str) -> Json:
    """The line without calls that a pass does not need."""
    kept = set(range(len(line["nodes"])))
    before = 0
    while before != len(kept):
        before = len(kept)
        for i in sorted(kept, reverse=True):
            smaller = part(line, kept - {i})
            if smaller and smaller["nodes"] and name in fired(program, smaller):
                kept.remove(i)
    made = part(line, kept) or line
    return {**made, "passes": fired(program, made)}


def form(line: Json) -> str:
    """The calls of a line, and the edges between them."""
    made = {tensor["id"]: i for i, node in enumerate(line["nodes"]) for tensor in node["outputs"]}
    return str([(node["api"], [made.get(ref) for ref in taken(node)]) for node in line["nodes"]])


def _marked(line: Json, names: list[str]) -> Json:
    rest = {key: value for key, value in line.items() if key not in {"count", "passes"}}
    return {"count": line["count"], **({"passes": names} if names else {}), **rest}


def _short(program: str, lines: list[Json], pool: ThreadPoolExecutor) -> Iterator[Json]:
    """Shorter lines for passes that have few."""
    known = {form(line) for line in lines}
    jobs = []
    for name in sorted({name for line in lines for name in line.get("passes", [])}):
        mine = [line for line in lines if name in line.get("passes", [])]
        if sum(len(line["nodes"]) <= LONGEST for line in mine) < FEW:
            mine = sorted((line for line in mine if len(line["nodes"]) > LONGEST), key=lambda line: len(line["nodes"]))
            jobs += [(line, name) for line in mine[:EACH]]
    for made in pool.map(lambda job: shortened(program, *job), jobs):
        if len(made["nodes"]) > 1 and form(made) not in known:
            known.add(form(made))
            yield _marked(made, made["passes"])


def main(program: str, paths: list[Path]) -> int:
    """Writes the files anew."""
    with ThreadPoolExecutor(JOBS) as pool:
        for path in paths:
            lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
            names = pool.map(lambda line: fired(program, line), lines)
            lines = [_marked(line, each) for line, each in zip(lines, names, strict=True)]
            lines += _short(program, lines, pool)
            write_models(path, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [Path(arg) for arg in sys.argv[2:]]))
