"""Imports between the collector's files: no cycles, folders in layers. A framework is imported only in its own
folder, in its files in cross_check/ and upgrade/, and in zoo/, which converts models of one framework for
another, and whose folder eager/ belongs to torch."""

import ast
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLLECT = ROOT / "traces" / "collect"
LAYERS = {
    "call": set(), "judge": {"call"}, "records": {"call", "judge"}, "values": {"call", "judge"},
    "repair": {"call", "judge", "records", "values"}, "frameworks": {"call", "judge", "records", "values", "cache"},
    "user_ops": {"call", "judge", "records", "frameworks", "cache"},
    "plain": {"call", "judge", "records", "frameworks"},
    "dtypes": {"call", "judge", "records", "frameworks", "plain"},
    "cli": {"call", "judge", "records", "values", "repair", "frameworks", "user_ops", "zoo", "cache"},
    "cross_check": {"call", "judge", "records", "frameworks", "cli", "cache"},
    "upgrade": {"call", "judge", "records", "frameworks", "cli", "cache"},
    "unspecified": set(), "zoo": {"call", "records", "frameworks"}, "cache": set(), "__main__": {"cli"}, "": set(),
}  # fmt: skip
FRAMEWORKS = {"torch", "tensorflow", "onnx", "onnxruntime", "jax"}
MOST = 12
"""Files of a folder, without its __init__."""


def name_of(path: Path) -> str:
    """The module name of a file, such as traces.collect.call.spec."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> list[str]:
    """All imports of a file as dotted names, of modules and their members alike."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


class Imports(unittest.TestCase):
    """The files of traces/collect."""

    files = tuple(sorted(COLLECT.rglob("*.py")))

    def graph(self) -> dict[str, set[str]]:
        """The collector's modules that each imports."""
        names = set(map(name_of, self.files))
        return {
            name_of(path): {name if name in names else name.rpartition(".")[0] for name in imported(path)} & names
            for path in self.files
        }

    def test_no_circle(self) -> None:
        """Removes modules without remaining imports until none is left."""
        graph = {name: others - {name} for name, others in self.graph().items()}
        while graph:
            leaves = {name for name, others in graph.items() if not others}
            self.assertTrue(leaves, f"a circle among {sorted(graph)}")
            graph = {name: others - leaves for name, others in graph.items() if name not in leaves}

    def test_layers(self) -> None:
        """A folder imports those that docs/explanation/architecture.md says."""
        for name, others in self.graph().items():
            folder = [*name.split("."), ""][2]
            for other in others:
                there = [*other.split("."), ""][2]
                self.assertTrue(there in (folder, "") or there in LAYERS[folder], f"{name} imports {other}")

    def test_frameworks_stay_in_their_folders(self) -> None:
        """No other file imports a framework, nor a framework's folder."""
        for path in self.files:
            parts = path.relative_to(COLLECT).parts
            own = parts[1] if parts[0] == "frameworks" and len(parts) > 2 else ""
            own = path.stem.partition("_")[0] if parts[0] in ("cross_check", "upgrade") else own
            own = {"eager": "torch", "raw_ops": "tensorflow"}.get(parts[1], own) if parts[0] == "zoo" else own
            # these two record calls as the framework's adapter names them
            for name in imported(path):
                top = name.partition(".")[0]
                allowed = parts[0] == "zoo" or (top.startswith(own) and own)
                self.assertTrue(top not in FRAMEWORKS or allowed, f"{path} imports {name}")
                if name.startswith("traces.collect.frameworks.") and name.split(".")[3] in FRAMEWORKS:
                    self.assertEqual(name.split(".")[3], own, f"{path} imports {name}")

    def test_folders_are_small(self) -> None:
        """A dozen files at most."""
        for folder in {path.parent for path in self.files}:
            files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
            self.assertLessEqual(len(files), MOST, folder)

    def test_the_package_knows_nothing_of_it(self) -> None:
        """The collector imports the package, never the reverse."""
        for path in (ROOT / "runtime" / "python").rglob("*.py"):
            self.assertFalse([name for name in imported(path) if name.startswith("traces")], path)


if __name__ == "__main__":
    unittest.main()
