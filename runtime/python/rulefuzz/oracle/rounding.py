"""Which differences rounding explains: from reference runs with noise, and from elements that are exact.

A target's element c is explained if it is about as close to w, the result in 64 bits, as rounding was seen to move it: |c - w|
<= FACTOR * max(|r - w|, |n - r|, ...), for r of the reference and each n of its runs with noise. An element that noise moves
by more than NeuRI's tolerance depends on a discontinuity, and is not compared. Exact elements are not moved.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rulefuzz import elements
from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Arg, Elements, Failed, Interpreter, Model, Node, Raised, Ref, Tensor, Values, at_work
from rulefuzz.oracle import taint, tolerance
from rulefuzz.oracle.compare import differing, other_structure
from rulefuzz.oracle.gradients import backward

LEANS = (1.0, -1.0, 0.0, 0.0, 0.0, 0.0)
"""Leans of the runs with noise. A value next to a discontinuity crosses it in one of the first two."""
MORE = 16
"""Further runs with random noise before an element is unexplained. Two nearly equal values change order in half of the runs."""
HALF, CARRIED = ("float16", "bfloat16"), 16
"""Half precision, and the number of runs that carry it in more."""
FACTOR = 16.0
EQUALS = 64
"""Up to this many equal elements, each is made the maximum in turn."""
MANY = 128
"""Minimum number of terms for which the order of addition matters beyond noise."""
STEPS = 2
"""How far an integer may be off if its quotient or its zero point is at a tie."""
PAIR = (1e-12, 1e-8)
"""Absolute and relative error of a float64 that a cast made of fewer bits. Other floats have a smaller tolerance anyway."""
LITTLE = 0.5**16
"""By which share of itself noise moves an integer that was made of a float, at most."""
EXACT = (0.5, 0.0)
"""Absolute and relative error below which a value counts as an integer."""
QUOTIENTS = re.compile(r"mean|average|avgpool|lppool|normali[sz]|^(true|real)?div(ide)?$")
"""Parts of names of operations that divide, or take a root of powers whose sum may be a mean. Kernels may multiply by the
reciprocal, which is inexact even if all runs are exact."""
GREATEST = {"float64": 1024, "complex128": 1024, "float32": 128, "complex64": 128, "bfloat16": 128, "float16": 16}
"""The power of 2 that values of a type are below."""
REDUCES = re.compile(r"^reduce|^globalaverage")
"""Prefixes of reductions; their precision while adding is unspecified."""
SPREADS = re.compile(r"normali[sz]|norm$|softmax")
"""Parts of names of operations that add up their operands, into results of the same magnitude."""
CENTRES = re.compile("(batch|group|instance|layer|variance)norm")
"""Parts of names of operations that subtract a mean, whose error is as large for results near zero as for others."""
TRANSFORMS = re.compile("conv")
"""Parts of names of operations whose kernels may use window transforms, even for zeros next to NaN."""
DIGITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
"""Bits of an integer that a float holds."""


def is_float(dtype: str) -> bool:
    """Whether the dtype is rounded."""
    return "float" in dtype or "complex" in dtype


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
        interpreter = Interpreter(framework, leading_to(model, found), inputs, check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            interpreter.run()
        interpreter.values |= backward(framework, model, inputs)
        found = {i for i in found if holds(interpreter.values, i)}
    return frozenset(found)


def leading_to(model: Model, wanted: Iterable[int]) -> Model:
    """See Model.leading_to."""
    return model.leading_to(wanted)


def _is_wider(dtype: str, other: str) -> bool:
    """Whether a float dtype has more bits than another."""
    return DIGITS.get(dtype, 0) > DIGITS.get(other, 0)


def _of_moved(framework: Framework, call: Node, values: Values, exact: frozenset[int], tensors: list[Any],
              inexact: Sequence[int], shake: Callable[[Any], Any]) -> list[Any]:  # fmt: skip
    """A call's results, with the inexact ones from moved operands if some operands are exact or if it computes in less
    precision. Noise leaves exact operands alone, and so misses internal rounding: in the gates of a recurrent layer, or in an
    inexact sum of exact terms that is zero by luck (1 + 2/3 - 5/3)."""
    seen = {i: framework.seen(tensors[i]) for i in inexact}
    less = framework.stage(call)
    sharp = [i for i in call.refs() if i in exact or (less and _is_wider(framework.describe(values[i])[1], less))]
    if not inexact or not sharp:
        return tensors
    taken = {i: framework.copy(values[i]) for i in call.refs()}
    taken.update({i: shake(taken[i]) for i in sharp})
    try:
        others = framework.tensors_of(at_work(framework.run_again, call, taken))
    except Raised:
        return tensors
    found = list(tensors)
    for i in inexact:
        other = framework.seen(others[i]) if i < len(others) else None
        if other and not other[0] and other[:3] == seen[i][:3] and bool((abs(other[3]) < float("inf")).all()):
            found[i] = others[i]
    return found


def _of_range(framework: Framework, call: Node, values: Values, tensors: list[Any], lean: float) -> list[Any]:
    """The results of a quantizing call whose floats are moved by what a quotient loses if it is computed in 32 bits relative to
    the type's minimum: 1/128 for 16 bits."""
    limits = taint.bounds(framework.describe(tensors[0])[1]) if tensors else None
    scales = [arg.value for arg in call.args if arg.name == taint.SCALE]
    taken = next((arg.value.id for arg in call.args if isinstance(arg.value, Ref)), None)
    if not lean or not limits or not scales or taken is None or not taint.quantises(framework.operation(call.api)):
        return tensors
    scale, (_, shape, dtype, array) = framework.seen(framework.build(scales[0], values))[3], framework.seen(values[taken])
    if not math.prod(shape) or not scale.size:
        return tensors
    step = float(abs(scale).min()) * (limits[1] - limits[0]) * 2.0 ** (1 - DIGITS["float32"])
    operands = {i: framework.copy(values[i]) for i in call.refs()} | {taken: framework.tensor(array + lean * step, dtype)}
    with contextlib.suppress(Raised):
        return framework.tensors_of(at_work(framework.run_again, call, operands))
    return tensors


