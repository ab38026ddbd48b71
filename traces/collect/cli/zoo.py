"""Learns which inputs of calls are weights in real models (traces/FRAMEWORK/WEIGHTS.tsv), and which patterns of calls occur
in them (traces/onnx/CHAINS.models).

    python -m traces.collect.cli.zoo export FOLDER           modules of PyTorch, and quantized ones, as ONNX files
    python -m traces.collect.cli.zoo record FOLDER TRACES    patterns in all files of FOLDER

Both run in the environment that traces/backends.sh zoo makes. Programs in traces/collect/zoo/sources fill FOLDER in between.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from traces.collect.records.write import write_models
from traces.collect.zoo import calls, eager, exports, quantise, recorder, select, store
from traces.collect.zoo.modules import architectures

HEADER = "api\tinput\tconstant\tcalls\n"
COUNTED = {way.name for way in exports.RECORDED} | {*quantise.RECORDED, "half", "dynamic", "twice"}
"""The files of an architecture whose calls WEIGHTS.tsv counts."""


def apis_of(folder: Path) -> set[str]:
    """The APIs with records."""
    return {path.name.removesuffix(".jsonl") for path in folder.glob("*.jsonl")}


def write_weights(folder: Path, weights: calls.Weights) -> None:
    """A line for each input of an API with records."""
    apis = apis_of(folder)
    places = sorted({(api, place) for api, place, _ in weights if api in apis})
    with (folder / "WEIGHTS.tsv").open("w", encoding="ascii") as file:
        file.write(HEADER)
        for api, place in places:
            constant = weights[api, place, True]
            file.write(f"{api}\t{place}\t{constant}\t{constant + weights[api, place, False]}\n")


def scan(folder: Path, zoo: recorder.Zoo, weights: calls.Weights) -> None:
    """The patterns of all files, and the weights of the architectures."""
    names = calls.Names()
    for file in store.stored(folder):
        read = calls.read(file.load()[0])
        zoo.add(file, read, names)
        if file.model in architectures.ARCHITECTURES and file.how in COUNTED:
            calls.count_weights(read, weights)


def report(zoo: recorder.Zoo, chosen: dict[str, Path], kept: list[select.Found]) -> None:
    """The figures of docs/measurements/rules.md."""
    of_all, of_kept = (select.passes_of(found) for found in (zoo.found.values(), kept))
    print(f"{zoo.files} files, {zoo.windows} windows, {len(zoo.found)} patterns, {len(chosen)} recorded, {len(kept)} kept")
    print(f"passes: {len(zoo.changed)}; {len(+zoo.changed)} change a file, {len(of_all)} a pattern, {len(of_kept)} a kept one")
    for name in sorted(zoo.changed):
        print(f"  {name}: files {zoo.changed[name]}, patterns {of_all[name]}, kept {of_kept[name]}")
    print("calls without rules:", ", ".join(f"{name} {n}" for name, n in zoo.dropped.most_common()))


def record(folder: Path, traces: Path, processes: int) -> None:
    """Writes the files of traces/."""
    onnx_weights: calls.Weights = Counter()
    torch_weights: calls.Weights = Counter()
    zoo = recorder.Zoo(apis_of(traces / "onnx"))
    scan(folder, zoo, onnx_weights)
    for name in sorted(architectures.ARCHITECTURES):
        eager.count_weights(lambda name=name: architectures.made(name), torch_weights)  # type: ignore[misc]
    write_weights(traces / "onnx", onnx_weights)
    write_weights(traces / "torch", torch_weights)
    chosen = recorder.probe(zoo, processes)
    kept = select.choose([zoo.found[pattern] for pattern in sorted(chosen)])
    write_models(traces / "onnx" / "CHAINS.models", recorder.record(zoo, chosen, kept))
    report(zoo, chosen, kept)


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    made = argparse.ArgumentParser(prog="python -m traces.collect.cli.zoo", description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    made.add_argument("stage", choices=("export", "record"))
    made.add_argument("folder", type=Path, help="the ONNX files")
    made.add_argument("traces", type=Path, nargs="?", default=Path("traces"))
    made.add_argument("--jobs", type=int, default=2, help="number of processes that run files (default 2)")
    told = made.parse_args(argv)
    if told.stage == "export":
        told.folder.mkdir(parents=True, exist_ok=True)
        exports.export_all(told.folder)
    else:
        record(told.folder, told.traces, told.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
