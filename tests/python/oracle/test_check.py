"""The framework-independent oracle: verdicts, comparison, taint and rounding, on a framework of numpy arrays."""

from __future__ import annotations

import contextlib
import itertools
import re
import unittest
import unittest.mock
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz.framework import Framework, Seen
from rulefuzz.model import Json, Reader
from rulefuzz.oracle import compare, rounding, tolerance
from rulefuzz.oracle.check import Check, Clock
from rulefuzz.oracle.excuses.call import bounds
from rulefuzz.oracle.taint import Taint
from rulefuzz.targets import Target
from tests.python.fake import OPERATORS, Fake


def chain(*apis: str, dtype: str = "float32", values: int = 5) -> Json:
    """A model that chains calls of these APIs and returns all results."""
    nodes = []
    for i, api in enumerate(apis):
        args = [{"name": "x", "pos": True, "value": {"ref": i}}]
        nodes.append({"api": api, "args": args, "outputs": [{"id": i + 1, "shape": [2, 3], "dtype": dtype}]})
    inputs = [{"id": 0, "shape": [2, 3], "dtype": dtype}]
    return {"values": values, "inputs": inputs, "nodes": nodes, "outputs": list(range(1, len(apis) + 1))}


def verdict(item: Json, broken: Callable[[Any], Any] = lambda outputs: outputs, preset: str = "measured") -> Json:
    """The verdict on a target that returns the reference's results, changed."""
    module = ModuleType("target")

    def compile_as_it_is(subject: Any, example: Any, stage: Callable[[str], None]) -> Any:
        stage("run")
        return lambda *inputs: broken(subject(*inputs))

    module.compile, module.UNSUPPORTED = compile_as_it_is, ("lacks a kernel",)  # type: ignore[attr-defined]
    framework = Fake()
    stages: list[str] = []
    answer: Json = Check(framework, Target("fake", module), Reader(framework).model(item), Clock(stages.append), preset).run()
    return {**answer, "stages": stages}


HEAP = [0.0]


@contextlib.contextmanager
def dirty(self: Fake, dirt: int = 7) -> Iterator[None]:
    """Memory with other contents before each run."""
    HEAP.append(float(dirt))
    try:
        yield
    finally:
        HEAP.pop()


def raises(error: Exception) -> Callable[[Any], Any]:
    """A change that raises the error."""

    def broken(outputs: Any) -> Any:
        raise error

    return broken


def add(place: int, much: float) -> Callable[[Any], Any]:
    """A change that adds to one element of an output."""

    def broken(outputs: Any) -> Any:
        if len(outputs) > place:
            outputs[place] = outputs[place].copy()
            outputs[place][1, 2] += much
        return outputs

    return broken


