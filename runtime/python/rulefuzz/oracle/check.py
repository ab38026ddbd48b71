"""Checks one model: runs the reference, then the target, and compares. docs/reference/oracle.md specifies the verdicts."""

from __future__ import annotations

import copy
import functools
import math
import resource
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulefuzz.effects.effect import writers
from rulefuzz.effects.watch import Watch
from rulefuzz.framework import DIRT, OTHER_DIRT, Framework, Seen
from rulefuzz.model import BadModel, Failed, Interpreter, Json, Mismatch, Model, Raised, Values, at_work
from rulefuzz.oracle import coarse, compare, excuses, gradients, near, taint, titles, tolerance
from rulefuzz.oracle.excuses.call import is_float
from rulefuzz.oracle.excuses.declared import NarrowIntegers, NoScalars
from rulefuzz.oracle.excuses.difference import INSIGNIFICANT, Difference, Element
from rulefuzz.oracle.excuses.excuse import Counts, count
from rulefuzz.oracle.excuses.measured import ShapeAfterRounding
from rulefuzz.oracle.excuses.undefined import Turned
from rulefuzz.oracle.excuses.verdicts import OverlappingWrite, RejectsOutside, SecondRejects
from rulefuzz.oracle.rounding import Rounding
from rulefuzz.oracle.taint import Taint
from rulefuzz.oracle.titles import MEMORY, RANDOM, WRITES
from rulefuzz.regions import region
from rulefuzz.targets import Target

AGAIN = "; in the target's second run"
"""Suffix of a difference that only a second run of the compiled model shows. runtime/fuzz/failure.c knows it."""


def cpu_seconds() -> float:
    """Processor time of this process and of its reaped children."""
    own, waited = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + waited.ru_utime + waited.ru_stime


class Clock:
    """Announces stages and measures the wall and processor time of each, in milliseconds."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self._announce, self.name, self._since = announce, "", (0.0, 0.0)
        self.times: dict[str, float] = {}
        self.cpu: dict[str, float] = {}

    def __call__(self, name: str) -> None:
        now = time.monotonic(), cpu_seconds()
        if self.name:
            for spent, since, until in zip((self.times, self.cpu), self._since, now, strict=True):
                spent[self.name] = round(spent.get(self.name, 0.0) + (until - since) * 1000, 3)
        if name and name != self.name:
            self._announce(name)
        self.name, self._since = name, now

    def share(self, other: Clock, among: int) -> None:
        """Adds another clock's times, divided among `among` models."""
        for mine, its in ((self.times, other.times), (self.cpu, other.cpu)):
            for stage, spent in its.items():
                mine[stage] = round(mine.get(stage, 0.0) + spent / among, 3)


@functools.cache
def of_elements() -> tuple[list[Element], list[Element]]:
    """The excuses of elements by cost: those of insignificant differences, and the others."""
    found = sorted(excuses.of_kind(Element), key=lambda excuse: (excuse.grade, excuse.cost, excuse.name))
    return [e for e in found if e.grade <= INSIGNIFICANT], [e for e in found if e.grade > INSIGNIFICANT]


def follows_memory(framework: Framework, on: Callable[[int], Any]) -> bool:
    """Whether a tensor depends on the contents of free memory. `on`: the tensor of a run with this byte in free memory, None if
    that run fails."""
    runs = [on(dirt) for dirt in (DIRT, OTHER_DIRT, DIRT)]
    if any(run is None for run in runs):
        return False
    first, other, again = map(framework.seen, runs)
    return compare.same(first, again) and not compare.same(first, other)


