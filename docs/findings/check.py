"""Runs the scripts of the findings, each in an empty environment, or checks and writes the index of README.md.

    python docs/findings/check.py [TARGET…]        run the scripts of these targets (default: all)
    python docs/findings/check.py --index          rewrite the index of README.md and index.tsv from the pages
    python docs/findings/check.py --check          check the pages and that both are up to date

rulefuzz links index.tsv and compares findings with it (runtime/report/documented).

A script reproduces its bug if it prints a line that begins with "actual:" and exits with 1, or if a signal kills it. It exits
with 0 if the bug is fixed; a page says so in its field "fixed". Everything else is a failed script. Scripts of targets that are
not installed are skipped.
Exit code: 0 success, 1 bad input or stale index, 3 a script failed.
"""

import functools
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BEGIN, END = "<!-- index: written by check.py --index -->", "<!-- end of the index -->"
FIELDS = ("target", "versions", "class", "operators", "needs", "upstream", "found", "script")
CLASSES = ("crash", "hang", "wrong result", "lost validation", "rejected valid model")
NEEDS = frozenset(
    {
        "single call", "two operators", "three operators", "four operators", "five operators", "constants", "initializers",
        "zero-size dimension", "invalid model", "special values", "dynamic shapes", "several shape instances", "broadcasting",
        "gradients", "subgraph body", "layout/strides", "equal dimensions", "module", "duplicate calls", "uninitialized memory",
        "input compared after the run", "Python state",
    }
)  # fmt: skip
ENVIRONMENTS = ("torch", "tensorflow", "onnx", "openvino", "tract", "mnn", "tvm", "litert", "opencv",
                "tinygrad", "iree", "onnxslim", "onnxsim", "onnxoptimizer", "onnxscript", "transformers", "onnxconverter", "tf2onnx", "torchonnx", "debian")  # first words of names
# Environments that first words of names do not name.
OTHERS = {"onnxscript": "onnxscript-optimizer", "transformers": "onnxruntime-transformers",
          "onnxconverter": "onnxconverter-float16", "torchonnx": "torch-onnx"}
DEBIAN = Path("/usr/bin/python3")  # runs debian-*.py if it imports torch 1.13
COMPILE = "torch-inductor, torch-aot, torch-decomp, torch-passes, torch-specialised, torch-freezing, torch-export"
BACKENDS = {
    "onnxruntime": "onnxruntime", "onnx": "onnx", "OpenVINO": "openvino", "MNN": "mnn", "tract": "tract", "TVM": "tvm", "LiteRT": "litert",
    "TensorFlow": "tensorflow", "XLA": "tensorflow-xla", "torch": "torch", "torch.compile": COMPILE, "torch.export": COMPILE,
    "FakeTensor": COMPILE, "torch.jit": "torch-jit", "torch.jit 1.13.1": "torch-jit",
    "OpenCV": "opencv", "tinygrad": "tinygrad", "IREE": "iree", "onnxslim": "onnxslim", "onnxsim": "onnxsim", "onnxoptimizer": "onnxoptimizer",
    "onnxscript": "onnxscript-optimizer, onnxscript-rewriter, onnxscript-version-converter", "tf2onnx": "tf2onnx",
    "onnx.version_converter": "onnx-version-converter", "onnxruntime.transformers": "onnxruntime-transformers",
    "torch.onnx": "torch-onnx, torch-onnx-18", "onnxruntime.quantization": "onnxruntime-quantization", "onnxconverter-common": "onnxconverter-float16",
}  # the backends of rulefuzz that run a target; tensorflow stands for tensorflow-graph, too  # fmt: skip
# Of index.tsv, in the order in which runtime/report/documented/pages.c reads them.
COLUMNS = ("backends", "class", "page", "title", "operators", "needs", "upstream", "expected", "actual", "quoted")
LONGEST = 400  # characters of a column of index.tsv
# Messages and code; source files, which panics name.
QUOTED = re.compile(r'"([^"\n]{6,})"|`([^`\n]{6,})`|\b(\w+\.(?:rs|cc?|cpp|py|h))\b')
MORE = re.compile(r"\b(two|three|four|five) operators\b")
TITLE = 80  # characters of a title at most
TIMEOUT = 180