def _of_fractions(framework: Framework, call: Node, values: Values, tensors: list[Any]) -> list[Any]:
    """A call's results for integer operands. If noise made fractions of these, which the reference accepts, the results are not
    comparable."""
    name = taint.WHOLE.get(framework.operation(call.api), "")
    taken = next((arg.value.id for arg in call.args if arg.name == name and isinstance(arg.value, Ref)), None)
    if taken is None or not bool((framework.seen(values[taken])[3] % 1 != 0).any()):
        return tensors
    return [_of_nothing(framework, t) for t in tensors]


def _of_nothing(framework: Framework, tensor: Any, places: Any = True) -> Any:
    """A tensor that is not comparable at these places, or anywhere."""
    _, _, dtype, array = framework.seen(tensor)
    return framework.tensor(np.where(places, array * np.nan if is_float(dtype) else array == 0, array), dtype)


def _greatest(array: Any) -> Any:
    """The maximum finite magnitude; 0 if there is none."""
    return np.max(abs(array), where=abs(array) < float("inf"), initial=0.0)


def _by_mean(framework: Framework, call: Node, values: Values, made: Sequence[Seen], share: float) -> list[Any]:
    """How far results move if the subtracted mean is off by this share of the maximum operand, as operands moved at random by
    as much show. Nearly equal operands move much."""
    seen = {i: framework.seen(values[i]) for i in call.refs()}
    taken = max((i for i in seen if is_float(seen[i][2]) and not seen[i][0]), key=lambda i: math.prod(seen[i][1]))
    _, shape, dtype, elements = seen[taken]
    array = np.array(elements.tolist())
    signs = np.random.default_rng(0).choice([-share, share], math.prod(shape)).reshape(shape)
    operands = {i: framework.copy(values[i]) for i in seen} | {taken: framework.tensor(array + signs * _greatest(array), dtype)}
    try:
        others = [framework.seen(t) for t in framework.tensors_of(at_work(framework.run_again, call, operands))]
    except Raised:
        return [np.zeros(1) for _ in made]
    moved = [abs(other[3] - one[3]) if other[:3] == one[:3] else np.zeros(1) for one, other in zip(made, others, strict=False)]
    return [np.where(by < float("inf"), by, 0.0) for by in moved]


def _are_among(array: Any, operand: Any) -> bool:
    """Whether all elements are elements of an operand. The first ones decide for nearly all calls, without sorting it."""
    few = array.reshape(-1)[:4]
    return all(bool((operand == one).any()) for one in few.tolist()) and bool(np.isin(array, np.array(operand.tolist())).all())


