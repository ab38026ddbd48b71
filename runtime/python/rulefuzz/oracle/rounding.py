"""Which differences rounding explains: from reference runs with noise, and from elements that are exact.

A target's element c is explained if it is about as close to w, the result in 64 bits, as rounding was seen to move it: |c - w|
<= FACTOR * max(|r - w|, |n - r|, ...), for r of the reference and each n of its runs with noise. An element that noise moves
by more than NeuRI's tolerance depends on a discontinuity, and is not compared. Exact elements are not moved.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rulefuzz import elements
from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Failed, Interpreter, Model, Node, Raised, Tensor, Values, at_work
from rulefuzz.oracle import excuses, taint, tolerance
from rulefuzz.oracle.compare import differing, other_structure
from rulefuzz.oracle.excuses import unspecified
from rulefuzz.oracle.excuses.call import bounds, is_float
from rulefuzz.oracle.excuses.noise import DIGITS, HALF, LEANS, LiteralScales, Noise, Shaken, greatest, moved
from rulefuzz.oracle.excuses.verdicts import Continued, HalfKept
from rulefuzz.oracle.gradients import backward

MORE = 20
"""Further runs with random noise before an element is unexplained. Two nearly equal values change order in half of the runs."""
LUCKY = 4
"""Fewer distinct elements may equal those of an operand by luck."""
CARRIED = 16
"""The number of runs that carry half precision in more."""
FEW = 16
"""Up to this many elements, an operand may decide dimensions."""
APART = 0.25
"""Kernels whose results are apart by this share of the maximum operand and result compute different functions."""
FRACTION = 64
"""Multiples of 1 / FRACTION are not moved if they decide dimensions, since no kernel rounds them."""


def _is_whole(seen: Seen) -> bool:
    """Whether all elements are integers that the dtype represents exactly."""
    layout, _, dtype, array = seen
    if layout or dtype not in DIGITS:
        return False
    return bool(((array % 1 == 0) & (abs(array) < 2.0 ** DIGITS[dtype])).all())


def _made_whole(tensor: Tensor) -> bool:
    """Whether a float input holds integers."""
    return tensor.span is not None and len(tensor.span) == 2 and tensor.dtype in DIGITS


class Casts:
    """The casts of a model to floats that a target must carry out, whatever precision it carries between other calls. Without a
    model there are none."""

    def __init__(self, framework: Framework, model: Model | None) -> None:
        nodes = [node for node in model.nodes if framework.casts(node) and node.outputs[0].dtype in DIGITS] if model else []
        dtypes = {i: tensor.dtype for i, tensor in model.tensors().items()} if model else {}
        self._nodes = {node.outputs[0].id: node for node in nodes}
        self._rounding = {i for i, node in self._nodes.items() if self._loses(dtypes[node.refs()[0]], dtypes[i])}
        self.pairs = frozenset(i for i, node in self._nodes.items() if node.refs()[0] in self._rounding)
        """The results of casts of a rounded result."""

    @staticmethod
    def _loses(dtype: str, to: str) -> bool:
        """Whether a cast from one dtype to another rounds. Integers other than bool have more digits than some float."""
        return DIGITS.get(dtype, 1 if dtype == "bool" else 64) > DIGITS[to]

    def has(self, node: Node) -> bool:
        """Whether a node is one of them."""
        return self._nodes.get(node.outputs[0].id) is node if node.outputs else False

    def rounds(self, node: Node) -> bool:
        """Whether a node is one whose result has fewer bits."""
        return self.has(node) and node.outputs[0].id in self._rounding


def exact_tensors(framework: Framework, model: Model, reference: Values) -> frozenset[int]:
    """The float tensors that every order of addition gives the same bits. They hold integers in this run and in two more, with
    other integers and with their magnitudes. Magnitudes bound partial sums; a quotient that is an integer by chance is one for
    other operands hardly ever."""
    if not any(_made_whole(t) and not t.constant for t in model.inputs):  # a constant of ones may occur in any model
        return frozenset()

    def holds(values: Values, tensor: int) -> bool:
        return tensor in values and _is_whole(framework.seen(values[tensor]))

    found = {i for i in reference if holds(reference, i)}
    for values in (model.values + 1, None):
        inputs = {}
        for t in model.inputs:
            inputs[t.id] = framework.seeded(t, values if values and _made_whole(t) else model.values)
            if values is None and _made_whole(t):
                seed = elements.seed_of(model.values, t.origin)
                whole = np.asarray(abs(elements.elements(t.shape, t.dtype, seed, span=t.span)))  # also of rank 0
                inputs[t.id] = framework.tensor(whole, t.dtype)
        interpreter = Interpreter(framework, model.leading_to(found), inputs, check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            interpreter.run()
        interpreter.values |= backward(framework, model, inputs)
        found = {i for i in found if holds(interpreter.values, i)}
    return frozenset(found)


@dataclass
class Run:
    """A reference run that rounding may have made."""

    values: Values
    kind: str = ""
    """The excuse that is the reason for the run; "" for noise."""
    sources: dict[int, frozenset[str]] = field(default_factory=dict)
    """The excuses that moved each result, beside noise."""
    reshaped: set[int] = field(default_factory=set)
    """Results that have other dimensions if all operands are moved."""


class Runs:
    """Makes further reference runs of a model: with noise, call by call, and in more than half precision."""

    def __init__(self, framework: Framework, model: Model, inputs: Values, exact: frozenset[int], reference: Values,
                 casts: Casts) -> None:  # fmt: skip
        self._framework, self._model, self._inputs = framework, model, inputs
        self._exact, self._reference, self._casts = exact, reference, casts
        self._kinds = sorted(excuses.of_kind(Noise), key=lambda kind: kind.rank)

    def __iter__(self) -> Iterator[Run]:
        """Runs with noise: after every node, every inexact float moves by a few units in the last place, by LEANS, then MORE
        times at random. Then one call by call without noise, and those that carry half precision. Casts are exact for their
        operands."""
        framework, model = self._framework, self._model
        leans = LEANS + (0.0,) * MORE
        for run, lean in enumerate(leans):
            with contextlib.suppress(Failed):
                yield self._shaken(run, lean, framework.shaker(model.values * len(leans) + run, lean))
        interpreter = Interpreter(framework, model, framework.copies(self._inputs, model), check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            interpreter.run()
            yield Run(interpreter.values | backward(framework, model, self._inputs), HalfKept.name)
        if not model.effects and any(tensor.dtype in HALF for tensor in model.tensors().values()):
            for run in range(CARRIED):
                with contextlib.suppress(Raised):
                    yield Run(self._carried(run), HalfKept.name)

    @functools.cached_property
    def _deciding(self) -> dict[int, Values]:
        """The operands of each call whose elements decide dimensions (scales of a Resize), as the reference has them: halved,
        they give other ones."""
        framework, found = self._framework, dict[int, Values]()
        for node, call in enumerate([] if self._model.effects else self._model.nodes):
            for i in dict.fromkeys(call.refs()):
                layout, shape, dtype, array = framework.seen(self._reference[i])
                if layout or dtype not in DIGITS or not 0 < math.prod(shape) <= FEW or len(shape) > 1:
                    continue
                operands = {k: framework.copy(self._reference[k]) for k in call.refs()}
                operands[i] = framework.elements((array / 2).tolist(), dtype)
                with contextlib.suppress(Raised):
                    made = framework.tensors_of(at_work(framework.run_again, call, operands))
                    if self._dims(made) != self._dims([self._reference[out.id] for out in call.outputs[: len(made)]]):
                        found.setdefault(node, {})[i] = self._reference[i]
        return found

    def _dims(self, tensors: Iterable[Any]) -> list[tuple[int, ...]]:
        return [tuple(self._framework.describe(tensor)[0]) for tensor in tensors]

    def _fitting(self, node: int, values: Values, tensors: list[Any], run: Run) -> list[Any]:
        """A call's results for operands that decide dimensions as the reference has them, if the moved ones give other
        dimensions, or need not move. Otherwise no element could be compared."""
        framework, call, operands = self._framework, self._model.nodes[node], self._deciding.get(node)
        if not operands:
            return tensors
        if not all(bool((framework.seen(t)[3] * FRACTION % 1 == 0).all()) for t in operands.values()):
            if self._dims(tensors) == self._dims(self._reference[out.id] for out in call.outputs[: len(tensors)]):
                return tensors
            run.reshaped.update(out.id for out in call.outputs)
        taken = {i: framework.copy(operands.get(i, values[i])) for i in call.refs()}
        with contextlib.suppress(Raised):
            return framework.tensors_of(at_work(framework.run_again, call, taken))
        return tensors

    def _subject(self, call: Node, values: Values, tensors: list[Any], places: list[int], shake: Callable[[Any], Any],
                 run: int, lean: float) -> Shaken:  # fmt: skip
        return Shaken(self._framework, self._model, call, values, self._reference, self._exact, tensors, places, shake, run,
                      lean)  # fmt: skip

    def _shaken(self, run: int, lean: float, shake: Callable[[Any], Any]) -> Run:
        framework, model, exact, found = self._framework, self._model, self._exact, Run({})
        shaken = framework.copies(self._inputs, model)
        for t in model.inputs:
            if t.id not in exact and t.same is None:
                shaken[t.id] = shake(shaken[t.id])
        shaken |= {t.id: shaken[t.same] for t in model.inputs if t.same is not None}

        def after(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            call = model.nodes[node]
            if self._casts.has(call):
                return tensors
            if model.effects and model.effects[node]:  # the results stay what they share memory with
                return [shake(t) if out.id not in exact else t for out, t in zip(call.outputs, tensors, strict=False)]
            tensors = self._fitting(node, shaken, tensors, found)
            inexact = [i for i, out in enumerate(call.outputs[: len(tensors)]) if out.id not in exact and is_float(out.dtype)]
            stage = framework.stage(call)

            def shaken_as(tensor: Any) -> Any:
                dtype = framework.describe(tensor)[1]
                if dtype != "float64" or stage in ("", dtype):
                    return shake(tensor)
                return framework.narrowed(shake(framework.narrowed(tensor, stage)), dtype)

            tensors = moved(self._kinds, self._subject(call, shaken, tensors, inexact, shaken_as, run, lean), found.sources)
            return [shaken_as(t) if i in inexact else t for i, t in enumerate(tensors)]

        interpreter = Interpreter(framework, model, shaken, after=after, check=False, one_of_many=True)
        interpreter.run()
        found.values = interpreter.values | backward(framework, model, self._inputs, run, lean)
        return found

    def _carried(self, run: int) -> Values:
        """A run that carries half precision in 32 bits from call to call, as compilers without half-precision kernels do. Some
        inexact tensors are moved first: none in the first run, others in each further one."""
        framework, model, casts = self._framework, self._model, self._casts
        shake = framework.shaker(model.values * CARRIED + run, 0.0)
        dtypes = {i: tensor.dtype for i, tensor in model.tensors().items()}
        kinds = [kind for kind in self._kinds if kind.carried]

        def moves(i: int) -> bool:
            return i not in self._exact and is_float(dtypes[i]) and bool(run >> i % (CARRIED.bit_length() - 1) & 1)

        def carried(tensor: Any, i: int) -> Any:
            tensor = shake(framework.narrowed(tensor, dtypes[i])) if moves(i) else tensor
            return framework.narrowed(tensor, "float32") if dtypes[i] in HALF else tensor

        values = {t.id: carried(framework.copy(self._inputs[t.id]), t.id) for t in model.inputs}
        values |= {t.id: values[t.same] for t in model.inputs if t.same is not None}
        for node in model.nodes:
            try:
                result = at_work(framework.run_again, node, values)
            except Raised:  # some calls support only half precision
                result = at_work(framework.run_again, node, {i: framework.narrowed(values[i], dtypes[i]) for i in node.refs()})
            tensors, made = framework.tensors_of(result), [out.id for out in node.outputs]
            if casts.has(node):
                rounded = framework.narrowed(tensors[0], dtypes[made[0]]) if casts.rounds(node) else tensors[0]
                values[made[0]] = framework.narrowed(rounded, "float32") if dtypes[made[0]] in HALF else rounded
                continue
            places = [k for k, i in enumerate(made[: len(tensors)]) if moves(i)]
            tensors = moved(kinds, self._subject(node, values, tensors, places, shake, run, 0.0), {})
            values |= {i: carried(tensor, i) for i, tensor in zip(made, tensors, strict=False)}
        return values


def widened_model(framework: Framework, model: Model) -> Model:
    """The model with every float dtype among its constants widened."""

    def widened(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [widened(name, item) for item in value]
        return framework.widened_constant(name, value)

    nodes = []
    for node in model.nodes:
        args = tuple(replace(arg, value=widened(arg.name, arg.value)) for arg in node.args)
        nodes.append(replace(node, args=args))
    return replace(model, nodes=tuple(nodes))


def _attempted(framework: Framework, node: Node, values: Values,
               dtypes: Mapping[int, str]) -> list[Any] | None:  # fmt: skip
    """A call's results for operands of these dtypes; None if it fails."""
    if not values.keys() >= set(node.refs()):  # an earlier call failed as well
        return None
    taken = {i: values[i] for i in node.refs()}
    others = [i for i in taken if i in dtypes and framework.describe(taken[i])[1] != dtypes[i]]
    with contextlib.suppress(Raised):
        taken |= {i: at_work(framework.narrowed, taken[i], dtypes[i]) for i in others}
        return framework.tensors_of(at_work(framework.run_again, node, taken))
    return None


