"""torch-inductor's settings: they reach inductor, its graphs and the scripts, for one compilation only."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import unittest
import unittest.mock
from collections.abc import Iterator
from typing import Any

try:
    import torch
    import torch._dynamo
    from torch._inductor import compile_fx, config

    from rulefuzz import framework, targets
    from rulefuzz.model import Json, Model, Reader
    from rulefuzz.oracle.check import Check, Clock
    from rulefuzz.script import repro
    from rulefuzz.settings import torch_inductor as table
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

INDUCTOR = targets.load("torch-inductor")


def compiled(settings: dict[str, str], function: Any, *inputs: Any) -> tuple[Any, dict[str, Any]]:
    """The graph that reaches inductor, and its options then."""
    seen: list[Any] = []

    def backend(graph: Any, inputs: Any) -> Any:
        seen.append((graph, config.get_config_copy()))
        return graph

    given = INDUCTOR.given(list(settings.items()))
    with unittest.mock.patch.object(torch._dynamo, "lookup_backend", lambda name: backend), torch.no_grad(), (
        unittest.mock.patch.object(compile_fx, "compile_fx", backend)):  # fmt: skip
        given.compile(function, inputs, lambda stage: None)(*inputs)
    ((graph, options),) = seen
    return graph, options


def called(graph: Any) -> list[str]:
    return [str(node.target) for node in graph.graph.find_nodes(op="call_function", target=torch.ops.aten.relu.default)]


class Options(unittest.TestCase):
    """Without a C++ compiler."""

    def test_options(self) -> None:
        """A setting holds during the compilation."""
        for name, value, wanted in (("epilogue_fusion", "False", False), ("cpp.simdlen", "1", 1), ("max_fusion_size", "4", 4)):
            before = config.get_config_copy()[name]
            _, options = compiled({name: value}, lambda x: x + 1, torch.ones(3))
            self.assertEqual((wanted, before), (options[name], config.get_config_copy()[name]))
            self.assertNotEqual(wanted, before)

    def test_every_option_exists(self) -> None:
        """And its default is inductor's."""
        ways, known = {"trace", "dynamic", "gemm", "package", "parallel"}, config.get_config_copy()
        self.assertLess(ways, set(table.SETTINGS))
        for name in set(table.SETTINGS) - ways:
            self.assertEqual(table.SETTINGS[name][0], str(known[name]), name)

    def test_an_option_that_torch_lacks(self) -> None:
        self.assertEqual(({}, {}), table.configure([("no_such_option", "1")]))

    def test_templates(self) -> None:
        """inductor's own C++ templates need frozen weights."""
        options, _ = table.configure([("gemm", "CPP")])
        self.assertEqual((True, "CPP"), (options["freezing"], options["max_autotune_gemm_backends"]))
        self.assertEqual(({}, {"gemm": "ATEN"}), table.configure([("gemm", "ATEN")]))

    def test_loops_of_several_threads(self) -> None:
        """Both options exist; each setting that is drawn often does, too."""
        options, _ = table.configure([("parallel", "all")])
        self.assertEqual({"cpp.threads": 4, "cpp.min_chunk_size": 1}, options)
        self.assertLess(set(options), set(config.get_config_copy()))
        self.assertLess(set(table.OFTEN), set(table.SETTINGS))

    def test_traces(self) -> None:
        """make_fx and export see ATen operators, and dynamo the calls. What cannot be traced is left to dynamo."""
        x = torch.ones(3)
        for how, found in (("dynamo", 0), ("make_fx", 1), ("export", 1), ("run_decompositions", 1)):
            graph, _ = compiled({"trace": how}, lambda x: (torch.relu(x),), x)
            self.assertEqual(found, len(called(graph)), how)

        def untraceable(x: Any) -> Any:
            return (x + 1,) if type(x) is torch.Tensor and not torch.compiler.is_exporting() else x.no_such_method()

        for how in table.SETTINGS["trace"]:
            compiled({"trace": how}, untraceable, x)

    def test_strides(self) -> None:
        """torch.export does not keep them."""
        self.assertTrue(INDUCTOR.given([("trace", "make_fx")]).strides)
        for setting in (("trace", "export"), ("package", "aot_inductor")):
            self.assertFalse(INDUCTOR.given([setting]).strides)


def scaled() -> Json:
    """A product of an input and itself."""

    def tensor(i: int) -> Json:
        return {"id": i, "shape": [2, 3], "dtype": "float32"}

    args = [{"name": name, "pos": True, "value": {"ref": 0}} for name in ("input", "other")]
    calls = [{"op": "torch.mul", "api": "torch.mul", "args": args, "outputs": [tensor(1)]}]
    return {"values": 3, "inputs": [tensor(0)], "nodes": calls, "outputs": [1]}


@contextlib.contextmanager
def planted() -> Iterator[None]:
    """A pass that replaces products by sums without the fusion of epilogues."""
    passes = compile_fx._recursive_post_grad_passes

    def spoil(module: Any, is_inference: bool = False) -> None:
        passes(module, is_inference)
        for node in module.graph.find_nodes(op="call_function", target=torch.ops.aten.mul.Tensor):
            node.target = node.target if config.epilogue_fusion else torch.ops.aten.add.Tensor

    with unittest.mock.patch.object(compile_fx, "_recursive_post_grad_passes", spoil):
        yield


@unittest.skipUnless(shutil.which(os.environ.get("CXX", "g++")), "no C++ compiler")
class Findings(unittest.TestCase):
    """A fault that needs a setting."""

    def test_fault(self) -> None:
        adapter = framework.load("torch")
        INDUCTOR.prepare()
        adapter.enter()

        def model(**settings: str) -> Model:
            return Reader(adapter).model({**scaled(), "settings": settings})

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, {"TORCHINDUCTOR_CACHE_DIR": folder}):
            with planted():
                for value, verdict in (("False", "inconsistency"), ("True", "ok")):
                    check = Check(adapter, INDUCTOR, model(epilogue_fusion=value), Clock(lambda stage: None))
                    self.assertEqual(verdict, check.run()["verdict"])
            text = repro.script(adapter, INDUCTOR, model(epilogue_fusion="False", trace="export"), "title")
        for part in ("configure((('epilogue_fusion', 'False'), ('trace', 'export'))", "def exported(", "def traced("):
            self.assertIn(part, text)

    def test_short_scripts(self) -> None:
        """Each calls the target with the settings, and defines what it uses."""
        cases: list[tuple[dict[str, str], str, str]] = [
            ({"epilogue_fusion": "False"}, "config.epilogue_fusion = False\n", "torch.compile(model, dynamic=False)"),
            ({"dynamic": "True"}, "torch.compile(model, dynamic=True)", "actual = compiled(*inputs)"),
            ({"gemm": "CPP"}, "config.freezing = True\n", "with torch.no_grad():\n    actual ="),
            ({"trace": "make_fx"}, "make_fx(model)(*inputs)", "compile_fx("),
            ({"trace": "run_decompositions"}, "class Module", ".run_decompositions().module()"),
            ({"package": "aot_inductor"}, "class Module", "aoti_compile_and_package(exported)"),
        ]
        for settings, *parts in cases:
            for dynamic in (False, True):
                (text,) = INDUCTOR.given(list(settings.items())).plain(dynamic)
                compile(text, "script", "exec")
                for part in () if dynamic else parts:
                    self.assertIn(part, text)
                self.assertEqual(dynamic, "first" in text)


if __name__ == "__main__":
    unittest.main()