def _of_sums(framework: Framework, call: Node, values: Values, tensors: list[Any], places: Sequence[int],
             lean: float) -> list[Any]:  # fmt: skip
    """A call's results, moved by the rounding of sums: half a unit of the sum for each term, as for terms added in order in 32
    bits (or in the operands' precision for REDUCES), divided by FACTOR. A result that equals an operand is no sum. A subtracted
    mean adds its own error and that share of the maximum; window transforms add two units of it."""
    name, made = framework.operation(call.api), [framework.seen(t) for t in tensors]
    taken = [seen for seen in map(framework.seen, (values[i] for i in call.refs())) if is_float(seen[2]) and not seen[0]]
    least = min((math.prod(seen[1]) for seen in made if math.prod(seen[1])), default=0)
    if not lean or not least:
        return tensors
    count = max((math.prod(seen[1]) for seen in taken), default=0) / (1 if SPREADS.search(name) else least)
    count = count if count >= MANY else 0
    found, centred = list(tensors), bool(count) and bool(CENTRES.search(name))
    means = _by_mean(framework, call, values, made, count * 0.5 ** DIGITS["float32"] / FACTOR) if centred else []
    for i in places if count or TRANSFORMS.search(name) else ():
        layout, shape, dtype, elements = made[i]
        array = np.array(elements.tolist())
        if layout or not array.size:
            continue
        is_sum = not any(_are_among(array, seen[3]) for seen in taken)
        digits = DIGITS.get(framework.stage(call) or dtype, DIGITS["float32"])
        unit = 0.5 ** (digits if REDUCES.search(name) else max(digits, DIGITS["float32"])) * is_sum
        lost = count * unit / FACTOR
        by = _greatest(array) * (2 * unit if TRANSFORMS.search(name) else lost if centred else 0.0)
        by = by + (means[i].reshape(array.shape) if means else 0.0)
        moved = array * (1 + lean * lost) + lean * by * np.where(array < 0, -1, 1)
        found[i] = framework.elements(moved.reshape(shape).tolist(), dtype)
    return found


def _of_centres(framework: Framework, call: Node, reference: Values, tensors: list[Any], places: Sequence[int],
                lean: float) -> list[Any]:  # fmt: skip
    """The results of a call that subtracts a mean, moved to one side. All elements share the rounding error of the mean,
    whereas moved operands leave the sum of results at 0, which a later call may use. They move by 1/FACTOR of what moved
    operands cause, about half a unit."""
    found = list(tensors)
    for i in places if CENTRES.search(framework.operation(call.api)) else ():
        layout, shape, dtype, elements = framework.seen(tensors[i])
        other = framework.seen(reference[call.outputs[i].id]) if call.outputs[i].id in reference else None
        if not layout and other and other[1] == shape:
            array = np.array(elements.tolist())
            apart = abs(array - np.array(other[3].tolist()))
            moved = array + lean * np.where(apart < float("inf"), apart, 0.0) / FACTOR
            found[i] = framework.elements(moved.reshape(shape).tolist(), dtype)
    return found


def _of_ties(framework: Framework, model: Model, call: Node, values: Values, reference: Values, tensors: list[Any],
             run: int, lean: float) -> list[Any]:  # fmt: skip
    """The results of a gradient of a maximum, for distinct values in the operands' order; of equal ones, another is the maximum
    in each run. A run with a lean makes each of the equal ones the maximum in turn, and makes what depends on it not
    comparable."""
    forward = taint.forward_of(framework, model, call)
    if forward is None:
        return tensors
    source, made = (arg.value.id for arg in call.args if arg.name in taint.FORWARD and isinstance(arg.value, Ref))
    _, shape, dtype, array = framework.seen(reference[source] if lean else values[source])
    limits = taint.bounds(dtype)
    if array.size > (limits[1] if limits else 2.0 ** DIGITS.get(dtype, 0)):
        return [_of_nothing(framework, t) for t in tensors]
    moved = dict(zip(taint.FORWARD, (Ref(-1), Ref(-2)), strict=True))
    ranked = replace(call, args=tuple(replace(arg, value=moved.get(arg.name, arg.value)) for arg in call.args))

    def by(ties: Any) -> list[Any]:
        ranks = np.empty(array.size)
        ranks[np.lexsort((ties, array.reshape(-1)))] = np.arange(array.size)
        taken = framework.tensor(ranks.reshape(shape).astype(array.dtype), dtype)
        result = framework.tensors_of(framework.run_again(forward, {**values, source: taken}))
        pooled = result[[out.id for out in forward.outputs].index(made)]
        return framework.tensors_of(framework.run_again(ranked, {**values, -1: taken, -2: pooled}))

    if not lean:
        return by(np.random.default_rng(run).permutation(array.size))
    numbers, places = array.reshape(-1).tolist(), np.arange(array.size)
    equal = [place for place, number in enumerate(numbers) if numbers.count(number) > 1]
    found = by(places)
    free = [len(equal) > EQUALS] * len(found)
    for place in equal if len(equal) <= EQUALS else ():
        others = by(np.where(places == place, array.size, places))
        free = [some | (framework.seen(a)[3] != framework.seen(b)[3]) for some, a, b in zip(free, found, others, strict=True)]
    return [_of_nothing(framework, t, some) for t, some in zip(found, free, strict=True)]


