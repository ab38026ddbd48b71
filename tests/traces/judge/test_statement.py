"""The effect of changed elements of integer tensors, and the notation this implies for the tensors. Toy
functions answer."""

import unittest
from collections.abc import Sequence

from rulefuzz.framework import Rejected
from tests.traces.told import Answer, Told, sample
from traces.collect.call.arglist import signature
from traces.collect.call.restate import ELEMENTS, PLAIN, RANGE, restate
from traces.collect.call.spec import Call, TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.statement import BOUND, EACH, NOTHING, SHAPES, SINGLE, UNSEEN, bounded, forms, joint, seen


def strided(x: list[int], begin: list[int], end: list[int], mask: int = 0) -> tuple[int, ...]:
    """A slice with ends clamped to the tensor; masked begins are ignored."""
    ends = zip(x, begin, end, strict=True)
    return tuple(max(0, min(e, d) - max(0 if mask else b, 0)) for d, b, e in ends)


def inside(bound: int, items: Sequence[int]) -> None:
    """Rejects indices beyond a dimension."""
    if any(not 0 <= i < bound for i in items):
        raise Rejected("out of range")


class Seen(unittest.TestCase):
    """statement.seen"""

    def seen(self, answer: Answer, *calls: Call) -> list[str]:
        """The effect of the lists, after x."""
        found = seen(Told(answer), calls)
        self.assertEqual(found[0], UNSEEN)
        return found[1:]

    def test_nothing(self) -> None:
        """Elements without influence."""
        self.assertEqual(self.seen(lambda x, items: tuple(x), sample((4,), ["a"], [1, 2])), [NOTHING])

    def test_clamped(self) -> None:
        """Elements that are clamped in most cases still decide shapes."""
        self.assertEqual(self.seen(strided, sample((4, 5), ["a", "b"], [0, 1], [3, 9])), [SHAPES, SHAPES])

    def test_index(self) -> None:
        """The same bound at every position."""

        def select(x: list[int], items: list[int]) -> tuple[int, ...]:
            inside(x[0], items)
            return (len(items), *x[1:])

        self.assertEqual(self.seen(select, sample((4, 5), ["a"], [0, 3, 1])), [BOUND])
        self.assertEqual(self.seen(select, sample((1, 5), ["a"], [0, 0]), sample((3, 5), ["a"], [0, 0])), [BOUND])
        self.assertEqual(self.seen(select, sample((3, 5), ["a"], [0, 0]), sample((1, 5), ["a"], [0, 0])), [BOUND])

    def test_columns(self) -> None:
        """Columns that index different dimensions, which are equal in the sample."""

        def select(x: list[int], rows: list[list[int]]) -> tuple[int, ...]:
            for bound, *column in zip(x, *rows, strict=True):
                inside(bound, column)
            return (len(rows),)

        self.assertEqual(self.seen(select, sample((3, 3), ["a"], [[0, 1], [2, 0]])), [EACH])

    def test_columns_of_sizes(self) -> None:
        """Columns that index sizes given by another tensor."""

        def scatter(x: list[int], rows: list[list[int]], sizes: list[int]) -> tuple[int, ...]:
            for bound, *column in zip(sizes, *rows, strict=True):
                inside(bound, column)
            return tuple(sizes)

        self.assertEqual(self.seen(scatter, sample((2,), ["a", "sizes"], [[0, 1], [2, 0]], [3, 3])), [EACH, SHAPES])

    def test_ascending(self) -> None:
        """Offsets that must ascend, and elements that must equal one number."""

        def offsets(x: list[int], items: list[int]) -> tuple[int, ...]:
            if items != sorted(items):
                raise Rejected("they descend")
            return tuple(x)

        def exact(x: list[int], items: list[int]) -> tuple[int, ...]:
            if items != x:
                raise Rejected("other dimensions")
            return (1,)

        self.assertEqual(self.seen(offsets, sample((4,), ["a"], [0, 2, 2])), [EACH])
        self.assertEqual(self.seen(exact, sample((2, 2), ["a"], [2, 2])), [SINGLE])
        self.assertEqual(self.seen(exact, sample((2, 3), ["a"], [2, 3])), [EACH])

    def test_range(self) -> None:
        """Unknown elements: any within their range are accepted and none beyond it, or they count as unbounded."""

        def select(x: list[int], items: list[int]) -> tuple[int, ...]:
            inside(x[0], items)
            return (len(items), *x[1:])

        def ascending(x: list[int], items: list[int]) -> tuple[int, ...]:
            inside(x[0], sorted(items, key=lambda i: i if items == sorted(items) else -1))
            if items != sorted(items):
                raise Rejected("they descend")
            return tuple(x)

        def sized(x: list[int], items: list[int]) -> tuple[int, ...]:
            inside(x[0], items)
            return (sum(items),)

        cases = ((select, [0, 3, 1], BOUND), (select, [2, 2, 2], UNSEEN), (ascending, [0, 1, 3], UNSEEN),
                 (sized, [0, 3, 1], UNSEEN))  # fmt: skip
        for answer, items, does in cases:
            self.assertEqual(self.seen(answer, sample((4, 5), ["a"], items, told=False)), [does])
        self.assertEqual(self.seen(lambda x, items: tuple(x), sample((4,), ["a"], [0, 3], told=False)), [UNSEEN])

    def test_untold(self) -> None:
        """Calls with unknown elements, or rejected with known ones, show nothing."""

        def never(x: list[int], items: list[int]) -> tuple[int, ...]:
            raise Rejected("never")

        self.assertEqual(self.seen(never, sample((4,), ["a"], [1])), [UNSEEN])
        self.assertEqual(self.seen(lambda x, items: tuple(x), sample((4,), ["a"], [1], told=False)), [UNSEEN])

    def test_few_questions(self) -> None:
        """A tensor of data costs few queries."""
        framework = Told(lambda x, items: tuple(x))
        seen(framework, [sample((4,), ["a"], list(range(12)))] * 9)
        self.assertLess(framework.asked, 400)


