"""Runs the findings' scripts, each from a clean shell, and says which still show their bug; or writes the index.

    python docs/findings/check.py [TARGET…]        run those of a target; of all without
    python docs/findings/check.py --index          write the index of README.md anew from the pages

A script ends with 1, having printed a line that begins with "actual:", or by a signal while the bug is there, with 0 where
it is not; anything else is a failed script. Those of targets whose environment is not installed are left out.
Exit code: 0 all ran, 3 a script failed, 1 bad input.
"""

import functools
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BEGIN, END = "<!-- index: written by check.py --index -->", "<!-- end of the index -->"
FIELDS = ("target", "versions", "class", "operators", "needs", "upstream", "found", "script")
CLASSES = ("crash", "hang", "wrong result", "lost validation", "refused")
ENVIRONMENTS = ("torch", "tensorflow", "onnx", "openvino", "tract", "mnn", "tvm", "litert", "debian")  # a script's first word
DEBIAN = Path("/usr/bin/python3")  # has python3-torch, or the scripts are left out
MORE = re.compile(r"\b(two|three|four|five|chain)\b")
TIMEOUT = 180


def page(path: Path) -> dict[str, str]:
    """The title and the fields of a page, or an error that says where."""
    lines = path.read_text().splitlines()
    fields = {"title": lines[0].removeprefix("# ")}
    fields |= dict(re.findall(r"^\| (\w+) \| (.*) \|$", "\n".join(lines), re.MULTILINE))
    for name in FIELDS:
        if not fields.get(name):
            raise SystemExit(f"{path}:1: error: no field {name}")
    if fields["class"] not in CLASSES:
        raise SystemExit(f"{path}:1: error: class {fields['class']}")
    return fields


def pages() -> dict[str, dict[str, str]]:
    """All pages by name, in the order of their names."""
    return {path.stem: page(path) for path in sorted(FOLDER.glob("*.md")) if path.stem != "README"}


def count(title: str, values: Iterable[str]) -> list[str]:
    """A table of how often each value is met."""
    return [f"| {title} | findings |", "| --- | --- |", *(f"| {v} | {n} |" for v, n in Counter(values).most_common()), ""]


def several(found: dict[str, str]) -> bool:
    """Whether the page says that more than one operator is needed."""
    return bool(MORE.search(found["needs"]))


def index() -> str:
    """The tables of README.md."""
    found = pages()
    rows = [
        f"| {p['target']} | [{p['title']}]({name}.md) | {p['class']} | {p['operators']} | {p['needs']} | {p['upstream']} |"
        for name, p in sorted(found.items(), key=lambda item: (item[1]["target"].lower(), item[0]))
    ]
    known = sum(p["upstream"].startswith("known") for p in found.values())
    asked = sum(p["upstream"] != "not asked" for p in found.values()) - known
    return "\n".join([
        f"{len(found)} findings. Two operators or more: {sum(map(several, found.values()))}. Upstream: {known} known,"
        f" {asked} looked for and not found, {len(found) - known - asked} not looked for.",
        "",
        *count("target", (p["target"] for p in found.values())),
        *count("class", (p["class"] for p in found.values())),
        *count("needs", (what.strip() for p in found.values() for what in p["needs"].split(","))),
        "| target | what | class | operators | needs | upstream |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
    ])  # fmt: skip


def readme() -> str:
    """README.md with today's index."""
    text = (FOLDER / "README.md").read_text()
    head, tail = text.partition(BEGIN)[0], text.partition(END)[2]
    return f"{head}{BEGIN}\n{index()}\n{END}{tail}"


@functools.cache
def has_old_torch(interpreter: Path) -> bool:
    """Whether a Python imports torch 1.13, as Debian 12 packs it."""
    command = [str(interpreter), "-c", "import torch, sys; sys.exit(not torch.__version__.startswith('1.13.'))"]
    return interpreter.exists() and subprocess.run(command, capture_output=True, timeout=TIMEOUT).returncode == 0


def python(name: str) -> Path:
    """The Python of the environment that a script is for; one that does not exist where it is not installed."""
    if name.startswith("debian-") and has_old_torch(DEBIAN):
        return DEBIAN
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    venvs = Path(os.environ.get("RULESMITH_VENVS") or cache / "rulesmith/venv")
    return venvs / name.partition("-")[0] / "bin/python"


def verdict(name: str) -> str:
    """"there", "gone", or what went wrong."""
    command = ["env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", str(python(name)), str(FOLDER / f"{name}.py")]
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd="/tmp", timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"failed: still running after {TIMEOUT} s"
    said = any(line.startswith("actual:") for line in (run.stdout + "\n" + run.stderr).splitlines())
    if run.returncode < 0 or (run.returncode == 1 and said):
        return "there"
    return "gone" if run.returncode == 0 else f"failed: exit code {run.returncode}: {run.stderr[-300:]}"


def main() -> int:
    """As the top of the file says."""
    if sys.argv[1:] == ["--index"]:
        (FOLDER / "README.md").write_text(readme())
        return 0
    names = [name for name in pages() if not sys.argv[1:] or name.split("-")[0] in sys.argv[1:]]
    if unknown := set(sys.argv[1:]) - set(ENVIRONMENTS):
        print(f"check.py: error: no target {' '.join(sorted(unknown))}; there are {' '.join(ENVIRONMENTS)}", file=sys.stderr)
        return 1
    counts: Counter[str] = Counter()
    for name in names:
        said = verdict(name) if python(name).exists() else "not installed"
        counts[said.split(":")[0]] += 1
        print(f"{said:14}{name}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 3 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