def _literal_scales(framework: Framework, call: Node) -> list[Arg]:
    """The literal scales of an integer call that are rounded: neither integers nor powers of two."""
    if not framework.operation(call.api).startswith(taint.SCALES):
        return []
    found = [arg for arg in call.args if arg.name.endswith(taint.PAIRED[1]) and isinstance(arg.value, Elements)]
    numbers = {arg.name: framework.seen(framework.build(arg.value, {}))[3].reshape(-1).tolist() for arg in found}
    return [arg for arg in found if any(n % 1 and abs(math.frexp(n)[0]) != 0.5 for n in numbers[arg.name])]


def _by_scales(framework: Framework, call: Node, values: Values, tensors: list[Any], shake: Callable[[Any], Any]) -> list[Any]:
    """The results of an integer call with such scales moved as inputs are."""
    scales = _literal_scales(framework, call)
    if not scales:
        return tensors
    operands = {i: framework.copy(values[i]) for i in call.refs()}
    moved = {arg.name: Ref(-1 - i) for i, arg in enumerate(scales)}
    operands |= {moved[arg.name].id: shake(framework.build(arg.value, {})) for arg in scales}
    args = tuple(replace(arg, value=moved.get(arg.name, arg.value)) for arg in call.args)
    with contextlib.suppress(Raised):
        return framework.tensors_of(at_work(framework.run_again, replace(call, args=args), operands))
    return tensors


def noisy_runs(framework: Framework, model: Model, inputs: Values, exact: frozenset[int], reference: Values,
               casts: Casts) -> Iterator[Values]:  # fmt: skip
    """Reference runs with noise. After every node, every inexact float moves by a few units in the last place: by LEANS, then
    MORE times at random. Then one call by call without noise, since the reference may keep more precision between calls, and
    those that carry half precision. Casts are exact for their operands."""
    leans = LEANS + (0.0,) * MORE
    for run, lean in enumerate(leans):
        shake = framework.shaker(model.values * len(leans) + run, lean)
        shaken = framework.copies(inputs, model)
        for t in model.inputs:
            if t.id not in exact and t.same is None:
                shaken[t.id] = shake(shaken[t.id])
        shaken |= {t.id: shaken[t.same] for t in model.inputs if t.same is not None}

        def after(node: int, result: Any, tensors: list[Any], shake: Any = shake, values: Values = shaken,
                  lean: float = lean, run: int = run) -> list[Any]:  # fmt: skip
            call = model.nodes[node]
            if casts.has(call):
                return tensors
            if model.effects and model.effects[node]:  # the results stay what they share memory with
                return [shake(t) if out.id not in exact else t for out, t in zip(call.outputs, tensors, strict=False)]
            inexact = [i for i, out in enumerate(call.outputs[: len(tensors)]) if out.id not in exact and is_float(out.dtype)]
            stage = framework.stage(call)

            def shaken_as(tensor: Any) -> Any:
                dtype = framework.describe(tensor)[1]
                if dtype != "float64" or stage in ("", dtype):
                    return shake(tensor)
                return framework.narrowed(shake(framework.narrowed(tensor, stage)), dtype)

            tensors = _of_range(framework, call, values, _by_scales(framework, call, values, tensors, shake), lean)
            if taint.forward_of(framework, model, call):
                moved = tensors = _of_ties(framework, model, call, values, reference, tensors, run, lean)
            else:
                moved = _of_moved(framework, call, values, exact, tensors, inexact, shaken_as)
                moved = _of_sums(framework, call, values, moved, inexact, lean)
                moved = _of_centres(framework, call, reference, moved, inexact, 0.0 if lean else (-1.0) ** run)
            tensors, moved = (_of_fractions(framework, call, values, made) for made in (tensors, moved))
            return [shaken_as(moved[i]) if i in inexact else t for i, t in enumerate(tensors)]

        interpreter = Interpreter(framework, model, shaken, after=after, check=False, one_of_many=True)
        try:
            interpreter.run()
        except Failed:
            continue
        yield interpreter.values | backward(framework, model, inputs, run, lean)
    interpreter = Interpreter(framework, model, framework.copies(inputs, model), check=False, one_of_many=True)
    with contextlib.suppress(Failed):
        interpreter.run()
        yield interpreter.values | backward(framework, model, inputs)
    if not model.effects and any(tensor.dtype in HALF for tensor in model.tensors().values()):
        for run in range(CARRIED):
            with contextlib.suppress(Raised):
                yield _carried(framework, model, inputs, exact, run, casts)


