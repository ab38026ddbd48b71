"""Marks tensors on whose elements a correct compiler may disagree with the reference (undefined values, as poison in LLVM)."""

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
"""Operations whose result for NaN or infinity is unspecified."""
GREATEST = re.compile(r"maxpool|minmax$|(segment|reduce|scatter)(max|min)")
"""Parts of names of further operations with a maximum or minimum, for which it is unspecified as well."""
SAMPLES = re.compile(r"gridsample|roialign|deformconv|cropandresize|projectivetransform|scaleandtranslate")
"""Parts of names of operations that use floats as positions; NaN is no position."""
WAVES = re.compile(r"dft|stft|fft")
"""Parts of names of transforms that may skip products with zero: short ones omit them, and real ones have no imaginary part."""
MASKS = re.compile(r"grad(?!ient)|backward|^quantize|^fakequant")
"""Parts of names of operations for which it is unspecified as well: gradients, where a product with a mask differs from a
selection, and those that compute in integers."""
SYSTEMS = frozenset(
    "bandedtriangularsolve cholesky choleskygrad eig logmatrixdeterminant lu matrixdeterminant matrixinverse matrixlogarithm "
    "matrixsolve matrixsolvels matrixsquareroot matrixtriangularsolve qr selfadjointeigv2 svd tridiagonalsolve".split()
)
"""Operations of linear algebra, for which it is unspecified as well. A NaN or infinite result of finite operands means that
there is no solution."""
SIGNS = frozenset({"topkv2"})
"""Operations that keep the order of equal elements. Some treat zero as greater than minus zero."""
MEANS = frozenset("mean reducemean segmentmean".split())
"""Operations that divide a sum by the element count. For integers, the result over zero elements and the width of the sum are
unspecified."""
ORDERS = frozenset("argsort kthvalue median mode msort nanmedian sort topk".split())
"""Operations that may return any of several equal elements, so their indices are not compared."""
TIES = ("max", "min", "cummax", "cummin", "adaptivemaxpool", "fractionalmaxpool")
"""Prefixes of operations that return a maximum or minimum and the index of one of several equal elements."""
SATURATES = frozenset("dynamicquantizelinear quantizelinear".split())
"""Operations that define the integer for a float that does not fit."""
DRAWS = re.compile(r"stateless(random|truncated|parameterized|multinomial|shuffle|sample)")
"""Operations that draw from a given seed. TensorFlow promises the same numbers only for its own executor."""
SEEDS = frozenset({"seed", "seed2"})
"""Argument names of TensorFlow's other random operations; each continues where the last run of its graph ended."""
PILES = frozenset("asstridedscatter indexcopy indexput put scatter scatterelements scatternd tensorscatterupdate".split())
"""Operations that may write several values to one place, in any order."""
ASCEND = {
    "bucketize": "boundaries",
    "lowerbound": "sorted_inputs",
    "searchsorted": "sorted_sequence",
    "upperbound": "sorted_inputs",
}
"""Operations that search in a sorted argument, and its name. The result for unsorted elements is unspecified."""
SCALELESS = 2.0**-20
"""Below this a scale may be 0: the rounding error of a difference (a window of one element). A scale is not negative."""
SCALE = "y_scale"
"""The divisor of a quantization; the result for 0 is unspecified."""
PAIRED = ("zero_point", "scale")
"""Suffixes of argument names that belong together and have one shape."""
SCALES = "qlinear"
"""Prefixes of operations on integers with scales, by whose quotient they multiply."""
FINDS_SCALE = "dynamicquantizelinear"
"""The operation that uses the range of its elements, 0 if all are 0."""
PRIVATE = ("reserve_space",)
"""Prefixes of results that a call saves for its own gradient. Each executor keeps there whatever it needs."""
PLACES = {
    "ctcloss": ("targets", "log_probs", -1),
    "intopkv2": ("targets", "predictions", 1),
    "negativeloglikelihoodloss": ("target", "input", 1),
    "roialign": ("batch_indices", "X", 0),
    "softmaxcrossentropyloss": ("labels", "scores", 1),
}
"""Operations with indices, from 0 on, into a dimension of another argument, apart from IGNORED."""
EACH = {
    "groupnormalization": (("scale", "X", 1), ("bias", "X", 1)),
    "softmaxcrossentropyloss": (("weights", "scores", 1),),
}
"""Operations with a one-dimensional argument that has an element for each index of another argument's dimension. The reference
accepts other shapes as well."""
IGNORED = "ignore_index"
"""The argument with the ignored index."""
ALIKE = {"attention": ("attn_mask", "Q")}
"""Operations with an argument that has booleans or the type of another argument, which ONNX's type constraints cannot
express."""
CHOOSES = {"compress": ("condition", "input")}
"""Operations whose one argument selects elements of another, along `axis` or of all elements. It may be shorter, but not
longer."""
UNSAID = {"lppool": ("p", -math.inf, 0), "lrn": ("size", 0, 0)}
"""Operations that divide by an attribute or take a root of it, with the (inclusive) range in which the result is unspecified. A
rejection there is no rule."""
BOXES = {"roialign": ("rois", "sampling_ratio")}
"""Operations that average points in boxes (rows of starts, then ends), and the attribute with their number. If it is 0 or
absent, it follows the box's length, so that a box that does not end after its start has no points."""
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
"""Operations defined only in this (inclusive) range of an argument. Outside, a sum diverges, there is a pole, or a dimension or
colour does not exist."""
KINKS = {"selugrad": "outputs", "sqrtgrad": "y"}
"""Gradients with two values where this argument is 0; either is correct."""
TIED = re.compile(r"^maxpool.*grad")
"""Gradients of a maximum. Of several equal ones, one or each may get the gradient; see rounding, which varies it in each
run."""
WHOLE = {"onehot": "indices"}
"""Operations that truncate fractions in an argument by their specification, which the reference ignores."""
RANGES = ("fakequant", "min", "max")
"""Prefixes of operations that quantize a range, and the arguments that are its ends. The scale of an empty range is 0."""
BATCHES = {"gathernd": ("data", "indices", "batch_dims")}
"""Operations with two arguments and an attribute, the number of leading dimensions that must be equal. A reference does not
check empty tensors."""
NOTHING = frozenset({"dft"})
"""Operations that return elements for an empty tensor: an inverse transform of length 2 (1 - 1)."""
SCALAR = {"pad": "constant_value"}
"""Operations with a scalar argument; a reference also accepts shape (1,)."""
HALVED = {"rotaryembedding": ("X", "num_heads")}
"""Operations that split an argument's last dimension in halves; with three dimensions, that of each head. A reference leaves
the last element of an odd one as it is."""
LETTERS = ("Inputs", "equation")
"""Einsum's arguments in ONNX, where one letter has one size. NumPy, which defines Einsum, and PyTorch broadcast it."""
ORDERED = {"clipbyvalue": ("clip_value_min", "clip_value_max")}
"""Operations whose minimum and maximum must be in order "for correct results". Complex numbers have no order."""
TURNS = {"selfadjointeigv2": ("v",), "svd": ("u", "v")}
"""Operations that return eigenvalues and then vectors, and the names of these results. Vectors are correct with either sign,
and complex ones with any phase."""
APART = 1e-3
"""Two eigenvalues must differ by this share of the maximum, or all vectors between theirs are correct."""
FILTER = "filter"
"""The filter argument of TensorFlow's convolutions, which "must not have zero elements"; one kernel does not check."""
FORWARD = ("orig_input", "orig_output")
"""Arguments of gradient operations: what the original call used and returned."""
REALS = frozenset("reducel2 reducelogsum reducelogsumexp resize shrink".split())
"""Operations on real numbers that integers are passed to; how a fraction is rounded is unspecified."""
WEIGHS = {"resize": ("mode", ("linear", "cubic"))}
"""Those of them that add up weighted elements if an attribute says so. Even for integers, a sum may be just below one."""
ABOUT = frozenset({"approxtopk"})
"""Operations that are only approximate by specification."""
BEYOND_32 = ("int64", "uint64", "uint32")
"""Integer types that may need more than 32 bits."""


