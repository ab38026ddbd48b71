"""Layouts, gradients and modules in torch models: how they are made, run, compared and written."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    import torch

    from rulefuzz.faults import torch as torch_faults
    from rulefuzz.faults import torch_checks, torch_shapes
    from rulefuzz.frameworks.torch import Torch
    from rulefuzz.frameworks.torch_layouts import copied
except ImportError:
    raise unittest.SkipTest("no torch") from None

from rulefuzz import targets
from rulefuzz.model import BadModel, Json, Reader
from rulefuzz.oracle.check import Check, Clock, Reference
from rulefuzz.oracle.tiers import Tiers, merged
from rulefuzz.script import repro, short
from rulefuzz.targets import Target

TORCH = Torch()


def tensor(i: int, shape: list[int], dtype: str = "float32", **more: Any) -> Json:
    """A tensor as a model declares it."""
    return {"id": i, "shape": shape, "dtype": dtype, **more}


def model(inputs: list[Json], calls: list[tuple[str, list[Any], Json]], **more: Any) -> Json:
    """A model of calls: API, arguments (a tensor as "v0", otherwise a constant), output. It returns all results."""
    nodes = []
    for api, args, output in calls:
        values = [{"ref": int(a[1:])} if isinstance(a, str) else a for a in args]
        named = [{"name": f"x{i}", "pos": True, "value": value} for i, value in enumerate(values)]
        nodes.append({"api": api, "args": named, "outputs": [output]})
    return {"values": 5, "inputs": inputs, "nodes": nodes, "outputs": [out["id"] for _, _, out in calls], **more}


def target(change: Callable[[Any], Any]) -> Target:
    """A target that runs `change(function)`."""
    module = ModuleType("target")

    def compile_changed(subject: Any, example: Any, stage: Callable[[str], None]) -> Any:
        stage("run")
        return change(subject)

    module.compile = compile_changed  # type: ignore[attr-defined]
    return Target("fake", module)


def checked(item: Json, change: Callable[[Any], Any] = lambda subject: subject) -> Json:
    """The verdict."""
    TORCH.enter()
    return Check(TORCH, target(change), Reader(TORCH).model(item), Clock(lambda stage: None)).run()


def planted(item: Json, fault: str) -> Json:
    """The verdict on a planted fault."""
    return checked(item, lambda subject: torch_faults.planted(subject, [], fault))


FAULT = "r * 2 - r.detach()"
STEPPED: dict[str, Any] = {"strides": [1, 5], "offset": 2}
ADD = ("torch.add", ["v0", "v1"], tensor(2, [2, 3]))


class Layouts(unittest.TestCase):
    """Inputs with strides, offsets and aliases."""

    def inputs(self, *inputs: Json) -> list[Any]:
        """The inputs of a model."""
        made = Reader(TORCH).model(model(list(inputs), [ADD]))
        return TORCH.arguments(made, TORCH.inputs(made))

    def test_declared_layouts(self) -> None:
        """The inputs and their copies have the declared strides, offset and elements."""
        one, other = self.inputs(tensor(0, [2, 3], **STEPPED), tensor(1, [2, 3], strides=[0, 1]))
        self.assertEqual(((1, 5), 2, (0, 1)), (one.stride(), one.storage_offset(), other.stride()))
        self.assertEqual(2 + 1 + 10 + 1, one.untyped_storage().nbytes() // 4)
        self.assertEqual(77.0, float(one.as_strided((1,), (1,), 0)))
        self.assertTrue(bool((other[0] == other[1]).all()))
        plain, _ = self.inputs(tensor(0, [2, 3]), tensor(1, [2, 3]))
        self.assertTrue(bool((plain == one).all()))

    def test_rank_0_and_sizes_0_and_1(self) -> None:
        """Strides that no element depends on may have any value."""
        for shape, strides, offset in (([], [], 3), ([0, 3], [1, 7], 2), ([1, 3], [9, 1], 0), ([1, 1], [0, 0], 5)):
            made = Reader(TORCH).model(model([tensor(0, shape, strides=strides, offset=offset)], []))
            (x,) = TORCH.arguments(made, TORCH.inputs(made))
            self.assertEqual((tuple(shape), tuple(strides), offset), (tuple(x.shape), x.stride(), x.storage_offset()))

    def test_aliased_inputs(self) -> None:
        """Aliased inputs are aliased in every copy."""
        one, other = self.inputs(tensor(0, [2, 3], **STEPPED), tensor(1, [2, 3], same=0))
        self.assertIs(one, other)
        for bad in ({"same": 1}, {"same": 7}, {"strides": [1]}, {"strides": [-1, 1]}, {"offset": 1}):
            with self.assertRaises(BadModel):
                self.inputs(tensor(0, [2, 3]), tensor(1, [2, 3], **bad))

    def test_faults(self) -> None:
        """A fault is detected with the layout that it needs, and not without a layout."""
        cases = {
            "memory-order": [tensor(0, [2, 3], strides=[1, 2])],
            "expanded-dense": [tensor(0, [2, 3], strides=[0, 1])],
            "offset-ignored": [tensor(0, [2, 3], strides=[3, 1], offset=2)],
            "step-ignored": [tensor(0, [2, 3], strides=[6, 2])],
            "alias-moved": [tensor(0, [2, 3]), tensor(1, [2, 3], same=0)],
        }
        for fault, inputs in cases.items():
            item = model([*inputs, tensor(1, [2, 3])][:2], [ADD])
            with self.subTest(fault):
                self.assertEqual("inconsistency", planted(item, fault)["verdict"])
                self.assertEqual("ok", checked(item)["verdict"])
                usual = model([tensor(0, [2, 3]), tensor(1, [2, 3])], [ADD])
                self.assertEqual("ok", planted(usual, fault)["verdict"])
        other = {
            "inner-stride": [tensor(0, [2, 3], strides=[6, 2])],
            "strides-sorted": [tensor(0, [2, 3], strides=[1, 2])],
            "first-strides": [tensor(0, [2, 3]), tensor(1, [2, 3], strides=[1, 2])],
            "offset-twice": [tensor(0, [2, 3], strides=[3, 1], offset=2)],
        }
        for fault, inputs in other.items():
            with self.subTest(fault):
                item = model([*inputs, tensor(1, [2, 3])][:2], [ADD])
                usual = model([tensor(0, [2, 3]), tensor(1, [2, 3])], [ADD])
                self.assertEqual(["inconsistency", "ok"], [planted(m, fault)["verdict"] for m in (item, usual)])
        last = model([tensor(0, [2, 3, 4, 5], strides=[60, 1, 15, 3])], [("torch.neg", ["v0"], tensor(1, [2, 3, 4, 5]))])
        self.assertEqual("inconsistency", planted(last, "channels-last")["verdict"])
        scalar = model([tensor(0, [], strides=[], offset=1)], [("torch.neg", ["v0"], tensor(1, []))])
        self.assertEqual("error", planted(scalar, "rank0-offset")["verdict"])
        odd = model([tensor(0, [1, 3], strides=[9, 1])], [("torch.neg", ["v0"], tensor(1, [1, 3]))])
        self.assertEqual("error", planted(odd, "stride-of-one")["verdict"])


MUL = ("torch.mul", ["v0", "v1"], tensor(2, [2, 3]))
PAIR = [tensor(0, [2, 3]), tensor(1, [1, 3])]


class Gradients(unittest.TestCase):
    """Gradients of float inputs."""

    def test_eager_agrees_with_itself(self) -> None:
        """A target with another gradient differs, and the difference names the gradient."""
        item = model(PAIR, [MUL], gradients=True)
        self.assertEqual("ok", checked(item)["verdict"])
        answer = planted(item, "broadcast-grad")
        self.assertEqual("inconsistency", answer["verdict"])
        self.assertEqual("gradient of torch.mul", answer["first"]["api"])
        self.assertIn("gradient of t1: ", answer["first"]["how"])
        self.assertEqual("ok", planted(model(PAIR, [MUL]), "broadcast-grad")["verdict"])

    def test_faults(self) -> None:
        """Faults that only gradients show."""
        square = [tensor(0, [3, 3])]
        cases = {
            "twice-once": model(square, [("torch.exp", ["v0"], tensor(1, [3, 3])), ("torch.sin", ["v0"], tensor(2, [3, 3]))]),
            "sub-grad": model(PAIR, [("torch.sub", ["v0", "v1"], tensor(2, [2, 3]))]),
            "neg-grad": model(square, [("torch.neg", ["v0"], tensor(1, [3, 3]))]),
            "mean-grad": model(square, [("torch.mean", ["v0", 0], tensor(1, [3]))]),
            "permute-grad": model(square, [("torch.transpose", ["v0", 0, 1], tensor(1, [3, 3]))]),
            "view-grad": model(square, [("torch.select", ["v0", 0, 1], tensor(1, [3]))]),
            "product-grad": model([*square, tensor(1, [3, 3])], [("torch.mm", ["v0", "v1"], tensor(2, [3, 3]))]),
            "div-grad": model(PAIR, [("torch.div", ["v0", "v1"], tensor(2, [2, 3]))]),
            "clamp-grad": model(square, [("torch.clamp", ["v0", 1, 2], tensor(1, [3, 3]))]),
            "scan-grad": model(square, [("torch.cumsum", ["v0", 1], tensor(1, [3, 3]))]),
            "expand-grad": model([tensor(0, [1, 3])], [("torch.tile", ["v0", [2, 1]], tensor(1, [2, 3]))]),
            "curve-grad": model(square, [("torch.cos", ["v0"], tensor(1, [3, 3]))]),
            "extremum-grad": model(square, [("torch.amax", ["v0", 1], tensor(1, [3]))]),
        }
        for fault, item in cases.items():
            with self.subTest(fault):
                self.assertEqual("ok", planted(item, fault)["verdict"])
                self.assertEqual("ok", checked({**item, "gradients": True})["verdict"])
                self.assertEqual("inconsistency", planted({**item, "gradients": True}, fault)["verdict"])

    def test_aliased_inputs(self) -> None:
        """Aliased inputs have one gradient, the sum."""
        item = model([PAIR[0], tensor(1, [2, 3], same=0)], [("torch.mul", ["v0", "v1"], tensor(2, [2, 3]))], gradients=True)
        reference = Reference(TORCH, Reader(TORCH).model(item))
        reference.run()
        ((taken, gradient),) = reference.model.gradients
        weights = (torch.arange(6) % 3 + 1).reshape(2, 3)
        self.assertTrue(bool(torch.allclose(reference.values[gradient], 2 * weights * reference.values[taken])))

    def test_without_eager_gradients(self) -> None:
        """If eager mode has no gradient, only the forward results are compared."""
        for api in ("torch.special.zeta", "torch.heaviside"):
            call = (api, ["v0", "v1"], tensor(2, [2, 3]))
            reference = Reference(TORCH, Reader(TORCH).model(model(PAIR, [call], gradients=True)))
            reference.run()
            self.assertEqual(((), (2,)), (reference.model.gradients, reference.model.outputs))
        integers = model([tensor(0, [2], "int32")], [("torch.neg", ["v0"], tensor(1, [2], "int32"))], gradients=True)
        whole = Reader(TORCH).model(integers)
        self.assertEqual(((), (1,)), (whole.gradients, whole.outputs))

    def test_kinks(self) -> None:
        """At a kink either one-sided gradient is accepted; beside it only the right one."""

        def steps(how: Callable[[Any], Any]) -> Callable[[Any], Any]:
            return lambda subject: lambda x: [torch_faults.Part.apply(subject(x)[0], how)]

        def other_side(subject: Any) -> Any:
            return lambda x: [torch.where(x >= 0, x, torch.zeros_like(x))]

        relu = [("torch.relu", ["v0"], tensor(1, [2, 3]))]
        zeros = tensor(0, [2, 3], range=[0, 1])
        self.assertEqual("rounding", checked(model([zeros], relu, gradients=True), other_side)["verdict"])
        ones = tensor(0, [2, 3], range=[1, 2])
        self.assertEqual("ok", checked(model([ones], relu, gradients=True), other_side)["verdict"])
        self.assertEqual("inconsistency", checked(model([ones], relu, gradients=True), steps(lambda g: g * 2))["verdict"])

    def test_merged_models(self) -> None:
        """Models with gradients are compiled as one and compared one by one."""
        one = model(PAIR, [MUL], gradients=True)
        models = [Reader(TORCH).model(item) for item in (one, model(PAIR, [MUL]), one)]
        whole = merged([models[0], models[2]])
        self.assertEqual(((0, 3), (1, 4), (5, 8), (6, 9)), whole.gradients)
        self.assertEqual((2, 3, 4, 7, 8, 9), whole.outputs)
        kind = target(lambda subject: subject)
        kind.module.BATCH = 8  # type: ignore[attr-defined]
        kind.module.compile_together = lambda f, e, stage, variant: kind.module.compile(f, e, stage)  # type: ignore[attr-defined]
        self.assertEqual(["ok"] * 3, [a["verdict"] for a in Tiers(TORCH, [kind], lambda t, s: None, "measured").run(models)])


class Modules(unittest.TestCase):
    """Models as torch modules."""

    def test_parameters(self) -> None:
        """Float constants are parameters and others are buffers. Wrong values of either are detected."""
        inputs = [tensor(0, [2, 3], "int32"), tensor(1, [2, 3], constant=True), tensor(2, [2, 3], "int32", constant=True)]
        calls = [("torch.mul", ["v0", "v1"], tensor(3, [2, 3])), ("torch.add", ["v0", "v2"], tensor(4, [2, 3], "int32"))]
        item = model(inputs, calls, module=True)
        made = TORCH.subject(Reader(TORCH).model(item), [], [3, 4])
        self.assertIsInstance(made, torch.nn.Module)
        self.assertEqual((["c1"], ["c2"]), ([n for n, _ in made.named_parameters()], [n for n, _ in made.named_buffers()]))
        self.assertEqual("ok", checked(item)["verdict"])
        for fault in ("parameter-first", "buffer-rolled"):
            self.assertEqual("inconsistency", planted(item, fault)["verdict"])
            self.assertEqual("ok", planted({**item, "module": False}, fault)["verdict"])
        two = [tensor(0, [2, 3]), tensor(1, [2, 3], constant=True), tensor(2, [2, 3], constant=True)]
        reals = model(two, [("torch.mul", ["v0", "v1"], tensor(3, [2, 3])), ("torch.mul", ["v3", "v2"], tensor(4, [2, 3]))],
                      module=True)  # fmt: skip
        self.assertEqual("inconsistency", planted(reals, "parameters-tied")["verdict"])
        self.assertEqual("inconsistency", planted(item, "buffer-lost")["verdict"])
        fine = model([PAIR[0], tensor(1, [2, 3], constant=True, values="unit")], [MUL], module=True)
        self.assertEqual("inconsistency", planted(fine, "parameter-half")["verdict"])
        self.assertEqual("ok", planted({**fine, "module": False}, "parameter-half")["verdict"])

    def test_stepwise(self) -> None:
        """By their seed, half of the modules are lists of modules that pass a dictionary on. The results are the
        same."""
        inputs = [tensor(0, [2, 3]), tensor(1, [2, 3], constant=True)]
        highest: tuple[str, list[Any], Json] = ("torch.max", ["v2", 1], tensor(3, [2]))
        item = model(inputs, [("torch.mul", ["v0", "v1"], tensor(2, [2, 3])), highest], module=True)
        item["nodes"][1]["outputs"].append(tensor(4, [2], "int64"))
        texts = {}
        for values in range(4, 8):
            made = Reader(TORCH).model({**item, "values": values})
            subject = TORCH.subject(made, [], made.outputs)
            texts[values] = hasattr(subject, "steps")
            self.assertEqual(["c1"], [name for name, _ in subject.named_parameters()])
            self.assertEqual(5 if texts[values] else 1, len(list(subject.modules())))
            TORCH.enter()
            for name in ("torch-same", "torch-aot", "torch-jit"):
                with self.subTest(values=values, name=name):
                    check = Check(TORCH, targets.load(name), made, Clock(lambda stage: None))
                    self.assertEqual("ok", check.run()["verdict"])
            text = repro.script(TORCH, targets.load("torch-aot"), made, "", "measured", "")
            self.assertIn("self.step0" if texts[values] else "def forward(self, v0)", text)
        self.assertEqual({4: False, 5: False, 6: True, 7: True}, texts)

    def test_graph_breaks(self) -> None:
        """By their seed, a quarter of the stepwise modules print in between, which breaks dynamo's graph. Indices and
        names as keys give the same results."""
        item = model([PAIR[0], PAIR[1]], [MUL, ("torch.add", ["v2", "v1"], tensor(3, [2, 3]))], module=True)
        x, y = torch.ones(2, 3), torch.full((2, 3), 2.0)
        TORCH.enter()
        for values, breaks in ((2, 1), (3, 1), (6, 0), (10, 0), (18, 1)):
            made = Reader(TORCH).model({**item, "values": values})
            subject = TORCH.subject(made, [], made.outputs)
            with self.subTest(values=values):
                torch._dynamo.reset()
                self.assertEqual(breaks, torch._dynamo.explain(subject)(x, y).graph_break_count)
                self.assertEqual([2.0, 4.0], [float(r[0, 0]) for r in subject(v1=y, v0=x)])
                check = Check(TORCH, targets.load("torch-aot"), made, Clock(lambda stage: None))
                self.assertEqual("ok", check.run()["verdict"])

    def test_merged_models(self) -> None:
        """Modules that are compiled as one have one form, chosen by their combined seed."""
        item = model([PAIR[0], PAIR[1]], [MUL], module=True)
        for numbers, stepwise in (((1, 1), True), ((2, 2), False), ((4, 2), True)):
            whole = merged([Reader(TORCH).model({**item, "values": number}) for number in numbers])
            subject = TORCH.subject(whole, [], whole.outputs)
            self.assertEqual(stepwise, hasattr(subject, "steps"))
            self.assertEqual(2, len(subject(*[torch.ones(2, 3)] * 4)))

    def test_targets(self) -> None:
        """The torch targets accept modules."""
        item = model([PAIR[0], tensor(1, [1, 3], constant=True, strides=[0, 2])], [MUL], module=True, gradients=True)
        for name in ("torch-same", "torch-decomp", "torch-aot", "torch-jit", "torch-export"):
            TORCH.enter()
            check = Check(TORCH, targets.load(name), Reader(TORCH).model(item), Clock(lambda stage: None))
            with self.subTest(name):
                self.assertEqual("ok", check.run()["verdict"])


    def test_places(self) -> None:
        """An error names the same call for a module and for a function."""

        class Raises(torch.nn.Module):  # type: ignore[misc]
            def forward(self) -> None:
                raise ValueError("x")

        try:
            Raises()()
        except ValueError as error:
            self.assertEqual("", TORCH.described(error)["where"])


class Older(unittest.TestCase):
    """Functions that torch 1.13 lacks are avoided, since Debian's torch is fuzzed too."""

    class Old(torch.Tensor):  # type: ignore[misc]
        """A tensor with the interface of torch 1.13."""

        __torch_function__ = torch._C._disabled_torch_function_impl

        @property
        def untyped_storage(self) -> Any:
            """Missing in torch 1.13."""
            raise AttributeError("untyped_storage")

        def storage(self) -> Any:
            """The storage of the current interface."""
            return self.as_subclass(torch.Tensor).storage()

    def test_storage(self) -> None:
        base = torch.arange(6.0)
        view = base[1:4].as_subclass(self.Old)
        self.assertEqual({base.data_ptr()}, TORCH.places(view))
        self.assertEqual((base[1:4].tolist(), 1), (copied(view).tolist(), copied(view).storage_offset()))
        self.assertEqual(set(), TORCH.places(base[:0]))

    def test_buffer(self) -> None:
        item = model([PAIR[0], tensor(1, [1, 3], "int32", constant=True)], [MUL], module=True)
        with unittest.mock.patch.object(torch.nn, "Buffer", side_effect=AttributeError("Buffer"), create=True):
            self.assertEqual("ok", checked(item)["verdict"])