def _carried(framework: Framework, model: Model, inputs: Values, exact: frozenset[int], run: int, casts: Casts) -> Values:
    """A reference run that carries half precision in 32 bits from call to call, as compilers without half-precision kernels do.
    Some inexact tensors are moved first: none in the first run, others in each further one."""
    shake = framework.shaker(model.values * CARRIED + run, 0.0)

    dtypes = {i: tensor.dtype for i, tensor in model.tensors().items()}

    def moved(i: int) -> bool:
        return i not in exact and is_float(dtypes[i]) and bool(run >> i % (CARRIED.bit_length() - 1) & 1)

    def carried(tensor: Any, i: int) -> Any:
        tensor = shake(framework.narrowed(tensor, dtypes[i])) if moved(i) else tensor
        return framework.narrowed(tensor, "float32") if dtypes[i] in HALF else tensor

    values = {t.id: carried(framework.copy(inputs[t.id]), t.id) for t in model.inputs}
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
        places = [k for k, i in enumerate(made[: len(tensors)]) if moved(i)]
        tensors = _of_moved(framework, node, values, exact, tensors, places, shake)
        tensors = _of_fractions(framework, node, values, tensors)
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


def wide_run(framework: Framework, model: Model, inputs: Values, casts: Casts) -> Values:
    """The model's tensors with every float in 64 bits. A call that cannot compute so runs in its own dtypes; its results are
    widened for later calls, but are not among those returned. A cast rounds as in the model."""
    wide = {i: framework.widened(tensor) for i, tensor in inputs.items()}
    wide |= {t.id: wide[t.same] for t in model.inputs if t.same is not None}
    widened = widened_model(framework, model)
    found = backward(framework, widened, wide)
    dtypes = {i: tensor.dtype for i, tensor in model.tensors().items()}
    less: set[int] = set()

    def wider(tensor: Any) -> Any:
        return tensor if model.effects and framework.is_widest(tensor) else framework.widened(tensor)

    for i, (node, as_it_is) in enumerate(zip(widened.nodes, model.nodes, strict=True)):
        tensors = _attempted(framework, node, wide, {})
        if model.effects and model.effects[i] and (tensors is None or not all(map(framework.is_widest, tensors))):
            return {}  # what it writes, or what is written to its result later, would be lost
        if tensors is None:
            tensors = _attempted(framework, as_it_is, wide, dtypes)
            less.update(out.id for out in node.outputs)
        if tensors and casts.rounds(as_it_is):
            tensors = [framework.narrowed(tensors[0], as_it_is.outputs[0].dtype)]
        wide.update((out.id, wider(tensor)) for out, tensor in zip(node.outputs, tensors or (), strict=False))
    wide = {i: tensor for i, tensor in wide.items() if i not in less}
    return wide | found


def _at_a_tie(got: Any, want: Any, other: Any, beside: bool) -> Any:
    """Which integers another run has otherwise: by so much that they are not comparable, or by as little as ties move the
    target's. `beside`: that run has another zero point, which a tie of the element's own quotient may compensate."""
    far, step = (abs(array * 1.0 - want * 1.0) for array in (got, other))  # integers would wrap
    return (step > STEPS) | (((step > 0) | beside) & (far <= STEPS))


def _gap(one: Any, other: Any) -> Any:
    """How far integers are apart. Those of numpy would wrap."""
    return abs(one * 1.0 - other) if isinstance(one, np.ndarray) else abs(one - other) * 1.0


