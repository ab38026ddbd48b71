"""Several targets with one reference, and models compiled as one, on a framework of numpy arrays."""

from __future__ import annotations

import contextlib
import unittest
import unittest.mock
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("no numpy") from None

from rulefuzz.model import Json, Model, Reader
from rulefuzz.oracle import tiers as oracle_tiers
from rulefuzz.oracle import tolerance
from rulefuzz.oracle.check import Check, Clock, cpu_seconds
from rulefuzz.oracle.excuses.verdicts import RejectsByItsOwnLimit, RejectsElements
from rulefuzz.oracle.tiers import Tiers, Way, merged
from rulefuzz.targets import Target
from tests.python.fake import OPERATORS, Fake
from tests.python.oracle.test_check import add, chain, raises, second

ELEMENTS, OWN = RejectsElements.pattern, RejectsByItsOwnLimit.pattern

Change = Callable[[Any], Any]


def same(outputs: Any) -> Any:
    """A target without a fault."""
    return outputs


def refuses_negative(outputs: Any) -> Any:
    """A target that rejects about every second model."""
    if outputs[0][0, 0] < 0:
        raise NotImplementedError("x")
    return outputs


FAST = ModuleType("rulefuzz.settings.a")
FAST.__dict__.update(SETTINGS={"mode": ("plain", "fast")}, configure=lambda given: given)


class Tier:
    """A target that changes the reference's results and records its calls."""

    def __init__(self, name: str, change: Change = same, together: Change | None = None) -> None:
        self.calls: list[int] = []
        self.settings: list[Any] = []
        module = ModuleType("target")

        changes = [change]

        @contextlib.contextmanager
        def as_one() -> Iterator[None]:
            changes.append(together or change)
            try:
                yield
            finally:
                changes.pop()

        def compile_it(subject: Any, example: Any, stage: Callable[[str], None], *settings: Any) -> Any:
            self.calls.append(len(example))
            self.settings += settings
            stage("run")
            by = changes[-1]
            return lambda *inputs: by(subject(*inputs))

        module.compile = compile_it  # type: ignore[attr-defined]
        if together:
            module.together, module.BATCH = as_one, 4  # type: ignore[attr-defined]
        self.target = Target(name, module)


def judged(tiers: Sequence[Tier], *items: Json, probe: bool = False) -> tuple[list[Json], list[tuple[str, str]]]:
    """The answers, and the announced stages."""
    framework, told = Fake(), []
    models = [Reader(framework).model(item) for item in items]
    if probe:
        models = [Model(m.inputs, m.nodes, m.outputs, m.values, m.index, True) for m in models]
    targets = [tier.target for tier in tiers]
    announce = lambda target, stage: told.append((target, stage))  # noqa: E731
    return Tiers(framework, targets, announce, tolerance.MEASURED).run(models), told