class Repeats(unittest.TestCase):
    """Models with two equal calls."""

    def test_faults(self) -> None:
        """Faults of common subexpression elimination: different calls merged, equal calls merged wrongly or
        rejected."""
        twice = [("torch.sum", ["v0", 0], tensor(1, [3])), ("torch.sum", ["v0", 0], tensor(2, [3]))]
        nearly = [twice[0], ("torch.sum", ["v0", 1], tensor(2, [3]))]
        item, other = model([tensor(0, [3, 3])], twice), model([tensor(0, [3, 3])], nearly)
        dead = {**item, "outputs": [1]}
        verdicts = [planted(m, f)["verdict"] for m, f in ((item, "cse-zeros"), (other, "cse-attributes"), (item, "cse-raises"),
                                                        (dead, "dead-raises"))]  # fmt: skip
        self.assertEqual(["inconsistency", "inconsistency", "error", "error"], verdicts)
        self.assertEqual(["ok"] * 3, [planted(m, f)["verdict"] for m, f in ((other, "cse-zeros"), (item, "cse-attributes"),
                                                                          (item, "dead-raises"))])  # fmt: skip


    def test_dead_results(self) -> None:
        """A fault that unused results trigger."""
        calls = [(f"torch.{name}", ["v0"], tensor(i, [3])) for i, name in enumerate(("neg", "exp", "abs"), 1)]
        item = model([tensor(0, [3])], calls)
        self.assertEqual("ok", planted(item, "dead-shifts")["verdict"])
        self.assertEqual("inconsistency", planted({**item, "outputs": [1, 2]}, "dead-shifts")["verdict"])


