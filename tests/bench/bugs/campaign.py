"""A campaign from nothing with one version of a backend, and its findings.

    FOLDER/BACKEND@VERSION/
        f.db, capabilities  of the run, both new
        run.json, run.log   rulefuzz's summary and messages
        done.json           written last: the settings and times of a finished campaign
        findings/ID.py      the script of each finding
        scripts.json        exit codes of scripts, by version
"""

from __future__ import annotations

import calendar
import contextlib
import json
import shutil
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.bench.bugs.environments import Environment, Environments
from tests.bench.bugs.matching import Finding, apis_of

SCRIPT_TIMEOUT = 300.0
"""Seconds for one script."""
RUN_CODES = (0, 3)
"""Exit codes of a campaign that ran to its end."""
STOPPED = 4
"""That of one that was stopped, or whose failures wait for triage."""


class Broken(Exception):
    """A campaign that could not run, or whose findings cannot be read."""


@dataclass(frozen=True)
class Plan:
    """How each campaign runs. A finished one with another plan is run again."""

    budget: str
    jobs: int
    seed: int
    options: tuple[str, ...] = ()
    """Further options of `rulefuzz run`."""
    reduce: str = "5m"
    """Time after the budget for failures that wait for triage, and again for findings that are not fully reduced."""
    triage: str = "0.5"
    """Share of the budget for triage. An old version has hundreds of failures, and models must go on."""


class Campaign:
    """One group."""

    def __init__(self, rulefuzz: str, folder: Path, environments: Environments, plan: Plan) -> None:
        self._rulefuzz = rulefuzz
        self._folder = folder
        self._environments = environments
        self._plan = plan
        self._database = folder / "f.db"

    @property
    def _settings(self) -> dict[str, Any]:
        """The plan as JSON."""
        settings: dict[str, Any] = json.loads(json.dumps(asdict(self._plan)))
        return settings

    def is_done(self) -> bool:
        """Whether it ran to its end with this plan."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            return bool(self._done()["plan"] == self._settings)
        return False

    def _done(self) -> dict[str, Any]:
        """done.json."""
        found: dict[str, Any] = json.loads((self._folder / "done.json").read_text(encoding="utf-8"))
        return found

    def run(self, backend: str, version: str) -> None:
        """Runs it from nothing. Raises Missing or Broken."""
        environment = self._environments.of(backend, version)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        start = time.time()
        code = self._fuzz(environment)
        if code not in RUN_CODES and not (code == STOPPED and self._summary("findings", "waiting")):
            raise Broken(f"rulefuzz run ended with exit code {code}: {self._folder / 'run.log'}")
        seconds = time.time() - start
        self._call("triage", "--time", self._plan.reduce, "--jobs", str(self._plan.jobs))
        left = [row for row in self._listed() if not row["reduced"]]
        if left:
            self._call("reduce", "--time", self._plan.reduce)
        done = {"plan": self._settings, "start": start, "seconds": round(seconds, 1), "exit": code, "reduced_later": len(left)}
        new = self._folder / "done.json.new"
        new.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        new.rename(self._folder / "done.json")

    def _fuzz(self, environment: Environment) -> int:
        """Runs rulefuzz. Returns its exit code."""
        plan = self._plan
        command = [self._rulefuzz, "run", "--backend", environment.backend]
        command += ["--time", plan.budget, "--jobs", str(plan.jobs), "--seed", str(plan.seed), "--db", str(self._database)]
        command += ["--capabilities", str(self._folder / "capabilities"), "--triage-share", plan.triage, "--json"]
        with (self._folder / "run.json").open("w") as out, (self._folder / "run.log").open("w") as log:
            return subprocess.run([*command, *plan.options], stdout=out, stderr=log, check=False).returncode

    def _call(self, command: str, *arguments: str) -> str:
        """The output of another command on the database."""
        whole = [self._rulefuzz, command, *arguments, "--db", str(self._database)]
        return subprocess.run(whole, capture_output=True, text=True, check=False).stdout

    def _listed(self) -> list[dict[str, Any]]:
        """The rows of `rulefuzz list`."""
        if not self._database.exists():
            return []
        try:
            rows: list[dict[str, Any]] = json.loads(self._call("list", "--json"))["findings"]
        except (ValueError, KeyError):
            raise Broken(f"rulefuzz list cannot read {self._database}") from None
        return rows

    def models(self) -> int:
        """How many models it ran; 0 if unknown."""
        return self._summary("counts", "models")

    def _summary(self, part: str, name: str) -> int:
        """A number of rulefuzz's summary; 0 without one."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return int(json.loads((self._folder / "run.json").read_text(encoding="utf-8"))[part][name])
        return 0

    def findings(self) -> list[Finding]:
        """Its findings, in order of their numbers. Raises Broken."""
        start = float(self._done()["start"])
        (self._folder / "findings").mkdir(exist_ok=True)
        return [self._finding(row, start) for row in sorted(self._listed(), key=lambda row: int(row["id"]))]

    def _finding(self, row: dict[str, Any], start: float) -> Finding:
        """A finding, with its script as a file."""
        number = str(row["id"])
        script = self._folder / "findings" / f"{number}.py"
        script.write_text(self._call("show", number, "--script"), encoding="utf-8")
        try:
            model = json.loads(self._call("show", number, "--model"))
        except ValueError:
            raise Broken(f"rulefuzz show {number} cannot read {self._database}") from None
        seen = calendar.timegm(time.strptime(row["found"], "%Y-%m-%dT%H:%M:%SZ"))
        after, apis, also = max(seen - start, 0.0), tuple(apis_of(model)), tuple(filter(None, row.get("also", "").split(" + ")))
        return Finding(row["id"], row["kind"], row["title"], after, row["reduced"], apis, script, also)

    def run_script(self, finding: Finding, backend: str, version: str) -> int | None:
        """As matching.RunScript; each result is kept. Raises Missing."""
        cache = self._folder / "scripts.json"
        codes: dict[str, int | None] = json.loads(cache.read_text(encoding="utf-8")) if cache.exists() else {}
        key = f"{finding.id}@{version}"
        if key not in codes:
            codes[key] = exit_code(self._environments.of(backend, version).python, finding.script)
            cache.write_text(json.dumps(codes, indent=1) + "\n", encoding="utf-8")
        return codes[key]


def exit_code(python: Path, script: Path) -> int | None:
    """The exit code of a script, negative for a signal; None if it takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python), str(script.resolve())]
        try:
            ended = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=SCRIPT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return None
    return ended.returncode