class Taint:
    """Follows a reference run and marks undefined tensors and all that is computed from them.

    The causes are: NaN and infinity in a discontinuous function or converted to an integer; floats that do not fit an integer
    type; integer overflow and fractions; shifts beyond the width; several values written to one place; indices of equal
    elements; vectors of equal eigenvalues, and what depends on the sign of vectors; unordered results; approximations; random
    numbers; what is saved for a gradient; gradients at a kink; and calls that violate the specification by their elements.
    """

    def __init__(self, framework: Framework) -> None:
        self._framework = framework
        self.ids: set[int] = set()
        self.lawless = False
        """Whether the elements of a call violate the specification, so that a target may reject it."""
        self.outlawed: set[int] = set()
        """Results of calls that violate it, apart from lax ones; a target may give them other dimensions."""
        self.private: set[int] = set()
        """Results saved for a call's own gradient; they may be uninitialized memory."""
        self.turned: set[int] = set()
        """Vectors that may each have the other sign."""
        self._places: set[int] = set()
        self._made: dict[int, Node] = {}

    def covers(self, tensor: int, value: Any) -> bool:
        """Whether a tensor is marked, or shares its elements with a marked one."""
        return tensor in self.ids or bool(self._framework.places(value) & self._places)

    def follow(self, node: Node, values: Values, results: list[Any], names: Sequence[str] = (),
               taken_from: Values | None = None, written: Collection[int] = ()) -> None:  # fmt: skip
        """Follows one node. `names`: of its results, if they have any. `taken_from`: operands that it wrote to, as they were
        before; `written`: the tensors whose memory it wrote to."""
        live = values
        values = {**values, **taken_from} if taken_from else values
        framework, refs = self._framework, node.refs()
        name = framework.operation(node.api)
        taken = [values[i] for i in refs]
        against = self._against(node, name, values) or self._scaleless(node, name, values)
        self.lawless = self.lawless or against or self._is_lax(node, name, values, results)
        if against or not self.outlawed.isdisjoint(refs):
            self.outlawed.update(out.id for out in node.outputs)
        whole = against or any(self.covers(i, live[i]) for i in refs)
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
        for i in written if whole else ():
            self._mark(i, live[i])

    def outlaw(self, nodes: Sequence[Node], against: Collection[int], values: Values) -> None:
        """Marks the results of some nodes that violate the specification, and all that is computed from them."""
        self.lawless = True
        for i, node in enumerate(nodes):
            if i in against or any(self.covers(ref, values[ref]) for ref in node.refs()):
                for out in node.outputs:
                    self._mark(out.id, values[out.id])

    def _is_endless(self, node: Node, name: str, taken: Sequence[Any], results: Sequence[Any]) -> bool:
        """Whether a call uses NaN or infinity with an unspecified result: for complex numbers always, since the other part may
        be anything then. The same holds for systems without a solution, and for zeros that are told apart."""
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
        """Whether a result has a float NaN."""
        layout, _, dtype, array = self._framework.seen(result)
        return not layout and _is_float(dtype) and bool((array != array).any())

    def _are_equal(self, values: Any, vectors: Any) -> bool:
        """Whether some eigenvalue is equal or nearly equal to another; a missing one counts as 0."""
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
        """Whether the elements of a call's operands violate its specification."""
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
        """Whether the dimensions of a call's operands violate its specification, although the result is defined. A target may
        reject them; its results are compared."""
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
        """Whether an element is below, above or NaN."""
        array = self._framework.seen(value)[3]
        return not bool(((array >= low) & (array <= high)).all())

    @staticmethod
    def _is_unbatched(node: Node, one: str, other: str, count: str, shapes: Mapping[str, Sequence[int]]) -> bool:
        """Whether two arguments differ in their leading dimensions, whose number an attribute gives."""
        dims = said(node, count) or 0
        return one in shapes and other in shapes and tuple(shapes[one][:dims]) != tuple(shapes[other][:dims])

    def _is_pointless(self, node: Node, boxes: str, points: str, given: Mapping[str, Any]) -> bool:
        """Whether a mean has no points."""
        if boxes not in given or said(node, points):
            return False
        rows = self._framework.seen(given[boxes])[3]
        dims = rows.shape[-1] // 2
        return not bool((rows[..., :dims] < rows[..., dims:]).all())

    def _unlike(self, one: str, of: str, given: Mapping[str, Any]) -> bool:
        """Whether one argument is neither boolean nor of the other's type."""
        if one not in given or of not in given:
            return False
        dtypes = [self._framework.describe(given[arg])[1] for arg in (one, of)]
        return dtypes[0] not in ("bool", dtypes[1])

    @staticmethod
    def _unpaired(shapes: Mapping[str, Sequence[int]]) -> bool:
        """Whether a zero point has another shape than its scale; () and (1,) are the same."""
        zero, scale = PAIRED
        zeros = [arg for arg in shapes if arg.endswith(zero)]
        pairs = [(shapes[arg], shapes.get(arg.removesuffix(zero) + scale, shapes[arg])) for arg in zeros]
        return any(tuple(a) != tuple(b) and (math.prod(a), math.prod(b)) != (1, 1) for a, b in pairs)

    def _is_kink(self, node: Node, name: str, values: Values) -> bool:
        """Whether a gradient is taken where it has two values."""
        given = [values[arg.value.id] for arg in node.args if arg.name == KINKS.get(name) and isinstance(arg.value, Ref)]
        return any(bool((self._framework.seen(value)[3] == 0).any()) for value in given)

    def _is_elsewhere(self, node: Node, places: str, among: str, dim: int, given: Mapping[str, Any]) -> bool:
        """Whether an index is out of range."""
        if places not in given or among not in given:
            return False
        array, count = self._framework.seen(given[places])[3], self._framework.describe(given[among])[0][dim]
        there, ignored = (array >= 0) & (array < count), said(node, IGNORED)
        return not bool((there if ignored is None else there | (array == ignored)).all())

    def _is_longer(self, node: Node, chosen: str, among: str, named: Mapping[str, Any]) -> bool:
        """Whether the selecting argument is too long."""
        passed = {arg.name: arg.value for arg in node.args}
        if among not in named or chosen not in passed:
            return False
        told = passed[chosen]
        count = len(told.value) if isinstance(told, Elements) else self._framework.describe(named[chosen])[0][0]
        shape, axis = self._framework.describe(named[among])[0], said(node, "axis")
        return bool(count > (math.prod(shape) if axis is None else shape[axis]))

    def _is_forward(self, node: Node, taken: int, made: int) -> bool:
        """Whether one tensor is the result that a gradient call says it is, of a call with the same constants."""
        forward = self._made.get(made)
        if forward is None or taken not in forward.refs():
            return False
        said = {arg.name: arg.value for arg in forward.args if not isinstance(arg.value, Ref)}
        return all(said.get(arg.name) == arg.value for arg in node.args if not isinstance(arg.value, Ref))

    def _scaleless(self, node: Node, name: str, values: Values) -> bool:
        """Whether a call quantizes by a scale of about 0 or less, given or computed."""
        seen = self._framework.seen
        scales = SCALE.removeprefix("y") if name.startswith(SCALES) else SCALE
        said = [arg.value for arg in node.args if arg.name.endswith(scales) and isinstance(arg.value, (Ref, Elements))]
        given = [seen(self._framework.build(value, values)) for value in said]
        ranges = [seen(values[i]) for i in node.refs()] if name == FINDS_SCALE else []
        return any(bool((array < SCALELESS).any()) for _, _, _, array in given) or any(
            bool((array == 0).all()) for _, _, _, array in ranges)  # fmt: skip

    def _unfit(self, node: Node, name: str, values: Values, place: int, dtype: str) -> bool:
        """Whether an integer result overflows, which C leaves undefined, or comes from a fraction."""
        wide = self._framework.in_floats(node, values)
        seen = self._framework.seen(wide[place]) if wide and place < len(wide) else None
        if seen is None or seen[0] or not _is_float(seen[2]):
            return False
        if name in MEANS and _lossy((*seen[:3], seen[3] * self._count(node, values, seen)), dtype):
            return True
        return _lossy(seen, dtype) or (name in REALS and bool((seen[3] % 1 != 0).any()))

    def _count(self, node: Node, values: Values, made: Seen) -> float:
        """The number of elements of a call's first operand for each result element."""
        return float(math.prod(self._framework.describe(values[node.refs()[0]])[0]) / max(math.prod(made[1]), 1))


