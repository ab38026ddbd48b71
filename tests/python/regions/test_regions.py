"""Regions of torch models: how they are read, written, run and compared."""

from __future__ import annotations

import builtins
import dis
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any

try:
    import torch

    from rulefuzz.faults import torch_regions
except ImportError:
    raise unittest.SkipTest("no torch") from None

from rulefuzz.model import BadModel, Json, Reader
from rulefuzz.oracle.check import Check, Clock, Reference
from rulefuzz.regions import kinds, region, run
from rulefuzz.script import repro
from tests.python.oracle.test_features import TORCH, model, target, tensor

KINDS_DEF = Path(__file__).parents[3] / "runtime" / "model" / "regions.def"


def item(*bodies: tuple[str, int, int, int], **more: Any) -> Json:
    """A model with matmul, square, and mul of both, and regions: kind, first, last, variant."""
    regions = [dict(zip(("kind", "first", "last", "variant"), body, strict=True)) for body in bodies]
    calls = [("torch.matmul", ["v0", "v1"], tensor(2, [2, 2])), ("torch.square", ["v2"], tensor(3, [2, 2])),
             ("torch.mul", ["v3", "v2"], tensor(4, [2, 2])), ("torch.relu", ["v4"], tensor(5, [2, 2]))]  # fmt: skip
    return model([tensor(0, [2, 3]), tensor(1, [3, 2])], calls, bodies=regions, **more)


def check(given: Json, change: Any = lambda subject: subject) -> Json:
    """The verdict."""
    TORCH.enter()
    return Check(TORCH, target(change), Reader(TORCH).model(given), Clock(lambda stage: None)).run()


def ran(given: Json) -> Reference:
    """The reference after its run."""
    TORCH.enter()
    found = Reference(TORCH, Reader(TORCH).model(given))
    found.run()
    return found