def _as_far(got: Seen, want: Seen, other: Any) -> Any:
    """Which elements, none of them floats, another run has otherwise. An integer that was made of a large float moves by little
    of itself, and only explains differences of that size: a conversion that saturates is far from it."""
    moved = other != want[3]
    if "int" not in want[2] or not bool(moved.any()):
        return moved
    far, step, size = _gap(got[3], want[3]), _gap(other, want[3]), abs(want[3] * 1.0)
    continuous = (size >= 2.0 ** DIGITS["float32"]) & (step <= LITTLE * size)
    return moved & (~continuous | (far <= FACTOR * step))


def as_shares(got: Seen, want: Seen) -> Any:
    """Which elements are logarithms of one softmax value, or of two subnormal ones that a few roundings separate."""
    if want[2] not in DIGITS:
        return want[3] != want[3]
    unit = math.ldexp(1.0, 3 - GREATEST[want[2]] - DIGITS[want[2]])
    with np.errstate(over="ignore", invalid="ignore"):
        return abs(np.exp(got[3]) - np.exp(want[3])) <= STEPS * unit


def _overflows(got: Seen, want: Seen) -> Any:
    """Which elements are infinite on one side and so close to overflow on the other that an intermediate sum or product may
    overflow."""
    infinity = float("inf")
    near = math.ldexp(1 / FACTOR, GREATEST[want[2]]) if want[2] in GREATEST else infinity
    one, other = (abs(seen[3]) for seen in (got, want))
    alike = (got[3] > 0) == (want[3] > 0) if "complex" not in want[2] else True
    return ((one == infinity) != (other == infinity)) & (one > near) & (other > near) & alike


