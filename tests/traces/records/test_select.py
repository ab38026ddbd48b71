"""Which of the tried inputs are recorded."""

import unittest

from traces.collect.judge.verdict import PASS, Verdict
from traces.collect.records.augment import Records
from traces.collect.records.select import select
from traces.collect.records.settings import Budget


class Passing(unittest.TestCase):
    """select.select"""

    def test_spread(self) -> None:
        """Early and late mutants are kept; the choice is reproducible."""
        records = Records()
        for i in range(200):
            records.passing[(i,)] = Verdict(PASS)
            records.kinds[(i,)] = "joint"
        kept, failing = select(records, Budget(passing_if_no_failure=20))
        self.assertEqual((len(kept), failing), (20, []))
        self.assertTrue(all(any(a <= i < a + 50 for (i,) in kept) for a in range(0, 200, 50)))
        self.assertEqual(kept, select(records, Budget(passing_if_no_failure=20))[0])


if __name__ == "__main__":
    unittest.main()
