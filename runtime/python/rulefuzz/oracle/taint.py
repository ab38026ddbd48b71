"""The tensors on whose elements a correct compiler may disagree with the reference."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Const, Elements, Model, Node, Ref, Values

JUMPS = frozenset(
    "amax amin argmax argmin argsort bucketize ceil celu clamp clampmax clampmin clip cummax cummin floor fmax fmin frac "
    "heaviside histc hardmax hardsigmoid hardtanh isclose kthvalue max maximum median "
    "min minimum mod mode msort nanmedian quantile nanquantile relu relu6 remainder fmod floordivide "
    "round searchsorted sgn sign sort topk trunc unique nantonum thresholdedrelu shrink hardshrink threshold clipbyvalue "
    "cumulativelogsumexp softmaxcrossentropywithlogits sparsesoftmaxcrossentropywithlogits".split()
)
"""Operations whose result for a NaN or an infinity is not settled."""
GREATEST = re.compile(r"maxpool|minmax$|(segment|reduce|scatter)(max|min)")
"""What names of others have that find the greatest or the least of several, for which it is not either."""
SAMPLES = re.compile(r"gridsample|roialign|deformconv|cropandresize|projectivetransform|scaleandtranslate")
"""What names of those have that take elements from places which floats say: one that is no number is no place."""
WAVES = re.compile(r"dft|stft|fft")
"""What names of transforms have, in whose sums no number meets zeros: short ones have no products there, and what is real no
imaginary part."""
MASKS = re.compile(r"grad(?!ient)|backward|^quantize|^fakequant")
"""What names of operations have for which that is not settled either: gradients, where a mask times it is another thing than a
choice by the mask, and what goes through integers."""
SYSTEMS = frozenset(
    "bandedtriangularsolve cholesky choleskygrad eig logmatrixdeterminant lu matrixdeterminant matrixinverse matrixlogarithm "
    "matrixsolve matrixsolvels matrixsquareroot matrixtriangularsolve qr selfadjointeigv2 svd tridiagonalsolve".split()
)
"""Operations of linear algebra, for which it is not settled either; where they give such of numbers, there is no solution."""
SIGNS = frozenset({"topkv2"})
"""Operations that keep equal elements in their order; of a zero and a minus zero some say that the one is greater."""
MEANS = frozenset("mean reducemean segmentmean".split())
"""Operations that divide a sum by the number of elements: of integers none says what comes of none, nor how wide the sum is."""
ORDERS = frozenset("argsort kthvalue median mode msort nanmedian sort topk".split())
"""Operations that may return any of equal elements: their indices are not compared."""
TIES = ("max", "min", "cummax", "cummin", "adaptivemaxpool", "fractionalmaxpool")
"""What names of operations begin with that say, beside a greatest or least element, where one of several equal ones is."""
SATURATES = frozenset("dynamicquantizelinear quantizelinear".split())
"""Operations that say which integer a float gives that does not fit."""
DRAWS = re.compile(r"stateless(random|truncated|parameterized|multinomial|shuffle|sample)")
"""Operations that draw by a seed they are given: TensorFlow promises the same numbers to none but its own executor."""
SEEDS = frozenset({"seed", "seed2"})
"""What the arguments of TensorFlow's other calls are named that draw: each goes on where the last run of its graph ended."""
PILES = frozenset("asstridedscatter indexcopy indexput put scatter scatterelements scatternd tensorscatterupdate".split())
"""Operations that may write several values to one place, in any order."""
ASCEND = {
    "bucketize": "boundaries",
    "lowerbound": "sorted_inputs",
    "searchsorted": "sorted_sequence",
    "upperbound": "sorted_inputs",
}
"""Operations that search in what must ascend, and the argument that it is: how they search is nobody's business."""
SCALELESS = 2.0**-20
"""Below this a scale may be 0: what rounding left of a difference (of a window of one element)."""
SCALE = "y_scale"
"""The argument that elements are divided by to become integers: by 0 none comes out."""
PAIRED = ("zero_point", "scale")
"""What names of arguments end with that belong together, one of each: they have one shape."""
SCALES = "qlinear"
"""What names of operations begin with that are of integers by scales, whose quotient is what they multiply by."""
FINDS_SCALE = "dynamicquantizelinear"
"""The operation that takes for it the range of its elements, 0 where all are 0."""
PRIVATE = ("reserve_space",)
"""What names of results begin with that are for a call's own gradient: each executor keeps there what it likes."""
PLACES = {
    "ctcloss": ("targets", "log_probs", -1),
    "intopkv2": ("targets", "predictions", 1),
    "negativeloglikelihoodloss": ("target", "input", 1),
    "roialign": ("batch_indices", "X", 0),
    "softmaxcrossentropyloss": ("labels", "scores", 1),
}
"""Operations that take whole numbers of what another argument has along a dimension, from 0 on, but for IGNORED."""
EACH = {
    "groupnormalization": (("scale", "X", 1), ("bias", "X", 1)),
    "softmaxcrossentropyloss": (("weights", "scores", 1),),
}
"""Operations that take an argument of one dimension, an element for each of what another has along a dimension, and whose
reference takes other shapes as well."""
IGNORED = "ignore_index"
"""The argument that says which number is that of nothing."""
ALIKE = {"attention": ("attn_mask", "Q")}
"""Operations that take booleans in an argument, or else what another one is of; types of ONNX cannot say so."""
CHOOSES = {"compress": ("condition", "input")}
"""Operations that are told by one argument, an element each, what to take of another, along `axis` or of all that it has: it
may be shorter, not longer."""
UNSAID = {"lppool": ("p", -math.inf, 0), "lrn": ("size", 0, 0)}
"""Operations that end with a root by an attribute, or divide by it, and between which numbers, both included, nobody says what
comes of it. A reference that refuses one of them is no rule."""
BOXES = {"roialign": ("rois", "sampling_ratio")}
"""Operations that take the mean of points in boxes, rows of starts and then ends, and the attribute that says how many: where
it is 0 or not there, as many as the box is long, so that of one that does not end behind its start there are none."""
COLOURS, POSITIVE = ("images", 0.0, 1.0), (math.ulp(0.0), math.nextafter(math.inf, 0.0))
WITHIN = {
    "adjusthue": (COLOURS, ("delta", -1.0, 1.0)),
    "adjustsaturation": (COLOURS,),
    "dataformatdimmap": (("x", -4, 3),),
    "hsvtorgb": (COLOURS,),
    "igamma": (("a", *POSITIVE), ("x", 0.0, math.inf)),
    "igammac": (("a", *POSITIVE), ("x", 0.0, math.inf)),
    "igammagrada": (("a", *POSITIVE), ("x", *POSITIVE)),
    "intopkv2": (("k", 0.0, math.inf),),
    "melweightmatrix": (("dft_length", 1.0, math.inf),),
    "randomgammagrad": (("alpha", *POSITIVE), ("sample", *POSITIVE)),
    "rgbtohsv": (COLOURS,),
    "topk": (("K", 1.0, math.inf),),
    "zeta": (("x", math.nextafter(1.0, 2.0), math.inf), ("q", math.ulp(0.0), math.inf)),
}
"""Operations that are defined of numbers between these, both included, and the arguments: at others a sum has no value, or a
pole, there are not so many, or there is no such dimension or colour."""
KINKS = {"selugrad": "outputs", "sqrtgrad": "y"}
"""Operations for a gradient that has two values where this argument is 0, and either is as good, or none."""
TIED = re.compile(r"^maxpool.*grad")
"""Operations for a gradient of what is greatest: where several are, one may have it, or each. See rounding, which has others
in each run."""
WHOLE = {"onehot": "indices"}
"""Operations that say that fractions in an argument become integers first, which the reference passes over."""
RANGES = ("fakequant", "min", "max")
"""What names of operations begin with that quantise a range, and the arguments that are its ends: of an empty one the scale is
0."""
BATCHES = {"gathernd": ("data", "indices", "batch_dims")}
"""Operations that take two arguments whose first dimensions, as many as an attribute says, are to be equal: where there are no
elements a reference does not look."""
NOTHING = frozenset({"dft"})
"""Operations of which a reference makes nothing of something: a transform of no elements, which is 2 (1 - 1) back from one."""
SCALAR = {"pad": "constant_value"}
"""Operations that take a scalar for an argument; a reference takes one element in one dimension as well."""
HALVED = {"rotaryembedding": ("X", "num_heads")}
"""Operations that take an argument's last dimension in halves, of one of three dimensions for so many heads each; a reference
leaves an odd one's last element as it is."""
LETTERS = ("Inputs", "equation")
"""What ONNX calls the arguments of its Einsum: what has one letter has one size. NumPy, by which it is defined, and PyTorch
broadcast it."""
ORDERED = {"clipbyvalue": ("clip_value_min", "clip_value_max")}
"""Operations that take a least and a greatest, which are to be so: "for correct results". Complex numbers have no order."""
TURNS = {"selfadjointeigv2": ("v",), "svd": ("u", "v")}
"""Operations that give values and then vectors, and the names of these results: with another sign, or turned by another angle
where they are complex, one is as good."""
APART = 1e-3
"""By how much of the greatest two values must differ, or all vectors between theirs are as good."""
FILTER = "filter"
"""What TensorFlow's convolutions call theirs, which "must not have zero elements": one kernel of one of them does not look."""
FORWARD = ("orig_input", "orig_output")
"""Arguments of calls for a gradient: what the call took, and what it made of that."""
REALS = frozenset("reducel2 reducelogsum reducelogsumexp resize shrink".split())
"""Operations that are of real numbers, and taken by integers: how a fraction becomes one is not said."""
WEIGHS = {"resize": ("mode", ("linear", "cubic"))}
"""Of these those that add up elements by weights, as an attribute says: of whole numbers, too, a sum may be just below one."""
ABOUT = frozenset({"approxtopk"})
"""Operations that promise no more than to come near."""
BEYOND_32 = ("int64", "uint64", "uint32")
"""Types of integers of which some need more than 32 bits."""


