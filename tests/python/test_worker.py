"""A worker's answers for unreadable models among others, and for targets that do not work. Needs torch."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import unittest
import unittest.mock
from typing import Any

try:
    import torch  # noqa: F401

    from rulefuzz import protocol, targets, worker
    from rulefuzz.framework import Unavailable
    from rulefuzz.worker import Worker
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

Json = Any


def model(api: str = "torch.exp", **more: Any) -> Json:
    """A call."""
    args = [{"name": "input", "pos": True, "value": {"ref": 0}}]
    tensors = [{"id": i, "shape": [2, 3], "dtype": "float32"} for i in range(2)]
    node = {"api": api, "args": args, "outputs": tensors[1:]}
    return {"values": 5, "inputs": tensors[:1], "nodes": [node], "outputs": [1], **more}


def varying(api: str) -> Json:
    """The model with two shape instances."""
    item = model(api, dims={"a": [2, 4]})
    item["inputs"][0]["dims"] = ["a", None]
    item["nodes"][0]["outputs"][0]["also"] = [[4, 3]]
    return item


class Answers(unittest.TestCase):
    """Worker.handle."""

    def worker(self, names: str) -> Worker:
        made = Worker(names)
        self.about = made.ready()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        made.enter(folder.name)
        return made

    def ask(self, made: Worker, do: str, **request: Any) -> Json:
        """The answer."""
        with contextlib.redirect_stderr(io.StringIO()):
            return made.handle({"do": do, **request}, lambda target, stage: None)

    def test_unreadable_models(self) -> None:
        """Each model has an answer, in order, and the others are not affected."""
        made = self.worker("torch-same")
        self.assertEqual((self.about["framework"], sorted(self.about["versions"])), ("torch", ["python", "rulefuzz", "torch"]))
        bad: list[Json] = [model("os.system"), {}, [], varying("torch.exp") | {"dims": {"a": [2]}},
                           varying("torch.exp") | {"dims": {"a": 5}}, None]  # fmt: skip
        answers = self.ask(made, "check", models=[model(), *bad, model()])["answers"]
        self.assertEqual([a["verdict"] for a in answers], ["ok", *["unreadable"] * len(bad), "ok"])
        self.assertEqual(answers[1]["error"]["type"], "BadModel")
        self.assertEqual(self.ask(made, "check", model=model())["verdict"], "ok")
        for do, key in (("script", "script"), ("short", "script"), ("pass", "pass")):
            self.assertEqual(self.ask(made, do, model=model("os.system")), {key: ""})

    def test_scripts(self) -> None:
        """Scripts for a difference: of models with one or more shape instances, for the requested target."""
        made = self.worker("torch-same,torch-broken,torch-specialised")
        with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_BROKEN": "torch.exp:tail"}):
            about: Json = {"model": varying("torch.exp"), "targets": ["torch-specialised"], "title": "a title"}
            text = self.ask(made, "script", **about)["script"]
            self.assertTrue("def compile_once(" in text and "attempt_each(model, INPUTS" in text and '"""a title\n' in text)
            self.assertEqual(self.ask(made, "short", model=varying("torch.exp"), verdict="inconsistency"), {"script": ""})
        with unittest.mock.patch.dict(os.environ, {"RULEFUZZ_BROKEN": "torch.exp:perturb"}):
            text = self.ask(made, "script", model=model(), targets=["torch-broken"])["script"]
            self.assertTrue("backend torch-broken" in text and "class Broken(" in text)
            self.assertEqual(self.ask(made, "short", model=model(), targets=["torch-broken"], verdict="inconsistency"),
                             {"script": ""})  # fmt: skip  # it has none
            answer = self.ask(made, "check", model=model())
            self.assertEqual((answer["verdict"], answer["target"]), ("inconsistency", "torch-broken"))
            self.assertEqual(self.ask(made, "check", model=model(), targets=["torch-same"])["verdict"], "ok")

    def test_a_reference_that_fails(self) -> None:
        """A reference that does not meet the model's shape: the script shows that."""
        item = model()
        item["nodes"][0]["outputs"][0]["shape"] = [7]
        made = self.worker("torch-broken")
        self.assertEqual(self.ask(made, "check", model=item)["verdict"], "mispredicted")
        self.assertIn("attempt(model, INPUTS", self.ask(made, "script", model=item)["script"])


