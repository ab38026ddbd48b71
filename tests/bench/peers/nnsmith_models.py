"""Models of NNSmith, timed and written in rulefuzz's format: for `make bench`, if NNSmith is installed.

usage: nnsmith_models.py METHOD NODES COUNT SECONDS FILE

Generates COUNT models, or as many as SECONDS of CPU time allow. FILE gets a JSON model per line, with framework
"nnsmith". Standard output gets a line of JSON after each model: models and nodes so far, their CPU time
(generation alone, without imports, weights and files) and that of the slowest model.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any, TextIO

from nnsmith.abstract.extension import activate_ext
from nnsmith.abstract.op import Constant, Input, Placeholder
from nnsmith.gir import GraphIR, InstIR
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.narrow_spec import auto_opset

MAX_NUMEL = 65536
TIMEOUT_MS = 10000  # NNSmith's default per model
INTERNAL = {"inp_ranks", "out_ranks", "_input_like", "_output_like", "extra_attrs"}


def arguments(inst: InstIR, ids: dict[str, int]) -> list[dict[str, Any]]:
    """The tensor arguments of a call, then its attributes by name."""
    op = inst.iexpr.op
    args = [{"name": f"x{i}", "pos": True, "value": {"ref": ids[a]}} for i, a in enumerate(inst.iexpr.args)]
    attributes = {k: v for k, v in vars(op).items() if k not in INTERNAL} | op.extra_attrs
    return args + [{"name": k, "pos": False, "value": {"const": repr(str(v))}} for k, v in sorted(attributes.items())]


def as_model(ir: GraphIR, index: int) -> dict[str, Any]:
    """An NNSmith graph in rulefuzz's model format."""
    ids: dict[str, int] = {}
    model: dict[str, Any] = {"model": 1, "framework": "nnsmith", "seed": 0, "index": index, "values": 0}
    inputs, nodes = [], []
    for inst in ir.insts:
        made = []
        for name in inst.retvals():
            ids[name] = len(ids)
            tensor = ir.vars[name]
            made.append({"id": ids[name], "shape": [int(d) for d in tensor.shape], "dtype": str(tensor.dtype)})
        if isinstance(inst.iexpr.op, (Input, Constant, Placeholder)):
            inputs += made
            continue
        api = f"nnsmith.{inst.iexpr.op.name().rpartition('.')[2]}"
        nodes.append({"op": f"{api}-0", "api": api, "args": arguments(inst, ids), "outputs": made})
    used = {a for inst in ir.insts for a in inst.iexpr.args}
    return model | {"inputs": inputs, "nodes": nodes, "outputs": [i for name, i in ids.items() if name not in used]}


def renumber(model: dict[str, Any]) -> dict[str, Any]:
    """Numbers inputs first, as rulefuzz does: NNSmith may add an input after nodes."""
    tensors = model["inputs"] + [t for node in model["nodes"] for t in node["outputs"]]
    new = {t["id"]: i for i, t in enumerate(tensors)}
    for tensor in tensors:
        tensor["id"] = new[tensor["id"]]
    for node in model["nodes"]:
        for argument in node["args"]:
            if "ref" in argument["value"]:
                argument["value"]["ref"] = new[argument["value"]["ref"]]
    model["outputs"] = sorted(new[i] for i in model["outputs"])
    return model


def generate(method: str, nodes: int, count: int, seconds: float, out: TextIO) -> None:
    """Yields models. NNSmith gives up on some seeds; their time counts as well."""
    kind = Model.init("torch", backend_target="cpu")
    kind.add_seed_setter()
    operators = auto_opset(kind, None)
    activate_ext(opset=operators, factory=None)
    total: dict[str, float] = {"models": 0, "nodes": 0, "failed": 0, "cpu_seconds": 0.0, "slowest_seconds": 0.0}
    for seed in range(count):
        if total["cpu_seconds"] >= seconds:
            break
        start, ir = time.process_time(), None
        try:
            ir = model_gen(opset=operators, method=method, seed=seed, max_nodes=nodes,
                           max_elem_per_tensor=MAX_NUMEL, timeout_ms=TIMEOUT_MS).make_concrete()  # fmt: skip
        except Exception as e:  # any exception it gives up with is counted
            print(f"nnsmith: seed {seed}: {type(e).__name__}: {str(e)[:100]}", file=sys.stderr)
        spent = time.process_time() - start
        total["cpu_seconds"] += spent
        total["slowest_seconds"] = max(total["slowest_seconds"], spent)
        if ir is None:
            total["failed"] += 1
            continue
        total["models"] += 1
        total["nodes"] += ir.n_compute_inst()
        out.write(json.dumps(renumber(as_model(ir, seed))) + "\n")
        print(json.dumps(total, separators=(",", ":")), flush=True)


def main() -> None:
    """The command."""
    method, nodes, count, seconds, path = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    with open(path, "w", encoding="ascii") as out:
        generate(method, int(nodes), int(count), float(seconds), out)


if __name__ == "__main__":
    main()