class Rounding:
    """The effect of rounding on one model's tensors, computed on first use."""

    def __init__(self, framework: Framework, model: Model, inputs: Values, reference: Values, preset: str, *,
                 casts: bool = False) -> None:  # fmt: skip
        self._framework, self._model, self._inputs, self._preset = framework, model, inputs, preset
        self._reference = reference
        self.casts = casts
        """Whether casts must round."""
        self._casts = Casts(framework, model if casts else None)
        self._exact: frozenset[int] | None = None
        self._noisy: list[Values] = []
        self._left: Iterator[Values] | None = None
        """The runs with noise that are not needed yet."""
        self._wide: Values | None = None
        self._doubted: frozenset[int] = frozenset()
        """Exact tensors that a run has otherwise; see `doubting`."""
        self._unsettled: dict[int, frozenset[int]] = {}
        """Tensors that a run makes not comparable, by the run's number."""

    def exact(self) -> frozenset[int]:
        """See exact_tensors; empty for published tolerances. A cube root of a cube is an integer only by rounding, which the
        run in 64 bits shows."""
        if self._exact is None:
            measured = self._preset == tolerance.MEASURED
            found = exact_tensors(self._framework, self._model, self._reference) if measured else frozenset()
            self._exact = frozenset(i for i in found if self._is_exact_wide(i)) if found else found
            self._exact -= self._quotients(self._exact)
        return self._exact

    def _quotients(self, exact: frozenset[int]) -> frozenset[int]:
        """Operands of a call that returns integers and rounded floats: its integers depend on the rounded ones
        (DynamicQuantizeLinear's on its scale), so one may be at a tie by luck. And quotients: the mean of three equal values
        may be computed as a product with 1/3."""
        divides = [node for node in self._model.nodes if QUOTIENTS.search(self._framework.operation(node.api))]
        found = {out.id for node in divides for out in node.outputs}
        for node in self._model.nodes if exact else ():
            floats = [out.id for out in node.outputs if is_float(out.dtype)]
            if len(floats) < len(node.outputs) and any(taint.bounds(out.dtype) for out in node.outputs):
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
        if self._model.effects:
            return self
        other = Rounding(self._framework, self._model, self._inputs, self._reference, self._preset, casts=self.casts)
        other._exact, other._wide, other._doubted = self.exact(), self._wide, frozenset(nearly)
        copies = self._framework.copies(self._inputs, self._model)

        def after(node: int, result: Any, tensors: list[Any]) -> list[Any]:
            made = self._model.nodes[node].outputs
            return [nearly.get(out.id, t) for out, t in zip(made, tensors, strict=False)]

        run = Interpreter(self._framework, self._model, copies, after=after, check=False, one_of_many=True)
        with contextlib.suppress(Failed):
            run.run()
            other._noisy.append(run.values)
        return other

    @functools.cached_property
    def _moved(self) -> frozenset[int]:
        """The tensors that every run with noise moves: inexact floats and all computed from them; with gradients all tensors,
        since exact ones move as well."""
        if self._model.gradients:
            return frozenset(self._reference)
        still = self.exact() - self._doubted
        apart = [n for n in self._model.nodes
                 if _literal_scales(self._framework, n) or taint.forward_of(self._framework, self._model, n)]  # fmt: skip
        moved = {out.id for node in apart for out in node.outputs}
        return self._model.behind(lambda t, node: t.id in moved or (is_float(t.dtype) and t.id not in still))

    @functools.cached_property
    def _quantised(self) -> dict[int, frozenset[int]]:
        """Integers that are rounded quotients of floats, plus a zero point. Noise moves one further only at a tie. Includes the
        call's own zero point."""
        calls = [node for node in self._model.nodes if taint.quantises(self._framework.operation(node.api))]
        made = [frozenset(out.id for out in node.outputs if not is_float(out.dtype)) for node in calls]
        return {i: group - {i} for group in made for i in group}

    @functools.cached_property
    def _zero_points(self) -> dict[int, frozenset[int]]:
        """Integers computed with a zero point that their call determines, and that call's integer results."""
        groups = {group | {i} for i, group in self._quantised.items() if group}

        def behind(group: frozenset[int]) -> frozenset[int]:
            return self._model.behind(lambda t, node: t.id in group) - group

        found = {group: behind(group) for group in groups}
        return {i: frozenset().union(*(group for group, made in found.items() if i in made)) for i in self._reference}

    def floor(self, tensor: int, got: Seen, want: Seen) -> Any:
        """Which elements differ significantly: all that differ for integers, by half for exact integers in floats."""
        apart = differing(got[3], want[3])
        if not is_float(want[2]) or not bool(apart.any()):
            return apart
        return differing(got[3], want[3], *self._limits(tensor, want))

    def _limits(self, tensor: int, want: Seen) -> tuple[float, float]:
        """Absolute and relative error that is not significant. Makes runs only if the tensor may be exact, since they may be
        slow."""
        if self._preset == tolerance.MEASURED and _is_whole(want) and tensor in self.exact():
            return EXACT
        if self._preset == tolerance.MEASURED and want[2] == "float64" and tensor in self._casts.pairs:
            return PAIR
        return tolerance.bounds(self._preset, want[2])

    def unexplained(self, mask: Any, tensor: int, got: Seen, want: Seen) -> Any:
        """Which elements of `floor` differ by more than rounding explains, for tensors of one structure."""
        wide = self._seen(self._in_64_bits(), tensor, want)
        limits = self._limits(tensor, want)
        mask = mask & ~_overflows(got, want) if is_float(want[2]) else mask
        if wide is None:
            return self._unmoved(mask, tensor, got, want, None, limits)
        lost = mask & (wide != wide) & (want[3] == want[3])  # more precision makes no NaN of a number; another kernel does
        mask = mask & ~lost & ~self._near(tensor, got, want, wide, wide, limits)
        return self._unmoved(mask, tensor, got, want, wide, limits) | self._unmoved(lost, tensor, got, want, None, limits)

    def is_as_right(self, mask: Any, tensor: int, got: Seen, want: Seen) -> bool:
        """Whether the elements of `floor` are about as close to the run in 64 bits as the reference's, or are off by no more
        than noise moves them."""
        wide = self._seen(self._in_64_bits(), tensor, want) if bool(mask.any()) else want[3]
        left = mask if wide is None else mask & ~(abs(got[3] - wide) <= FACTOR * abs(want[3] - wide))
        much = left & differing(got[3], want[3], *tolerance.bounds("neuri", want[2]))
        return not bool(much.any()) and not bool(self._unmoved(left, tensor, got, want, wide, self._limits(tensor, want)).any())

    def _unmoved(self, mask: Any, tensor: int, got: Seen, want: Seen, wide: Any, limits: tuple[float, float]) -> Any:
        """Which elements no run with noise explains."""
        if not bool(mask.any()) or tensor not in self._moved:
            return mask
        for run, values in enumerate(self._runs()):
            if not bool(mask.any()):
                break
            other = self._seen(values, tensor, want)
            if other is None or tensor in self._unsettled_by(run, values):
                return mask & ~mask
            mask = mask & ~self._near(tensor, got, want, other, wide, limits, values)
        return mask

    def _unsettled_by(self, run: int, values: Values) -> frozenset[int]:
        """Tensors that are not comparable because a run has a NaN or an infinity that the reference has not. An operand may be
        at the edge of a function's domain (Acosh of 1, computed as 0.99999994), and a discontinuity follow."""
        if run not in self._unsettled:
            finite, marks = self._framework.finite, taint.Taint(self._framework)
            ends = any(not finite(values[i]) and finite(t) for i, t in self._reference.items() if i in values)
            for node in self._model.nodes if ends else ():
                marks.follow(node, values, [values[out.id] for out in node.outputs])
            self._unsettled[run] = frozenset(i for i, value in values.items() if marks.covers(i, value))
        return self._unsettled[run]

    def reshapes(self, tensor: int, want: Seen) -> bool:
        """Whether rounding alone gives the tensor another shape, since uniqueness depends on equality."""
        if tensor not in self._moved:
            return False
        runs = ((run, values) for run, values in enumerate(self._runs()) if tensor in values)
        return any(self._framework.seen(values[tensor])[1] != want[1] or tensor in self._unsettled_by(run, values)
                   for run, values in runs)  # fmt: skip

    def script_bounds(self, tensor: int, want: Seen, got: Seen | None = None) -> tuple[float, float]:
        """Absolute and relative tolerance for a script, which measures nothing: one half for exact elements, else NeuRI's. If
        that hides the difference, it is the tolerance of `floor`. `got`: None if unknown."""
        if self._preset != tolerance.MEASURED:
            return tolerance.bounds(self._preset, want[2])
        if tensor in self.exact():
            return EXACT
        wide, narrow = tolerance.bounds("neuri", want[2]), self._limits(tensor, want)
        if got is None or not is_float(want[2]) or other_structure(got, want):
            return wide
        return wide if bool(differing(got[3], want[3], *wide).any()) else narrow

    def confirmed(self, tensor: int, got: Seen, want: Seen) -> bool:
        """Whether the reference agrees with its run in 64 bits, and the target does not."""
        wide = self._seen(self._in_64_bits(), tensor, want)
        if wide is None or not is_float(want[2]):
            return False
        limits = tolerance.bounds("neuri", want[2])
        far, near = (differing(array, wide, *limits) for array in (got[3], want[3]))
        return bool(far.any()) and not bool(near.any())

    def _runs(self) -> Iterator[Values]:
        """All runs with noise, made lazily."""
        yield from self._noisy
        if self._left is None:
            self._left = noisy_runs(self._framework, self._model, self._inputs, self.exact(), self._reference, self._casts)
        for values in self._left:
            self._noisy.append(values)
            yield values

    def _has_other(self, tensors: frozenset[int], values: Values) -> bool:
        """Whether a run has another value for one of these single-valued tensors."""
        pairs = [[self._framework.seen(run[i]) for run in (values, self._reference)] for i in tensors & values.keys()]
        return any(one[3].size == other[3].size == 1 and bool(one[3] != other[3]) for one, other in pairs)

    def _in_64_bits(self) -> Values:
        if self._wide is None:
            self._wide = wide_run(self._framework, self._model, self._inputs, self._casts)
        return self._wide

    def _seen(self, values: Values, tensor: int, want: Seen) -> Any:
        """A run's elements, with the reference's dtype and shape; None if missing."""
        if tensor not in values:
            return None
        other = self._framework.seen(self._framework.narrowed(values[tensor], want[2]))
        return other[3] if other[1] == want[1] else None

    def _near(self, tensor: int, got: Seen, want: Seen, other: Any, wide: Any, limits: tuple[float, float],
              values: Values | None = None) -> Any:  # fmt: skip
        """Which elements one of these runs explains. `limits`: insignificant errors; `values`: all tensors of the run. With
        another zero point nothing is comparable, since integers that compensate its step leave some unchanged."""
        if values and self._has_other(self._zero_points.get(tensor, frozenset()), values) and bool((other != want[3]).any()):
            return other == other
        if not is_float(want[2]):
            if tensor not in self._quantised:
                return _as_far(got, want, other)
            return _at_a_tie(got[3], want[3], other, self._has_other(self._quantised[tensor], values or {}))
        jumps = differing(other, want[3], *tolerance.bounds("neuri", want[2]))
        if self._preset != tolerance.MEASURED:
            return differing(other, want[3], *limits)
        centre = want[3] if wide is None else wide
        near = abs(got[3] - centre) <= FACTOR * abs(other - want[3])
        return jumps | near | ~differing(got[3], centre, *limits)