class OneByOne(unittest.TestCase):
    """Targets in order of their cost."""

    def test_each_target_runs_the_model(self) -> None:
        (answer,), told = judged([Tier("a"), Tier("b")], chain("fake.copy"))
        self.assertEqual((answer["verdict"], list(answer["tiers"])), ("ok", ["a", "b"]))
        each = ["compile", "run", "judge", "run", "judge"]
        self.assertEqual([stage for _, stage in told], ["reference", *each, *each])
        self.assertEqual({target for target, stage in told if stage == "run"}, {"a", "b"})

    def test_first_failing_target_is_blamed(self) -> None:
        tiers = [Tier("a"), Tier("b", add(0, 9.0)), Tier("c")]
        (answer,), _ = judged(tiers, chain("fake.copy"))
        self.assertEqual((answer["verdict"], answer["target"]), ("inconsistency", "b"))
        self.assertEqual([len(tier.calls) for tier in tiers], [1, 2, 0])  # b's second call locates the difference

    def test_rejection_is_no_fault(self) -> None:
        """Except while probing, which finds out about rejections."""
        no = raises(NotImplementedError("x"))
        (answer,), _ = judged([Tier("a", no), Tier("b")], chain("fake.copy"))
        self.assertEqual((answer["verdict"], answer["target"]), ("ok", "b"))
        self.assertEqual(answer["tiers"]["a"]["verdict"], "unsupported")
        (answer,), _ = judged([Tier("a", no), Tier("b", no)], chain("fake.copy"))
        self.assertEqual(answer["verdict"], "unsupported")
        (answer,), _ = judged([Tier("a"), Tier("b", no)], chain("fake.copy"))
        self.assertEqual((answer["verdict"], answer["target"]), ("ok", "a"))
        (answer,), _ = judged([Tier("a", no), Tier("b")], chain("fake.copy"), probe=True)
        self.assertEqual((answer["verdict"], answer["target"]), ("unsupported", "a"))

    def test_runs_are_counted_over_all_targets(self) -> None:
        """Models with dynamic shapes have counts; answers for other models have none."""
        framework = Fake()
        (way,) = (Way(Check(framework, Tier("a").target, model, Clock(lambda stage: None), tolerance.MEASURED))
                  for model in [Reader(framework).model(chain("fake.copy"))])  # fmt: skip
        way.take("a", {"verdict": "ok", "assignments": {"run": 3, "rejected": 0}}, 0.5)
        way.take("b", {"verdict": "ok"}, 0.25)
        self.assertEqual(way.answer, {"verdict": "ok", "target": "b", "assignments": {"run": 3, "rejected": 0}})
        way.take("c", {"verdict": "error", "assignments": {"run": 2, "rejected": 1}}, 0.001)
        self.assertEqual(way.answer, {"verdict": "error", "target": "c", "assignments": {"run": 5, "rejected": 1}})
        self.assertEqual((way.over, [tier["cpu"] for tier in way.tiers.values()]), (True, [500.0, 250.0, 1.0]))

    def test_first_target_reports_a_wrong_reference(self) -> None:
        """The reference of a call that must repeat."""
        tiers = [Tier("a"), Tier("b")]
        with unittest.mock.patch.object(Fake, "repeats", True):
            (answer,), _ = judged(tiers, chain("fake.copy", "fake.counts"))
        self.assertEqual((answer["verdict"], answer["first"]["wrong"], answer["target"]), ("inconsistency", "reference", "a"))
        (answer,), _ = judged(tiers, chain("fake.copy", "fake.counts"))
        self.assertEqual((answer["verdict"], "target" in answer), ("nondeterministic", False))

    def test_a_reference_without_memory(self) -> None:
        """Out of memory does not mean that the framework rejects the model."""

        def hungry(x: Any) -> Any:
            raise RuntimeError("std::bad_alloc")

        with unittest.mock.patch.dict(OPERATORS, {"fake.raises": hungry}):
            (answer,), _ = judged([Tier("a")], chain("fake.copy", "fake.raises"))
        self.assertEqual((answer["verdict"], answer["node"], answer["tiers"]), ("resource", 1, {}))

    def test_unfit_models_are_not_run(self) -> None:
        tier = Tier("a")
        (answer,), _ = judged([tier], chain("fake.raises"))
        self.assertEqual((answer["verdict"], tier.calls, answer["tiers"]), ("rejected", [], {}))


