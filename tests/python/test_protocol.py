"""Requests that crash a worker, hang, exit or print: what the supervisor reports. Needs no framework."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    from rulefuzz import protocol
    from rulefuzz.framework import Unavailable, unimportable
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

Json = Any


KEPT: list[bytes] = []


HIDING = """import importlib.util, runpy
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "numpy" else real(name, *more)
runpy.run_module("rulefuzz.worker", run_name="__main__")"""
"""Runs a worker in a Python without numpy."""


class Backend:
    """Does what the request's name says."""

    batch = 3

    def ready(self) -> Json:
        if os.environ.get("MISSING"):
            raise Unavailable("nothing is here", ["it"])
        print("Welcome to the framework!")
        return {"versions": {"fake": "1"}}

    def renew(self) -> None:
        """Nothing is late."""

    def enter(self, folder: str) -> None:
        Path(folder).mkdir()

    def handle(self, request: Json, stage: protocol.Stage) -> Json:
        print("noise")
        sys.stdin.read()
        stage("", "run")
        what = request["do"]
        if what == "crash":
            os.abort()
        if what == "exit":
            os._exit(0)
        if what == "leave":
            sys.exit(0)
        if what == "raise":
            raise KeyError(what)
        if what == "fill":
            bytes(300 << 20)
        if what == "keep":
            KEPT.append(bytes(30 << 20))
        return {"verdict": "ok", "pid": os.getpid()}


class Serving(unittest.TestCase):
    """protocol.serve in a process of its own."""

    def answers(self, *requests: str, memory: int = 0, alone: Sequence[int] = ()) -> list[Json]:
        """The answers of a worker that handles three requests per child. `alone`: the ids of requests to be handled alone."""
        lines = [json.dumps({"id": i, "do": do, "memory": memory, "alone": i in alone, "model": "x" * 100_000}) + "\n"
                 for i, do in enumerate(requests, 1)]  # fmt: skip
        with tempfile.TemporaryDirectory() as scratch:
            worker = subprocess.Popen([sys.executable, "-m", "tests.python.test_protocol"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                      env={**os.environ, "RULEFUZZ_SCRATCH": scratch})  # fmt: skip
            assert worker.stdin and worker.stdout
            deadline = threading.Timer(60, worker.kill)  # a missing answer closes the output
            deadline.start()
            self.addCleanup(deadline.cancel)
            found = [json.loads(worker.stdout.readline())]
            for i, line in enumerate(lines, 1):
                worker.stdin.write(line)
                worker.stdin.flush()
                while "stage" in (answer := json.loads(worker.stdout.readline())):
                    self.assertEqual(answer["id"], i)
                found.append(answer)
            worker.stdin.close()
            self.assertEqual(worker.wait(60), 0)
            worker.stdout.close()
            self.assertEqual(os.listdir(scratch), [])
        return found

    def test_answers(self) -> None:
        ready, *answers = self.answers("check", "check", "check", "check")
        self.assertEqual(ready["versions"], {"fake": "1"})
        self.assertEqual([answer["verdict"] for answer in answers], ["ok"] * 4)
        self.assertEqual(len({answer["pid"] for answer in answers}), 2)

    def test_alone(self) -> None:
        """A process that has handled a request leaves one that is to be handled alone to the next process."""
        ready, *answers = self.answers("check", "check", "check", "check", "crash", "check", alone=(2, 3, 5))
        self.assertIs(ready["forks"], True)
        pids = [answer.get("pid", "died") for answer in answers]
        self.assertEqual(len(set(pids)), 6, pids)
        self.assertEqual(len({answer["pid"] for answer in self.answers("check", "check", alone=(1,))[1:]}), 2)

    def test_deaths(self) -> None:
        """Each death is reported, even if the child reports success, and the next request has an answer."""
        _, *answers = self.answers("crash", "check", "exit", "check", "leave", "check", "raise", "check")
        self.assertEqual([answer.get("died", answer.get("verdict")) for answer in answers],
                         [{"signal": 6}, "ok", {"status": 0}, "ok", {"status": 1}, "ok", {"status": 1}, "ok"])  # fmt: skip

    def test_memory(self) -> None:
        _, *answers = self.answers("fill", "check", memory=100)
        self.assertEqual([answer.get("died", answer.get("verdict")) for answer in answers], [{"status": 1}, "ok"])
        self.assertEqual(self.answers("fill", memory=500)[1]["verdict"], "ok")

    def test_large_processes_are_replaced(self) -> None:
        """A process that holds a quarter of its memory limit is replaced, since the next model would be short of
        memory."""
        for memory, processes in ((110, 2), (500, 1)):
            _, *kept = self.answers("keep", "keep", "check", memory=memory)
            self.assertEqual(len({answer["pid"] for answer in kept}), processes, memory)
            self.assertEqual(kept[0]["pid"], kept[1]["pid"])  # memory of the first request does not count

    def test_missing_requirements(self) -> None:
        found = subprocess.run([sys.executable, "-m", "tests.python.test_protocol"], stdin=subprocess.DEVNULL, check=False,
                               capture_output=True, text=True, env={**os.environ, "MISSING": "1"})  # fmt: skip
        self.assertEqual(found.returncode, protocol.UNAVAILABLE)
        self.assertEqual(json.loads(found.stdout), {"fatal": "nothing is here", "missing": ["it"]})

    def test_without_numpy(self) -> None:
        """The worker names what is missing by itself, because the package cannot be imported."""
        words = [sys.executable, "-c", HIDING]
        found = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        wanted = {"fatal": "rulefuzz needs numpy, which is not installed", "missing": ["numpy"]}
        self.assertEqual((found.returncode, json.loads(found.stdout)), (protocol.UNAVAILABLE, wanted))

    def test_distributions(self) -> None:
        """A missing module has its name in pip; a broken module need not be installed."""
        for error, wanted in (
            (ModuleNotFoundError("x", name="ai_edge_litert.interpreter"),
             ("a needs ai-edge-litert, which is not installed", ["ai-edge-litert"])),
            (ModuleNotFoundError("x", name="numpy"), ("a needs numpy, which is not installed", ["numpy"])),
            (ImportError("libx.so: no such file"), ("a cannot be imported: ImportError: libx.so: no such file", [])),
        ):  # fmt: skip
            self.assertEqual(unimportable("a", error), wanted)


if __name__ == "__main__":
    sys.exit(protocol.serve(Backend()))
