"""Writes a finding as a Python script that needs nothing but torch."""

from __future__ import annotations

import inspect
import os

import torch

import torch_repro
from torch_elements import make_input
from torch_model import Model, source
from torch_oracle import Failed, Taint, difference, differing, input_seed, inputs_of, interpret, tolerance
from torch_targets import TARGETS

IMPORTS = """from __future__ import annotations

import os
import signal
import sys
import time
import traceback

import torch
"""


def _patterns(model: Model, seed: int) -> tuple[list[str], set[int]]:
    """How the nodes' results are taken apart (plainly where eager fails before), and what is not compared."""
    taint = Taint()
    try:
        values, patterns = interpret(model, inputs_of(model, seed), taint)
    except Failed:
        names = [[f"v{t.id}" for t in node.outputs] for node in model.nodes]
        return [n[0] if len(n) == 1 else "(" + ", ".join(n) + ")" if n else "_" for n in names], set()
    return patterns, {i for i, value in values.items() if taint.covers(i, value)}


def _inputs(model: Model, seed: int) -> str:
    lines = []
    for t in model.inputs:
        filled = [repr(part) for part in (t.shape, t.dtype, input_seed(seed, t.id))]
        filled += [f"kind={t.kind!r}"] if t.kind != "small" else []
        filled += [f"span={t.span!r}"] if t.span else []
        lines.append(f"    make_input({', '.join(filled)}),  # v{t.id}")
    return "\n".join(["INPUTS = [", *lines, "]"])


def script(model: Model, seed: int, backend: str, title: str) -> str:
    """The text of the script."""
    target = TARGETS[backend]
    patterns, skipped = _patterns(model, seed)
    names = [f"v{i}" if i not in skipped else "" for i in model.outputs]
    names += [f"v{t.id} (an input, afterwards)" if t.id not in skipped else "" for t in model.inputs]
    plain = " ".join(title.replace("\\", "/").replace('"', "'").split())
    parts = [
        f'''"""{plain}

Found by rulefuzz with torch {torch.__version__}, backend {backend}. Needs torch only.
Exit code: 1 the bug is there, 0 it is not, 2 the reference (eager) fails.
"""''',
        IMPORTS + f"\nTIMEOUT = {torch_repro.TIMEOUT}",
    ]
    if backend == "torch-broken":
        fault = os.environ.get("RULEFUZZ_BROKEN", "torch.add:perturb")
        parts.append(f'os.environ["RULEFUZZ_BROKEN"] = {fault!r}')
    parts.append(source(model, patterns, model.outputs).rstrip())
    for function in (make_input, tolerance, differing, difference, target, torch_repro.attempt, torch_repro.main):
        parts.append(inspect.getsource(function).rstrip())
    parts.append(_inputs(model, seed))
    parts.append(
        'if __name__ == "__main__":\n    torch.set_num_threads(1)\n'
        f"    sys.exit(main(model, INPUTS, {target.__name__}, {names!r}))"
    )
    return "#!/usr/bin/env python3\n" + "\n\n\n".join(parts) + "\n"