class Forms(unittest.TestCase):
    """statement.joint and statement.forms"""

    def test_jointly(self) -> None:
        """Elements that decide shapes under one constant are recorded as elements under every other."""
        free, masked = sample((4,), ["begin", "end"], [1], [3]), sample((4,), ["begin", "end"], [1], [3])
        does = [seen(Told(strided), [free]), seen(Told(lambda x, begin, end: strided(x, begin, end, 1)), [masked])]
        self.assertEqual(does[1][1:], [NOTHING, SHAPES])
        most = joint([(free.args, does[0]), (masked.args, does[1])])
        self.assertEqual(most, {"x": UNSEEN, "begin": SHAPES, "end": SHAPES})
        self.assertEqual(forms(masked.args, does[1], most)[1:], [(ELEMENTS,), (ELEMENTS,)])

    def test_never_plain(self) -> None:
        """A list rejected in one structure is plain in none; an index of one column stays a range beside
        coordinates."""
        call = sample((4,), ["a"], [1])
        cases = ((NOTHING, EACH, ELEMENTS), (UNSEEN, BOUND, RANGE), (BOUND, EACH, RANGE), (NOTHING, NOTHING, PLAIN),
                 (SINGLE, SINGLE, ELEMENTS), (SINGLE, BOUND, RANGE))  # fmt: skip
        for does, most, first in cases:
            self.assertEqual(forms(call.args, [UNSEEN, does], {"a": most})[1][0], first)
        self.assertEqual(forms(call.args, [UNSEEN, UNSEEN], {"a": EACH})[1], (ELEMENTS,))  # columns with unknown elements
        for does, most, known in ((BOUND, BOUND, {1}), (UNSEEN, BOUND, {1}), (SINGLE, BOUND, {1}), (NOTHING, BOUND, set())):
            self.assertEqual(bounded(call.args, [UNSEEN, does], {"a": most}), known)

    def test_axis(self) -> None:
        """Bounded elements are a range; elements that count dimensions are constants, as in lists of integers."""
        for name, first in (("index", RANGE), ("axis", ELEMENTS), ("dims", RANGE)):
            call = sample((4,), [name], [1])
            does = [UNSEEN, BOUND]
            self.assertEqual(forms(call.args, does, joint([(call.args, does)]))[1][0], first)

    def test_restate(self) -> None:
        """Notations are assigned to tensors by position, also past a tensor without hints."""
        bare = TensorSpec((2,), "int64")
        hinted = TensorSpec((1,), "int64", [3], (3, 4))
        call = symbolise("toy.f", [("a", True, bare), ("b", True, hinted)])
        new = restate(call, (PLAIN, ELEMENTS))
        assert new is not None
        self.assertEqual(new.args[1]["value"], {"elements": ["s1"], "dtype": "int64"})
        self.assertIsNone(restate(call, (ELEMENTS, ELEMENTS)))
        other = restate(call, (PLAIN, RANGE))
        assert other is not None
        self.assertNotEqual(signature(new.args), signature(other.args))


if __name__ == "__main__":
    unittest.main()
