"""Children that end in every way, and how the parent reports it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulefuzz import sandbox
from rulefuzz.sandbox import SILENT, Child, Inside, Limits


def ended(work: Callable[[Inside], None], limits: Limits = sandbox.UNLIMITED) -> tuple[list[Any], Child, sandbox.End]:
    """The messages of a silent child, the child, and how it ended."""
    child = Child.start(work, limits, SILENT)
    answers: list[Any] = []
    while not child.over:
        answers += child.take(0.05)
        child.watch()
    return answers, child, child.end()


def spin(_: Inside) -> None:
    """Never returns."""
    while True:
        pass


class Ends(unittest.TestCase):
    """How children end."""

    def test_all_messages_arrive(self) -> None:
        """Messages larger than a pipe arrive too, even if the child crashes afterwards."""

        def work(inside: Inside) -> None:
            for i in range(300):
                inside.tell([i, "x" * 1000])
            os.kill(os.getpid(), signal.SIGKILL)

        answers, _, end = ended(work)
        self.assertEqual([i for i, _ in answers], list(range(300)))
        self.assertEqual((end.done, end.how, end.signal), (False, "killed by SIGKILL", 9))

    def test_a_child_that_returns_is_done(self) -> None:
        answers, _, end = ended(lambda inside: inside.tell({"a": (1,)}))
        self.assertEqual((answers, end.done, end.how, end.status), ([{"a": (1,)}], True, "", 0))

    def test_exit_0_is_no_success(self) -> None:
        """The work called exit, so it is not done, even with status 0."""
        for leave in (lambda inside: os._exit(0), lambda inside: sys.exit(0)):
            _, _, end = ended(leave)
            self.assertFalse(end.done)
            self.assertRegex(end.how, "^exit code [01]$")

    def test_children_never_return_to_the_caller(self) -> None:
        """An exception, an exit and an interrupt all end in os._exit. Otherwise two processes would run the rest of
        the test."""
        for error in (ValueError("no"), SystemExit(7), KeyboardInterrupt()):

            def work(inside: Inside, error: BaseException = error) -> None:
                raise error

            mother = os.getpid()
            try:
                _, _, end = ended(work)
            finally:
                if os.getpid() != mother:
                    os._exit(99)
            self.assertEqual((end.done, end.how), (False, "exit code 1"))

    def test_journal_names_the_fatal_call(self) -> None:
        def work(inside: Inside) -> None:
            inside.journal.note("first")
            inside.journal.note("second")
            os.abort()

        _, child, end = ended(work)
        self.assertEqual((child.journal.text(), child.journal.count()), ("second", 2))
        self.assertEqual(end.how, "killed by SIGABRT")

    def test_journal_truncates_long_notes(self) -> None:
        journal = sandbox.Journal()
        journal.note("x" * 100_000 + "é")
        self.assertGreater(len(journal.text()), 60_000)
        journal.note("y")
        self.assertEqual((journal.text(), journal.count(), journal.is_done()), ("y", 2, False))

    def test_memory_is_limited(self) -> None:
        def work(inside: Inside) -> None:
            try:
                bytes(200 << 20)
            except MemoryError:
                inside.tell("enough")

        self.assertEqual(ended(work, Limits(memory=100 << 20))[0], ["enough"])
        self.assertEqual(ended(work, Limits(memory=300 << 20))[0], [])

    def test_memory_of_the_parent_does_not_count(self) -> None:
        """A parent with 200 MiB: three processes share these pages, which are no memory of theirs."""
        held = b"x" * (200 << 20)

        def work(inside: Inside) -> None:
            children = [os.fork(), os.fork()]
            time.sleep(0.5)
            if all(children):
                inside.tell(len(held))
            os._exit(0)

        answers, _, end = ended(work, Limits(memory=300 << 20, wall=30))
        self.assertEqual((answers, end.late), ([200 << 20], ""))

    def test_memory_limit_includes_descendants(self) -> None:
        """Three processes that are each below the limit, and above it together. All end with the child. They run in a
        new Python, because the modules imported by tests would count three times."""
        text = """
            import os, time
            from rulefuzz import sandbox
            from tests.python.test_sandbox import ended

            def work(inside):
                begin, told = os.pipe()
                for _ in range(2):
                    if os.fork() == 0:
                        os.close(told)
                        os.read(begin, 1)  # until all are known: two are beyond the limit
                        break
                else:
                    inside.tell(sandbox.family(os.getpid()))
                    os.close(told)
                held = b"x" * (150 << 20)
                time.sleep(60)
                os._exit(len(held) == 0)

            answers, _, end = ended(work, sandbox.Limits(memory=300 << 20, wall=30))
            finish = time.monotonic() + 10
            while sandbox.resident(answers[0]) and time.monotonic() < finish:
                time.sleep(0.01)
            print(end.late, end.how, len(answers[0]), sandbox.resident(answers[0]), sep="; ")
        """
        found = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, check=False)
        self.assertEqual(found.stderr, "")
        self.assertEqual(found.stdout, f"{sandbox.MEMORY}; more than 300 MiB of memory, children included; 3; 0\n")

    def test_output_goes_to_its_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            child = Child.start(lambda inside: print("said", sys.stdin.read(), file=sys.stderr), output=log)
            self.assertTrue(child.end().done)
            self.assertEqual(log.read_text(), "said \n")

    def test_child_dies_with_its_parent(self) -> None:
        """Even if the parent is killed."""
        text = """
            import os, sys, time
            from rulefuzz.sandbox import SILENT, Child
            child = Child.start(lambda inside: (inside.tell("up"), time.sleep(100)), output=SILENT)
            print(child.pid, child.take(60), flush=True)
            os.kill(os.getpid(), 9)
        """
        found = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], stdout=subprocess.PIPE, text=True, check=False,
                               stderr=subprocess.DEVNULL)  # fmt: skip
        stat = Path(f"/proc/{int(found.stdout.split()[0])}/stat")
        end = time.monotonic() + 10
        while stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] != "Z" and time.monotonic() < end:
            time.sleep(0.01)
        self.assertLess(time.monotonic(), end)


class Clocks(unittest.TestCase):
    """Work that takes too long."""

    def test_processor_time(self) -> None:
        _, _, end = ended(spin, Limits(cpu=0.2, wall=60))
        self.assertEqual((end.late, end.how), (sandbox.PROCESSOR, "no answer within 0.2 s of processor time"))

    def test_waiting(self) -> None:
        _, _, end = ended(lambda inside: time.sleep(60), Limits(cpu=60, wall=0.2))
        self.assertEqual((end.late, end.how), (sandbox.WALL, "no answer within 0.2 s"))

    def test_notes_reset_the_clock(self) -> None:
        def work(inside: Inside) -> None:
            for i in range(6):
                inside.journal.note(str(i))
                time.sleep(0.1)

        self.assertTrue(ended(work, Limits(wall=0.4))[2].done)

    def test_idle_children_have_no_deadline(self) -> None:
        def work(inside: Inside) -> None:
            time.sleep(0.5)
            inside.tell("rested")
            inside.journal.note("call")
            time.sleep(60)

        child = Child.start(work, Limits(wall=0.3), SILENT)
        child.rest()
        answers: list[Any] = []
        while not child.over:
            answers += child.take(0.05)
            child.watch()
        self.assertEqual((answers, child.end().late), (["rested"], sandbox.WALL))

    def test_children_that_do_not_exit_are_killed(self) -> None:
        before, sandbox.LEAVE = sandbox.LEAVE, 0.2
        try:
            self.assertEqual(Child.start(spin, output=SILENT).end().how, "killed by SIGKILL")
        finally:
            sandbox.LEAVE = before


class Talks(unittest.TestCase):
    """Requests and answers."""

    def test_exchange(self) -> None:
        def work(inside: Inside) -> None:
            for request in inside.requests():
                if request == "die":
                    os._exit(3)
                inside.tell(request)

        child = Child.start(work, Limits(wall=10))
        for request in ("a", b"b" * 100_000, {"c": None}):
            self.assertEqual(child.exchange(request), request)
        with self.assertRaises(sandbox.Died) as caught:
            child.exchange("die")
        self.assertEqual(caught.exception.end.how, "exit code 3")

    def test_unread_request(self) -> None:
        child = Child.start(spin, Limits(cpu=0.2))
        with self.assertRaises(sandbox.Died) as caught:
            child.exchange("x" * 1_000_000)
        self.assertEqual(caught.exception.end.late, sandbox.PROCESSOR)

    def test_grandchildren_holding_the_pipe_cause_no_wait(self) -> None:
        def work(inside: Inside) -> None:
            inside.tell("one")
            if os.fork() == 0:
                time.sleep(5)
                os._exit(0)
            os.kill(os.getpid(), signal.SIGSEGV)

        start = time.monotonic()
        answers, _, end = ended(work)
        self.assertEqual((answers, end.how), (["one"], "killed by SIGSEGV"))
        self.assertLess(time.monotonic() - start, 4)

    def test_ready_names_children_with_messages(self) -> None:
        slow = Child.start(lambda inside: time.sleep(60), output=SILENT)
        quick = Child.start(lambda inside: inside.tell(1), output=SILENT)
        self.assertEqual(sandbox.ready([slow, quick], 10), [quick])
        slow.kill()
        self.assertEqual((quick.end().done, slow.end().signal), (True, signal.SIGKILL))


class Limited(unittest.TestCase):
    """Code in Python with a limit of processor time."""

    def test_a_loop_ends(self) -> None:
        with self.assertRaisesRegex(TimeoutError, "no result within 0.2 s of processor time"), sandbox.limited(0.2):
            while True:
                pass

    def test_the_limit_ends_with_the_block(self) -> None:
        before = signal.getsignal(signal.SIGVTALRM)
        with sandbox.limited(0.2):
            pass
        until = time.process_time() + 0.4
        while time.process_time() < until:
            pass
        self.assertEqual(signal.getsignal(signal.SIGVTALRM), before)


class Calls(unittest.TestCase):
    """Calls of one function in a child."""

    def test_values_come_back(self) -> None:
        self.assertEqual(sandbox.call(lambda: {"a": [1] * 100_000})[0], {"a": [1] * 100_000})
        self.assertNotEqual(sandbox.call(os.getcwd)[0], os.getcwd())

    def test_failures_return_none(self) -> None:
        self.assertEqual(sandbox.call(lambda: 1 // 0)[0], None)
        self.assertEqual(sandbox.call(os.abort)[1].how, "killed by SIGABRT")
        self.assertEqual(sandbox.call(lambda: time.sleep(60), Limits(wall=0.2))[1].late, sandbox.WALL)


if __name__ == "__main__":
    unittest.main()
