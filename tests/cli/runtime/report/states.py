"""The words that each output has for the state of a finding. Usage: make DB | agree RULEFUZZ FOLDER job|alone"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

State = tuple[str, str]  # status, change
STATUSES = {"open", "known", "fixed", "flaky", "not-a-bug", "unsupported"}
FAILS, WORKS = '"index":3,', '"index":4,'  # the fake backend fails at index 3
ROWS = (
    (1, "open", FAILS),  # unchanged
    (2, "known", FAILS),  # unchanged
    (3, "fixed", FAILS),  # regressed
    (4, "open", WORKS),  # fixed
    (5, "known", WORKS),  # fixed
    (6, "flaky", FAILS),  # new: it fails each time now
    (7, "flaky", WORKS),  # unchanged
    (8, "fixed", WORKS),  # closed
    (9, "not-a-bug", FAILS),  # closed
    (100001, "unsupported", FAILS),  # closed
)


def make(path: str) -> None:
    """Copies the only finding of a database to one of each kind of change."""
    base = sqlite3.connect(path)
    base.row_factory = sqlite3.Row
    row = dict(base.execute("SELECT * FROM findings").fetchone())
    key = row["bucket"].rsplit("|", 1)[0]
    with base:
        base.execute("DELETE FROM findings")
        base.execute("DELETE FROM keys")
        for number, status, index in ROWS:
            apis = f"torch.op{number}"
            changed = {"id": number, "status": status, "apis": apis, "bucket": f"{key}|{apis}", "reason": ""}
            changed["model"] = row["model"].replace(FAILS, index)
            new = {**row, **changed}
            base.execute(f"INSERT INTO findings({','.join(new)}) VALUES({','.join('?' * len(new))})", list(new.values()))
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


def change(before: str | None, after: str) -> str:
    """What a job did to a finding, by the statuses before and after it."""
    if after in {"not-a-bug", "unsupported"} or (after == "fixed" and before in {"fixed", None}):
        return "closed"
    if after == "fixed":
        return "fixed"
    if before == "fixed":
        return "regressed"
    return "new" if (before is None or before == "flaky") and after == "open" else "unchanged"


class Page(HTMLParser):
    """The states in a report, by finding, and the words on its chips."""

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[int, State] = {}
        self.chips: dict[int, list[str]] = {}
        self.number = 0
        self.chip = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps what a finding's element says of it."""
        told = {name: value or "" for name, value in attrs}
        if "data-status" in told:
            self.number = int(told["id"][1:])
            self.states[self.number] = (told["data-status"], told.get("data-change", ""))
            self.chips[self.number] = []
        self.chip = tag == "span" and told.get("class", "").startswith("tag")

    def handle_data(self, data: str) -> None:
        """Keeps the words of chips."""
        if self.chip:
            self.chips[self.number].append(data)
        self.chip = False


def html(text: str) -> dict[int, State]:
    """Of a page. No chip contradicts another: one status, and the change if there is one."""
    page = Page()
    page.feed(text)
    for number, (status, now) in page.states.items():
        said = page.chips[number][:-1]  # the last is the kind
        wanted = [status] if now in {"", "unchanged", "closed", status} else [now, status]
        assert said == wanted, (number, said, wanted)
    return page.states


def markdown(text: str) -> dict[int, State]:
    """Of a summary: the sections, and the words behind each title."""
    states: dict[int, State] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:].split(" (")[0].lower()
        item = re.match(r"- \*\*(\d+)\*\* .* \(([a-z-]+), seen (?:once|\d+ times)", line)
        if item:
            alone = section in STATUSES and section != "fixed"
            assert not alone or section == item[2], line
            states[int(item[1])] = (item[2], "" if alone else section)
    return states


def junit(text: str) -> dict[int, State]:
    """Of tests: their properties, which their results must not contradict."""
    states: dict[int, State] = {}
    for case in ElementTree.fromstring(text).iter("testcase"):
        told = {p.get("name"): p.get("value") or "" for p in case.iter("property")}
        if not told:
            continue
        status, now = told["status"] or "", told.get("change", "")
        states[int(told["id"])] = (status, now)
        failure, skipped, output = case.find("failure"), case.find("skipped"), case.find("system-out")
        assert (failure is not None) == (now in {"new", "regressed"})
        if failure is not None:
            assert (failure.get("message") or "").startswith(f"{now}: ")
        elif skipped is not None:
            message = (skipped.get("message") or "").split(": ")[0]  # a reason follows
            assert message == (f"{now}, {status}" if now else status), message
        else:
            assert output is not None and (output.text or "").startswith("fixed: ") and now == "fixed"
    return states


def sarif(text: str) -> dict[int, State]:
    """Of results: their properties, which baselineState must not contradict."""
    states: dict[int, State] = {}
    for result in json.loads(text)["runs"][0]["results"]:
        told = result["properties"]
        now = told.get("change", "")
        assert result.get("baselineState", "") == {"": "", "new": "new", "regressed": "new"}.get(now, "unchanged")
        states[told["id"]] = (told["status"], now)
    return states


def agree(fuzz: str, folder: Path, which: str) -> None:
    """Holds all outputs against the statuses in the database."""

    def ask(*words: str) -> dict[str, object]:
        ran = subprocess.run([fuzz, *words, "--db", str(folder / "db"), "--json"], capture_output=True, text=True, check=True)
        answer: dict[str, object] = json.loads(ran.stdout)
        return answer

    before = {f["id"]: f["status"] for f in json.loads((folder / "before.json").read_text())["findings"]}
    listed = ask("list", "--status", "all")["findings"]
    assert isinstance(listed, list)
    after: dict[int, str] = {f["id"]: f["status"] for f in listed}
    job = which == "job"
    wanted = {number: (status, change(before.get(number), status) if job else "") for number, status in after.items()}
    for number, status in after.items():
        assert ask("show", str(number))["status"] == status, number
    report = folder / which
    closed = {n for n, (status, now) in wanted.items() if (now or change(status, status)) == "closed"}
    assert html((report / "report.html").read_text()) == wanted
    shown = {number: state for number, state in wanted.items() if number not in closed}
    assert markdown((report / "summary.md").read_text()) == shown
    assert junit((report / "junit.xml").read_text()) == shown
    results = {n: s for n, s in wanted.items() if (n not in closed and s[0] != "fixed") or s[0] == "not-a-bug"}
    assert sarif((report / "rulefuzz.sarif").read_text()) == results
    assert set(after.values()) == STATUSES, after
    if job:
        assert {now for _, now in wanted.values()} == {"new", "regressed", "fixed", "unchanged", "closed"}
        text = (folder / "ci").read_text()
        lines = {int(n): now for now, n in re.findall(r"^([a-z]+): finding (\d+): ", text, re.MULTILINE)}
        assert lines == {n: now for n, (_, now) in wanted.items() if now in {"new", "regressed", "fixed"}}, lines
        totals = re.search(r"^ci: (.*);", text, re.MULTILINE)
        assert totals
        for now in ("new", "regressed", "fixed", "unchanged"):
            count = sum(state[1] == now for state in wanted.values())
            assert re.search(rf"\b{count} {now}\b", totals[1]), (now, totals[1])


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        agree(sys.argv[2], Path(sys.argv[3]), sys.argv[4])
