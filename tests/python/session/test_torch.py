"""Sessions in torch: each construct runs, each state change is seen, and planted faults are found."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import torch  # noqa: F401

    from rulefuzz import framework, targets
except ImportError:
    raise unittest.SkipTest("no torch") from None

from rulefuzz.faults import torch_sessions
from rulefuzz.model import BadModel, Json, Reader
from rulefuzz.oracle.check import Clock
from rulefuzz.oracle.tiers import Tiers
from rulefuzz.script import sequence
from rulefuzz.session import construct
from rulefuzz.session.construct import Item
from rulefuzz.session.sequence import Sequence


@functools.cache
def adapter() -> Any:
    return framework.load("torch")


def item(constructs: str, changes: str) -> Json:
    """A model of an addition and a negation with this session."""

    def tensor(number: int, **more: Any) -> Json:
        return {"id": number, "shape": [2, 3], "dtype": "float32", **more}

    def call(api: str, refs: list[int], out: int) -> Json:
        args = [{"name": "x", "pos": True, "value": {"ref": r}} for r in refs]
        return {"api": api, "args": args, "outputs": [tensor(out)]}

    nodes = [call("torch.add", [0, 1], 2), call("torch.neg", [2], 3)]
    session = {"constructs": constructs.split(), "changes": changes.split()}
    return {"model": 1, "framework": "torch", "values": 5, "inputs": [tensor(0), tensor(1, constant=True)], "nodes": nodes,
            "outputs": [2, 3], "session": session}  # fmt: skip


def check(constructs: str, changes: str) -> Sequence:
    """Its check; the reference has run."""
    model = Reader(adapter()).model(item(constructs, changes))
    made = Sequence(adapter(), targets.load("torch-same"), model, Clock(lambda stage: None))
    made.unfit_answer = made.unfit()  # type: ignore[attr-defined]
    return made


def planted(checked: Sequence, fault: str) -> Json:
    """The verdict on eager mode with a fault."""
    with unittest.mock.patch.dict("os.environ", {"RULEFUZZ_PLANTED": fault}):
        return checked.by(targets.load("torch-planted")).judged()


class Constructs(unittest.TestCase):
    """A test for each row; see the end of this file."""

    def agrees(self, name: str, changes: str) -> Sequence:
        """The check of a session in which eager mode agrees with itself and no call of the model is lost."""
        checked = check(f"{name}:0", changes)
        self.assertIsNone(checked.unfit_answer)  # type: ignore[attr-defined]
        self.assertEqual(checked.judged()["verdict"], "ok")
        self.assertEqual(checked._exact[0], True)
        self.assertEqual([str(one["raised"]) for one in checked._eager[:1]], ["None"])
        return checked

    def row(self, name: str) -> None:
        """Its changes are seen: without them, something that is compared is other. Some matter only after others."""
        changes = construct.filled(Item(name, 0), 0, "", "", "()").changes
        unchanged = self.agrees(name, "same:0")._eager[1]
        seen = [bool(adapter().sessions.other_told(self.agrees(name, f"state:{2 * k}")._eager[1], unchanged)[0])
                for k in range(len(changes))]  # fmt: skip
        self.assertTrue(any(seen) or not changes)
        self.agrees(name, "sizes:0 number:0 dtype:2")


class Optimizers(unittest.TestCase):
    def test_each_takes_steps(self) -> None:
        for k in range(len(construct.OPTIMIZERS)):
            pick = k * len(construct.NUMBERS)
            with self.subTest(construct.optimizer(pick, 0)):
                found = check(f"training-step:{pick}", "same:0")
                self.assertIsNone(found.unfit_answer)  # type: ignore[attr-defined]
                weights = [run["told"]["training-step 0"][1][0] for run in found._eager]
                self.assertNotIn("[[1.0, 1.0], [1.0, 1.0]]", str(weights[1]))


SHOWN = {
    "stale-attribute": ("callable-object:0", "state:0"),
    "stale-buffer": ("buffer-update:0", "state:0"),
    "stale-class-attribute": ("class-attribute:0", "state:0"),
    "stale-closure": ("closure:0", "state:0"),
    "stale-code": ("code-exchange:0", "state:0"),
    "stale-default": ("default-arguments:0", "state:0"),
    "stale-default-dtype": ("factories:0", "default-dtype:0"),
    "stale-dtype": ("metadata:0", "dtype:0"),
    "stale-element": ("dict-element:0", "state:0"),
    "stale-global": ("early-return-flag:0", "state:0"),
    "stale-grad-mode": ("modes:0", "grad-mode:0"),
    "stale-number": ("python-numbers:0", "number:0"),
    "stale-size": ("early-return-shape:0", "sizes:0"),
    "stale-submodule": ("loop-layers:0", "state:4"),
    "stale-training": ("training-mode:0", "state:0"),
    "stale-autocast": ("modes:0", "autocast:0"),
    "stale-strides": ("metadata:0", "strides:0"),
    "stale-identity": ("input-view:0", "alias:0"),
    "lost-attribute": ("property:0", "same:0"),
    "lost-buffer": ("buffer-update:0", "same:0"),
    "lost-class-attribute": ("class-attribute:0", "same:0"),
    "lost-closure": ("nonlocal:0", "same:0"),
    "lost-element": ("list-append:0", "same:0"),
    "lost-global": ("global-counter:0", "same:0"),
    "lost-input-write": ("input-write:0", "same:0"),
    "lost-print": ("print:0", "same:0"),
    "lost-alias": ("input-view:0", "same:0"),
    "lost-gradient": ("detach:0", "requires-grad:0"),
    "twice": ("list-append:0", "same:0"),
    "exception-swallowed": ("exception-state:0", "number:12"),
}
"""A session that shows each fault."""


class Faults(unittest.TestCase):
    def test_all_are_found(self) -> None:
        self.assertEqual(set(SHOWN), set(torch_sessions.FAULTS))
        for fault, (constructs, changes) in SHOWN.items():
            with self.subTest(fault):
                checked = check(constructs, changes)
                self.assertIsNone(checked.unfit_answer)  # type: ignore[attr-defined]
                self.assertEqual(checked.judged()["verdict"], "ok")
                self.assertEqual(planted(checked, fault)["verdict"], "inconsistency")

    def test_without_a_session_none_is(self) -> None:
        model = {key: value for key, value in item("", "").items() if key != "session"}
        for fault in torch_sessions.FAULTS:
            with unittest.mock.patch.dict("os.environ", {"RULEFUZZ_PLANTED": fault}):
                tiers = Tiers(adapter(), [targets.load("torch-planted")], lambda target, stage: None, "measured")
                self.assertEqual(tiers.run([Reader(adapter()).model(model)])[0]["verdict"], "ok")


class Answers(unittest.TestCase):
    def test_an_answer_names_construct_and_change(self) -> None:
        found = planted(check("closure:0", "state:0"), "stale-closure")
        self.assertEqual(found["first"]["api"], "session.closure")
        self.assertRegex(found["title"], r"^closure: result 0 is .* in call 2 after state$")

    def test_targets_without_sessions_see_the_model_alone(self) -> None:
        self.assertEqual(check("closure:0", "state:0").by(targets.load("torch-decomp")).judged()["verdict"], "ok")

    def test_they_are_skipped_if_another_target_has_sessions(self) -> None:
        model = Reader(adapter()).model(item("closure:0", "state:0"))
        for names in (["torch-decomp"], ["torch-decomp", "torch-planted"]):
            tiers = Tiers(adapter(), [targets.load(name) for name in names], lambda target, stage: None, "measured")
            self.assertEqual(list(tiers.run([model])[0]["tiers"]), names[-1:])

    def test_dynamo_agrees(self) -> None:
        self.assertEqual(check("closure:0", "state:0 sizes:0").by(targets.load("torch-dynamo")).judged()["verdict"], "ok")

    def test_an_unknown_construct_is_unreadable(self) -> None:
        with self.assertRaises(BadModel):
            Reader(adapter()).model(item("no-such:0", ""))


class Scripts(unittest.TestCase):
    def run_script(self, change: Callable[[str], str]) -> subprocess.CompletedProcess[str]:
        """Runs the script of a session, changed."""
        model = Reader(adapter()).model(item("closure:0 print:0", "values:0 state:0"))
        text = sequence.script(adapter(), targets.load("torch-same"), model, "a title")
        self.assertIn(check("closure:0 print:0", "values:0 state:0").text, text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "repro.py")
            path.write_text(change(text), encoding="utf-8")
            return subprocess.run([sys.executable, "-I", str(path)], capture_output=True, text=True, check=False)

    def test_a_script_needs_torch_alone(self) -> None:
        done = self.run_script(lambda text: text)
        self.assertEqual((done.returncode, done.stdout), (0, "not reproduced: reference and target agree\n"), done.stderr)

    def test_a_script_shows_a_fault(self) -> None:
        twice = "    return lambda *x: (function(*x), function(*x))[1]\n"
        done = self.run_script(lambda text: text.replace('    stage("run")\n    return function\n', twice))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("REPRODUCED: result 0 in call 1", done.stdout)


def _add_rows() -> None:
    for name in construct.rows():
        setattr(Constructs, f"test_{name.replace('-', '_')}", lambda self, name=name: self.row(name))


_add_rows()

if __name__ == "__main__":
    unittest.main()