class Checks(unittest.TestCase):
    """Invalid models, and targets that drop checks."""

    def test_faults(self) -> None:
        """Each fault accepts the models whose check it drops, and no others."""
        unequal = model([tensor(0, [2, 3]), tensor(1, [2, 4])], [ADD], near_miss=True)
        pool = ("torch.nn.functional.max_pool1d_with_indices", ["v0", 2, 1, 2], tensor(1, [1]))
        pooled = model([tensor(0, [1, 1, 8])], [pool], near_miss=True)
        pooled["nodes"][0]["outputs"].append(tensor(2, [1], "int64"))
        last = model([tensor(0, [3])], [("torch.topk", ["v0", 5], tensor(1, [5]))], near_miss=True)
        last["nodes"][0]["outputs"].append(tensor(2, [5], "int64"))
        for fault, item in (("broadcast", unequal), ("pad-half", pooled), ("top-k", last)):
            with self.subTest(fault):
                dropped, kept = (checked(item, functools.partial(torch_checks.planted, example=[], fault=f))["verdict"]
                                 for f in (fault, "split"))  # fmt: skip
                self.assertEqual(("accepts-invalid", "ok"), (dropped, kept))


    def test_changes(self) -> None:
        """A call that eager mode rejects for a number, a dtype, or elements must be rejected. An accepted one is not judged."""
        pair = [tensor(0, [2, 2]), tensor(1, [2, 2]), tensor(3, [2, 2], "int64", range=[0, 4])]
        cases: list[tuple[str, list[Any], str, str, str]]
        cases = [("torch.celu", ["v0", {"const": "1.0"}], "number", "x1", "0.0"),
                 ("torch.nn.functional.linear", ["v0", "v1"], "dtype", "x1", "float16"),
                 ("torch.logcumsumexp", ["v0", 0], "dtype", "x0", "uint8"),
                 ("torch.take", ["v0", "v3"], "elements", "x1", "large"),
                 ("torch.mm", ["v0", "v1"], "rank", "x1", "fewer"),
                 ("torch.add", ["v0", "v1"], "missing", "x1", "None")]  # fmt: skip
        for api, args, kind, name, to in cases:
            with self.subTest(api):
                change = {"argument": name, "item": 0, "kind": kind, "to": to}
                item = model(pair, [(api, args, tensor(2, [2, 2]))], near_miss=True, change=change)
                accepting = checked(item, lambda f: lambda *x: [torch.zeros(2, 2)])
                self.assertEqual(("ok", "accepts-invalid"), (checked(item)["verdict"], accepting["verdict"]))
        change = {"argument": "x1", "item": 0, "kind": "dtype", "to": "int8"}
        accepted = model(pair, [("torch.add", ["v0", "v1"], tensor(2, [2, 2]))], near_miss=True, change=change)
        self.assertEqual("unspecified", checked(accepted)["verdict"])


