"""Rows that a collection writes and keeps."""

import tempfile
import unittest
from pathlib import Path

from traces.collect.cli.publish import write_table


class Tables(unittest.TestCase):
    """main._write_table."""

    def test_keeps_rows_of_others(self) -> None:
        """The rows of the collected APIs are replaced, the others stay, all are sorted."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.tsv"
            header = ("api", "reason")
            write_table(path, header, [("a", "old"), ("c", "old")], {"a", "c"}, True)
            write_table(path, header, [("c", "new"), ("b", "new")], {"b", "c"}, False)
            self.assertEqual(path.read_text(), "api\treason\na\told\nb\tnew\nc\tnew\n")
            write_table(path, header, [("d", "new")], {"d"}, True)
            self.assertEqual(path.read_text(), "api\treason\nd\tnew\n")


if __name__ == "__main__":
    unittest.main()
