"""Scripts that run in forks of a clean process."""

from __future__ import annotations

import os
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

try:
    from rulefuzz import sandbox
    from rulefuzz.script import fresh, short
    from tests.python.script import test_short
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None


def start(case: unittest.TestCase, warm: Callable[[], None]) -> None:
    """Starts a clean process and waits until it is warm."""
    fresh.start(warm)
    case.addCleanup(fresh.stop)
    for _ in range(400):
        if fresh._clean[0].is_warm:
            break
        time.sleep(0.02)
    case.assertTrue(fresh._clean[0].is_warm)


class ShowsInForks(test_short.Shows):
    """Scripts show the same faults as in processes of their own."""

    def setUp(self) -> None:
        start(self, lambda: None)


class Fork(unittest.TestCase):
    """The clean process."""

    def setUp(self) -> None:
        start(self, lambda: os.environ.__setitem__("WARM", "1"))

    def ran(self, text: str, seconds: float = 20.0) -> tuple[bool, int, str, str]:
        """As short._ran."""
        return short._ran(text, time.monotonic() + seconds, False)

    def test_codes(self) -> None:
        for text, code in (("", 0), ("raise SystemExit(3)", 3), ("raise SystemExit('no')", 1), ("1 / 0", 1), ("def", 1),
                           ("def f(x: Any): pass", 1), ("import os\nos.kill(os.getpid(), 11)", -11)):  # fmt: skip
            with self.subTest(text):
                self.assertEqual(self.ran(text)[:2], (True, code))

    def test_each_script_is_a_process_of_its_own(self) -> None:
        text = "import os, sys\nprint(os.getpid(), hasattr(sys, 'mark'), 'WARM' in os.environ, __name__)\nsys.mark = 1"
        outs = [self.ran(text)[2].split() for _ in range(2)]
        self.assertNotEqual(outs[0][0], outs[1][0])
        self.assertEqual([out[1:] for out in outs], [["False", "False", "__main__"]] * 2)

    def test_late_scripts_are_killed_with_their_children(self) -> None:
        with tempfile.NamedTemporaryFile("r") as file:
            text = f"import subprocess\nc = subprocess.Popen(['sleep', '600'])\nopen({file.name!r}, 'w').write(str(c.pid))\n"
            self.assertEqual(self.ran(text + "while True: pass", 1.0)[:2], (False, -9))
            path = Path(f"/proc/{file.read()}/cmdline")
            self.assertFalse(path.exists() and path.read_bytes())

    def test_answers_to_killed_processes_are_skipped(self) -> None:
        child = sandbox.fork(lambda: self.ran("import time\ntime.sleep(0.5)") and None)
        time.sleep(0.2)
        os.kill(child, 9)
        os.waitpid(child, 0)
        self.assertEqual(self.ran("raise SystemExit(4)")[:2], (True, 4))

    def test_scripts_do_not_wait_for_the_warm_up(self) -> None:
        fresh.stop()
        fresh.start(lambda: time.sleep(60))
        os.kill(fresh._clean[0].pid, 19)  # SIGSTOP: it answers nothing
        self.addCleanup(os.kill, fresh._clean[0].pid, 9)
        self.assertEqual(self.ran("raise SystemExit(6)")[:2], (True, 6))

    def test_a_lost_process_is_replaced_by_new_ones(self) -> None:
        self.assertTrue(fresh._clean)
        os.kill(fresh._clean[0].pid, 9)
        self.assertEqual(self.ran("raise SystemExit(5)")[:2], (True, 5))


if __name__ == "__main__":
    unittest.main()
