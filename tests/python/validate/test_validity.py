"""Which models are valid: single models, many models in children that die, and the summary. Needs numpy alone."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import sys
import tempfile
import unittest
import unittest.mock
from collections import Counter
from pathlib import Path
from typing import Any

try:
    from rulefuzz import framework, validity
    from rulefuzz.framework import Unavailable
    from rulefuzz.model import Reader
    from rulefuzz.protocol import UNAVAILABLE
    from rulefuzz.sandbox import Child, End, Limits
    from rulefuzz.validate import judge, reference
    from tests.python.fake import Fake
except ImportError as missing:
    raise unittest.SkipTest(str(missing)) from None

Json = Any
LIMITS = Limits(memory=4 << 30, cpu=1.0, wall=60.0)


class Counting(Fake):
    """Counts how often it was entered."""

    def notes(self) -> dict[str, int]:
        return {"entered": 1}


def chain(*names: str, index: int = 0, **given: Any) -> Json:
    """A model that chains calls of these APIs; `given` holds further keys of its input."""
    nodes = [
        {
            "op": f"fake.{name}-0",
            "api": f"fake.{name}",
            "args": [{"name": "x", "pos": True, "value": {"ref": i}}],
            "outputs": [{"id": i + 1, "shape": [2, 3], "dtype": "float32"}],
        }
        for i, name in enumerate(names)
    ]
    inputs = [{"id": 0, "shape": [2, 3], "dtype": "float32", **given}]
    return {"index": index, "values": 5, "inputs": inputs, "nodes": nodes, "outputs": [len(names)]}


def judged(item: Json) -> tuple[Json, list[int]]:
    """The answer for one model in this process, and the noted nodes."""
    by, noted = Fake(), list[int]()
    by.enter()
    return judge.judge(by, Reader(by), item, noted.append), noted


class Judge(unittest.TestCase):
    """validate/judge.py."""

    def test_valid_models(self) -> None:
        self.assertEqual(judged(chain("copy", "copy", "copy", index=4)), ({"index": 4, "valid": True, "finite": True}, [0, 2]))

    def test_only_the_node_that_makes_infinities_of_finite_elements(self) -> None:
        answer, _ = judged(chain("copy", "zero", "inverse", "copy"))
        self.assertEqual((answer["valid"], answer["finite"], answer["nonfinite"]), (True, False, [2]))

    def test_nonfinite_list_is_bounded(self) -> None:
        item = chain("zero", *["inverse"] * 10)
        for node in item["nodes"][1:]:
            node["args"][0]["value"]["ref"] = 1
        self.assertEqual(judged(item)[0]["nonfinite"], list(range(1, 9)))

    def test_wrong_results(self) -> None:
        for name, kind, said in (
            ("narrow", "shape", "shape [1, 3] instead of [2, 3]"),
            ("half", "dtype", "dtype float16 instead of float32"),
        ):
            with self.subTest(name):
                answer, _ = judged(chain("copy", name, "copy"))
                self.assertEqual(
                    (answer["node"], answer["api"], answer["kind"], answer["error"]), (1, f"fake.{name}", kind, said)
                )
                self.assertTrue(answer["alone"])
                self.assertNotIn("layout", answer)

    def test_failures_caused_by_elements(self) -> None:
        alone, _ = judged(chain("raises"))
        self.assertEqual((alone["kind"], alone["error"], alone["alone"]), ("raises", "ValueError: no", True))
        elements, _ = judged(chain("zero", "needs_sign"))
        self.assertEqual((elements["node"], elements["alone"]), (1, False))
        self.assertNotIn("layout", elements)

    def test_failures_caused_by_layout(self) -> None:
        answer, _ = judged(chain("gaps", "needs_no_gaps"))
        self.assertEqual((answer["node"], answer["alone"], answer["layout"]), (1, False, True))

    def test_input_facts(self) -> None:
        answer, _ = judged(chain("zero", "raises", range=[2, 7]))
        self.assertEqual(answer["inputs"], [{"shape": [2, 3], "dtype": "float32", "min": 0.0, "max": 0.0, "finite": True}])
        (facts,) = judged(chain("raises", range=[2, 7]))[0]["inputs"]
        self.assertEqual(facts["range"], [2, 7])
        self.assertTrue(2 <= facts["min"] <= facts["max"] < 7)
        self.assertNotIn("values", facts)
        (facts,) = judged(chain("raises", values="positive"))[0]["inputs"]
        self.assertEqual(facts["values"], "positive")
        self.assertNotIn("range", facts)

    def test_fresh_inputs_keep_their_range(self) -> None:
        """A call that needs a negative element fails only for the model's own elements, unless its range has no
        negative ones."""
        self.assertTrue(judged(chain("needs_sign", range=[2, 7]))[0]["alone"])
        self.assertFalse(judged(chain("needs_sign", values="positive"))[0]["alone"])

    def test_unreadable_models(self) -> None:
        item = chain("copy", "copy")
        item["nodes"][1]["api"] = "fake.nothing"
        answer, noted = judged(item)
        self.assertEqual((answer["node"], answer["kind"], answer["alone"], answer["inputs"]), (1, "raises", True, []))
        self.assertIn("unknown operator", answer["error"])
        self.assertEqual(noted, [])


def answers(*items: Json, jobs: int = 1, by: Fake | None = None) -> list[Json]:
    """A fleet's answers for models."""
    fleet = reference.Fleet(by or Fake(), jobs, LIMITS)
    lines = [json.dumps(item) for item in items]
    told = list(fleet.answers(lines))
    assert [line for line, _ in told] == lines
    return [answer for _, answer in told]