def second(broken: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A change that applies to every second list of outputs."""
    seen: list[int] = []

    def keeps(outputs: Any) -> Any:
        seen.append(1)
        return outputs if len(seen) % 2 else broken(outputs)

    return keeps


class Verdicts(unittest.TestCase):
    """Check.run."""

    def test_agreement(self) -> None:
        answer = verdict(chain("fake.copy", "fake.copy"))
        self.assertEqual((answer["verdict"], answer["differs"]), ("ok", []))
        self.assertEqual(answer["stages"], ["reference", "compile", "run", "judge", "run", "judge"])

    def test_second_run(self) -> None:
        """The second run detects a target with hidden state: which tensor differs first, and which error is raised."""
        answer = verdict(chain("fake.copy", "fake.copy"), second(add(1, 1.0)))
        self.assertEqual((answer["verdict"], answer["first"]["id"]), ("inconsistency", 2))
        self.assertRegex(answer["first"]["how"], "^1 of 6 elements, .*; in the target's second run$")
        hidden = {**chain("fake.copy", "fake.copy", "fake.copy"), "outputs": [3]}
        answer = verdict(hidden, second(lambda outputs: [array + 1 for array in outputs]))
        self.assertEqual((answer["verdict"], answer["first"]["id"]), ("inconsistency", 1))
        answer = verdict(chain("fake.copy"), second(raises(ValueError("not twice"))))
        self.assertEqual((answer["verdict"], answer["stage"]), ("error", "run"))
        self.assertEqual(verdict(chain("fake.copy"), second(lambda outputs: []))["verdict"], "error")

    def test_excused_differences_of_the_second_run(self) -> None:
        """Differences that the oracle excuses; a difference of the first run is reported as such."""
        self.assertEqual(verdict(chain("fake.copy"), second(add(0, 1e-6)))["verdict"], "ok")
        drawn = chain("fake.copy", "fake.copy")
        drawn["nodes"][1]["random"] = True
        self.assertEqual(verdict(drawn, second(add(1, 1.0)))["verdict"], "ok")
        self.assertNotIn("second run", verdict(chain("fake.copy"), add(0, 1.0))["first"]["how"])

    def test_constants_are_no_inputs(self) -> None:
        """Constants are compiled into a target, which gets only the other inputs. A wrong constant is detected."""
        item = chain("fake.copy", "fake.copy")
        item["inputs"].append({"id": 3, "shape": [2, 3], "dtype": "float32", "constant": True})
        item["nodes"][1]["args"][0]["value"] = {"ref": 3}
        item["nodes"][1]["outputs"][0]["id"] = 4
        item["outputs"] = [1, 4]
        self.assertEqual(verdict(item)["verdict"], "ok")
        answer = verdict(item, add(1, 1.0))
        self.assertEqual((answer["verdict"], answer["first"]["id"]), ("inconsistency", 4))
        model = Reader(Fake()).model(item)
        self.assertEqual([[t.id for t in some] for some in (model.inputs, model.fed, model.constants)], [[0, 3], [0], [3]])

    def test_differences_are_located(self) -> None:
        answer = verdict(chain("fake.copy", "fake.copy", "fake.copy"), add(1, 1.0))
        self.assertEqual((answer["verdict"], answer["first"]["node"], answer["first"]["id"]), ("inconsistency", 1, 2))
        self.assertRegex(answer["first"]["how"], r"^1 of 6 elements, first at \[1, 2\]: .* instead of ")
        self.assertEqual(answer["stages"][-2:], ["run", "localise"])

    def test_a_difference_within_tolerance(self) -> None:
        self.assertEqual(verdict(chain("fake.copy"), add(0, 1e-6))["verdict"], "ok")
        self.assertEqual(verdict(chain("fake.copy", dtype="int32"), add(0, 1))["verdict"], "inconsistency")

    def test_other_shapes_and_dtypes(self) -> None:
        answer = verdict(chain("fake.copy"), lambda outputs: [outputs[0][:1]])
        self.assertEqual(answer["first"]["how"], "shape [1, 3] instead of [2, 3]")
        answer = verdict(chain("fake.copy"), lambda outputs: [outputs[0].astype(np.float64)])
        self.assertEqual(answer["first"]["how"], "dtype float64 instead of float32")

    def test_too_few_outputs(self) -> None:
        answer = verdict(chain("fake.copy"), lambda outputs: [])
        self.assertEqual((answer["verdict"], answer["stage"]), ("error", "run"))

    def test_rounding_explains(self) -> None:
        """A target may end on the other side of a discontinuity, but no further away."""
        self.assertEqual(verdict(chain("fake.jumps"), lambda outputs: [1 - outputs[0]])["verdict"], "rounding")
        self.assertEqual(verdict(chain("fake.copy"), lambda outputs: [1 - outputs[0]])["verdict"], "inconsistency")

    def test_tolerances(self) -> None:
        """The measured tolerance, which is tighter than the tolerances of publications."""
        for much, wanted in ((1e-6, "ok ok ok"), (1e-3, "inconsistency ok ok"), (0.09, "inconsistency inconsistency ok"),
                             (9.0, "inconsistency inconsistency inconsistency")):  # fmt: skip
            item = chain("fake.positive")
            found = [verdict(item, add(0, much), preset)["verdict"] for preset in tolerance.PRESETS]
            self.assertEqual(" ".join(found), wanted, much)

    def test_half_precision_is_held_to_half_precision(self) -> None:
        item = chain("fake.times200", dtype="float16")
        self.assertEqual(verdict(item, add(0, 0.5))["verdict"], "ok")
        self.assertEqual(verdict(item, add(0, 100.0))["verdict"], "inconsistency")

    def test_exact_elements_have_no_tolerance(self) -> None:
        """Integer-valued floats have the same bits in every order of summation; quotients do not."""
        item = chain("fake.times200", dtype="float16")
        item["inputs"][0]["range"] = [-5, 6]
        self.assertEqual(verdict(item, add(0, 1.0))["verdict"], "inconsistency")
        self.assertEqual(verdict(item, add(0, 0.25))["verdict"], "ok")
        item = chain("fake.times200", "fake.inverse", "fake.copy", dtype="float32")
        item["inputs"][0]["range"] = [1, 6]
        framework = Fake()
        check = Check(framework, Target("fake", ModuleType("target")), Reader(framework).model(item), Clock(lambda stage: None))
        check.reference.run()
        self.assertEqual(check.rounding.exact(), {0, 1})
        item["inputs"][0]["constant"] = True  # ones are allowed in every model and do not make the inputs exact
        item["inputs"].append({"id": 4, "shape": [2, 3], "dtype": "float32"})
        check = Check(framework, Target("fake", ModuleType("target")), Reader(framework).model(item), Clock(lambda stage: None))
        check.reference.run()
        self.assertEqual(check.rounding.exact(), frozenset())

    def test_runs_leave_out_other_calls(self) -> None:
        """Rounding is measured on the calls that the differing tensors need, and again if others differ later."""
        item = chain("fake.times200", "fake.copy")
        item["nodes"].append({**item["nodes"][0], "outputs": [{**item["nodes"][0]["outputs"][0], "id": 9}]})
        framework = Fake()
        check = Check(framework, Target("fake", ModuleType("target")), Reader(framework).model(item), Clock(lambda stage: None))
        check.reference.run()
        measure = check._measuring([1])
        self.assertEqual([len(measure.model.nodes), len(check.rounding.model.nodes)], [1, 3])
        self.assertIs(measure.covering([0, 1]), measure)
        self.assertEqual(measure.covering([2]).model.made(), (1, 2))
        run = next(measure.runs())
        self.assertEqual(run.values.keys(), {0, 1})
        given = {1: run.values[1]}
        self.assertEqual(next(measure.doubting(given).covering([2]).runs()).values[1].tolist(), given[1].tolist())

    def test_exact_elements_are_few_enough_for_their_sums(self) -> None:
        """A float16 sum is not exact if a partial sum overflows, however small the result is."""
        item = chain("fake.swings", dtype="float16")
        item["inputs"][0]["range"] = [-5, 6]
        self.assertEqual(verdict(item, add(0, 1.0))["verdict"], "rounding")

    def test_float64_run(self) -> None:
        """The float64 run confirms the reference, or excuses a target that is more precise."""
        self.assertEqual(verdict(chain("fake.copy"), add(0, 1.0))["first"]["confirmed"], "float64")
        self.assertEqual(verdict(chain("fake.narrowly"), lambda outputs: [outputs[0] + 100])["verdict"], "rounding")
        self.assertNotIn("confirmed", verdict(chain("fake.copy", dtype="int32"), add(0, 1))["first"])

    def test_nondeterministic_reference(self) -> None:
        """A reference is wrong if a deterministic call does not repeat, or overwrites its input. The finding is the
        reference's own, whatever the target."""
        fresh = {"fake.fresh": lambda x: x * 0 + HEAP[-1]}
        with unittest.mock.patch.object(Fake, "repeats", True), unittest.mock.patch.dict(OPERATORS, fresh), \
                unittest.mock.patch.object(Fake, "strange_memory", dirty):  # fmt: skip
            for api, cause, how, title in (
                ("fake.counts", "nondeterministic", "the reference's result is nondeterministic", "counts is nondeterministic"),
                ("fake.fresh", "uninitialized-memory", "the reference's result depends on uninitialized memory (0.0, then 7.0)",
                 "fresh reads uninitialized memory"),
                ("fake.overwrites", "writes-input", "the reference overwrites an input", "overwrites overwrites its input"),
            ):  # fmt: skip
                answer = verdict(chain(api))
                first = answer["first"]
                self.assertEqual((first["api"], first["wrong"], first["cause"]), (api, "reference", cause))
                self.assertEqual((answer["owner"], answer["title"]), ("numpy (reference)", title))
                self.assertRegex(first["how"], "^6 of 6 elements, first at \\[0, 0\\]: " + re.escape(how))
                self.assertNotIn("instead", first["how"])
                self.assertEqual(first["values"] == ["0.0", "7.0"], api == "fake.fresh")
        self.assertEqual(verdict(chain("fake.counts"))["verdict"], "nondeterministic")
        self.assertEqual(verdict(chain("fake.overwrites"))["verdict"], "ok")

    def test_target_reads_uninitialized_memory(self) -> None:
        """The second run differs on a dirty heap and repeats on a clean one. A target that
        counts its runs differs in both."""
        runs: list[int] = []

        def reads(outputs: Any) -> Any:
            runs.append(1)
            return outputs if len(runs) == 1 else [outputs[0] * 0 + 5 + HEAP[-1]]

        with unittest.mock.patch.object(Fake, "strange_memory", dirty):
            answer = verdict(chain("fake.copy"), reads)
            first = answer["first"]
            self.assertEqual((first["cause"], answer["title"]), ("uninitialized-memory", "copy reads uninitialized memory"))
            how = r"^6 of 6 .*: the target's result depends on uninitialized memory \(.*, then 5.0\)"
            self.assertRegex(first["how"], how + "; in the target's second run$")
            self.assertNotIn("owner", answer)
            self.assertNotIn("cause", verdict(chain("fake.copy"), second(add(0, 9.0)))["first"])

    def test_second_implementation_decides(self) -> None:
        """A second implementation of the call decides."""
        first = verdict(chain("fake.copy"), add(0, 9.0))["first"]
        self.assertEqual((first["wrong"], first["how"][:4]), ("target", "1 of"))
        first = verdict(chain("fake.off"), lambda outputs: [outputs[0] - 100])["first"]
        self.assertEqual(first["wrong"], "reference")
        self.assertTrue(first["how"].endswith("; a second reference agrees with the target"), first["how"])
        self.assertNotIn("wrong", verdict(chain("fake.positive"), add(0, 9.0))["first"])

    def test_specification_violations(self) -> None:
        """A second implementation shows which calls violate the specification. Results behind them are not compared;
        those before are."""
        calls = chain("fake.copy", "fake.five", "fake.copy", "fake.copy")
        calls["nodes"][3]["args"][0]["value"]["ref"] = 1  # takes the first result
        with unittest.mock.patch.object(Fake, "second_refuses", lambda self, node, *more: node.api == "fake.five"):
            verdicts = ("inconsistency", "unspecified", "unspecified", "inconsistency")
            for place, wanted in zip((0, 1, 2, -1), verdicts, strict=True):
                with self.subTest(place):
                    answer = verdict(calls, add(place, 9.0))
                    self.assertEqual(answer["verdict"], wanted)
                    differ = [calls["outputs"][place]] * (wanted != "unspecified")
                    self.assertEqual([d["id"] for d in answer.get("differs", ())], differ)
            answer = verdict(calls, lambda outputs: add(0, 9.0)(add(2, 9.0)(outputs)))
            self.assertEqual([d["id"] for d in answer["differs"]], [1])

            def rejects(outputs: Any) -> Any:
                return raises(ValueError("bad"))(outputs) if len(outputs) == 4 else outputs

            self.assertEqual(verdict(calls, rejects)["verdict"], "unspecified")
            self.assertEqual(verdict(calls, raises(ValueError("bad")))["verdict"], "error")  # the other calls alone as well

    def test_error_behind_a_specification_violation(self) -> None:
        """The target raises behind such a call: the part of the model that is independent of the call runs alone.
        Without such a call the error is a finding."""
        calls = chain("fake.copy", "fake.five", "fake.copy", "fake.copy")
        calls["nodes"][3]["args"][0]["value"]["ref"] = 1  # takes the first result

        def loses(outputs: Any) -> Any:
            return [array * 0 for array in outputs] if len(outputs) == 4 else outputs

        with unittest.mock.patch.object(Fake, "second_refuses", lambda self, node, *more: node.api == "fake.five"):
            self.assertEqual(verdict(calls, loses)["verdict"], "unspecified")
            answer = verdict(calls, lambda outputs: add(-1, 9.0)(loses(outputs)))
            self.assertEqual((answer["verdict"], [d["id"] for d in answer["differs"]]), ("inconsistency", [1, 4]))
        self.assertEqual(verdict(calls, loses)["verdict"], "inconsistency")

    def test_values_that_noise_does_not_change(self) -> None:
        """Integers, exact floats and shapes need no noise run, since noise cannot change them."""
        whole = chain("fake.copy", "fake.floor")
        whole["inputs"][0]["range"] = [-9, 9]
        for item in (chain("fake.copy", "fake.copy", dtype="int32"), whole):
            for broken in (add(1, 9), lambda outputs: [outputs[0], outputs[1][:1]]):
                with unittest.mock.patch.object(rounding, "Runs", side_effect=AssertionError("a run with noise")):
                    self.assertEqual(verdict(item, broken)["verdict"], "inconsistency")
        made = unittest.mock.Mock(wraps=rounding.Runs)
        with unittest.mock.patch.object(rounding, "Runs", made):
            self.assertEqual(verdict(chain("fake.copy"), add(0, 9.0))["verdict"], "inconsistency")
            self.assertFalse(made.called)  # an input's elements
            self.assertEqual(verdict(chain("fake.inverse"), add(0, 9.0))["verdict"], "inconsistency")
        self.assertTrue(made.called)  # noise moves other floats

    def test_exactness_is_searched_only_where_possible(self) -> None:
        """A call without integer-valued results behind it is not run in the search for exact values, however slow it
        is."""
        item = chain("fake.five", "fake.inverse")
        item["inputs"][0]["range"], item["nodes"][1]["args"][0]["value"]["ref"] = [1, 9], 0
        tallied = {api: unittest.mock.Mock(wraps=OPERATORS[api]) for api in ("fake.five", "fake.inverse")}
        with unittest.mock.patch.object(Fake, "resolve", lambda self, api: tallied[api]):
            self.assertEqual(verdict(item, add(0, 9.0))["verdict"], "inconsistency")
        five, inverse = tallied.values()
        self.assertEqual(five.call_count - inverse.call_count, 3)  # two runs with other elements, and one in 64 bits

    def test_float64_run_gives_nan(self) -> None:
        """A NaN of the float64 run excuses nothing: another kernel made it."""
        calls = chain("fake.wide_nan")
        self.assertEqual(verdict(calls)["verdict"], "ok")
        for much in (9.0, float("nan")):
            self.assertEqual(verdict(calls, add(0, much))["verdict"], "inconsistency", much)

    def test_values_near_a_discontinuity(self) -> None:
        """For any seed, one noise run moves all elements away from zero, and one towards it."""
        for values in range(40):
            item = chain("fake.five", "fake.floor", values=values)
            answer = verdict(item, lambda outputs: [outputs[0], outputs[1] - 1])
            self.assertEqual(answer["verdict"], "rounding", values)

    def test_one_sided_errors(self) -> None:
        for error, wanted in ((ValueError("bad"), "error"), (NotImplementedError("x"), "unsupported"),
                              (RuntimeError("conv is not supported"), "unsupported"), (MemoryError(), "resource"),
                              (RuntimeError("the target lacks a kernel"), "unsupported"),
                              (RuntimeError("std::bad_alloc"), "resource")):  # fmt: skip
            with self.subTest(wanted, error=error):
                answer = verdict(chain("fake.copy"), raises(error))
                self.assertEqual((answer["verdict"], answer["error"]["type"]), (wanted, type(error).__name__))

    def test_unfit_models(self) -> None:
        answer = verdict(chain("fake.copy", "fake.raises"))
        self.assertEqual((answer["verdict"], answer["node"], answer["api"]), ("rejected", 1, "fake.raises"))
        answer = verdict(chain("fake.copy", "fake.half"))
        self.assertEqual((answer["verdict"], answer["error"]["message"]), ("mispredicted", "dtype float16 instead of float32"))
        answer = verdict(chain("fake.copy", "fake.counts", "fake.copy"))
        self.assertEqual((answer["verdict"], answer["node"]), ("nondeterministic", 1))

    def test_undefined_results_are_not_compared(self) -> None:
        self.assertEqual(verdict(chain("fake.shift"), add(0, 1.0))["verdict"], "unspecified")
        answer = verdict(chain("fake.copy", "fake.shift", "fake.copy"), add(2, 1.0))
        self.assertEqual(answer["verdict"], "ok")
        answer = verdict(chain("fake.copy", "fake.shift", "fake.copy"), add(0, 1.0))
        self.assertEqual(answer["first"]["id"], 1)

    def test_random_results_are_not_compared(self) -> None:
        """Random results need not repeat either. Results that are independent of them must be equal."""

        def marked(*random: int) -> Json:
            item = chain("fake.copy", "fake.counts", "fake.copy")
            for node in random:
                item["nodes"][node]["random"] = True
            return item

        self.assertEqual(verdict(marked(1, 2), add(2, 1.0))["verdict"], "ok")
        self.assertEqual(verdict(marked(1, 2), add(0, 1.0))["first"]["id"], 1)
        self.assertEqual(verdict(marked(0, 1, 2), add(0, 1.0))["verdict"], "unspecified")
        self.assertEqual(verdict(marked(2))["verdict"], "nondeterministic")


class Comparing(unittest.TestCase):
    """compare.differing and related functions, against the definition applied element by element."""

    numbers = (0.0, -0.0, 1.0, 1.0009, 1.009, 1.0111, 1.02, -1.0, 1e-3, 1.1e-3, 1e30, 2e30, float("inf"), -float("inf"),
               float("nan"))  # fmt: skip

    @staticmethod
    def differ(got: float, want: float, absolute: float, relative: float) -> bool:
        """The definition."""
        if got != got or want != want:
            return not (got != got and want != want)
        if abs(got) == float("inf") or abs(want) == float("inf"):
            return got != want
        return abs(got - want) > absolute + relative * abs(want)

    def test_floats(self) -> None:
        for absolute, relative in ((1e-3, 1e-2), (5e-2, 5e-2), (0.5, 0.0), (0.0, 0.1), (0.0, 0.0)):
            for got, want in itertools.product(self.numbers, self.numbers):
                with np.errstate(all="ignore"):
                    found = compare.differing(np.array([got]), np.array([want]), absolute, relative)
                self.assertEqual(found.tolist(), [self.differ(got, want, absolute, relative)], (absolute, got, want))

    def test_integers_and_strings_are_exact(self) -> None:
        self.assertEqual(compare.differing(np.array([1, 2]), np.array([1, 3])).tolist(), [False, True])
        self.assertTrue(compare.difference(("", (), "int8", np.array(1)), ("", (), "int8", np.array(2)), 5.0, 5.0))
        one, other = np.array([b"a", b"b"], object), np.array([b"a", b"c"], object)
        self.assertEqual(compare.difference(("", (2,), "string", one), ("", (2,), "string", other)),
                         "1 of 2 elements, first at [1]: b'b' instead of b'c'")  # fmt: skip

    def test_places(self) -> None:
        one = np.zeros((2, 3, 4))
        other = one.copy()
        other[1, 0, 2] = other[1, 2, 3] = 5
        seen: Callable[[Any], Seen] = lambda array: ("", array.shape, "float64", array)  # noqa: E731
        self.assertEqual(compare.difference(seen(one), seen(other)), "2 of 24 elements, first at [1, 0, 2]: 0.0 instead of 5.0")
        self.assertEqual(
            compare.difference(seen(np.array(1.0)), seen(np.array(2.0))), "1 of 1 elements, first at []: 1.0 instead of 2.0"
        )

    def test_same(self) -> None:
        nan = np.array([float("nan"), 1.0])
        self.assertTrue(compare.same(("", (2,), "float64", nan), ("", (2,), "float64", nan.copy())))
        self.assertFalse(compare.same(("", (2,), "float64", nan), ("", (2,), "float64", nan + 1e-9)))
        self.assertFalse(compare.same(("", (2,), "float64", nan), ("", (2,), "float32", nan)))


class Tainting(unittest.TestCase):
    """Results that correct compilers may disagree on."""

    def tainted(self, api: str, taken: Any, result: Any) -> bool:
        """Whether the result of a call is tainted."""
        framework = Fake()
        framework.apis = frozenset([api])
        taint = Taint(framework)
        OPERATORS[api] = OPERATORS.get(api, lambda x: x)
        item = chain(api)
        node = Reader(framework).model(item).nodes[0]
        taint.follow(node, {0: taken}, [result])
        return taint.covers(1, result)

    def test_conversions(self) -> None:
        whole = np.array([1], np.int8)
        for number, wanted in ((1.5, False), (127.9, False), (128.0, True), (-128.9, False), (-129.0, True),
                               (float("nan"), True), (float("inf"), True)):  # fmt: skip
            self.assertEqual(self.tainted("fake.copy", np.array([number]), whole), wanted, number)
        self.assertFalse(self.tainted("fake.copy", np.array([1e9]), np.array([True])))
        self.assertFalse(self.tainted("fake.copy", np.array([float("nan")]), np.array([True])))
        self.assertFalse(self.tainted("fake.copy", np.array([1 + 1e9j]), np.array([1 + 0j])))
        self.assertTrue(self.tainted("fake.copy", np.array([1 + 1e9j]), whole))

    def test_quantization_saturates(self) -> None:
        """Quantization saturates, but the results of NaN and infinity are unspecified."""
        for api in ("fake.QuantizeLinear", "fake.DynamicQuantizeLinear"):
            for number, wanted in ((300.0, False), (-3.0, False), (float("nan"), True), (float("inf"), True)):
                self.assertEqual(self.tainted(api, np.array([number]), np.array([1], np.uint8)), wanted, (api, number))

    def test_stateless_random(self) -> None:
        """"numbers drawn from a seed"."""
        plain = np.array([2.0])
        for name, wanted in (("StatelessRandomUniform", True), ("StatelessShuffle", True), ("StatelessIf", False)):
            self.assertEqual(self.tainted(f"fake.{name}", plain, plain), wanted, name)

    def test_discontinuities_and_orders(self) -> None:
        endless, plain = np.array([float("inf")]), np.array([2.0])
        self.assertEqual([self.tainted("fake.Arg_Max", x, x) for x in (endless, plain)], [True, False])
        self.assertEqual([self.tainted("fake.arg_sort", plain, x) for x in (plain, np.array([1]))], [False, True])
        self.assertEqual([self.tainted("fake.arg_sort", plain, np.array([i])) for i in (0, 1)], [False, True])  # 1: of nothing
        self.assertTrue(self.tainted("fake.bitwise_left_shift", plain, plain))
        for places, wanted in (([0, 1], False), ([1, 1], True), ([-1, 1], True)):
            self.assertEqual(self.tainted("fake.index_put_", np.array(places), plain), wanted, places)

    def test_ties_and_unsorted_results(self) -> None:
        """The index of a maximum among equal elements is arbitrary, the maximum is not. So is the order of unsorted
        results."""
        framework, floats, whole = Fake(), np.array([2.0, 2.0]), np.array([1])
        framework.apis = frozenset(["fake.max_pool2d", "fake.top_k"])
        OPERATORS.setdefault("fake.max_pool2d", lambda x: x)
        OPERATORS.setdefault("fake.top_k", lambda x: x)
        for api, text, wanted in (("fake.max_pool2d", "", [False, True]), ("fake.top_k", "True", [False, True]),
                                  ("fake.top_k", "False", [True, True])):  # fmt: skip
            item = chain(api)
            item["nodes"][0]["outputs"].append({"id": 2, "shape": [1], "dtype": "int64"})
            if text:
                item["nodes"][0]["args"].append({"name": "sorted", "pos": False, "value": {"const": text}})
            taint = Taint(framework)
            taint.follow(Reader(framework).model(item).nodes[0], {0: floats}, [floats, whole])
            self.assertEqual([taint.covers(1, floats), taint.covers(2, whole)], wanted, (api, text))

    def test_bounds(self) -> None:
        self.assertEqual([bounds(name) for name in ("int8", "uint16", "qint32", "float32", "bool", "string")],
                         [(-128, 127), (0, 65535), (-(1 << 31), (1 << 31) - 1), None, None, None])  # fmt: skip


class Frameworks(unittest.TestCase):
    """Methods that adapters inherit."""

    def test_where_an_error_was_raised(self) -> None:
        class Here(Fake):
            own_paths = ("/tests/",)

        framework: Framework = Here()
        try:
            raise ValueError("x" * 9000)
        except ValueError as error:
            described = framework.described(error)
        where = "tests/python/oracle/test_check.py:test_where_an_error_was_raised"
        self.assertEqual((described["type"], described["where"]), ("ValueError", where))
        self.assertEqual(len(described["message"]), 4000)


if __name__ == "__main__":
    unittest.main()