def long(framework: Framework, model: Model, values: Values) -> frozenset[int]:
    """The tensors with an integer that needs more than 32 bits, and all computed from them."""
    low, high = bounds("int32") or (0, 0)

    def is_long(tensor: int) -> bool:
        if framework.describe(values[tensor])[1] not in BEYOND_32:
            return False
        _, least, greatest = framework.extent(values[tensor])
        return least is not None and not low <= least <= greatest <= high

    return model.behind(lambda tensor, node: is_long(tensor.id))


def forward_of(framework: Framework, model: Model, node: Node) -> Node | None:
    """The call whose maximum a gradient is of."""
    ids = [arg.value.id for arg in node.args if arg.name in FORWARD and isinstance(arg.value, Ref)]
    if len(ids) < len(FORWARD) or not TIED.search(framework.operation(node.api)):
        return None
    return next((call for call in model.nodes if ids[1] in {out.id for out in call.outputs} and ids[0] in call.refs()), None)


def said(node: Node, name: str) -> Any:
    """An attribute: a symbol of the call or a constant; None if it has none."""
    value = next((arg.value for arg in node.args if arg.name == name), None)
    return value.value if isinstance(value, Const) else value


def weighs(node: Node, name: str) -> bool:
    """Whether a call of this operation adds up weighted elements."""
    attribute, ways = WEIGHS.get(name, ("", ()))
    return said(node, attribute) in ways