def _together(framework: Framework, widened: Model, model: Model, start: int, values: Values,
              casts: Casts) -> list[list[Any] | None]:  # fmt: skip
    """The results of some calls from one on, in 64 bits and run as one; None for each that must run alone. A cast that rounds
    is the last of them."""
    dtypes = {i: "float64" if tensor.dtype in DIGITS else tensor.dtype for i, tensor in model.tensors().items()}
    end = next((i + 1 for i in range(start, len(model.nodes)) if casts.rounds(model.nodes[i])), len(model.nodes))
    nodes = [replace(node, outputs=tuple(replace(out, dtype=dtypes[out.id]) for out in node.outputs))
             for node in widened.nodes[:end]]  # fmt: skip
    before = end - start + 1
    while (count := min(framework.span(nodes, start, dtypes), before)) < before:
        before = count
        with contextlib.suppress(Raised):
            if count > 1:
                results = at_work(framework.run, nodes[start : start + count], values)
                return [framework.tensors_of(result) for result in results]
    return [None] * count  # a call without a kernel would have made it shorter


def _is_other_kernel(framework: Framework, node: Node, made: list[Any], reference: Values) -> bool:
    """Whether the kernel for 64 bits of a call in half precision computes something else: its results are far from the
    reference's, and those of the kernel for 32 bits are not. `made`: its results in the run in 64 bits."""

    def apart(tensors: Iterable[Any]) -> bool:
        for out, tensor in zip(node.outputs, tensors, strict=False):
            one, other = (framework.seen(framework.widened(t)) for t in (tensor, reference[out.id]))
            if not other_structure(one, other):
                scale = max(greatest(np.asarray(seen[3])) for seen in (other, *taken) if is_float(seen[2]))
                gap = abs(one[3] - other[3])
                if bool(((gap > APART * scale) & (gap < float("inf"))).any()):
                    return True
        return False

    taken = [framework.seen(reference[i]) for i in node.refs()]
    if node.random or not all(out.dtype in HALF for out in node.outputs) or not apart(made):
        return False
    dtypes = {i: "float32" for i in node.refs() if is_float(framework.describe(reference[i])[1])}
    again = _attempted(framework, node, reference, dtypes)
    return bool(again) and not apart(again or ())


