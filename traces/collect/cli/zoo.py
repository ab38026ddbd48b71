"""Learns which inputs of calls are weights in real models (traces/FRAMEWORK/WEIGHTS.tsv), and which calls form chains
in them (traces/onnx/CHAINS.models).

    python -m traces.collect.cli.zoo FOLDER    (in the environment that traces/backends.sh zoo makes)
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from traces.collect.zoo import architectures, calls, eager, files, windows

HEADER = "api\tinput\tconstant\tcalls\n"


def write_weights(path: Path, weights: calls.Weights, apis: set[str]) -> None:
    """A line for each input of an API with records."""
    places = sorted({(api, place) for api, place, _ in weights if api in apis})
    with path.open("w", encoding="ascii") as file:
        file.write(HEADER)
        for api, place in places:
            constant = weights[api, place, True]
            file.write(f"{api}\t{place}\t{constant}\t{constant + weights[api, place, False]}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    made = argparse.ArgumentParser(prog="python -m traces.collect.cli.zoo", description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    made.add_argument("folder", type=Path, help="traces/")
    folder: Path = made.parse_args(argv).folder
    onnx_weights: calls.Weights = Counter()
    torch_weights: calls.Weights = Counter()
    chains = windows.Chains()
    for name in architectures.names():
        counted = name in architectures.ARCHITECTURES
        if counted:
            eager.count_weights(lambda name=name: architectures.made(name), torch_weights)  # type: ignore[misc]
        for how, model, fed in files.files(name, lambda name=name: architectures.made(name)):  # type: ignore[misc]
            print(f"{name}, {how}: {len(model.graph.node)} nodes", file=sys.stderr)
            ran = calls.run(model, fed)
            if counted:
                calls.count_weights(ran, onnx_weights)
            chains.add(name, ran)
    for framework, weights in (("onnx", onnx_weights), ("torch", torch_weights)):
        apis = {path.name.removesuffix(".jsonl") for path in (folder / framework).glob("*.jsonl")}
        write_weights(folder / framework / "WEIGHTS.tsv", weights, apis)
    with (folder / "onnx" / "CHAINS.models").open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in chains.best())
    return 0


if __name__ == "__main__":
    sys.exit(main())