class Taint:
    """Follows a reference run and marks tensors, with all that is computed from them.

    NaN and infinity into a function that jumps or into an integer, floats that do not fit an integer type, integers that
    overflow or are fractions, shifts beyond the width, several values written to one place, the indices of equal elements
    that were sorted or of which one was the greatest, vectors of equal values and what is made of vectors, whose signs are
    free, what was asked for in no order, what is approximate, what is drawn by a seed, what is kept for a gradient, gradients
    at a kink, and what the model says is random; and results of calls that are against the specification by their elements
    alone, whatever the reference makes of them.
    """

    def __init__(self, framework: Framework) -> None:
        self._framework = framework
        self.ids: set[int] = set()
        self.lawless = False
        """Whether a call is against the specification by its elements: a target may refuse it."""
        self.outlawed: set[int] = set()
        """What comes of such calls, but for those that are lax: it may have other dimensions of a target."""
        self.private: set[int] = set()
        """Those that are for a call's own gradient: memory that nobody wrote to, at times."""
        self.turned: set[int] = set()
        """Those that are of vectors of which each may have another sign."""
        self._places: set[int] = set()
        self._made: dict[int, Node] = {}

    def covers(self, tensor: int, value: Any) -> bool:
        """Whether a tensor is marked, or shares its elements with one that is."""
        return tensor in self.ids or bool(self._framework.places(value) & self._places)

    def follow(self, node: Node, values: Values, results: list[Any], names: Sequence[str] = ()) -> None:
        """After one node. `names`: of its results, where they have such."""
        framework, refs = self._framework, node.refs()
        name = framework.operation(node.api)
        taken = [values[i] for i in refs]
        against = self._against(node, name, values) or self._scaleless(node, name, values)
        self.lawless = self.lawless or against or self._is_lax(node, name, values, results)
        if against or not self.outlawed.isdisjoint(refs):
            self.outlawed.update(out.id for out in node.outputs)
        whole = against or any(self.covers(i, values[i]) for i in refs)
        whole = whole or self._is_endless(node, name, taken, results)
        whole = whole or "shift" in name or name in PILES or node.random or _unsorted(node) or bool(DRAWS.match(name))
        whole = whole or self._is_kink(node, name, values) or any(i in self.turned for i in refs)
        self.lawless = self.lawless or any(i in self.private for i in refs if not _for_gradient(node, i))
        whole = whole or name in ABOUT or {arg.name for arg in node.args} >= SEEDS
        floats = [seen for seen in map(framework.seen, taken) if _is_float(seen[2])]
        for place, (out, result) in enumerate(zip(node.outputs, results, strict=True)):
            dtype = framework.describe(result)[1]
            integer = not _is_float(dtype) and dtype != "bool"
            any_of_equal = integer and (name in ORDERS or (place > 0 and name.startswith(TIES)))
            lossy = name not in SATURATES and any(_lossy(seen, dtype) for seen in floats)
            if place < len(names) and names[place].startswith(PRIVATE):
                self.private.add(out.id)
            vectors = place < len(names) and names[place] in TURNS.get(name, ())
            if vectors:
                self.turned.add(out.id)
            of_nothing = not framework.means_of_nothing and any(0 in seen[1] for seen in floats) and self._none(result)
            of_nothing = of_nothing or (integer and name in MEANS and any(0 in framework.describe(t)[0] for t in taken[:1]))
            of_equal = vectors and self._are_equal(results[0], result)
            if whole or any_of_equal or lossy or of_nothing or of_equal or out.id in self.private or (
                integer and (name in REALS or not floats) and self._unfit(node, name, values, place, dtype)):  # fmt: skip
                self._mark(out.id, result)
            self._made[out.id] = node

    def outlaw(self, nodes: Sequence[Node], against: Collection[int], values: Values) -> None:
        """Marks what some nodes return, by number, which are against the specification, and all that is computed from it."""
        self.lawless = True
        for i, node in enumerate(nodes):
            if i in against or any(self.covers(ref, values[ref]) for ref in node.refs()):
                for out in node.outputs:
                    self._mark(out.id, values[out.id])

    def _is_endless(self, node: Node, name: str, taken: Sequence[Any], results: Sequence[Any]) -> bool:
        """Whether a call takes what is no number or infinite, and it is not settled what comes of it: of complex numbers, whose
        other part may be anything then, of none. So of a system without a solution, and of zeros that are told apart."""
        framework = self._framework
        if not all(map(framework.finite, taken)):
            unsettled = name in JUMPS or name in SATURATES or name in SYSTEMS
            if unsettled or "linalg" in node.api or any(kind.search(name) for kind in (MASKS, GREATEST, SAMPLES, WAVES)):
                return True
            return any("complex" in framework.describe(t)[1] and not framework.finite(t) for t in taken)
        if name in SYSTEMS:
            return not all(map(framework.finite, results))
        return name in SIGNS and any(_has_both_zeros(framework.seen(t)) for t in taken)

    def _none(self, result: Any) -> bool:
        """Whether a result is of floats of which one is no number."""
        layout, _, dtype, array = self._framework.seen(result)
        return not layout and _is_float(dtype) and bool((array != array).any())

    def _are_equal(self, values: Any, vectors: Any) -> bool:
        """Whether the value of some vector is also that of another, or nearly so; what has no value has 0."""
        layout, shape, _, array = self._framework.seen(values)
        there, count = (0, 0, *self._framework.describe(vectors)[0])[-2:]
        for told in array.reshape(-1, shape[-1]).tolist() if not layout and there and count else []:
            row = told + [0.0] * (there - len(told))
            least = APART * max(map(abs, row))
            if any(abs(row[i] - row[j]) <= least for i in range(count) for j in range(i + 1, there)):
                return True
        return False

    def _mark(self, tensor: int, value: Any) -> None:
        self.ids.add(tensor)
        self._places |= self._framework.places(value)

    def _against(self, node: Node, name: str, values: Values) -> bool:
        """Whether the elements that a call takes are not what its specification asks for."""
        ids = {arg.name: arg.value.id for arg in node.args if isinstance(arg.value, Ref)}
        named = {arg: values[i] for arg, i in ids.items()}
        given = {arg.name: self._framework.build(arg.value, {}) for arg in node.args if isinstance(arg.value, Elements)} | named
        if ASCEND.get(name) in named:
            array = self._framework.seen(named[ASCEND[name]])[3]
            return not bool((array[..., :-1] <= array[..., 1:]).all())
        if all(arg in named for arg in FORWARD):
            return not self._is_forward(node, *(ids[arg] for arg in FORWARD))
        first, low, high = RANGES
        if name.startswith(first) and low in named and high in named:
            least, greatest = (self._framework.seen(named[arg])[3] for arg in (low, high))
            return not bool((least < greatest).all())
        if is_unsaid(node, name) or self._is_pointless(node, *BOXES.get(name, ("", "")), given):
            return True
        if name in CHOOSES:
            return self._is_longer(node, *CHOOSES[name], named)
        if any(arg in given and self._is_beyond(given[arg], low, high) for arg, low, high in WITHIN.get(name, ())):
            return True
        if name in ORDERED and all(arg in named for arg in ORDERED[name]):
            least, greatest = (self._framework.seen(named[arg])[3] for arg in ORDERED[name])
            return least.dtype.kind == "c" or bool((least > greatest).any())
        if name in WHOLE and WHOLE[name] in given:
            return bool((self._framework.seen(given[WHOLE[name]])[3] % 1 != 0).any())
        shapes = {arg: self._framework.describe(value)[0] for arg, value in given.items()}
        if any(shapes.get(one, shapes[of][dim : dim + 1]) != shapes[of][dim : dim + 1] for one, of, dim in EACH.get(name, ())):
            return True
        if 0 in shapes.get(FILTER, ()) or self._unpaired(shapes) or self._unlike(*ALIKE.get(name, ("", "")), given):
            return True
        if name in BATCHES and self._is_unbatched(node, *BATCHES[name], shapes):
            return True
        return name in PLACES and self._is_elsewhere(node, *PLACES[name], given)

    def _is_lax(self, node: Node, name: str, values: Values, results: Sequence[Any]) -> bool:
        """Whether the dimensions that a call takes are not what its specification asks for, and are settled all the same: a
        target may refuse them, and what it gives is compared."""
        refs = {arg.name: arg.value.id for arg in node.args if isinstance(arg.value, Ref)}
        shapes = {arg: self._framework.describe(values[i])[0] for arg, i in refs.items()}
        dims = [tuple(self._framework.describe(result)[0]).count(0) for result in results]
        vanish = max(dims, default=0) > max((tuple(shape).count(0) for shape in shapes.values()), default=0)
        if shapes.get(SCALAR.get(name, ""), ()) != () or (name in NOTHING and vanish):
            return True
        halved, heads = HALVED.get(name, ("", ""))
        if halved in shapes:
            shape = shapes[halved]
            return bool((shape[-1] // max(said(node, heads) or 1, 1) if len(shape) == 3 else shape[-1]) % 2)
        if LETTERS[0] not in (arg.name for arg in node.args):
            return False
        return _has_other_sizes(str(said(node, LETTERS[1])), [self._framework.describe(values[i])[0] for i in node.refs()])

    def _is_beyond(self, value: Any, low: float, high: float) -> bool:
        """Whether something is below the one or above the other, or no number."""
        array = self._framework.seen(value)[3]
        return not bool(((array >= low) & (array <= high)).all())

    @staticmethod
    def _is_unbatched(node: Node, one: str, other: str, count: str, shapes: Mapping[str, Sequence[int]]) -> bool:
        """Whether two arguments have other first dimensions, as many as an attribute says."""
        dims = said(node, count) or 0
        return one in shapes and other in shapes and tuple(shapes[one][:dims]) != tuple(shapes[other][:dims])

    def _is_pointless(self, node: Node, boxes: str, points: str, given: Mapping[str, Any]) -> bool:
        """Whether a mean is asked for of no points."""
        if boxes not in given or said(node, points):
            return False
        rows = self._framework.seen(given[boxes])[3]
        dims = rows.shape[-1] // 2
        return not bool((rows[..., :dims] < rows[..., dims:]).all())

    def _unlike(self, one: str, of: str, given: Mapping[str, Any]) -> bool:
        """Whether one argument is neither of booleans nor of what the other one is of."""
        if one not in given or of not in given:
            return False
        dtypes = [self._framework.describe(given[arg])[1] for arg in (one, of)]
        return dtypes[0] not in ("bool", dtypes[1])

    @staticmethod
    def _unpaired(shapes: Mapping[str, Sequence[int]]) -> bool:
        """Whether a zero point has another shape than its scale. One element in no dimension or in one is the same."""
        zero, scale = PAIRED
        zeros = [arg for arg in shapes if arg.endswith(zero)]
        pairs = [(shapes[arg], shapes.get(arg.removesuffix(zero) + scale, shapes[arg])) for arg in zeros]
        return any(tuple(a) != tuple(b) and (math.prod(a), math.prod(b)) != (1, 1) for a, b in pairs)

    def _is_kink(self, node: Node, name: str, values: Values) -> bool:
        """Whether a gradient is asked for where it has two values."""
        given = [values[arg.value.id] for arg in node.args if arg.name == KINKS.get(name) and isinstance(arg.value, Ref)]
        return any(bool((self._framework.seen(value)[3] == 0).any()) for value in given)

    def _is_elsewhere(self, node: Node, places: str, among: str, dim: int, given: Mapping[str, Any]) -> bool:
        """Whether some number is of none of what there is."""
        if places not in given or among not in given:
            return False
        array, count = self._framework.seen(given[places])[3], self._framework.describe(given[among])[0][dim]
        there, ignored = (array >= 0) & (array < count), said(node, IGNORED)
        return not bool((there if ignored is None else there | (array == ignored)).all())

    def _is_longer(self, node: Node, chosen: str, among: str, named: Mapping[str, Any]) -> bool:
        """Whether more elements are told of than there are."""
        passed = {arg.name: arg.value for arg in node.args}
        if among not in named or chosen not in passed:
            return False
        told = passed[chosen]
        count = len(told.value) if isinstance(told, Elements) else self._framework.describe(named[chosen])[0][0]
        shape, axis = self._framework.describe(named[among])[0], said(node, "axis")
        return bool(count > (math.prod(shape) if axis is None else shape[axis]))

    def _is_forward(self, node: Node, taken: int, made: int) -> bool:
        """Whether one tensor is what a call made of the other that a call for a gradient says it was: by the same constants."""
        forward = self._made.get(made)
        if forward is None or taken not in forward.refs():
            return False
        said = {arg.name: arg.value for arg in forward.args if not isinstance(arg.value, Ref)}
        return all(said.get(arg.name) == arg.value for arg in node.args if not isinstance(arg.value, Ref))

    def _scaleless(self, node: Node, name: str, values: Values) -> bool:
        """Whether a call quantises by a scale of 0, or of about 0, which it is given or is to find."""
        seen = self._framework.seen
        scales = SCALE.removeprefix("y") if name.startswith(SCALES) else SCALE
        said = [arg.value for arg in node.args if arg.name.endswith(scales) and isinstance(arg.value, (Ref, Elements))]
        given = [seen(self._framework.build(value, values)) for value in said]
        ranges = [seen(values[i]) for i in node.refs()] if name == FINDS_SCALE else []
        return any(bool((abs(array) < SCALELESS).any()) for _, _, _, array in given) or any(
            bool((array == 0).all()) for _, _, _, array in ranges)  # fmt: skip

    def _unfit(self, node: Node, name: str, values: Values, place: int, dtype: str) -> bool:
        """Whether a result of integers does not fit: C leaves open what comes of it. So is what comes of a fraction."""
        wide = self._framework.in_floats(node, values)
        seen = self._framework.seen(wide[place]) if wide and place < len(wide) else None
        if seen is None or seen[0] or not _is_float(seen[2]):
            return False
        if name in MEANS and _lossy((*seen[:3], seen[3] * self._count(node, values, seen)), dtype):
            return True
        return _lossy(seen, dtype) or (name in REALS and bool((seen[3] % 1 != 0).any()))

    def _count(self, node: Node, values: Values, made: Seen) -> float:
        """How many elements of the first tensor that a call takes there are for each that it gives."""
        return float(math.prod(self._framework.describe(values[node.refs()[0]])[0]) / max(math.prod(made[1]), 1))


def long(framework: Framework, model: Model, values: Values) -> frozenset[int]:
    """The tensors of a model with an integer that needs more than 32 bits, and all that is computed from them."""
    low, high = bounds("int32") or (0, 0)

    def is_long(tensor: int) -> bool:
        if framework.describe(values[tensor])[1] not in BEYOND_32:
            return False
        _, least, greatest = framework.extent(values[tensor])
        return least is not None and not low <= least <= greatest <= high

    return model.behind(lambda tensor, node: is_long(tensor.id))


def forward_of(framework: Framework, model: Model, node: Node) -> Node | None:
    """Of a call for the gradient of what is greatest: the call that found it."""
    ids = [arg.value.id for arg in node.args if arg.name in FORWARD and isinstance(arg.value, Ref)]
    if len(ids) < len(FORWARD) or not TIED.search(framework.operation(node.api)):
        return None
    return next((call for call in model.nodes if ids[1] in {out.id for out in call.outputs} and ids[0] in call.refs()), None)


def said(node: Node, name: str) -> Any:
    """An attribute, a symbol of the call or a constant, None where it has none."""
    value = next((arg.value for arg in node.args if arg.name == name), None)
    return value.value if isinstance(value, Const) else value


def weighs(node: Node, name: str) -> bool:
    """Whether a call of this operation adds up elements by weights."""
    attribute, ways = WEIGHS.get(name, ("", ()))
    return said(node, attribute) in ways


def quantises(name: str) -> bool:
    """Whether an operation makes integers of floats by their quotients."""
    return name in SATURATES


def is_unsaid(node: Node, name: str) -> bool:
    """Whether an attribute of a call of this operation is one by which nobody says what comes of it."""
    attribute, low, high = UNSAID.get(name, ("", 0, 0))
    number = said(node, attribute)
    return number is not None and low <= number <= high


def _has_other_sizes(equation: str, shapes: Sequence[Sequence[int]]) -> bool:
    """Whether a letter of an equation is of dimensions of several sizes: only those of an ellipsis are broadcast."""
    sizes: dict[str, int] = {}
    for term, shape in zip(equation.replace(" ", "").partition("->")[0].split(","), shapes, strict=False):
        before, _, after = term.partition("...")
        pairs = [*zip(before, shape, strict=False), *zip(reversed(after), reversed(shape), strict=False)]
        if any(sizes.setdefault(letter, size) != size for letter, size in pairs):
            return True
    return False


def _for_gradient(node: Node, tensor: int) -> bool:
    """Whether a call takes a tensor for what it was kept for: another call may find what it does not expect in it."""
    return any(isinstance(arg.value, Ref) and arg.value.id == tensor and arg.name.startswith(PRIVATE) for arg in node.args)


def _unsorted(node: Node) -> bool:
    """Whether a call leaves the order of its results open: sorted=False, sorted=0."""
    return any(arg.name == "sorted" and isinstance(arg.value, Const) and arg.value.value in (0, False) for arg in node.args)


def _is_float(dtype: str) -> bool:
    return "float" in dtype or "complex" in dtype


def bounds(dtype: str) -> tuple[int, int] | None:
    """The least and the greatest integer of a dtype, None where it is none of integers."""
    name = dtype.lstrip("q")
    digits = name.lstrip("uint")
    if not name.startswith(("int", "uint")) or not digits.isdigit():
        return None
    bits = int(digits)
    return (0, (1 << bits) - 1) if name.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


def _has_both_zeros(seen: Seen) -> bool:
    """Whether floats have a zero and a minus zero."""
    if seen[0] or "float" not in seen[2]:
        return False
    return len({math.copysign(1, number) for number in seen[3].reshape(-1).tolist() if number == 0}) > 1


def _lossy(seen: Seen, to: str) -> bool:
    """Whether a conversion of these floats is undefined in C."""
    if _is_float(to) or to == "string":
        return False
    array, infinity = seen[3], float("inf")
    parts = [array.real, array.imag] if "complex" in seen[2] else [array]
    limits = bounds(to)
    low, high = limits if limits is not None and to != "bool" else (-infinity, infinity)
    for part in parts:
        finite = (part == part) & (abs(part) < infinity)
        if not bool(finite.all()):
            return True
        if limits is not None and bool(((part <= float(low) - 1) | (part >= float(high) + 1)).any()):
            return True
    return False