def wide_run(framework: Framework, model: Model, inputs: Values, casts: Casts, reference: Values) -> Values:
    """The model's tensors with every float in 64 bits. A call that cannot compute so, or whose kernel for 64 bits computes
    something else, runs in its own dtypes; its results are widened for later calls, but are not among those returned. A cast
    rounds as in the model."""
    wide = {i: framework.widened(tensor) for i, tensor in inputs.items()}
    wide |= {t.id: wide[t.same] for t in model.inputs if t.same is not None}
    widened = widened_model(framework, model)
    found = backward(framework, widened, wide)
    dtypes = {i: tensor.dtype for i, tensor in model.tensors().items()}
    less: set[int] = set()

    def wider(tensor: Any) -> Any:
        return tensor if model.effects and framework.is_widest(tensor) else framework.widened(tensor)

    together: list[list[Any] | None] = []
    for i, (node, as_it_is) in enumerate(zip(widened.nodes, model.nodes, strict=True)):
        if i == len(together):
            together += _together(framework, widened, model, i, wide, casts)
        tensors = together[i] or _attempted(framework, node, wide, {})
        if model.effects and model.effects[i] and (tensors is None or not all(map(framework.is_widest, tensors))):
            return {}  # what it writes, or what is written to its result later, would be lost
        if tensors and not model.effects and not casts.has(node) and _is_other_kernel(framework, node, tensors, reference):
            tensors = None
        if tensors is None:
            if together[i] is not None:  # the calls behind it took its results in 64 bits
                del together[i + 1 :]
            tensors = _attempted(framework, as_it_is, wide, dtypes)
            less.update(out.id for out in node.outputs)
        if tensors and casts.rounds(as_it_is):
            tensors = [framework.narrowed(tensors[0], as_it_is.outputs[0].dtype)]
        wide.update((out.id, wider(tensor)) for out, tensor in zip(node.outputs, tensors or (), strict=False))
    wide = {i: tensor for i, tensor in wide.items() if i not in less}
    return wide | found