class Reference:
    """A model's run by the reference: its tensors, each node's result, and which tensors are comparable."""

    def __init__(self, framework: Framework, model: Model) -> None:
        self.framework, self.model = framework, model
        self.inputs = framework.inputs(model)
        """Before a run."""
        self.taint = Taint(framework)
        self.results: list[Any] = []
        self.refusal: Exception | None = None
        """The exception of an invalid model's last call."""
        self.until: Values = {}
        """The tensors of a failed run so far."""
        self.values: Values = {}
        self.written: Values = {}
        """The tensors of calls as the program with regions makes them, which may have other strides."""
        self.after: Values = {}
        """The inputs after the run."""
        self.spans: list[int] = []
        """The number of nodes of each span."""
        self.undefined = False
        """See Watch."""

    def run(self) -> None:
        """Runs it, and again with newer versions of calls that are wrong. Raises Failed."""
        self._run()
        renewed = self.model if self.model.near_miss else self.framework.renewed(self.model, self.values)
        if renewed is not self.model:
            self.model, self.taint, self.results = renewed, Taint(self.framework), []
            self._run()

    def _run(self) -> None:
        watch = Watch(self.framework)

        def before(node: int) -> None:
            if self.framework.mutates:
                watch.before(self.model.nodes[node], interpreter.values)

        def follow(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            names = getattr(result, "_fields", ())
            call, written = self.model.nodes[node], frozenset[int]()
            if self.framework.mutates:
                written = watch.after(call, interpreter.values, tensors).writes
            self.taint.follow(call, interpreter.values, tensors, names, watch.taken, written)
            self.results.append(result)
            return tensors

        interpreter = Interpreter(self.framework, self.model, self._copies(), before=before, after=follow)
        try:
            interpreter.run()
        except Failed:
            self.until = interpreter.values
            raise
        self.spans = interpreter.spans
        self.values = interpreter.values
        self.after = {t.id: self.values[t.id] for t in self.model.inputs}
        self.undefined = watch.undefined
        if watch.any:
            self.model = replace(self.model, effects=tuple(watch.effects))
        self.model, found = gradients.settled(self.framework, self.model, self.inputs, self.values, self.taint)
        self.written = {i: t for i, t in found.items() if i in self.values}
        self.values = found | self.values

    def differing(self) -> tuple[int, int, str] | None:
        """The first node and tensor whose second run differs, on a heap with other contents, and how; None if none does. The
        tensor is -1 if the node raises. Random calls may differ, and so may what a call saves for its gradient."""
        with self.framework.strange_memory():
            again = self._once_more()
        if isinstance(again, Failed):
            return again.node, -1, "raises"
        for i, node in enumerate(self.model.nodes):
            for out in () if node.random else node.outputs:
                if out.id in self.taint.private:
                    continue
                how = self._apart(again[out.id], self.values[out.id])
                if how:
                    return i, out.id, how
        return None

    def cause(self, tensor: int) -> str:
        """Why two runs of the reference differ in a tensor: MEMORY or RANDOM."""

        def on(dirt: int) -> Any:
            with self.framework.strange_memory(dirt):
                again = self._once_more()
            return None if isinstance(again, Failed) else again[tensor]

        return MEMORY if follows_memory(self.framework, on) else RANDOM

    def _once_more(self) -> Values | Failed:
        """The tensors of another run, or its failure."""
        again = Interpreter(self.framework, self.model, self._copies(), as_before=self.spans)
        self.framework.reseed(7)
        try:
            again.run()
        except Failed as failed:
            return failed
        return again.values

    def overwritten(self) -> tuple[int, int, str] | None:
        """The first input that the run modified, the first node that uses it, and the difference."""
        for t in self.model.inputs:
            how = self._apart(self.after[t.id], self.inputs[t.id])
            if how:
                return next(i for i, node in enumerate(self.model.nodes) if t.id in node.refs()), t.id, how
        return None

    def _apart(self, one: Any, other: Any) -> str:
        first, second = self.framework.seen(one), self.framework.seen(other)
        return "" if compare.same(first, second) else compare.difference(first, second)

    def settled(self, tensor: int) -> bool:
        """Whether the tensor is comparable."""
        return not self.taint.covers(tensor, self.values[tensor])

    def outlaws(self, before: Iterable[int] | None = None) -> bool:
        """Marks results of calls that a second implementation rejects, since the reference is laxer than the specification.
        Returns whether there are any. `before`: only the calls that these tensors need."""
        asked = self.model.nodes if before is None else self.model.leading_to(before).nodes
        places = [i for i, node in enumerate(self.model.nodes) if any(node is one for one in asked)]
        refused = {i for i in places if self.framework.second_refuses(self.model.nodes[i], self.values)}
        if refused:
            self.taint.outlaw(self.model.nodes, refused, self.values, SecondRejects.name)
        return bool(refused)

    @functools.cached_property
    def long(self) -> frozenset[int]:
        return taint.long(self.framework, self.model, self.values)

    def wanted(self, outputs: Sequence[int]) -> list[Any]:
        """The outputs, then the fed inputs after the run."""
        return [*(self.written.get(i, self.values[i]) for i in outputs), *(self.after[t.id] for t in self.model.fed)]

    def _copies(self) -> Values:
        return self.framework.copies(self.inputs, self.model)


class Check:
    """Checks one model by reference and target."""

    def __init__(self, framework: Framework, target: Target, model: Model, stage: Clock,
                 preset: str = tolerance.MEASURED) -> None:  # fmt: skip
        self.framework, self.target, self.model, self.stage = framework, target.given(model.settings), model, stage
        self.reference = Reference(framework, model)
        self.preset = preset
        self._rounding: Rounding | None = None
        self._steps: coarse.Steps | None = None
        self._last: Sequence[Any] = ()
        """The target's outputs that are being judged."""
        self._got_seen: dict[int, Seen] = {}
        """The target's last results that differ without excuse."""
        self._meant: str | None = ""
        """See `meant`; None until it is needed."""
        self.given: Values = {}
        """The target's results that differ but are as correct as the reference's; see _excused."""
        self._runs = 1
        """How often the compiled model is run; the last results count."""
        self.counts = Counts()
        """The excuses of the target's outputs; what they are of is a tensor's id, or "" for the whole answer."""

    def run(self) -> Json:
        """The verdict and its details."""
        return self.unfit() or self.judged()

    def by(self, target: Target) -> Check:
        """The same check of another target. The reference is not run again."""
        other = copy.copy(self)
        other.target, other._got_seen, other._meant = target.given(self.model.settings), {}, ""
        other._rounding = self._rounding if target.casts == self.target.casts else None
        other.given, other.counts = {}, Counts(self.counts.sampling)
        return other

    def judged(self) -> Json:
        """Runs the target after the reference; returns the verdict."""
        if self.model.near_miss:
            return near.judged(self)
        self._runs = 1
        try:
            self.stage("compile")
            compiled = self._compiled(self.model.outputs)
            got = self._run(compiled, self.model.outputs)
        except BadModel as error:
            return {"verdict": "unreadable", "error": self.framework.described(error)}
        except Raised as raised:
            return self.judged() if self._refuses_bodies(raised.error) else self.one_sided(raised.error)
        self.stage("judge")
        if not any(map(self.settled, self.model.outputs)):
            return self.unspecified(got)
        answer = self.settle(got, self._whole)
        return self._again(compiled, got) or answer if answer["verdict"] in ("ok", "rounding") else answer

    def _again(self, compiled: Callable[..., Sequence[Any]], got: Sequence[Any]) -> Json | None:
        """Runs the compiled model a second time with the same inputs, since a target may keep state. Returns a verdict only if
        the second results differ and are wrong."""
        self.stage("run")
        try:
            again = self._run(compiled, self.model.outputs)
        except Raised as raised:
            return self.one_sided(raised.error)
        self.stage("judge")
        if self.repeats(got, again):
            return None
        self._runs = 2
        answer = self.settle(again, self._whole)
        if answer["verdict"] != "inconsistency":
            return None
        first = {**answer["first"], "how": answer["first"]["how"] + AGAIN}
        if self._of_memory(compiled, first["id"]):
            first |= {"cause": MEMORY, "values": titles.pair(first["how"])[::-1]}
            first["how"] = titles.caused("target", first["how"], MEMORY) + AGAIN
        return {**answer, "first": first, "title": self._title(first)}

    def _of_memory(self, compiled: Callable[..., Sequence[Any]], tensor: int) -> bool:
        """Whether one of the target's outputs depends on the contents of free memory."""
        if tensor not in self.model.outputs:
            return False

        def on(dirt: int) -> Any:
            try:
                with self.framework.strange_memory(dirt):
                    return self._run(compiled, self.model.outputs)[self.model.outputs.index(tensor)]
            except Raised:
                return None

        return follows_memory(self.framework, on)

    def repeats(self, got: Sequence[Any], again: Sequence[Any]) -> bool:
        """Whether two runs of the target returned the same outputs and, if given, left the same inputs."""
        tensors = zip((*self.model.outputs, *(t.id for t in self.model.fed)), got, again, strict=False)
        return all(compare.same(*map(self.framework.seen, both)) for i, *both in tensors if self.settled(i))

    def settled(self, tensor: int) -> bool:
        """Whether this target must agree on the tensor."""
        return self.reference.settled(tensor) and not (self.target.narrow and tensor in self.reference.long)

    def _refuses_bodies(self, error: Exception) -> bool:
        """Whether a target rejects a model because of its functions or subgraphs. The model then loses its functions, and if it
        is rejected again, its subgraphs."""
        if not self.model.bodies or not self._refuses(error):
            return False
        if region.regions(self.model):
            self.model = region.without(self.model)
            return True
        subgraphs = tuple(body for body in self.model.bodies if body.kind != "function")
        self.model = replace(self.model, bodies=subgraphs if len(subgraphs) < len(self.model.bodies) else ())
        return True

    def settle(self, got: Sequence[Any], ask: Callable[[Sequence[int]], list[Any] | None]) -> Json:
        """The verdict on the target's outputs, which the inputs after the run follow. `ask`: the target's values of other
        tensors, None if it cannot return them."""
        self._last, self._meant = got, None
        differences = self._differences(self.model.outputs, got, self.counts)
        if all(d["rounding"] for d in differences):
            return self.named(self._judge(differences))
        every = self.model.made()
        localised: list[Json] = []
        whole = ask(every)
        if whole is None:  # some other call may be the reason
            every = self.model.leading_to([d["id"] for d in differences]).made()
            whole = ask(every)
        if whole is not None:
            differing, inside = dict(self._got_seen), Counts()
            localised = self._differences(every, whole, inside)
            self._got_seen = differing | self._got_seen  # a target may agree when asked for all tensors
            nearly, known = self._excused(every, whole, localised), frozenset[int]()
            while nearly.keys() - known:  # later differences show once an earlier one is excused
                self.counts.take(inside, nearly.keys() - known)
                known, inside = frozenset(nearly), Counts()
                self._rounding, self.given = self.rounding.doubting(nearly), nearly
                localised = self._differences(every, whole, inside)
                differences = self._differences(self.model.outputs, got, self.counts)
                nearly = nearly | self._excused(every, whole, localised)
            if not self._real(localised):  # asking for all tensors hides the failure: the script needs the elements without
                self._differences(self.model.outputs, got)
        return self.named(self._beside(self._judge(differences, localised), ask))

    def _beside(self, answer: Json, ask: Callable[[Sequence[int]], list[Any] | None]) -> Json:
        """The verdict, reconsidered if a call of the model is invalid. A target may reject the model for that call or fail
        silently, and leave unrelated outputs uncomputed. The verdict is unspecified if it agrees once the differing outputs are
        requested alone."""
        if answer["verdict"] != "inconsistency" or not self.reference.taint.lawless:
            return answer
        outputs = [d["id"] for d in answer["differs"] if d["node"] >= 0]
        alone = ask(outputs) if len(outputs) == len(answer["differs"]) else None
        agrees = alone is not None and not self._real(self._differences(outputs, alone))
        return self.excused(RejectsOutside.name) if agrees else answer

    def changed(self) -> list[Any] | None:
        """The target's results, with the environment as it is; None if it fails or returns those of its last run."""
        try:
            got = self._got(self.model.outputs)
        except Raised:
            return None
        return None if self.repeats(self._last, got) else got

    def agrees(self, got: Sequence[Any]) -> Json | None:
        """The verdict on one model's outputs of a merged run, which its inputs after the run follow; None if they differ."""
        if not any(map(self.settled, self.model.outputs)):
            return self.unspecified(got)
        differences = self._differences(self.model.outputs, got, self.counts)
        return self.named(self._judge(differences)) if all(d["rounding"] for d in differences) else None

    def sample(self, sampling: bool) -> None:
        """Whether answers have an element of each excuse."""
        self.counts.sampling = sampling

    def named(self, answer: Json) -> Json:
        """The answer with the names of all excuses that fired, and the elements that each covered."""
        found, samples = self.counts.total(), self.counts.samples
        named = {**answer, "excuses": found} if found else answer
        return {**named, "samples": samples} if samples else named

    def excused(self, *names: str) -> Json:
        """The verdict if excuses cover the whole answer."""
        for name in names:
            self.counts.note("", name, 1)
        return self.named({"verdict": "unspecified"})

    def unspecified(self, got: Sequence[Any]) -> Json:
        """The verdict if no output is comparable."""
        for i, tensor in zip(self.model.outputs, got, strict=False):
            self._note_undefined(i, self.framework.seen(tensor), self._seen(i))
        return self.named({"verdict": "unspecified"})

    def unfit(self) -> Json | None:
        """Runs the reference; returns a verdict if the model is unfit."""
        self.stage("reference")
        try:
            self.reference.run()
        except Failed as failed:
            if near.rejected(self, failed):
                return near.by_elements(self)
            if near.accepted(self, failed):
                return near.as_accepted(self, failed.node)
            what = "mispredicted" if isinstance(failed.error, Mismatch) else "rejected"
            if self.framework.is_memory(failed.error):
                what = "resource"
            return {"verdict": what, **self._place(failed.node), "error": self._described(failed.error)}
        if near.accepted(self):
            return near.as_accepted(self, len(self.model.nodes) - 1)
        self.model = self.reference.model
        if self.reference.undefined:
            return self.excused(OverlappingWrite.name)
        found, cause = self.reference.differing(), RANDOM
        if not found and self.framework.repeats:
            found, cause = self.reference.overwritten(), WRITES
        if not found:
            return None
        node, tensor, how = found
        if not self.framework.repeats or tensor < 0:
            return {"verdict": "nondeterministic", **self._place(node)}
        return self._of_reference(node, tensor, how, self.reference.cause(tensor) if cause == RANDOM else cause)

    def _of_reference(self, node: int, tensor: int, how: str, cause: str) -> Json:
        """The verdict on a reference that contradicts itself or modifies an input. The finding is the reference's, whatever the
        target."""
        values, how = titles.pair(how)[::-1], titles.caused("reference", how, cause)
        first = {"id": tensor, **self._place(node), "how": how, "wrong": "reference", "cause": cause, "values": values}
        return {"verdict": "inconsistency", "owner": f"{self.framework.reference} (reference)", "differs": [first],
                "first": first, "tolerance": self.preset, "title": titles.of_cause(first)}  # fmt: skip

    def _title(self, first: Json) -> str:
        """A difference's title."""
        if first.get("cause"):
            return titles.of_cause(first)
        again = first["how"].endswith(AGAIN)
        return titles.of_difference(self.framework, self.model, self.reference.values, first, again)

    @property
    def rounding(self) -> Rounding:
        """The effect of rounding; needs the reference's run."""
        self._rounding = self._rounding or self._measuring(None)
        return self._rounding

    def _measuring(self, wanted: Iterable[int] | None) -> Rounding:
        reference = self.reference
        return Rounding(self.framework, self.model, reference.inputs, reference.values, self.preset, casts=self.target.casts,
                        wanted=wanted)  # fmt: skip

    def stepped(self, tensor: int) -> Iterator[Any]:
        """How far a quantization step moves the tensor; see Steps.moved."""
        if self._steps is None:
            self._steps = coarse.Steps(self.framework, self.model, self.reference.inputs, self.reference.values)
        return self._steps.moved(tensor)

    def script_bounds(self, tensor: int) -> tuple[float, float]:
        """See Rounding.script_bounds. Whatever is excused here must be excused in a script."""
        return self.rounding.script_bounds(tensor, self._seen(tensor), self._got_seen.get(tensor))

    def _place(self, node: int) -> Json:
        return {"node": node, "api": self.model.nodes[node].api if node >= 0 else "input"}

    def _described(self, error: Exception) -> Json:
        if isinstance(error, Mismatch):
            return {"type": "Mismatch", "message": error.args[1], "where": ""}
        return self.framework.described(error)

    def _got(self, outputs: Sequence[int]) -> list[Any]:
        """The target's results, then the inputs after the call."""
        return self._run(self._compiled(outputs), outputs)

    def _compiled(self, outputs: Sequence[int]) -> Callable[..., Sequence[Any]]:
        """Compiles the model by the target."""
        framework, reference = self.framework, self.reference
        subject = framework.subject(self.model, reference.results, outputs)
        example = framework.arguments(self.model, reference.inputs)
        return at_work(framework.compiled, self.target, self.model, outputs, self.target.compile, subject, example, self.stage)

    def _run(self, compiled: Callable[..., Sequence[Any]], outputs: Sequence[int]) -> list[Any]:
        """Runs the compiled model: its results, then the inputs after the call."""
        for _ in range(self._runs):
            returned, taken = self.returned(compiled, outputs)
        if self.model.probe:
            self._hold(self.target.presumed(compiled), returned)
        return [*returned, *taken]

    def returned(self, compiled: Callable[..., Sequence[Any]], outputs: Sequence[int]) -> tuple[list[Any], list[Any]]:
        """The results of a compiled model, and the inputs after the call. Raises if outputs are missing, which is how some
        targets fail."""
        taken = self.framework.arguments(self.model, self.reference.inputs)
        returned = at_work(lambda: list(compiled(*taken)))
        if len(returned) != len(outputs):
            raise Raised(RuntimeError(f"the target returned {len(returned)} outputs instead of {len(outputs)}"))
        return returned, taken

    def _hold(self, presumed: Sequence[Sequence[int | None] | None], returned: Sequence[Any]) -> None:
        """Rejects a probed call if the target expects other dimensions of a result, since every later use would be rejected."""
        for dims, tensor in zip(presumed, returned, strict=False):
            shape = self.framework.describe(tensor)[0]
            fits = dims is None or (len(dims) == len(shape) and all(d in (None, n) for d, n in zip(dims, shape, strict=True)))
            if not fits:
                raise Raised(NotImplementedError("the target expects a result with other dimensions than it has"))

    def _differences(self, outputs: Sequence[int], got: Sequence[Any], counts: Counts | None = None) -> list[Json]:
        """The tensors that differ without excuse, in the model's order. `counts`: gets the excuses of each."""
        found = []
        wanted, ids = self.reference.wanted(outputs), [*outputs, *(t.id for t in self.model.fed)]
        pairs = [(self.framework.seen(got[place]), self.framework.seen(other)) for place, other in enumerate(wanted)]
        differ = [i for i, both in zip(ids, pairs, strict=True) if self.settled(i) and not compare.same(*both)]
        self._rounding = self.rounding.covering(differ) if self._rounding else self._measuring(differ)
        for place, i in enumerate(ids):
            one, other = pairs[place]
            if counts:
                counts.forget(i)
            if not self.settled(i):
                if counts:
                    self._note_undefined(i, one, other)
                continue
            if not self.target.scalars:
                shaped = compare.as_scalar(one, other)
                if counts and shaped is not one:
                    counts.note(i, NoScalars.name, 1)
                one = shaped
            node = self._owner(i) if place < len(outputs) or self.model.effects else -1
            hows = self._difference(i, self._unturned(i, one, other, counts), other, counts)
            if self.target.strides and node >= 0 and all(how["rounding"] for how in hows):
                strides = self.framework.other_strides(got[place], wanted[place])
                hows = [{"how": strides, "rounding": False}] if strides else hows
            self._got_seen.pop(i, None)
            if not all(how["rounding"] for how in hows):
                self._got_seen[i] = one
            name = gradients.name_of(self.model, i)
            place_of = {"node": -1, "api": gradients.api_of(self.model, i)} if name else self._place(node)
            if node >= 0 and self.model.effects and self.model.effects[node].writes:
                place_of["api"] = titles.WRITE
            found += [{"id": i, **place_of, **how, "how": f"{name}: {how['how']}" if name else how["how"]} for how in hows]
        if self.target.strides and self.model.effects and all(d["rounding"] for d in found):
            found += self._other_aliases(outputs, got, wanted)
        return sorted(found, key=lambda d: int(d["node"]))

    def _owner(self, tensor: int) -> int:
        """The call to which a wrong tensor is attributed: the first one that writes to its memory, or else the one that makes
        it."""
        made = self.model.node_of(tensor)
        return next((i for i in writers(self.model.effects, tensor) if i > made), made)

    def _other_aliases(self, outputs: Sequence[int], got: Sequence[Any], wanted: Sequence[Any]) -> list[Json]:
        """The results and inputs that share memory with others than the reference's do."""
        count, ids = len(outputs), [*outputs, *(t.id for t in self.model.fed)]
        pairs = zip(ids, *(self.framework.shared(run[:count], run[count:]) for run in (got, wanted)), strict=True)
        names = [*ids[count:], *outputs]

        def told(what: Any, own: int) -> str:
            where = f" from byte {what[1]} on" if what[1] else ""
            return "memory of its own" if names[what[0]] == own else f"memory of t{names[what[0]]}{where}"

        return [{"id": i, **self._place(max(0, self.model.node_of(i))), "how": f"{told(one, i)} instead of {told(other, i)}",
                 "rounding": False} for i, one, other in pairs if one[:2] != other[:2] and self._declared(i)]  # fmt: skip

    def _declared(self, tensor: int) -> bool:
        """Whether all calls by which a tensor shares memory declare that."""
        calls = zip(self.model.nodes, self.model.effects, strict=True)
        views = [(node, effect.shares | {out.id for out in node.outputs})
                 for node, effect in calls if effect.shares and not effect.writes]  # fmt: skip
        return all(self.framework.declares(node, self.reference.values) for node, shared in views if tensor in shared)

    def _note_undefined(self, tensor: int, got: Seen, want: Seen) -> None:
        """Counts the elements of a tensor that is not comparable, if they differ."""
        names = self.reference.taint.reasons(tensor, self.reference.values.get(tensor)) or {NarrowIntegers.name}
        other = bool(compare.other_structure(got, want))
        differ = None if other or want[0] else compare.differing(got[3], want[3])
        number = max(math.prod(want[1]), 1) if other else 0 if differ is None else count(differ)
        for name in names:
            self.counts.note(tensor, name, number)
            if differ is not None and number:
                self.counts.show(name, tensor, got[3], want[3], differ)

    def _unturned(self, tensor: int, got: Seen, want: Seen, counts: Counts | None) -> Seen:
        """The target's vectors with the reference's signs, if each may have either sign."""
        if tensor not in self.reference.taint.turned or compare.other_structure(got, want) or want[0]:
            return got
        none = want[3] == 0
        turned = abs(got[3]) * ((want[3] + none) / (abs(want[3]) + none))
        if counts:
            counts.note(tensor, Turned.name, count(compare.differing(got[3], turned)))
        return (*got[:3], turned)

    def _difference(self, tensor: int, got: Seen, want: Seen, counts: Counts | None = None) -> list[Json]:
        """How a tensor differs, and whether rounding explains it; nothing if the difference is insignificant."""
        structure = compare.other_structure(got, want)
        if structure or want[0]:
            moves = structure.startswith("shape") and len(got[1]) == len(want[1]) and self.rounding.reshapes(tensor, want)
            if counts and moves:
                counts.note(tensor, ShapeAfterRounding.name, max(math.prod(want[1]), 1))
            return [{"how": structure, "rounding": moves}] if structure else []
        difference = Difference(self, tensor, got, want)
        difference.excuse(of_elements()[0], counts)
        far = difference.left
        if not difference.any():
            return []
        difference.excuse(of_elements()[1], counts)
        left, rounding = difference.left, not difference.any()
        how: Json = {"how": compare.other_elements(far if rounding else left, got, want), "rounding": rounding}
        if not rounding and self.rounding.confirmed(tensor, got, want):
            how["confirmed"] = "float64"
        return [how]

    @property
    def meant(self) -> str:
        """See coarse.meant; small differences are excused then. Compiles the model without some optimizations on first use."""
        if self._meant is None:
            self._meant = ""
            self._meant = coarse.meant(self)
            self.stage("judge")
        return self._meant

    def is_meant(self, tensor: int) -> bool:
        """Whether optimizations that change results by design may change this tensor."""
        return bool(self.meant) and not (self.meant == "QUANTISED" and tensor in self._without_activations)

    @functools.cached_property
    def _without_activations(self) -> frozenset[int]:
        return coarse.without_activations(self.framework, self.model)

    def approximate(self) -> frozenset[int]:
        """The tensors that this target approximates by design, and all computed from them."""
        names = self.target.approximates
        return self.model.behind(lambda t, node: node is not None and self.framework.operation(node.api) in names)

    def _judge(self, differences: Sequence[Json], localised: Sequence[Json] = ()) -> Json:
        """The verdict. `localised`: the differences of all tensors if the target returns them; empty if that hides the
        failure."""
        real, first = self._real(differences), self._real(localised)
        if not real and not first:
            return {"verdict": "rounding" if differences else "ok", "differs": differences}
        if self.reference.outlaws({d["id"] for d in (*real, *first)}):
            real, first = self._real(real), self._real(first)
            if not real and not first:
                self.counts.note("", SecondRejects.name, 1)
                return {"verdict": "unspecified"}
        confirmed = self._confirmed((first or real)[0])
        renewed = {"renewed": True} if any(node.renewed for node in self.reference.model.nodes) else {}
        return {"verdict": "inconsistency", "differs": real or first[:1], "first": confirmed, "tolerance": self.preset,
                "title": self._title(confirmed), **renewed}  # fmt: skip

    def _real(self, differences: Sequence[Json]) -> list[Json]:
        """The differences without excuse."""
        return [d for d in differences if not d["rounding"] and self.settled(d["id"])]

    def _confirmed(self, first: Json) -> Json:
        """The difference, and who is wrong if a second implementation agrees with one side."""
        tensor, node = first["id"], first["node"]
        others = self.framework.second(self.model.nodes[node], self.reference.values) if node >= 0 else None
        if others is None or tensor not in self._got_seen:
            return first
        place = [out.id for out in self.model.nodes[node].outputs].index(tensor)
        second, got, want = self.framework.seen(others[place]), self._got_seen[tensor], self._seen(tensor)
        limits = tolerance.bounds("neuri", want[2])
        apart = [bool(compare.difference(second, seen, *limits)) for seen in (got, want)]
        if apart == [True, False]:
            return {**first, "wrong": "target"}
        if apart == [False, True]:
            return {**first, "wrong": "reference", "how": first["how"] + "; a second reference agrees with the target"}
        return first

    def _seen(self, tensor: int) -> Seen:
        return self.framework.seen(self.reference.values[tensor])

    def _whole(self, every: Sequence[int]) -> list[Any] | None:
        """All tensors, by the target; None if it raises when asked for all."""
        self.stage("localise")
        try:
            got = self._got(every)
        except Raised:
            return None
        self.stage("localise")
        return got

    def _excused(self, every: Sequence[int], whole: Sequence[Any], localised: Sequence[Json]) -> Values:
        """The target's tensors that differ, in a zero's sign at least, and are excused: what is computed from these is as
        correct as what the reference computes from its own."""
        real, found = {d["id"] for d in localised if not d["rounding"]}, Values()
        for i, tensor in zip(every, whole, strict=False):
            got, want = self.framework.seen(tensor), self._seen(i)
            if i in real or self.model.node_of(i) < 0 or compare.other_structure(got, want) or not self.settled(i):
                continue
            if not compare.same(got, want) or (is_float(want[2]) and not want[0] and compare.other_signs(got, want).any()):
                found[i] = self.framework.elements(got[3].tolist(), got[2])
        return found

    def _refuses(self, error: Exception) -> bool:
        """Whether an error means that the target does not support the model."""
        return self.target.refuses(error) or self.framework.is_unsupported(error)

    def _error_apart(self) -> Exception | None:
        """What the target raises for the outputs that need no call outside the specification; None if it takes these alone, if
        there are none, or if calls write to memory."""
        model, lawless = self.model, self.reference.taint.lawless
        behind = model.behind(lambda t, node: t.id in lawless)
        outputs = tuple(i for i in model.outputs if i not in behind)
        if not outputs or model.effects or model.gradients or model.bodies:
            return None
        other = copy.copy(self)
        other.reference = copy.copy(self.reference)
        other.model = replace(model.leading_to(outputs), outputs=outputs)
        kept = set(map(id, other.model.nodes))
        pairs = zip(model.nodes, self.reference.results, strict=True)
        other.reference.results = [result for node, result in pairs if id(node) in kept]
        try:
            other._got(outputs)
        except Raised as raised:
            return None if self._refuses(raised.error) or self.framework.is_memory(raised.error) else raised.error
        return None

    def one_sided(self, error: Exception) -> Json:
        framework = self.framework
        verdict = "unsupported" if self._refuses(error) else "resource" if framework.is_memory(error) else "error"
        if verdict == "error" and (self.reference.taint.lawless or self.reference.outlaws()):
            left = self._error_apart()
            if left is None:
                return self.excused(RejectsOutside.name)
            error = left
        traceback.print_exception(error)
        described, apis = framework.described(error), [*(node.api for node in self.model.nodes), *region.apis(self.model)]
        title = titles.of_error(framework, apis, described, "is not supported" if verdict == "unsupported" else "fails")
        return {"verdict": verdict, "error": described, "stage": self.stage.name, "title": title}