def words(text: str) -> list[str]:
    """The items of a comma-separated field."""
    return [word.strip() for word in text.split(",")]


def page(path: Path) -> dict[str, str]:
    """The title and the fields of a page. Raises SystemExit with path:line: error if one is missing or wrong."""
    lines = path.read_text().splitlines()
    fields = {"title": lines[0].removeprefix("# ")}
    fields |= dict(re.findall(r"^\| (\w+) \| (.*) \|$", "\n".join(lines), re.MULTILINE))
    for name in FIELDS:
        if not fields.get(name):
            raise SystemExit(f"{path}:1: error: field {name} is missing")
    if not fields["title"].startswith(f"{fields['target']}: ") or len(fields["title"]) > TITLE:
        raise SystemExit(f"{path}:1: error: title: expected '{fields['target']}: …' of at most {TITLE} characters")
    values: list[tuple[str, str, Collection[str]]] = [
        ("target", fields["target"], BACKENDS),
        ("class", fields["class"], CLASSES),
    ]
    values += [("needs", word, NEEDS) for word in words(fields["needs"])]
    for name, value, known in values:
        if value not in known:
            line = next(n for n, text in enumerate(lines, 1) if text.startswith(f"| {name} |"))
            raise SystemExit(f"{path}:{line}: error: {name}: unknown word {value!r}; use {', '.join(sorted(known))}")
    return fields


def pages() -> dict[str, dict[str, str]]:
    """All pages, sorted by name."""
    return {path.stem: page(path) for path in sorted(FOLDER.glob("*.md")) if path.stem != "README"}


def several(found: dict[str, str]) -> bool:
    """Whether the bug needs more than one operator."""
    return bool(MORE.search(found["needs"]))


def count(title: str, values: Iterable[str]) -> list[str]:
    """A table of values and their frequencies, most frequent first."""
    return [f"| {title} | findings |", "| --- | --- |", *(f"| {v} | {n} |" for v, n in Counter(values).most_common()), ""]


def by_target(found: dict[str, dict[str, str]]) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """The pages of each target, sorted by class and name; the targets sorted by name."""
    groups: dict[str, list[tuple[str, dict[str, str]]]] = {}

    def order(item: tuple[str, dict[str, str]]) -> tuple[str, int, str]:
        return item[1]["target"].lower(), CLASSES.index(item[1]["class"]), item[0]

    for name, p in sorted(found.items(), key=order):
        groups.setdefault(p["target"], []).append((name, p))
    return groups


def overview(groups: dict[str, list[tuple[str, dict[str, str]]]]) -> list[str]:
    """A table of the number of findings by target and class."""
    lines = [f"| target | findings | {' | '.join(CLASSES)} |", "| --- " * (len(CLASSES) + 2) + "|"]
    for target, rows in sorted(groups.items(), key=lambda item: -len(item[1])):
        classes = Counter(p["class"] for _, p in rows)
        lines.append(f"| {target} | {len(rows)} | {' | '.join(str(classes[c] or '') for c in CLASSES)} |")
    return [*lines, ""]


def section(target: str, rows: list[tuple[str, dict[str, str]]]) -> list[str]:
    """The heading and the table of one target."""
    lines = [f"## {target}", "", "| finding | operators | class | upstream |", "| --- | --- | --- | --- |"]
    for name, p in rows:
        title = p["title"].removeprefix(f"{target}: ")
        fixed = f"; fixed in {p['fixed']}" if p.get("fixed") else ""
        lines.append(f"| [{title}]({name}.md) | {p['operators']} | {p['class']} | {p['upstream']}{fixed} |")
    return [*lines, ""]


def index() -> str:
    """The generated part of README.md."""
    found = pages()
    groups = by_target(found)
    known = sum(p["upstream"].startswith("known") for p in found.values())
    searched = sum(p["upstream"] != "not searched" for p in found.values()) - known
    return "\n".join([
        f"{len(found)} findings, {sum('fixed' in p for p in found.values())} of them fixed in a newer version;"
        f" {sum(map(several, found.values()))} need two or more operators. Upstream: {known} known,"
        f" {searched} searched and not found, {len(found) - known - searched} not searched.",
        "",
        *overview(groups),
        *count("needs", (word for p in found.values() for word in words(p["needs"]))),
        *(line for target, rows in groups.items() for line in section(target, rows)),
    ])  # fmt: skip