class AsOne(unittest.TestCase):
    """Models that are compiled as one."""

    def test_merged_models_run_again(self) -> None:
        """If the second run differs, each model runs alone, which decides."""
        for alone, wanted in ((second(add(0, 9.0)), "inconsistency"), (same, "ok")):
            tier = Tier("a", alone, second(add(0, 9.0)))
            answers, _ = judged([tier], chain("fake.copy"), chain("fake.copy", "fake.copy"))
            self.assertEqual([answer["verdict"] for answer in answers], [wanted, "ok"])
            self.assertEqual(tier.calls[:2], [2, 1])

    def test_merging(self) -> None:
        framework = Fake()
        models = [Reader(framework).model(chain(*apis)) for apis in (["fake.copy"], ["fake.positive", "fake.floor"])]
        one = merged(models)
        self.assertEqual([t.id for t in one.inputs], [0, 2])
        self.assertEqual([(node.refs(), node.outputs[0].id) for node in one.nodes], [([0], 1), ([2], 3), ([3], 4)])
        self.assertEqual(one.outputs, (1, 3, 4))

    def test_all_agree(self) -> None:
        tier = Tier("a", together=same)
        answers, _ = judged([tier], *[chain("fake.copy", "fake.floor", values=i) for i in range(4)])
        self.assertEqual([answer["verdict"] for answer in answers], ["ok"] * 4)
        self.assertEqual(tier.calls, [4])
        self.assertEqual(sorted(answers[0]["times"]), ["compile", "judge", "reference", "run"])
        self.assertEqual(sorted(answers[0]["cpu"]), ["compile", "judge", "reference", "run"])

    def test_constants_of_merged_models(self) -> None:
        """Each model has the same constants as alone; the merged model has a seed of its own but no values."""
        tier, items = Tier("a", together=same), [chain("fake.copy", values=i) for i in range(4)]
        for item in items:
            item["inputs"][0]["constant"] = True
        answers, _ = judged([tier], *items)
        self.assertEqual([answer["verdict"] for answer in answers], ["ok"] * 4)
        self.assertEqual(tier.calls, [0])  # merged once, no halves

    def test_time_is_divided(self) -> None:
        """Wall-clock and CPU time are divided among the models; the reference's time is measured for each."""

        def spin(seconds: float) -> None:
            until = cpu_seconds() + seconds
            while cpu_seconds() < until:
                pass

        all_of_them, mine = Clock(lambda stage: None), Clock(lambda stage: None)
        for clock, stages in ((all_of_them, ("compile", "run", "compile", "")), (mine, ("compile", ""))):
            for stage in stages:
                clock(stage)
                spin(0.03 if stage == "compile" else 0.0)
        self.assertGreaterEqual(all_of_them.cpu["compile"], 60)
        before = mine.cpu["compile"]
        mine.share(all_of_them, 4)
        self.assertAlmostEqual(mine.cpu["compile"], before + all_of_them.cpu["compile"] / 4, 2)
        self.assertEqual(sorted(mine.times), sorted(mine.cpu))

    def test_one_differs(self) -> None:
        """Only the model that differs runs again, alone, which decides."""
        tier = Tier("a", add(0, 9.0), add(2, 9.0))
        answers, _ = judged([tier], *[chain("fake.copy", values=i) for i in range(4)])
        self.assertEqual([answer["verdict"] for answer in answers], ["ok", "ok", "inconsistency", "ok"])
        self.assertEqual(tier.calls, [4, 1, 1])

    def test_only_together(self) -> None:
        """A difference of the merged model alone is no finding, since no single model shows it."""
        answers, _ = judged([Tier("a", same, add(2, 9.0))], *[chain("fake.copy", values=i) for i in range(4)])
        self.assertEqual([answer["verdict"] for answer in answers], ["ok"] * 4)

    def test_one_raises(self) -> None:
        """A model that raises is found by halving, then alone."""

        def refuse(outputs: Any) -> Any:
            if any((x < 0).any() for x in outputs):
                raise ValueError("bad")
            return outputs

        tier = Tier("a", refuse, refuse)
        items = [chain("fake.positive", values=i) for i in range(4)]
        items[1] = chain("fake.copy")
        answers, _ = judged([tier], *items)
        self.assertEqual([answer["verdict"] for answer in answers], ["ok", "error", "ok", "ok"])
        self.assertEqual(tier.calls, [4, 2, 1, 1, 1, 2])

    def test_timeouts(self) -> None:
        """After a timeout there is no halving; models that agreed keep their verdicts."""
        cheap, tier, items = Tier("z"), Tier("a", same, add(2, 9.0)), [chain("fake.copy", values=i) for i in range(4)]
        with unittest.mock.patch.object(oracle_tiers, "HALVING", -1.0):
            answers, _ = judged([cheap, tier], *items)
        self.assertEqual([answer["verdict"] for answer in answers], ["ok", "ok", "undecided", "ok"])
        self.assertEqual((answers[2]["tiers"], answers[2]["why"]), ({}, "to be looked at alone"))
        self.assertEqual((list(answers[1]["tiers"]), tier.calls), (["z", "a"], [4]))

    def test_random_model(self) -> None:
        """A random model is not compared, whatever the target returns, and the others are."""
        tier, items = Tier("a", add(1, 9.0), add(1, 9.0)), [chain("fake.copy", values=i) for i in range(3)]
        items[1]["nodes"][0]["random"] = True
        answers, _ = judged([tier], *items)
        self.assertEqual([answer["verdict"] for answer in answers], ["ok", "unspecified", "ok"])
        self.assertEqual(tier.calls, [3])

    def test_different_number_of_outputs(self) -> None:
        """Outputs cannot be assigned to models: each runs by itself, at last in the usual way."""
        tier = Tier("a", same, lambda outputs: outputs[1:])
        answers, _ = judged([tier], *[chain("fake.copy", values=i) for i in range(2)])
        self.assertEqual([answer["verdict"] for answer in answers], ["ok"] * 2)
        self.assertEqual(tier.calls, [2, 1, 1, 1, 1])

    def test_settings(self) -> None:
        """Models are merged with models of the same settings of the target, and probed calls with all."""
        for probe, calls in ((False, [3, 5]), (True, [8])):
            tier = Tier("a", together=same)
            given = [{"mode": "fast"} if i % 3 == 1 else {"other": str(i)} for i in range(8)]
            items = [{**chain("fake.copy", values=i), "settings": one} for i, one in enumerate(given)]
            with unittest.mock.patch.object(Target, "configuration", FAST):
                answers, _ = judged([tier], *items, probe=probe)
            self.assertEqual({answer["verdict"] for answer in answers}, {"ok"})
            self.assertEqual((sorted(tier.calls), len(tier.settings)), (calls, 1 - probe))

    def test_size_of_merged_models(self) -> None:
        """So many calls are compiled as one, and a larger model alone."""
        for sizes, calls in (((3, 3, 4, 1, 6, 4), [3, 2, 1]), ((11, 2, 12), [1, 1, 1]), ((10,), [1]), ((5, 5, 5, 5), [2, 2])):
            tier = Tier("a", together=same)
            items = [chain(*["fake.copy"] * n, values=n) for n in sizes]
            with unittest.mock.patch.object(oracle_tiers, "OPERATORS", 10):
                answers, _ = judged([tier], *items)
            self.assertEqual({answer["verdict"] for answer in answers}, {"ok"})
            self.assertEqual(tier.calls, calls)

    def test_rejected_by_a_cheaper_target(self) -> None:
        """Such a model is compiled alone: it would be rejected with others, too."""
        tiers = [Tier("a", refuses_negative), Tier("b", same, same)]
        answers, _ = judged(tiers, *[chain("fake.copy", values=i) for i in range(8)])
        rejected = sum(answer["tiers"]["a"]["verdict"] == "unsupported" for answer in answers)
        self.assertTrue(0 < rejected < 8)
        self.assertEqual({answer["tiers"]["b"]["verdict"] for answer in answers}, {"ok"})
        self.assertEqual(tiers[1].calls, [8 - rejected, *[1] * rejected])

    def test_cost_of_failed_compilations(self) -> None:
        """The models of a merged compilation that fails share its cost."""

        def slow(outputs: Any) -> Any:
            end = cpu_seconds() + 0.3
            while cpu_seconds() < end:
                pass
            raise RuntimeError("x")

        answers, _ = judged([Tier("a", same, slow)], *[chain("fake.copy", values=i) for i in range(2)])
        self.assertEqual([answer["verdict"] for answer in answers], ["ok"] * 2)
        self.assertTrue(all(answer["tiers"]["a"]["cpu"] > 400 for answer in answers))  # half of 0.3 s, then 0.3 s alone

    def test_only_models_that_cheap_targets_passed(self) -> None:
        first = Tier("a", lambda outputs: [outputs[0] * (1 if outputs[0][0, 0] > 0 else np.nan)])
        second = Tier("b", together=same)
        answers, _ = judged([first, second], *[chain("fake.copy", values=i) for i in range(8)])
        passed = sum(answer["verdict"] == "ok" for answer in answers)
        self.assertTrue(0 < passed < 8)
        self.assertEqual(second.calls, [passed])