class Rounding:
    """The effect of rounding on one model's tensors, computed on first use."""

    def __init__(self, framework: Framework, model: Model, inputs: Values, reference: Values, preset: str, *,
                 casts: bool = False, wanted: Iterable[int] | None = None) -> None:  # fmt: skip
        self._framework, self._whole, self._inputs, self.preset = framework, model, inputs, preset
        self._wanted = None if wanted is None or model.effects or model.gradients else frozenset(wanted)
        """The tensors that are asked about; None: any."""
        self.model = model if self._wanted is None else model.leading_to(self._wanted)
        """The calls that they need, which the runs make."""
        self._values = reference
        self._reference = reference if self._wanted is None else {i: reference[i] for i in self.model.tensors()}
        self.casts = casts
        """Whether casts must round."""
        self._casts = Casts(framework, self.model if casts else None)
        self._exact: frozenset[int] | None = None
        self._noisy: list[Run] = []
        self._left: Iterator[Run] | None = None
        """The runs with noise that are not needed yet."""
        self._wide: Values | None = None
        self._doubted: Values = {}
        """Exact tensors that a run has otherwise; see `doubting`."""

    def covering(self, tensors: Iterable[int]) -> Rounding:
        """The effect of rounding on these tensors as well. It measures again if they need more calls."""
        if self._wanted is None or self._reference.keys() >= (more := frozenset(tensors)):
            return self
        other = Rounding(self._framework, self._whole, self._inputs, self._values, self.preset, casts=self.casts,
                         wanted=self._wanted | more)  # fmt: skip
        return other.doubting(self._doubted) if self._doubted else other

    def exact(self) -> frozenset[int]:
        """See exact_tensors; empty for published tolerances. A cube root of a cube is an integer only by rounding, which the
        run in 64 bits shows."""
        if self._exact is None:
            measured = self.preset == tolerance.MEASURED
            found = exact_tensors(self._framework, self.model, self._reference) if measured else frozenset()
            self._exact = frozenset(i for i in found if self._is_exact_wide(i)) if found else found
            self._exact -= self._quotients(self._exact)
        return self._exact

    def _quotients(self, exact: frozenset[int]) -> frozenset[int]:
        """Operands of a call that returns integers and rounded floats: its integers depend on the rounded ones
        (DynamicQuantizeLinear's on its scale), so one may be at a tie by luck. And quotients: the mean of three equal values
        may be computed as a product with 1/3."""
        divides = [node for node in self.model.nodes if unspecified.has("quotient", self._framework.operation(node.api))]
        found = {out.id for node in divides for out in node.outputs}
        for node in self.model.nodes if exact else ():
            floats = [out.id for out in node.outputs if is_float(out.dtype)]
            if len(floats) < len(node.outputs) and any(bounds(out.dtype) for out in node.outputs):
                found.update(node.refs() if any(i not in exact and not self._is_wide(i) for i in floats) else ())
        return exact & found

    def _is_wide(self, tensor: int) -> bool:
        """Whether there is a run in 64 bits with the same elements."""
        return tensor in self._in_64_bits() and self._is_exact_wide(tensor)

    def _is_exact_wide(self, tensor: int) -> bool:
        """Whether the run in 64 bits, if there is one, has the same elements."""
        want = self._framework.seen(self._reference[tensor])
        wide = self._framework.seen(self._in_64_bits()[tensor]) if tensor in self._in_64_bits() else want
        return bool(wide[1] == want[1]) and not bool(differing(wide[3], want[3]).any())

    def doubting(self, nearly: Values) -> Rounding:
        """The effect of rounding if these exact tensors may be as an inexact kernel gave them. A model whose calls write to
        memory has no such run: a replaced tensor would share none."""
        if self.model.effects:
            return self
        other = Rounding(self._framework, self._whole, self._inputs, self._values, self.preset, casts=self.casts,
                         wanted=self._wanted)  # fmt: skip
        other._exact, other._wide, other._doubted = self.exact(), self._wide, nearly
        copies = self._framework.copies(self._inputs, self.model)

        def after(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            made = self.model.nodes[node].outputs
            return [nearly.get(out.id, t) for out, t in zip(made, tensors, strict=False)]

        run = Interpreter(self._framework, self.model, copies, after=after, check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            run.run()
            further = backward(self._framework, self.model, self._inputs)
            other._noisy.append(Run(run.values | further, Continued.name))
        return other

    @functools.cached_property
    def moved(self) -> frozenset[int]:
        """The tensors that every run with noise moves: inexact floats and all computed from them; with gradients or regions
        all tensors, since exact ones move as well."""
        if self.model.gradients or self.model.extras:
            return frozenset(self._reference)
        still = self.exact() - self._doubted.keys()
        apart = [node for node in self.model.nodes if LiteralScales.scales(self._framework, node)]
        moved = {out.id for node in apart for out in node.outputs}
        return self.model.behind(lambda t, node: t.id in moved or (is_float(t.dtype) and t.id not in still)) - self._copies()

    def _copies(self) -> frozenset[int]:
        """Results that have the elements of an input in some order, their call's only float operand, and casts to as many
        digits: no rounding moves them."""
        seen = {i: self._framework.seen(tensor) for i, tensor in self._reference.items()}
        found = {t.id for t in self.model.inputs} if not self.model.effects else set()
        for node in self.model.nodes:
            floats, cast = [i for i in node.refs() if is_float(seen[i][2])], self._framework.casts(node)
            if len(floats) == 1 and floats[0] in found:
                found |= {out.id for out in node.outputs if self._is_copy(seen[out.id], seen[floats[0]], cast)}
        return frozenset(found - {t.id for t in self.model.inputs})

    @staticmethod
    def _is_copy(made: Seen, taken: Seen, cast: bool) -> bool:
        if made[0] or taken[0] or "float" not in made[2] or (made[2] != taken[2] and not cast):
            return False
        if cast:
            return DIGITS.get(made[2], 0) >= DIGITS.get(taken[2], math.inf)
        one, other = (np.sort(seen[3], axis=None) for seen in (made, taken))
        return np.array_equal(one, other) and len(np.unique(one)) >= LUCKY

    @functools.cached_property
    def quantised(self) -> dict[int, frozenset[int]]:
        """Integers that are rounded quotients of floats, plus a zero point. Noise moves one further only at a tie. Includes the
        call's own zero point."""
        calls = [node for node in self.model.nodes if taint.quantises(self._framework.operation(node.api))]
        made = [frozenset(out.id for out in node.outputs if not is_float(out.dtype)) for node in calls]
        return {i: group - {i} for group in made for i in group}

    @functools.cached_property
    def zero_points(self) -> dict[int, frozenset[int]]:
        """Integers computed with a zero point that their call determines, and that call's integer results."""
        groups = {group | {i} for i, group in self.quantised.items() if group}

        def behind(group: frozenset[int]) -> frozenset[int]:
            return self.model.behind(lambda t, node: t.id in group) - group

        found = {group: behind(group) for group in groups}
        return {i: frozenset().union(*(group for group, made in found.items() if i in made)) for i in self._reference}

    def limits(self, tensor: int, want: Seen) -> tuple[float, float]:
        """Absolute and relative error that is not significant: a half for exact integers in floats. Makes runs only if the
        tensor may be exact, since they may be slow."""
        if self.preset == tolerance.MEASURED and _is_whole(want) and tensor in self.exact():
            return tolerance.EXACT
        if self.preset == tolerance.MEASURED and want[2] == "float64" and tensor in self._casts.pairs:
            return tolerance.PAIR
        return tolerance.bounds(self.preset, want[2])

    def reshapes(self, tensor: int, want: Seen) -> bool:
        """Whether rounding alone gives the tensor another shape, since uniqueness depends on equality."""
        if tensor not in self.moved:
            return False
        runs = (run for run in self.runs() if tensor in run.values)
        before = self.model.leading_to([tensor]).made()
        return any(self._framework.seen(run.values[tensor])[1] != want[1] or not run.reshaped.isdisjoint(before)
                   for run in runs)  # fmt: skip

    def script_bounds(self, tensor: int, want: Seen, got: Seen | None = None) -> tuple[float, float]:
        """Absolute and relative tolerance for a script, which measures nothing: one half for exact elements, else NeuRI's. If
        that hides the difference, it is the tolerance of `floor`. `got`: None if unknown."""
        if self.preset != tolerance.MEASURED:
            return tolerance.bounds(self.preset, want[2])
        if tensor in self.exact():
            return tolerance.EXACT
        wide, narrow = tolerance.bounds("neuri", want[2]), self.limits(tensor, want)
        if got is None or not is_float(want[2]) or other_structure(got, want):
            return wide
        return wide if bool(differing(got[3], want[3], *wide).any()) else narrow

    def confirmed(self, tensor: int, got: Seen, want: Seen) -> bool:
        """Whether the reference agrees with its run in 64 bits, and the target does not."""
        wide = self.in_64_bits(tensor, want)
        if wide is None or not is_float(want[2]):
            return False
        limits = tolerance.bounds("neuri", want[2])
        far, near = (differing(array, wide, *limits) for array in (got[3], want[3]))
        return bool(far.any()) and not bool(near.any())

    def runs(self) -> Iterator[Run]:
        """All runs with noise, made lazily."""
        yield from self._noisy
        if self._left is None:
            self._left = iter(Runs(self._framework, self.model, self._inputs, self.exact(), self._reference, self._casts))
        for run in self._left:
            self._noisy.append(run)
            yield run

    def has_other(self, tensors: frozenset[int], values: Values) -> bool:
        """Whether a run has another value for one of these single-valued tensors."""
        pairs = [[self._framework.seen(run[i]) for run in (values, self._reference)] for i in tensors & values.keys()]
        return any(one[3].size == other[3].size == 1 and bool(one[3] != other[3]) for one, other in pairs)

    def in_64_bits(self, tensor: int, want: Seen) -> Any:
        """The elements of the run in 64 bits, with the reference's dtype; None if it has none of that shape."""
        return self.elements(self._in_64_bits(), tensor, want)

    def _in_64_bits(self) -> Values:
        if self._wide is None:
            self._wide = wide_run(self._framework, self.model, self._inputs, self._casts, self._reference)
        return self._wide

    def elements(self, values: Values, tensor: int, want: Seen) -> Any:
        """A run's elements, with the reference's dtype and shape; None if missing."""
        if tensor not in values:
            return None
        other = self._framework.seen(self._framework.narrowed(values[tensor], want[2]))
        return other[3] if other[1] == want[1] else None
