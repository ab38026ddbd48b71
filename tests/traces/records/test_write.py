"""Record files are sorted and compact, and are replaced atomically."""

import json
import tempfile
import unittest
from pathlib import Path

from traces.collect.records import write


class Write(unittest.TestCase):
    """write.line, write_file and table."""

    def test_line(self) -> None:
        """Outputs share one numbering, records are sorted, no spaces."""
        text = write.line("torch", "1", "f-0", "f", [], [(1, "float32"), (2, "int64")], [((3,), [(3,), (1, 2)]),
                          ((1,), [(1,), (1, 2)])], [(9,), (7,)], [], {"b", "a"})  # fmt: skip
        record = json.loads(text)
        self.assertEqual([o["tensor"] for o in record["outputs"]], [["o0"], ["o1", "o2"]])
        self.assertEqual(record["pass"], [[[1], [1, 1, 2]], [[3], [3, 1, 2]]])
        self.assertEqual((record["fail"], record["source"]), ([[7], [9]], ["a", "b"]))
        self.assertNotIn(" ", text)
        self.assertNotIn("\n", text)

    def test_file(self) -> None:
        """No temporary file is left."""
        with tempfile.TemporaryDirectory() as folder:
            write.write_file(Path(folder) / "new" / "a.jsonl", "x\n")
            self.assertEqual([p.name for p in (Path(folder) / "new").iterdir()], ["a.jsonl"])

    def test_table_is_one_line_per_row(self) -> None:
        """Hostile cells cannot create rows or columns."""
        text = write.table(("a", "b"), [("z", "1\t2\n3"), ("y", "\u00e9")])
        self.assertEqual(text, "a\tb\ny\t?\nz\t1\\t2\\n3\n")


if __name__ == "__main__":
    unittest.main()