class Regions(unittest.TestCase):
    """Each kind in each variant."""

    def test_table(self) -> None:
        """The generator and the readers have the same kinds."""
        names = re.findall(r'REGION\(\w+, "([\w.]+)", REGION_\w+\)', KINDS_DEF.read_text())
        self.assertEqual(list(kinds.KINDS), names)

    def test_every_variant_runs_in_eager(self) -> None:
        """The reference keeps the region, and an equal target agrees."""
        for kind in kinds.KINDS:
            for variant in range(kinds.VARIANTS):
                with self.subTest(kind=kind, variant=variant):
                    TORCH.enter()
                    given = Reader(TORCH).model(item((kind, 0, 2, variant)))
                    found = Check(TORCH, target(lambda subject: subject), given, Clock(lambda stage: None))
                    self.assertEqual("ok", found.run()["verdict"])
                    self.assertEqual([kind], [body.kind for body in found.model.bodies])

    def test_further_results(self) -> None:
        """They are the derivatives of the calls."""
        x, y = (TORCH.inputs(Reader(TORCH).model(item()))[i] for i in (0, 1))

        def whole(x: Any, y: Any) -> Any:
            product = torch.matmul(x, y)
            return torch.square(product) * product

        for kind, want in (("func.jacrev", torch.func.jacrev(whole)), ("func.jacfwd", torch.func.jacrev(whole))):
            found = ran(item((kind, 0, 2, 0)))
            (_, t), *_ = found.model.extras
            torch.testing.assert_close(found.values[t.id], want(x, y), rtol=1e-4, atol=1e-4)
        found = ran(item(("func.vmap", 0, 2, 0)))
        batch = found.values[found.model.extras[0][1].id]
        torch.testing.assert_close(batch[1], whole(x.roll(1), y.roll(1)), rtol=1e-4, atol=1e-4)

    def test_programs_apart(self) -> None:
        """A program keeps its functions when another one is made, and an exception in a transform leaves nothing behind."""
        first, second = (Reader(TORCH).model(item(("func.vjp", 0, 2, 0), *more)) for more in ((), (("no_grad", 0, 1, 0),)))
        subjects = [TORCH.subject(one, ran(item()).results, one.outputs) for one in (first, second)]
        modules = [sys.modules[one.__module__] for one in subjects]
        self.assertEqual([False, True], [hasattr(module, "body1") for module in modules])
        torch._C._functorch._grad_increment_nesting()
        torch._C._dispatch_tls_set_dispatch_key_included(torch._C.DispatchKey.PythonDispatcher, True)
        self.assertEqual("ok", check(item(("func.grad", 0, 2, 0)))["verdict"])

    def test_nested(self) -> None:
        """Regions within regions, with gradients and as a module."""
        bodies = [("func.vmap", 0, 2, 0), ("checkpoint", 0, 1, 0), ("func.jvp", 1, 1, 1)]
        self.assertEqual("ok", check(item(*bodies, gradients=True, module=True))["verdict"])
        kept = [body.kind for body in ran(item(*bodies)).model.bodies]
        self.assertIn("func.vmap", kept)

    def test_unfit_regions_are_dropped(self) -> None:
        """A kind that does not apply, and one that eager rejects."""
        self.assertEqual((), Reader(TORCH).model(item(("func.hessian", 0, 3, 0)) | {"inputs": [
            tensor(0, [2, 3], "float64"), tensor(1, [300, 2], "float64")]}).bodies[1:])  # fmt: skip
        derived = Reader(TORCH).model(item(("func.vjp", 0, 2, 0), ("no_grad", 0, 1, 0), ("ops.cond", 1, 1, 0))).bodies
        self.assertEqual(["func.vjp", "no_grad"], [body.kind for body in derived])
        integers = model([tensor(0, [2], "int64")], [("torch.neg", ["v0"], tensor(1, [2], "int64"))],
                         bodies=[{"kind": "func.grad", "first": 0, "last": 0}])  # fmt: skip
        self.assertEqual((), Reader(TORCH).model(integers).bodies)
        rejected = model([tensor(0, [4])], [("torch.unique", ["v0"], tensor(1, [4]))],
                         bodies=[{"kind": "func.jvp", "first": 0, "last": 0},
                                 {"kind": "no_grad", "first": 0, "last": 0}])  # fmt: skip
        found = ran(rejected)
        self.assertEqual(["no_grad"], [body.kind for body in found.model.bodies])
        self.assertEqual((), region.without(found.model).bodies)

    def test_bad_regions(self) -> None:
        """Unknown kinds and variants are rejected, and bodies of other frameworks."""
        for bad in (
            ("func.hess", 0, 1, 0),
            ("func.grad", 0, 1, 8),
            ("func.grad", 0, 4, 0),
            ("if", 0, 1, 0),
            ("function", 0, 1, 0),
        ):
            with self.assertRaises(BadModel):
                Reader(TORCH).model(item(bad))

    def test_faults(self) -> None:
        """Each fault shows with its region, and without regions never."""
        needs = {"func-grad-flipped": ("func.grad", 0), "func-vjp-ones": ("func.vjp", 0), "func-vjp-halved": ("func.vjp", 0),
                 "func-jvp-first": ("func.jvp", 0), "func-jacrev-row": ("func.jacrev", 0),
                 "func-jacfwd-zero": ("func.jacfwd", 0),
                 "func-vmap-first": ("func.vmap", 0), "func-vmap-out": ("func.vmap", 1),
                 "func-call-stale": ("func.functional_call", 0), "double-detached": ("autograd.grad", 0),
                 "custom-inlined": ("autograd.Function", 3), "checkpoint-other": ("checkpoint", 2),
                 "autocast-ignored": ("autocast", 0), "autocast-stays-on": ("autocast", 2), "cond-swapped": ("ops.cond", 0),
                 "while-start": ("ops.while_loop", 0), "scan-reversed": ("ops.scan", 0), "scan-first": ("ops.scan", 0),
                 "map-first": ("ops.map", 1), "no-grad-ignored": ("no_grad", 2)}  # fmt: skip
        self.assertEqual(needs.keys(), torch_regions.FAULTS.keys())
        for fault, (kind, variant) in needs.items():
            with self.subTest(fault=fault):
                more = {"gradients": True} if fault == "no-grad-ignored" else {}

                def planted(subject: Any, fault: str = fault) -> Any:
                    return torch_regions.planted(subject, [], fault)

                first, last = (1, 1) if more else (0, 2)
                self.assertEqual("inconsistency", check(item((kind, first, last, variant), **more), planted)["verdict"])
                self.assertEqual("ok", check(item(**more), planted)["verdict"])

    def test_scripts(self) -> None:
        """A script has the region, runs alone, and shows the fault."""
        by = target(lambda subject: lambda *inputs: [x * 2 for x in subject(*inputs)])
        by.module.compile = _doubled  # type: ignore[attr-defined]
        given = Reader(TORCH).model(item(("autograd.Function", 0, 2, 3), ("func.vjp", 1, 1, 0)))
        text = repro.script(TORCH, by, given, "a title", verdict="inconsistency")
        self.assertIn("class Part0(torch.autograd.Function)", text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "script.py")
            path.write_text(text)
            done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)

    def test_definitions_need_only_torch(self) -> None:
        """The functions of short scripts are complete for each kind, and only those that it uses."""
        for name in run.SPACE:
            space: dict[str, Any] = {"torch": torch}
            code = compile(run.definitions(f"{name}()"), name, "exec", dont_inherit=True)
            exec(code, space)
            self.assertLessEqual(_globals(code), {*space, *dir(builtins)}, name)
        self.assertEqual("", run.definitions("model(x)"))
        self.assertEqual(["region_weights"], [one.__name__ for one in run.functions("region_weights(x)")])


def _globals(code: types.CodeType) -> set[str]:
    """The global names that code and its functions load."""
    found = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    return found.union(*(_globals(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def _doubled(function: Any, example: Any, stage: Any) -> Any:
    stage("run")
    return lambda *inputs: [x * 2 for x in function(*inputs)]


if __name__ == "__main__":
    unittest.main()
