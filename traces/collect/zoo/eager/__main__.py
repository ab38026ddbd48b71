"""Learns from small PyTorch modules which inputs of calls are weights (WEIGHTS.tsv), and which patterns of calls occur
(CHAINS.models).

    python -m traces.collect.zoo.eager traces/torch

runs in the environment that traces/backends.sh zoo makes.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from traces.collect.zoo import weights
from traces.collect.zoo.eager import chains
from traces.collect.zoo.eager.tape import record
from traces.collect.zoo.eager.weights import count_weights
from traces.collect.zoo.modules import architectures, blocks, layers, losses
from traces.collect.zoo.modules.architectures import Made


def modules() -> Iterator[tuple[str, Callable[[], Made]]]:
    """All modules, in a fixed order."""
    for source in (layers.norms, layers.pointwise, blocks.vision, blocks.sequences, losses.losses):
        torch.manual_seed(0)
        for name, made in source():
            yield name, lambda made=made: made  # type: ignore[misc]
    for name in architectures.names():
        yield name, lambda name=name: architectures.made(name)  # type: ignore[misc]


def main(folder: Path) -> int:
    """Writes both files."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    counted: weights.Weights = Counter()
    for name in sorted(architectures.ARCHITECTURES):
        count_weights(lambda name=name: architectures.made(name), counted)  # type: ignore[misc]
    weights.write(folder, counted)
    found = chains.Patterns("torch", weights.apis_of(folder))
    chains.collect(found, ((name, lambda make=make: record(make())) for name, make in modules()))  # type: ignore[misc]
    chains.write(folder, found)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
