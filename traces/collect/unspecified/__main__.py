"""Learns which results are unspecified: runs the same calls on special inputs in independent implementations.

    rulefuzz gen --framework NAME --strategy calls --count 30000 |
        python -m traces.collect.unspecified NAME [PEER=PYTHON …] > traces/NAME/UNSPECIFIED.tsv

It runs in the framework's environment. PEER is another framework (numpy, torch, jax, tensorflow) and the Python of its
environment, which runs the functions that have the name of the operation. docs/reference/file-formats.md specifies the table.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from functools import partial

import numpy as np

from rulefuzz import framework as frameworks
from rulefuzz import sandbox
from rulefuzz.framework import Framework
from rulefuzz.model import Json, Reader
from traces.collect.unspecified.peer import Peer
from traces.collect.unspecified.trial import Trial

CALLS = 3
"""Calls of each operation that are tried."""
LARGEST = 512
"""Maximum elements of a call's operands and results: some implementations are loops in Python."""
SHARE = 12
"""Operations per process."""
SECONDS = 500.0
"""Wall time without an answer, after which a process is ended."""
HEADER = "operation\targument\tclass\tanswers\n"


def asked(adapter: Framework, peers: Sequence[Peer], operations: Sequence[list[Json]]) -> tuple[list[list[str]], list[str]]:
    """The rows of some operations, and the calls that could not be tried."""
    adapter.enter()
    reader, found, failed = Reader(adapter), list[list[str]](), list[str]()
    for calls in operations:
        draw, known = np.random.default_rng(1), set[tuple[str, str]]()
        for call in calls:
            try:
                trial = Trial(adapter, reader.model(call), peers)
                found += [[row.operation, row.argument, row.kind, row.answers] for row in trial.rows(draw, known)]
            except Exception as error:  # an adapter cannot make some special inputs
                failed.append(f"{call['nodes'][-1]['api']}: {type(error).__name__}: {error}")
    return found, failed


def shared(adapter: Framework, peers: Sequence[Peer], operations: Sequence[list[Json]]) -> list[list[str]]:
    """The same in a process that may die; then halves are tried."""
    answer, end = sandbox.call(partial(asked, adapter, peers, operations), sandbox.Limits(wall=SECONDS))
    if end.done:
        print("".join(f"{line}\n" for line in answer[1]), end="", file=sys.stderr)
        return list(answer[0])
    print(f"{operations[0][0]['nodes'][-1]['api']} and {len(operations) - 1} more: {end.how}", file=sys.stderr)
    for peer in peers:  # an answer may be left
        peer.end()
    half = len(operations) // 2
    return [row for part in (operations[:half], operations[half:]) if half for row in shared(adapter, peers, part)]


def main() -> int:
    """The command."""
    adapter = frameworks.load(sys.argv[1])
    peers = [Peer(name, python) for name, _, python in (text.partition("=") for text in sys.argv[2:])]
    calls: dict[str, list[Json]] = {}
    for line in sys.stdin:
        model = json.loads(line)
        node = model["nodes"][-1]
        own = calls.setdefault(adapter.operation(node["api"]), [])
        size = sum(math.prod(tensor["shape"]) for tensor in (*model["inputs"], *node["outputs"]))
        if len(model["nodes"]) == 1 and not node.get("random") and len(own) < CALLS and model["inputs"] and size <= LARGEST:
            own.append(model)
    for peer in peers:
        peer.ask("", (), {}, ())
    operations = [own for _, own in sorted(calls.items()) if own]
    sys.stdout.write(HEADER)
    for i in range(0, len(operations), SHARE):
        rows = shared(adapter, peers, operations[i : i + SHARE])
        sys.stdout.write("".join("\t".join(row) + "\n" for row in sorted(rows)))
        sys.stdout.flush()
    for peer in peers:
        peer.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