def results(name: str) -> dict[str, str]:
    """The results that a page shows, and the texts that its prose quotes, which may be messages."""
    text = (FOLDER / f"{name}.md").read_text()
    rows = dict(re.findall(r"^(Expected|Actual): (.*)$", text, re.MULTILINE))
    prose = re.split(r"^Actual: .*$", text, maxsplit=1, flags=re.MULTILINE)[-1]
    quoted = " | ".join("".join(found) for found in QUOTED.findall(prose))
    return {"expected": rows.get("Expected", "").strip("`"), "actual": rows.get("Actual", "").strip("`"), "quoted": quoted}


def table() -> str:
    """index.tsv: one row per page, sorted by name."""
    rows = [{**p, **results(name), "page": name, "backends": BACKENDS[p["target"]]} for name, p in pages().items()]
    cells = [[" ".join(row[column].split())[:LONGEST].rstrip() for column in COLUMNS] for row in rows]
    return "".join("\t".join(row) + "\n" for row in [list(COLUMNS), *cells])


def readme() -> str:
    """README.md with a fresh index."""
    text = (FOLDER / "README.md").read_text()
    head, tail = text.partition(BEGIN)[0], text.partition(END)[2]
    return f"{head}{BEGIN}\n{index()}\n{END}{tail}"


@functools.cache
def has_old_torch(interpreter: Path) -> bool:
    """Whether the interpreter imports torch 1.13, the version in Debian 12."""
    command = [str(interpreter), "-c", "import torch, sys; sys.exit(not torch.__version__.startswith('1.13.'))"]
    return interpreter.exists() and subprocess.run(command, capture_output=True, timeout=TIMEOUT).returncode == 0


def python(name: str) -> Path:
    """The interpreter for a script. The path does not exist if the environment is not installed."""
    if name.startswith("debian-") and has_old_torch(DEBIAN):
        return DEBIAN
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    venvs = Path(os.environ.get("RULESMITH_VENVS") or cache / "rulesmith/venv")
    first = name.partition("-")[0]
    return venvs / OTHERS.get(first, first) / "bin/python"


def verdict(name: str) -> str:
    """The outcome of a script: "reproduces", "not-reproduced" or "failed: reason"."""
    command = ["env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", str(python(name)), str(FOLDER / f"{name}.py")]
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd="/tmp", timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"failed: still running after {TIMEOUT} s"
    reported = any(line.startswith("actual:") for line in (run.stdout + "\n" + run.stderr).splitlines())
    if run.returncode < 0 or (run.returncode == 1 and reported):
        return "reproduces"
    return "not-reproduced" if run.returncode == 0 else f"failed: exit code {run.returncode}: {run.stderr[-300:]}"


def main() -> int:
    """The command line; see the top of the file."""
    if sys.argv[1:] == ["--index"]:
        (FOLDER / "README.md").write_text(readme())
        (FOLDER / "index.tsv").write_text(table())
        return 0
    if sys.argv[1:] == ["--check"]:
        texts = {FOLDER / "README.md": readme(), FOLDER / "index.tsv": table()}
        stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
        for path in stale:
            print(f"{path}: error: stale index; run python docs/findings/check.py --index", file=sys.stderr)
        return 1 if stale else 0
    known = pages()
    names = [name for name in known if not sys.argv[1:] or name.split("-")[0] in sys.argv[1:]]
    if unknown := set(sys.argv[1:]) - set(ENVIRONMENTS):
        print(f"check.py: error: unknown target {' '.join(sorted(unknown))}; use {' '.join(ENVIRONMENTS)}", file=sys.stderr)
        return 1
    counts: Counter[str] = Counter()
    for name in names:
        outcome = verdict(name) if python(name).exists() else "not installed"
        outcome = "fixed" if outcome == "not-reproduced" and known[name].get("fixed") else outcome
        counts[outcome.split(":")[0]] += 1
        print(f"{outcome:16}{name}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 3 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
