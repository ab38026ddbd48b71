"""Pairs of calls that an optimizer changes, found by trying all: chains of two calls (docs/explanation/models.md).

    python -m traces.collect.zoo.firing build/rulefuzz COUNT FILE [OPTION...]

generates models of two calls by the rules, at most TRIED for each pair of APIs. It keeps a model if a pass of onnxruntime
changes it, but neither call alone nor both apart. OPTIONs are those of `rulefuzz gen`,
such as --ops FILE. FILE gets a line for each pair and pass; `count` is the number of models.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx

from traces.collect.records.write import write_models
from traces.collect.zoo import passes
from traces.collect.zoo.shrink import taken

TRIED = 24
"""Models of a pair that are tried."""
PER_PASS = 12
"""Pairs kept for a pass."""
PARTNERS = 6
"""If a pass changes an API beside more than this number of others, it does so beside any; PLAIN of its pairs are kept."""
PLAIN = 1
CHUNK = 10_000
GENERATE = ("gen", "--framework", "onnx", "--nodes", "2", "--chains", "0", "--seed", "53", "--dim-max", "6")
Json = Any
Pair = tuple[str, ...]


def _alone(model: onnx.ModelProto, node: onnx.NodeProto) -> onnx.ModelProto:
    """A call of a model as a model."""
    told = {info.name: info for part in ("input", "value_info", "output") for info in getattr(model.graph, part)}
    made = onnx.ModelProto()
    made.CopyFrom(model)
    del made.graph.node[:], made.graph.input[:], made.graph.output[:], made.graph.value_info[:]
    made.graph.node.append(node)
    known = {tensor.name for tensor in model.graph.initializer}
    made.graph.input.extend(told[name] for name in dict.fromkeys(node.input) if name and name not in known)
    made.graph.output.extend(told[name] for name in node.output if name)
    return made


def _apart(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with the calls disconnected."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    told = {info.name: info for part in ("value_info", "output") for info in getattr(model.graph, part)}
    results = {name for node in made.graph.node for name in node.output}
    for name in sorted({name for node in made.graph.node for name in node.input} & results):
        made.graph.input.append(told[name])
        made.graph.input[-1].name = f"{name}_apart"
        for node in made.graph.node:
            node.input[:] = [f"{name}_apart" if other == name else other for other in node.input]
        if name not in {info.name for info in made.graph.output}:
            made.graph.output.append(told[name])
    return made


def pair_of(line: Json) -> Pair | None:
    """The APIs of two calls, and whether they have constants; None: the second call does not take a result of the first."""
    if len(line["nodes"]) != 2:
        return None
    first, second = line["nodes"]
    made = {tensor["id"] for tensor in first["outputs"]}
    fixed = {tensor["id"] for tensor in line["inputs"] if tensor.get("constant")}
    if not made.intersection(taken(second)) or len(fixed) == len(line["inputs"]):
        return None
    return first["api"], second["api"], "c" if fixed.intersection(taken(second)) else ""


def _models(command: list[str], chosen: dict[int, Json]) -> Iterator[tuple[Json, onnx.ModelProto]]:
    """The chosen models of a chunk."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*command, "--format", "onnx", "-o", folder], check=True, stdout=subprocess.DEVNULL)
        for path in sorted(Path(folder).rglob("*.onnx")):
            number = int(re.findall(r"\d+", path.stem)[-1])
            if number in chosen:
                yield chosen[number], onnx.load(path)


def find(generate: list[str], count: int) -> Iterator[tuple[dict[tuple[str, Pair], Json], Counter[tuple[str, Pair]]]]:
    """A model for each pass and pair, and how many; after each chunk. `generate`: the command that prints models."""
    tried: Counter[Pair] = Counter()
    found: dict[tuple[str, Pair], Json] = {}
    times: Counter[tuple[str, Pair]] = Counter()
    for first in range(0, count, CHUNK):
        command = [*generate, "--first", str(first), "--count", str(CHUNK)]
        made = subprocess.run(command, check=True, capture_output=True)
        chosen = {}
        for number, text in enumerate(made.stdout.splitlines(), first):
            line = json.loads(text)
            pair = pair_of(line)
            if pair and tried[pair] < TRIED:
                tried[pair] += 1
                chosen[number] = line
        for line, model in _models(command, chosen):
            new = passes.changing(model)
            new -= passes.changing(_apart(model)) if new else set()
            for node in model.graph.node:
                new -= passes.changing(_alone(model, node)) if new else set()
            pair = pair_of(line)
            for name in new:
                if pair:
                    times[name, pair] += 1
                    found.setdefault((name, pair), line)
        print(f"{first + CHUNK} models, {len(found)} pairs", flush=True)
        yield found, times


def _telling(pairs: list[Pair]) -> Iterator[Pair]:
    """The pairs whose two APIs matter to a pass, and a few others."""
    beside: dict[tuple[int, str], set[str]] = defaultdict(set)
    for pair in pairs:
        beside[0, pair[0]].add(pair[1])
        beside[1, pair[1]].add(pair[0])
    kept: Counter[tuple[int, str]] = Counter()
    for pair in pairs:
        plain = [(side, pair[side]) for side in (0, 1) if len(beside[side, pair[side]]) > PARTNERS]
        if all(kept[api] < PLAIN for api in plain):
            kept.update(plain)
            yield pair


def _write(path: Path, found: dict[tuple[str, Pair], Json], times: Counter[tuple[str, Pair]]) -> None:
    by_pass = defaultdict(list)
    for name, pair in found:
        by_pass[name].append(pair)
    lines = {}
    for name, pairs in sorted(by_pass.items()):
        for pair in list(_telling(sorted(pairs, key=lambda pair: (-times[name, pair], pair))))[:PER_PASS]:
            line = found[name, pair]
            nodes = [{**node, "op": node["api"]} for node in line["nodes"]]  # as in other chains: without a signature
            fired = sorted(other for other in by_pass if (other, pair) in times)
            told = {"count": times[name, pair], "passes": fired}
            lines[pair] = {**told, **line, "nodes": nodes, "seed": 0, "index": 0, "values": 0}
    write_models(path, lines.values())


def main(program: str, count: int, path: Path, options: list[str]) -> int:
    """Writes the pairs after each chunk of models."""
    for found, times in find([program, *GENERATE, *options], count):
        _write(path, found, times)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]))