class Late(Answers):
    """Targets that take long to warm up join later."""

    def tiers(self, made: Worker, *names: str) -> list[str]:
        """The targets that run a model."""
        return sorted(self.ask(made, "check", model=model(), targets=list(names))["tiers"])

    def renewed(self, made: Worker) -> str:
        """What the worker prints when the child has ended."""
        os.waitid(os.P_PID, made._warming, os.WEXITED | os.WNOWAIT)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            made.renew()
        return said.getvalue()

    def test_joins(self) -> None:
        warmed: list[int] = []
        slow = targets.load("torch-same").module
        with unittest.mock.patch.object(slow, "warm", lambda: warmed.append(os.getpid()), create=True):
            made, both = self.worker("torch-broken,torch-same"), ("torch-broken", "torch-same")
            self.assertEqual((warmed, self.tiers(made, *both)), ([], ["torch-broken"]))
            self.assertEqual(self.tiers(made, "torch-same"), ["torch-same"])  # waits for it
            self.assertEqual((self.renewed(made), warmed), ("", [os.getpid()] * 2))
            self.assertEqual(self.tiers(made, *both), ["torch-broken", "torch-same"])
            self.worker("torch-same")  # the only one is warm at once
            self.assertEqual(len(warmed), 3)

    def test_cannot_run_a_simple_model(self) -> None:
        """It is dropped."""
        slow = targets.load("torch-broken").module
        with unittest.mock.patch.object(slow, "warm", lambda: None, create=True), unittest.mock.patch.dict(
            os.environ, {"RULEFUZZ_BROKEN": "torch.add:raise"}):  # fmt: skip
            made = self.worker("torch-same,torch-broken")
            self.assertIn("torch-broken cannot run a simple model", self.renewed(made))
            self.assertEqual(self.tiers(made, "torch-same", "torch-broken"), ["torch-same"])


class Unable(unittest.TestCase):
    """Workers that cannot start."""

    def test_targets_of_two_frameworks(self) -> None:
        with self.assertRaisesRegex(Unavailable, "torch-same,onnxruntime belong to different frameworks"):
            Worker("torch-same,onnxruntime").ready()

    def test_a_target_that_cannot_run_a_simple_model(self) -> None:
        """A target that raises or differs on the warm-up model; torch-broken may do so."""
        target = targets.load("torch-broken")
        broken = unittest.mock.patch.dict(os.environ, {"RULEFUZZ_BROKEN": "torch.add:perturb"})
        with broken, contextlib.redirect_stderr(io.StringIO()):
            Worker("torch-broken").ready()
            with unittest.mock.patch.object(target.module, "MAY_DIFFER", False), self.assertRaisesRegex(
                Unavailable, "torch-broken cannot run a simple model: .*inconsistency"):  # fmt: skip
                Worker("torch-broken").ready()
            os.environ["RULEFUZZ_BROKEN"] = "torch.add:raise"
            with self.assertRaisesRegex(Unavailable, "torch-broken cannot run a simple model: .*planted fault"):
                Worker("torch-broken").ready()

    def test_usage(self) -> None:
        with unittest.mock.patch.object(sys, "argv", ["worker"]), self.assertRaisesRegex(SystemExit, "usage: .*, torch-same, "):
            worker.main()

    def test_exit_code_without_a_target(self) -> None:
        """The worker reports the reason on its channel, and ends."""
        with tempfile.TemporaryFile() as out:
            child = os.fork()
            if not child:
                os.dup2(out.fileno(), 1)
                with unittest.mock.patch.object(sys, "argv", ["worker", "no-such-target"]):
                    os._exit(worker.main())
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            self.assertRegex(out.read().decode(), '^{"fatal":"unknown target \'no-such-target\'')
            self.assertEqual(code, protocol.UNAVAILABLE)


if __name__ == "__main__":
    unittest.main()