def quantises(name: str) -> bool:
    """Whether an operation makes integers of float quotients."""
    return name in SATURATES


def is_unsaid(node: Node, name: str) -> bool:
    """Whether the result is unspecified for an attribute of the call."""
    attribute, low, high = UNSAID.get(name, ("", 0, 0))
    number = said(node, attribute)
    return number is not None and low <= number <= high


def _has_other_sizes(equation: str, shapes: Sequence[Sequence[int]]) -> bool:
    """Whether a letter of an equation has dimensions of several sizes; only an ellipsis broadcasts."""
    sizes: dict[str, int] = {}
    for term, shape in zip(equation.replace(" ", "").partition("->")[0].split(","), shapes, strict=False):
        before, _, after = term.partition("...")
        pairs = [*zip(before, shape, strict=False), *zip(reversed(after), reversed(shape), strict=False)]
        if any(sizes.setdefault(letter, size) != size for letter, size in pairs):
            return True
    return False


def _for_gradient(node: Node, tensor: int) -> bool:
    """Whether a call uses a tensor for the purpose that it was saved for. Any other use is undefined."""
    return any(isinstance(arg.value, Ref) and arg.value.id == tensor and arg.name.startswith(PRIVATE) for arg in node.args)


def _unsorted(node: Node) -> bool:
    """Whether a call leaves its results unordered: sorted=False, sorted=0."""
    return any(arg.name == "sorted" and isinstance(arg.value, Const) and arg.value.value in (0, False) for arg in node.args)


def _is_float(dtype: str) -> bool:
    return "float" in dtype or "complex" in dtype


def bounds(dtype: str) -> tuple[int, int] | None:
    """The minimum and maximum of an integer dtype; None for other dtypes."""
    name = dtype.lstrip("q")
    digits = name.lstrip("uint")
    if not name.startswith(("int", "uint")) or not digits.isdigit():
        return None
    bits = int(digits)
    return (0, (1 << bits) - 1) if name.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


def _has_both_zeros(seen: Seen) -> bool:
    """Whether floats have both zeros."""
    if seen[0] or "float" not in seen[2]:
        return False
    return len({math.copysign(1, number) for number in seen[3].reshape(-1).tolist() if number == 0}) > 1


def _lossy(seen: Seen, to: str) -> bool:
    """Whether converting these floats is undefined in C."""
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
