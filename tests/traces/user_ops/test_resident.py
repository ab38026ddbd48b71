"""A resident framework process: visitors' commands end as they would alone, and together with their visitors."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
VISIT = (sys.executable, "-m", "traces.collect.user_ops.visit", ".", "told")
RESIDENT = """
import sys
from traces.collect.frameworks import registry
from traces.collect.user_ops import resident
registry.load = lambda name: open("loads", "a").write(name)
resident._with_large_pages = lambda: None
sys.exit(resident.main(["fake", sys.argv[1]]))
"""
MODULE = """
import os, signal, sys, time
def main(argv=None):
    what = (sys.argv[1:] if argv is None else argv)[0]
    if what == "echo":
        print(sys.stdin.read() + os.getcwd() + __name__)
        print("aside", file=sys.stderr)
    if what == "exit":
        sys.exit(3)
    if what == "raise":
        raise ValueError("no")
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "stay":
        open("pid", "w").write(str(os.getpid()))
        time.sleep(1000)
    return 0
if __name__ == "__main__":
    sys.exit(main())
"""


class Resident(unittest.TestCase):
    """python -m traces.collect.user_ops.resident and visit."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / ("long" * 30)  # exceeds the maximum path of a socket
        self.folder.mkdir()
        (self.folder / "told.py").write_text(MODULE)
        self.env = {"PYTHONPATH": f"{ROOT}:{ROOT}/runtime/python:{self.folder}"}

    def start(self) -> subprocess.Popen[str]:
        """Starts the resident process."""
        process = subprocess.Popen([sys.executable, "-c", RESIDENT, "."], cwd=self.folder, env=self.env, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        self.addCleanup(self.stop, process)
        assert process.stdout is not None
        self.assertEqual(process.stdout.readline(), "listening\n")
        return process

    @staticmethod
    def stop(process: subprocess.Popen[str]) -> None:
        """Stops the resident process."""
        process.communicate(timeout=60)

    def visit(self, what: str, text: str = "") -> Any:
        """The result of a visit."""
        return subprocess.run([*VISIT, what], input=text, cwd=self.folder, env=self.env, text=True, capture_output=True,
                              timeout=60, check=False)  # fmt: skip

    def test_a_visitor_gets_all_that_the_command_says(self) -> None:
        self.start()
        done = self.visit("echo", "in ")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"in {self.folder}told\n", "aside\n"))
        self.assertEqual([self.visit(what).returncode for what in ("exit", "raise", "die")], [3, 1, 137])
        self.assertEqual((self.folder / "loads").read_text(), "fake")

    def test_without_one_the_command_runs_by_itself(self) -> None:
        done = self.visit("echo", "in ")
        self.assertEqual((done.returncode, done.stdout), (0, f"in {self.folder}__main__\n"))
        self.assertEqual(self.visit("exit").returncode, 3)

    def test_the_command_ends_with_its_visitor(self) -> None:
        self.start()
        pid = self.folder / "pid"
        with subprocess.Popen([*VISIT, "stay"], cwd=self.folder, env=self.env) as visitor:
            self.until(lambda: pid.exists() and pid.read_text() != "")
            visitor.kill()
        self.until(lambda: not Path(f"/proc/{pid.read_text()}").exists())

    def test_it_goes_with_its_input(self) -> None:
        process = self.start()
        with subprocess.Popen([*VISIT, "stay"], cwd=self.folder, env=self.env) as visitor:
            self.until((self.folder / "pid").exists)
            assert process.stdin is not None
            process.stdin.close()
            process.stdin = None
            self.assertEqual(process.wait(60), 0)
            self.assertEqual(visitor.wait(60), 1)
        self.assertFalse((self.folder / "resident").exists())

    def test_nobody_else_may_come(self) -> None:
        self.start()
        self.assertEqual((self.folder / "resident").stat().st_mode & 0o077, 0)

    def test_one_that_was_killed_is_no_hindrance(self) -> None:
        self.start().send_signal(signal.SIGKILL)
        self.assertEqual(self.visit("exit").returncode, 3)
        self.start()
        self.assertEqual(self.visit("exit").returncode, 3)

    def until(self, holds: Any) -> None:
        """Waits until the file exists."""
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