def lax() -> Target:
    """A target that drops the checks of two calls and returns their input."""
    module = ModuleType("target")
    module.compile = lambda subject, example, stage: lambda *inputs: [inputs[0]] * 2  # type: ignore[attr-defined]
    return Target("lax", module)


def verdict(target: Target, item: Json, **more: Any) -> Json:
    """The verdict on a model."""
    framework = Fake()
    model = Reader(framework).model({**item, **more})
    (answer,) = Tiers(framework, [target], lambda target, stage: None, tolerance.MEASURED).run([model])
    return answer


class NearMisses(unittest.TestCase):
    """Reference and target may reject a model."""

    def test_both_reject(self) -> None:
        self.assertEqual(verdict(Tier("a").target, chain("fake.copy", "fake.raises"), near_miss=True)["verdict"], "ok")

    def test_a_dropped_check(self) -> None:
        answer = verdict(lax(), chain("fake.copy", "fake.raises"), near_miss=True)
        self.assertEqual((answer["verdict"], answer["api"]), ("accepts-invalid", "fake.raises"))
        self.assertEqual(answer["error"]["message"], "no")

    def test_tracing_targets(self) -> None:
        """The last of those that check shapes first does so for all, and only what passes is compiled."""
        item, compiled = chain("fake.copy", "fake.raises") | {"near_miss": True}, {}
        for rejects in (False, True):
            tiers = [Tier("plain"), Tier("front"), Tier("back")]
            for tier in tiers[1:]:
                tier.target.module.ABSTRACT = True  # type: ignore[attr-defined]
            with unittest.mock.patch.object(Fake, "rejects_abstractly", lambda self, subject, inputs, r=rejects: r):
                (answer,), _ = judged(tiers, item)
            self.assertEqual((answer["verdict"], sorted(answer["tiers"])), ("ok", ["back", "plain"]))
            compiled[rejects] = [len(tier.calls) for tier in tiers]
        self.assertEqual(compiled, {False: [1, 0, 1], True: [1, 0, 0]})

    def test_reference_accepts_the_target_s_form(self) -> None:
        with unittest.mock.patch.object(Fake, "refuses_as_given", lambda self, subject, inputs: False):
            self.assertEqual(verdict(lax(), chain("fake.copy", "fake.raises"), near_miss=True)["verdict"], "unspecified")

    def test_models_not_marked_as_invalid(self) -> None:
        self.assertEqual(verdict(lax(), chain("fake.copy", "fake.raises"))["verdict"], "rejected")

    def test_a_rule_too_strict(self) -> None:
        for last in ("fake.copy", "fake.narrow"):  # a call on the result does not belong to the invalid call
            answer = verdict(lax(), chain("fake.copy", last), near_miss=True)
            self.assertEqual((answer["verdict"], answer["api"], "error" in answer), ("mispredicted", last, False))
        answer = verdict(lax(), chain("fake.narrow", "fake.copy"), near_miss=True)
        self.assertEqual((answer["verdict"], answer["node"], answer["error"]["type"]), ("mispredicted", 0, "Mismatch"))

    def test_an_earlier_call(self) -> None:
        self.assertEqual(verdict(lax(), chain("fake.raises", "fake.copy"), near_miss=True)["verdict"], "rejected")

    def test_unused_results(self) -> None:
        item = {**chain("fake.copy", "fake.raises"), "outputs": [1]}
        self.assertEqual(verdict(lax(), item, near_miss=True)["verdict"], "unspecified")

    def test_element_errors_are_recognized(self) -> None:
        self.assertTrue(ELEMENTS.search("index 7 is out of bounds for dimension 0"))
        self.assertTrue(ELEMENTS.search("index out of range in self"))
        self.assertTrue(ELEMENTS.search("indices[0] = [7, 1] does not index into shape [7,5]"))
        self.assertTrue(ELEMENTS.search("{{function_node x}} seq_lens(2) > input.dims(1) [Op:ReverseSequence]"))
        self.assertTrue(ELEMENTS.search("delta in Range operator can not be zero!"))
        self.assertTrue(ELEMENTS.search("while running ScatterND node. Status Message: invalid indice found, indice = 1"))
        self.assertTrue(ELEMENTS.search("complex padding is what is not supported"))
        self.assertFalse(ELEMENTS.search("expected src to have a size equal to the slice of self"))

    def test_limits_of_an_implementation(self) -> None:
        self.assertTrue(OWN.search("{{node x}} Current implementation only supports equal length strides in the row"))
        self.assertFalse(OWN.search("the implementation of depthwise convolutions has no stride of -1"))

    def test_attributes_are_not_elements(self) -> None:
        """Even if a message mentions elements."""
        for message in ("selected index k out of range", "Dimension out of range (expected to be in [-1, 0], but got 4)",
                        "non-positive groups is not supported", "negative output_padding is not supported"):  # fmt: skip
            self.assertIsNone(ELEMENTS.search(message), message)


if __name__ == "__main__":
    unittest.main()
