"""Writes the reference page of all excuses, docs/reference/excuses.md.

usage: python -m tests.python.excuses.page > docs/reference/excuses.md
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from rulefuzz.oracle import excuses

HEAD = """# Differences that are not bugs

The oracle excuses the differences below. Each is one class in `runtime/python/rulefuzz/oracle/excuses/`, with tests of a
model that it excuses and of a fault of the same shape that is reported. `python -m tests.python.excuses.page` writes this
page.

An answer of the worker has the names of all excuses that fired, with the number of elements that each covered. Elements of
tensors inside a model count if the reference continues from them. A verdict does not depend on the order in which excuses are
asked.

[How verdicts are reached](../explanation/verdicts.md) explains the method, [the oracle](oracle.md) has the tolerances, and [a
guide](../guides/add-an-oracle-excuse.md) shows how to add an excuse.
"""
GROUPS = {
    "All frameworks": "",
    "Calls outside the specification": """An element value can violate the specification although the reference
returns a result. Its results are not compared, and a target may reject the model. Results that do not depend on it are
compared. If it rejects the outputs without such a call as well, that is an
error. A target may also fail there without reporting it, so the oracle requests the differing outputs alone before it reports
them.""",
    "TensorFlow": "",
    "ONNX": "",
    "Invalid models": "The last call of an invalid model violates one constraint, and both sides must reject it.",
}
"""The sections, and what precedes the table of each."""


def _joined(text: str) -> str:
    """A text with one line for each paragraph."""
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in text.strip().split("\n\n")) + "\n"


def sources() -> dict[str, tuple[str, str]]:
    """The section and source of each excuse, unless it only leads to others."""
    lines = (Path(excuses.__file__).parent / "excuses.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {name: (group, source) for name, group, source in (line.split("\t") for line in lines)}


def page() -> str:
    """The page."""
    text = [_joined(HEAD)]
    for group, note in GROUPS.items():
        text += [f"## {group}\n"] + ([_joined(note)] if note else [])
        text += ["| name | difference | source |", "|---|---|---|"]
        for name, (its, source) in sources().items():
            if its == group:
                told = _joined(inspect.cleandoc(excuses.every()[name].__doc__ or "").partition("\n\n")[0]).strip().rstrip(".")
                text.append(f"| `{name}` | {told} | {source} |")
        text.append("")
    return "\n".join(text)


if __name__ == "__main__":
    sys.stdout.write(page())
