"""The worker of the torch backends: one model a request, run by eager and by the target, compared.

usage: torch_worker.py BACKEND        (torch-inductor, torch-jit, torch-eager, torch-broken)
"""

from __future__ import annotations

import os
import platform
import random
import sys
import time
import traceback
import warnings
from typing import Any

from protocol import Json, Stage, Unavailable, serve

try:
    import torch
except ImportError as missing:
    torch = None  # type: ignore[assignment]
    MISSING = str(missing)

BATCH = 16
"""Models that one process runs: forking costs tens of milliseconds, and what a model leaves behind adds up."""
UNSUPPORTED = ("not implemented", "notimplemented", "not supported", "unsupported", "does not support", "only support")
MEMORY = ("can't allocate memory", "not enough memory", "out of memory", "Cannot allocate memory", "bad_alloc")
WARM_UP = [("torch.add", 0, 1), ("torch.nn.functional.softmax", 2), ("torch.matmul", 3, 0), ("torch.Tensor.sum", 4)]
"""Calls of tensors of shape [20, 20]; the last one has no dimension."""


def warm_up_model() -> Json:
    """A small model that makes the framework load what most models need."""

    def tensor(i: int, shape: list[int]) -> Json:
        return {"id": i, "shape": shape, "dtype": "float32"}

    nodes = []
    for i, (api, *refs) in enumerate(WARM_UP):
        args = [{"name": "x", "pos": True, "value": {"ref": r}} for r in refs]
        args += [{"name": "dim", "pos": False, "value": 1}] if "softmax" in api else []
        nodes.append({"api": api, "args": args, "outputs": [tensor(i + 2, [] if "sum" in api else [20, 20])]})
    return {"inputs": [tensor(0, [20, 20]), tensor(1, [20, 1])], "nodes": nodes, "outputs": [2, 4, 5]}


def described(error: BaseException) -> Json:
    """An exception: its type, message, and the innermost place in torch's own Python where it was raised."""
    cause = getattr(error, "inner_exception", None) or error
    where = ""
    for frame in traceback.extract_tb(cause.__traceback__):
        if "/torch/" in frame.filename:
            where = f"torch/{frame.filename.rsplit('/torch/', 1)[1]}:{frame.name}"
    text = str(error)
    return {"type": type(cause).__name__, "message": text[:4000], "where": where}


def is_unsupported(error: BaseException) -> bool:
    """Whether an error says that the target cannot do this, and not that it failed."""
    cause = getattr(error, "inner_exception", None) or error
    names = {kind.__name__ for kind in type(cause).__mro__} | {type(error).__name__}
    if names & {"NotImplementedError", "Unsupported", "UnsupportedFakeTensorException", "UnsupportedOperatorException"}:
        return True
    text = str(error).lower()
    return any(sign in text for sign in UNSUPPORTED)


def is_memory(error: BaseException) -> bool:
    """Whether an error says that the memory limit was reached."""
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in MEMORY)


class Clock:
    """Announces stages and adds up the milliseconds spent in each."""

    def __init__(self, announce: Stage) -> None:
        self._announce, self.name, self._since = announce, "", 0.0
        self.times: dict[str, float] = {}

    def __call__(self, name: str) -> None:
        now = time.monotonic()
        if self.name:
            self.times[self.name] = round(self.times.get(self.name, 0.0) + (now - self._since) * 1000, 3)
        if name and name != self.name:
            self._announce(name)
        self.name, self._since = name, now


