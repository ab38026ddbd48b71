"""Learns which inputs of calls are weights in real ONNX models (traces/onnx/WEIGHTS.tsv), and which patterns of calls occur in
them (traces/onnx/CHAINS.models).

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
from traces.collect.zoo import calls, exports, quantise, recorder, select, store, weights
from traces.collect.zoo.modules import architectures

COUNTED = {way.name for way in exports.RECORDED} | {*quantise.RECORDED, "half", "dynamic", "twice"}
"""The files of an architecture whose calls WEIGHTS.tsv counts."""


def scan(folder: Path, zoo: recorder.Zoo, counted: weights.Weights) -> None:
    """The patterns of all files, and the weights of the architectures."""
    names = calls.Names()
    for file in store.stored(folder):
        read = calls.read(file.load()[0])
        zoo.add(file, read, names)
        if file.model in architectures.ARCHITECTURES and file.how in COUNTED:
            calls.count_weights(read, counted)


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
    found: weights.Weights = Counter()
    zoo = recorder.Zoo(weights.apis_of(traces / "onnx"))
    scan(folder, zoo, found)
    weights.write(traces / "onnx", found)
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