class Scalars(unittest.TestCase):
    """Inputs of rank 0."""

    def test_integer_values(self) -> None:
        """A model with an integer-valued scalar of a range is compared exactly."""
        item = model([tensor(0, [2, 3], range=[0, 5]), tensor(1, [], range=[1, 3])], [MUL])
        self.assertEqual("ok", checked(item)["verdict"])
        self.assertEqual("inconsistency", checked(item, lambda f: lambda *x: [r + 1 for r in f(*x)])["verdict"])


class Shapes(unittest.TestCase):
    """Faults that keep the sizes of the first run."""

    def test_faults(self) -> None:
        """Each is wrong for a second shape, if the first has two equal dimensions or a dimension of size 1."""
        for fault, wrong in torch_shapes.FAULTS.items():
            with self.subTest(fault):
                x, was = torch.arange(1.0, 16.0).reshape(3, 5), torch.zeros(2, 2)
                try:
                    got = wrong(x, was)
                except RuntimeError:
                    continue
                self.assertFalse(got.shape == x.shape and bool((got == x).all()))


class Scripts(unittest.TestCase):
    """Long and short scripts hold all features of a model."""

    def test_scalar_with_an_offset(self) -> None:
        """A scalar without strides can have an offset; the long script creates it."""
        item = model([tensor(0, [], strides=[], offset=1)], [("torch.neg", ["v0"], tensor(1, []))])
        made = Reader(TORCH).model(item)
        long = repro.script(TORCH, targets.load("torch-jit"), made, "a fault")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "script.py")
            path.write_text(long)
            end = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
        self.assertEqual((end.returncode, end.stderr), (0, ""))

    def test_long_and_short(self) -> None:
        """Their exit codes, with the fault and with the fault fixed."""
        inputs = [tensor(0, [2, 3], **STEPPED), tensor(1, [2, 3], same=0), tensor(2, [2, 3], constant=True, strides=[0, 1])]
        calls = [("torch.mul", ["v0", "v1"], tensor(3, [2, 3])), ("torch.mul", ["v3", "v2"], tensor(4, [2, 3]))]
        item = model(inputs, calls, module=True, gradients=True)
        module = ModuleType("target")
        text = (
            "def compile(function, example, stage):\n"
            "    import torch\n"
            "    if torch.is_grad_enabled():\n"
            f"        return lambda *x: [{FAULT} for r in function(*x)]\n"
            "    return function\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "target.py")
            path.write_text(text)
            exec(compile(text, str(path), "exec"), module.__dict__)
            module.__dict__.update(ENVIRONMENT=(), REQUIRES=(), PLAIN=(f"actual = [{FAULT} for r in model(*inputs)]",))
            made = Reader(TORCH).model(item)
            long = repro.script(TORCH, Target("fake", module), made, "a fault")
            said = short.Writer(TORCH, Target("fake", module), made, "a fault").text("inconsistency")
        self.assertIn("torch.nn.Parameter", long)
        self.assertIn("INPUTS[1] = INPUTS[0]", long)
        self.assertIn("laid_out(make_input((2, 3)", long)
        self.assertIn("x1 = x0", said)
        self.assertIn(".as_strided((2, 3), (1, 5), 2)", said)
        self.assertLessEqual(len(said.splitlines()), 50)
        for script, mended in ((text, text.replace(FAULT, "r")) for text in (long, said)):
            for code, run in ((1, script), (0, mended)):
                end = subprocess.run([sys.executable, "-I", "-c", run], capture_output=True, text=True, check=False,
                                     env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})  # fmt: skip
                self.assertEqual(code, end.returncode, end.stdout + end.stderr)


if __name__ == "__main__":
    unittest.main()
