"""What needs no framework of the sources: children that die, the rows of the tables that stay."""

import os
import tempfile
import time
import unittest
from pathlib import Path

from traces.collect.cli.collect import _write_table
from traces.collect.judge.apart import apart


class Apart(unittest.TestCase):
    """apart.apart."""

    def test_answers(self) -> None:
        """What the function returned, also when it is larger than a pipe."""
        self.assertEqual(apart(lambda: {"a": [1] * 100000}, 20), {"a": [1] * 100000})

    def test_deaths(self) -> None:
        """None for an exception, a crash and a hang; the folder that it worked in is no other's."""
        self.assertIsNone(apart(lambda: 1 // 0, 20))
        self.assertIsNone(apart(os.abort, 20))
        start = time.monotonic()
        self.assertIsNone(apart(lambda: time.sleep(60), 1))
        self.assertLess(time.monotonic() - start, 30)
        self.assertNotEqual(apart(os.getcwd, 20), os.getcwd())


class Tables(unittest.TestCase):
    """main._write_table."""

    def test_keeps_rows_of_others(self) -> None:
        """The rows of what was asked now are replaced, the others stay, all are sorted."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.tsv"
            header = ("api", "reason")
            _write_table(path, header, [("a", "old"), ("c", "old")], {"a", "c"}, True)
            _write_table(path, header, [("c", "new"), ("b", "new")], {"b", "c"}, False)
            self.assertEqual(path.read_text(), "api\treason\na\told\nb\tnew\nc\tnew\n")
            _write_table(path, header, [("d", "new")], {"d"}, True)
            self.assertEqual(path.read_text(), "api\treason\nd\tnew\n")


if __name__ == "__main__":
    unittest.main()