class Deaths(unittest.TestCase):
    """validate/reference.py."""

    def test_a_death_costs_one_model(self) -> None:
        told = answers(chain("copy"), chain("copy", "copy", "abort", index=1), chain("copy", index=2))
        self.assertEqual([answer["valid"] for answer in told], [True, False, True])
        died = told[1]
        self.assertEqual((died["index"], died["node"], died["kind"], died["alone"]), (1, 2, "crash", True))
        self.assertIn("SIGABRT", died["error"])
        self.assertEqual([facts["shape"] for facts in died["inputs"]], [[2, 3]])

    def test_fatal_call_of_a_span(self) -> None:
        """Two calls are one run: the first is noted, the second dies."""
        (died,) = answers(chain("copy", "copy", "copy", "abort"))
        self.assertEqual((died["node"], died["api"]), (3, "fake.abort"))

    def test_fatal_call_from_notes(self) -> None:
        """If each call is one run, nothing is run again. The notes of another model are not used."""

        class Single(Fake):
            def span(self, nodes: Any, start: int, dtypes: Any) -> int:
                return 1

        told = answers(chain("copy", "copy"), chain("copy", "abort", index=1), by=Single())
        self.assertEqual((told[0]["valid"], told[1]["node"]), (True, 1))

    def test_each_of_many_deaths(self) -> None:
        told = answers(*[chain("copy", "abort", index=i) if i % 2 else chain("copy", index=i) for i in range(6)], jobs=2)
        self.assertEqual([answer["valid"] for answer in told], [True, False] * 3)
        self.assertEqual([answer["index"] for answer in told], list(range(6)))

    def test_a_hang_is_no_crash(self) -> None:
        (died,) = answers(chain("spin"))
        self.assertEqual((died["kind"], died["node"]), ("hang", 0))

    def test_call_that_exits_with_0(self) -> None:
        told = answers(chain("leave"), chain("copy", index=1))
        self.assertEqual((told[0]["kind"], told[0]["error"], told[1]["valid"]), ("crash", "exit code 0", True))

    def test_a_call_that_dies_once(self) -> None:
        """If the crash does not repeat with other elements of the class, it is attributed to the elements."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        mark = Path(folder.name, "died")

        class Once(Fake):
            def resolve(self, api: str) -> Any:
                if api != "fake.abort":
                    return super().resolve(api)

                def once(x: Any) -> Any:
                    if not mark.exists():
                        mark.touch()
                        os.abort()
                    return x.copy()

                return once

        (died,) = answers(chain("abort"), by=Once())
        self.assertEqual((died["node"], died["kind"], died["alone"]), (0, "crash", False))

    def test_batch_size_is_limited(self) -> None:
        by = Counting()
        fleet = reference.Fleet(by, 1, LIMITS)
        with unittest.mock.patch.object(reference, "BATCH", 2):
            told = list(fleet.answers(json.dumps(chain("copy", index=i)) for i in range(5)))
        self.assertEqual([answer["index"] for _, answer in told], list(range(5)))
        self.assertEqual(fleet.notes, Counter(entered=3))

    def test_closed_iterator_leaves_no_child(self) -> None:
        fleet = reference.Fleet(Fake(), 2, LIMITS)
        ended = list[str]()
        end = Child.end

        def noted(child: Child) -> End:
            told = end(child)
            ended.append(told.how)
            return told

        with (
            unittest.mock.patch.object(reference, "BATCH", 2),
            unittest.mock.patch.object(Child, "end", noted),
        ):
            told = fleet.answers(json.dumps(chain("copy" if i < 2 else "spin", index=i)) for i in range(4))
            next(told)
            told.close()  # type: ignore[attr-defined]
        self.assertEqual(len(ended), 2)
        self.assertEqual(ended[-1], "killed by SIGKILL")


class Summary(unittest.TestCase):
    """validity.py."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def ran(self, items: list[Json], *words: str, by: Fake | None = None) -> tuple[str, str]:
        """Standard output and standard error."""
        out, err = io.StringIO(), io.StringIO()
        lines = io.StringIO("".join(json.dumps(item) + "\n" for item in items))
        with (
            unittest.mock.patch.object(sys, "stdin", lines),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            self.assertEqual(validity.judge_all(by or Fake(), validity.parser().parse_args(words), LIMITS), 0)
        return out.getvalue(), err.getvalue()

    def test_interval(self) -> None:
        self.assertEqual(validity.interval(0, 0), (0.0, 1.0))
        for count, total, low, high in ((3, 11, 0.0975, 0.5657), (0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0)):
            got = validity.interval(count, total)
            self.assertTrue(math.isclose(got[0], low, abs_tol=5e-5) and math.isclose(got[1], high, abs_tol=5e-5), got)

    def test_summary_text(self) -> None:
        models = [
            chain("copy"),
            chain("zero", "inverse", "inverse", index=1),
            chain("copy", "raises", index=2),
            chain("raises", index=3),
            chain("zero", "needs_sign", index=4),
            chain("gaps", "needs_no_gaps", index=5),
        ]
        out, err = self.ran(models, "--show", "1", by=Counting())
        self.assertEqual([json.loads(line)["index"] for line in out.splitlines()], list(range(6)))
        said = err.splitlines()
        self.assertTrue(said[0].startswith("2 of 6 models valid (33.33 %, "), said[0])
        self.assertTrue(said[0].endswith(", 16.7 % finite, 7 APIs, 4 failures in 11 calls"), said[0])
        self.assertEqual(
            said[1:],
            [
                "     2 raises alone",
                "     1 raises",
                "     1 raises by layout",
                "     2 fake.raises-0: model 2, node 1: ValueError: no",
                "non-finite first from: fake.inverse-0 1",
                "run otherwise: entered 1",
            ],
        )

    def test_no_models(self) -> None:
        out, err = self.ran([])
        self.assertEqual(out, "")
        self.assertEqual(
            err, "0 of 0 models valid (100.00 %, 95 % interval 0.00 to 100.00 %), 0.0 % finite, 0 APIs, 0 failures in 0 calls\n"
        )

    def test_files(self) -> None:
        failures, nonfinite = self.folder / "failures", self.folder / "nonfinite"
        broken = chain("copy", index=2)
        broken["nodes"][0]["api"] = "fake.nothing"
        models = [chain("zero", "inverse", "inverse", "inverse"), chain("copy", "narrow", index=1), broken]
        out, _ = self.ran(models, "--quiet", "--failures", str(failures), "--nonfinite", str(nonfinite))
        self.assertEqual(out, "")
        self.assertEqual(nonfinite.read_text(), "op\tnonfinite\tcalls\nfake.inverse-0\t2\t3\n")
        shape, unread = map(json.loads, failures.read_text().splitlines())
        self.assertEqual((shape["op"], shape["in"], shape["out"]), ("fake.narrow-0", [2, 3], [2, 3]))
        self.assertEqual((shape["dtypes"], shape["constants"]), (["float32"], []))
        self.assertEqual((shape["kind"], shape["node"], shape["values"], shape["index"]), ("shape", 1, 5, 1))
        self.assertFalse({"valid", "api"} & shape.keys())
        self.assertEqual((unread["in"], unread["dtypes"], unread["constants"], unread["out"]), ([], [], [], [2, 3]))

    def test_missing_framework(self) -> None:
        err = io.StringIO()
        with (
            unittest.mock.patch.object(framework, "load", side_effect=Unavailable("not here")),
            contextlib.redirect_stderr(err),
        ):
            self.assertEqual(validity.main(["torch"]), UNAVAILABLE)
        self.assertEqual(err.getvalue(), "rulefuzz.validity: error: not here\n")


if __name__ == "__main__":
    unittest.main()