class Check:
    """One model: the reference, then the target, then the judgement."""

    def __init__(self, model: Any, seed: int, target: Any, stage: Clock) -> None:
        self.model, self.seed, self.target, self.stage = model, seed, target, stage
        self.inputs = torch_oracle.inputs_of(model, seed)
        self.taint = torch_oracle.Taint()
        self.values: dict[int, torch.Tensor] = {}
        self.patterns: list[str] = []
        self.others: list[dict[int, torch.Tensor]] = []

    def run(self) -> Json:
        """The verdict and what belongs to it."""
        self.stage("reference")
        bad = self._reference()
        if bad:
            return bad
        if all(self._undefined(i) for i in self.model.outputs):
            return {"verdict": "undefined"}
        wanted, error = self._call(self._function(self.model.outputs))
        if error:
            return {"verdict": "bad", "error": described(error)}
        try:
            self.stage("compile")
            got, error = self._call(self._compiled(self.model.outputs))
            if error:
                raise error
        except Exception as raised:
            return self._one_sided(raised)
        self.stage("judge")
        return self._judge(self._differences(self.model.outputs, got, wanted))

    def _undefined(self, tensor: int) -> bool:
        return self.taint.covers(tensor, self.values[tensor])

    def _copies(self) -> list[torch.Tensor]:
        return torch_oracle.copies(self.inputs, self.model)

    def _reference(self) -> Json | None:
        """Runs eager; what makes the model unfit, None when it is fit."""
        fresh = {i: t.clone() for i, t in self.inputs.items()}
        try:
            self.values, self.patterns = torch_oracle.interpret(self.model, fresh, self.taint)
        except torch_oracle.Failed as failed:
            what = "rule" if isinstance(failed.error, torch_oracle.Mismatch) else "invalid"
            if is_memory(failed.error):
                what = "resource"
            api = self.model.nodes[failed.node].api
            return {"verdict": what, "node": failed.node, "api": api, "error": described(failed.error)}
        torch.manual_seed(7)
        torch.use_deterministic_algorithms(True, warn_only=True)  # fills memory that was not initialised
        try:
            again, _ = torch_oracle.interpret(self.model, {i: t.clone() for i, t in self.inputs.items()})
        except torch_oracle.Failed as failed:
            return {"verdict": "nondeterministic", "node": failed.node, "api": self.model.nodes[failed.node].api}
        finally:
            torch.use_deterministic_algorithms(False)
        for i, node in enumerate(self.model.nodes):
            for out in node.outputs:
                if not torch_oracle.same_bits(self.values[out.id], again[out.id]):
                    return {"verdict": "nondeterministic", "node": i, "api": node.api}
        return None

    def _function(self, outputs: tuple[int, ...]) -> Any:
        return torch_model.function(torch_model.source(self.model, self.patterns, outputs))

    def _compiled(self, outputs: tuple[int, ...]) -> Any:
        return self.target(self._function(outputs), self._copies(), self.stage)

    def _call(self, function: Any) -> tuple[list[torch.Tensor], Exception | None]:
        """The outputs and then the inputs, as they are after the call; and the error, if it raised."""
        taken = self._copies()
        try:
            return [*function(*taken), *taken], None
        except Exception as error:
            return [], error

    def _differences(self, outputs: tuple[int, ...], got: Any, wanted: Any) -> list[Json]:
        """The tensors that differ where nothing excuses it, in the order in which the model makes them."""
        found = []
        for place, i in enumerate((*outputs, *(t.id for t in self.model.inputs))):
            if self._undefined(i):
                continue
            how = torch_oracle.difference(got[place], wanted[place])
            if not how:
                continue
            node = self.model.node_of(i) if place < len(outputs) else -1
            excused = False
            if " elements" in how and wanted[place].layout == torch.strided:
                self.others = self.others or torch_oracle.other_runs(self.model, self.inputs, self.seed)
                mask = torch_oracle.differing(got[place], wanted[place])
                excused = not bool((mask & ~torch_oracle.explained(self.others, i, wanted[place])).any())
            api = self.model.nodes[node].api if node >= 0 else "input"
            found.append({"id": i, "node": node, "api": api, "how": how, "rounding": excused})
        return sorted(found, key=lambda d: d["node"])

    def _judge(self, differences: list[Json]) -> Json:
        real = [d for d in differences if not d["rounding"]]
        if not real:
            return {"verdict": "rounding" if differences else "ok", "differs": differences}
        first = self._localise() or real[0]
        return {"verdict": "inconsistency", "differs": real, "first": first}

    def _localise(self) -> Json | None:
        """The first tensor that differs when the target returns all of them; None when that hides it."""
        self.stage("localise")
        every = tuple(out.id for node in self.model.nodes for out in node.outputs)
        try:
            got, error = self._call(self._compiled(every))
            wanted, other = self._call(self._function(every))
        except Exception:
            return None
        if error or other:
            return None
        self.stage("localise")
        return next((d for d in self._differences(every, got, wanted) if not d["rounding"]), None)

    def _one_sided(self, error: Exception) -> Json:
        verdict = "unsupported" if is_unsupported(error) else "resource" if is_memory(error) else "error"
        traceback.print_exception(error)
        return {"verdict": verdict, "error": described(error), "stage": self.stage.name}


class TorchBackend:
    """See protocol.Backend."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ready(self) -> dict[str, str]:
        """Imports and warms up."""
        if torch is None:
            raise Unavailable(f"torch cannot be imported ({MISSING})")
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        versions = {"python": platform.python_version(), "torch": torch.__version__}
        if self.name == "torch-inductor":
            versions |= torch_targets.prepare_inductor()
        target = torch_targets.TARGETS[self.name]
        model = torch_model.read(warm_up_model())
        answer = Check(model, 1, target, Clock(lambda stage: None)).run()
        if answer["verdict"] not in ("ok", "inconsistency" if self.name == "torch-broken" else "ok"):
            raise Unavailable(f"{self.name} cannot run a simple model: {answer}"[:600])
        return versions

    def enter(self, folder: str) -> None:
        """Compiled code goes where it is removed with the process."""
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder

    def handle(self, request: Json, stage: Stage) -> Json:
        """Answers "check" and "script"."""
        clock = Clock(stage)
        torch.manual_seed(0)
        random.seed(0)
        seed = int(request["model"].get("values", 0))
        try:
            model = torch_model.read(request["model"])
        except torch_model.BadModel as error:
            return {"verdict": "bad", "error": described(error), "times": {}}
        if request["do"] == "script":
            return {"script": torch_script.script(model, seed, self.name, request.get("title", ""))}
        answer = Check(model, seed, torch_targets.TARGETS[self.name], clock).run()
        clock("")
        return {**answer, "times": clock.times}


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if torch is not None:
        import torch_model
        import torch_oracle
        import torch_script
        import torch_targets

        if len(sys.argv) != 2 or sys.argv[1] not in torch_targets.TARGETS:
            sys.exit(f"usage: torch_worker.py {'|'.join(torch_targets.TARGETS)}")
    sys.exit(serve(TorchBackend(sys.argv[1]), BATCH))
