"""Writes a finding as a few lines for a maintainer to paste, and keeps them only if they reproduce it in a fresh process.

Simple elements are tried before the model's own, as long as the oracle's verdict stays the same. The process has the script
and the framework, and nothing of this package.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import signal
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulefuzz import sandbox
from rulefuzz.framework import Framework, Short
from rulefuzz.model import BadModel, Failed, Json, Model, Raised, Ref, forward
from rulefuzz.oracle import titles, tolerance
from rulefuzz.oracle.check import AGAIN, Check, Clock
from rulefuzz.oracle.excuses.call import is_float
from rulefuzz.script import fresh, spell
from rulefuzz.targets import Target

SECONDS = 48.0
"""Seconds for all attempts together; `rulefuzz run` waits 60 s for an answer by default."""
HANG = 12.0
"""Seconds after the reference's result before a script counts as hanging."""
CHANGED = ("PYTHON", "RULEFUZZ_", "TF_", "TORCHINDUCTOR_", "TVM_")
"""Prefixes of environment variables that only a worker has."""
IMPORT = r"(import|from) \w"
TWICE = (
    (r'"expected:"', '"first run:"'),
    (r'"actual:"', '"second run:"'),
    (r"\bexpected\b", "first"),
    (r"\bactual\b", "second"),
)
"""Names for two results of the reference if neither is the expected one."""
VERDICTS = ("inconsistency", "error", "accepts-invalid", "crash", "hang")


@dataclass(frozen=True)
class Fault:
    """The failure to reproduce."""

    verdict: str
    signal: int = 0
    api: str = ""
    error: str = ""
    """The exception's type."""
    message: str = ""
    """The exception's message, without numbers."""
    by_reference: bool = False
    again: bool = False
    """Whether only a second run of the compiled model fails."""

    @property
    def ends(self) -> bool:
        """Whether the process survives, so that a script can be tried in it first."""
        return self.verdict in ("inconsistency", "error", "accepts-invalid")


def _fault(answer: Json) -> Fault:
    """The failure in an answer of Check."""
    first, error = answer.get("first", {}), answer.get("error", {})
    message = re.sub(r"\d+", "", error.get("message", ""))[:80]
    how = first.get("how", "")
    by_reference = "owner" in answer
    return Fault(answer["verdict"], 0, first.get("api", ""), error.get("type", ""), message, by_reference, AGAIN in how)


def _only(model: Model, output: int) -> Model:
    """The model with one output. A gradient needs all other outputs."""
    pairs = tuple(pair for pair in model.gradients if pair[1] == output)
    return replace(model, gradients=pairs, outputs=(*forward(model).outputs, output) if pairs else (output,))


def _kept(value: Any) -> Any:
    """An argument without copies of its tensors."""
    if isinstance(value, Ref):
        return replace(value, copy=False)
    return [_kept(item) for item in value] if isinstance(value, list) else value


def _with_fewer_copies(model: Model) -> list[Model]:
    """The model without copies of call operands, then with copies only for calls that write by their name, then unchanged.
    Generators copy operands of every call that was ever seen to write."""
    found: list[Model] = []
    for writes in ("", "_"):
        nodes = []
        for node in model.nodes:
            args = tuple(replace(arg, value=_kept(arg.value)) for arg in node.args)
            nodes.append(node if writes and node.api.endswith(writes) else replace(node, args=args))
        found.append(replace(model, nodes=tuple(nodes)))
    return list({repr(one.nodes): one for one in (*found, model)}.values())


class Writer:
    """Writes the short scripts of one finding."""

    def __init__(self, framework: Framework, target: Target, model: Model, title: str,
                 preset: str = tolerance.MEASURED) -> None:  # fmt: skip
        self._framework, self._title, self._preset = framework, title, preset
        self._target = target.given(model.settings)
        self.model = model
        self._compared = "outputs"
        """"outputs", "inputs" (after the run), "aliases" (of both), or "twice": two runs of the reference."""

    def text(self, verdict: str, number: int = 0, seconds: float = SECONDS) -> str:
        """The first script that reproduces the failure; "" if none does. `number`: the signal of a crash."""
        if verdict not in VERDICTS or not getattr(self._target.module, "PLAIN", ()):
            return ""
        end, fault = time.monotonic() + seconds, Fault(verdict, number)
        if fault.ends:
            answer = self._check(self.model, {})[0]
            fault = _fault(answer)
            if fault.verdict != verdict:
                return ""
            self._narrow(answer)
        whole = self.model
        for how in spell.HOWS:
            for self.model in _with_fewer_copies(whole):
                with contextlib.suppress(spell.Unsayable, NotImplementedError, Failed, Raised):
                    for text in self._texts(how, fault):
                        if time.monotonic() < end and shows(text, fault, end):
                            return text
        return ""

    def _check(self, model: Model, inputs: dict[int, Any]) -> tuple[Json, Check]:
        check = Check(self._framework, self._target, model, Clock(lambda stage: None), self._preset)
        check.reference.inputs.update(inputs)
        return check.run(), check

    def _narrow(self, answer: Json) -> None:
        """Keeps only one differing output, if one differs."""
        if answer["verdict"] != "inconsistency":
            return
        found, model = [d for d in answer["differs"] if d["id"] not in {t.id for t in self.model.inputs}], self.model
        if answer["first"].get("how", "").startswith(titles.MEMORY_OF):
            self._compared = "aliases"
            return
        if not found:
            self._compared = "inputs"
        elif _fault(answer).by_reference:
            self._compared = "twice"
        self.model = _only(model, found[0]["id"]) if found else _only(model, model.outputs[0])

    def _texts(self, how: str, fault: Fault) -> Iterator[str]:
        """Scripts with elements of this kind, one for each way to call the target."""
        framework, model = self._framework, self._constant(how)
        hows = {t.id: "exact" if t.constant and how != "ones" else how for t in model.inputs}
        said = {t.id: framework.spelled(t, model.values, hows[t.id]) for t in model.inputs}
        try:
            inputs = {t.id: framework.evaluated(said[t.id]) for t in model.fed}
            inputs |= {t.id: inputs[t.same] for t in model.fed if t.same is not None}
            if any(framework.describe(inputs[t.id]) != (t.shape, t.dtype) for t in model.fed):
                return
        except Exception:  # a dtype that cannot be written like this
            return
        if fault.ends:
            answer, check = self._check(model, inputs)
            if _fault(answer) != fault:
                return
        else:
            check = Check(framework, self._target, model, Clock(lambda stage: None), self._preset)
            check.reference.inputs.update(inputs)
            with contextlib.suppress(Failed) if model.near_miss else contextlib.nullcontext():
                check.reference.run()
        reference, limits = check.reference, (0.0, 0.0)
        if fault.verdict == "inconsistency" and self._compared == "outputs":
            want = framework.seen(reference.values[model.outputs[-1]])
            limits = check.script_bounds(model.outputs[-1]) if is_float(want[2]) else limits
        writes = not model.near_miss and reference.overwritten() is not None
        as_run = replace(model, nodes=reference.model.nodes)  # calls may be renewed
        parts = self._parts(as_run, reference.results, said, limits, writes)
        for plain in self._plains() if not fault.by_reference else ("",):
            yield self._whole(parts, plain, fault)

    def _plains(self) -> tuple[str, ...]:
        """The ways to call the target."""
        return self._target.plain(dynamic=False)

    def _parts(self, model: Model, results: Any, said: dict[int, str], limits: tuple[float, float], writes: bool) -> Short:
        """The framework's parts."""
        return self._framework.short(model, results, said, self._compared, limits, writes)

    def _constant(self, how: str) -> Model:
        """The model, with equal constants if these are tried."""
        if how != "ones":
            return self.model
        inputs = (replace(t, span=spell.span_of_one(t)) if t.constant else t for t in self.model.inputs)
        return replace(self.model, inputs=tuple(inputs))

    def _whole(self, parts: Short, plain: str, fault: Fault) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self._framework.versions().items() if name != "python")
        own = [need.replace("==", " ") for need in self._target.module.REQUIRES if "==" in need]
        title = "".join(c if c.isprintable() else " " for c in self._title.replace("\\", "/").replace('"', "'"))
        flush = "" if fault.ends else ", flush=True"
        body, call = [*parts.model.strip().splitlines()], plain.strip().splitlines()
        call = _twice(call) if fault.again else call
        if self.model.near_miss:
            body += _tried(parts.reference.splitlines(), [f'print("expected:", type(error).__name__, error{flush})'])
            body += ["else:", "    raise SystemExit(0)  # the reference accepts it, too"]
            body += [*_tried(call, ['print("rejected:", error)', "raise SystemExit(0)"]), 'print("actual:", actual)']
            body += ['raise AssertionError("an invalid model is accepted")'] if fault.verdict == "accepts-invalid" else []
        else:
            body += [*parts.reference.splitlines(), f'print("expected:", expected{flush})']
            body += [*call, *parts.after.splitlines(), 'print("actual:", actual)']
            body += parts.compare.splitlines() if fault.verdict == "inconsistency" else []
        imports = dict.fromkeys([*parts.imports, *(line for line in body if re.match(IMPORT, line))])
        first = [line for line in imports if line.startswith("import ")]
        first = sorted(first) + sorted(line for line in imports if line not in first)
        rest = [line for line in body if line not in imports]
        said = f"# {', '.join([versions, *own])}. {_codes(fault)}"
        text = "\n".join([said, *first, "", *rest]) + "\n"
        if self._compared == "twice":
            for word, other in TWICE:
                text = re.sub(word, other, text)
        return f"{docstring(title)}\n{text}"


def docstring(title: str) -> str:
    """The whole title as a docstring, wrapped."""
    return textwrap.fill(f'"""{" ".join(title.split())}"""', 120, break_long_words=False, break_on_hyphens=False)


def _twice(lines: list[str]) -> list[str]:
    """Lines that run the compiled model twice. The last line, "actual = …", may compile and run it at once."""
    (last,) = ast.parse(lines[-1]).body if lines else (None,)
    run = last.value if isinstance(last, ast.Assign) else None
    while isinstance(run, ast.Subscript):
        run = run.value
    made = run.func if isinstance(run, ast.Call) else None
    if isinstance(made, ast.Attribute):
        made = made.value
    if not isinstance(made, ast.Call):
        return lines + lines[-1:]
    text = lines[-1][made.col_offset : made.end_col_offset]
    again = lines[-1].replace(text, "compiled")
    return [*lines[:-1], f"compiled = {text}", again, again]


def _tried(lines: list[str], caught: list[str]) -> list[str]:
    """A try statement with these lines, imports first; `error` is the exception."""
    imports = [line for line in lines if re.match(IMPORT, line)]
    inside = [line for line in lines if line not in imports]
    inside, caught = (["    " + line for line in block] for block in (inside, caught))
    return [*imports, "try:", *inside, "except Exception as error:", *caught]


def _codes(fault: Fault) -> str:
    if fault.verdict == "hang":
        return "The bug is there if this does not end; exit code 0: it is not."
    if fault.verdict == "crash":
        name = signal.Signals(fault.signal).name if fault.signal else "it"
        return f"The bug is there if {name} ends it; exit code 0: it is not."
    raises = f" ({fault.error} is raised)" if fault.verdict == "error" else ""
    return f"Exit code 1: the bug is there{raises}; 0: it is not."


def shows(text: str, fault: Fault, end: float) -> bool:
    """Whether a script reproduces the failure in its own process, and passes with the expected result."""
    seen, code, out, err = _ran(text, end, fault.verdict == "hang")
    if 'print("first run:"' in text:
        out = out.replace("first run:", "expected:").replace("second run:", "actual:")
    if "expected:" not in out:
        return False
    if fault.verdict == "hang":
        return not seen and "actual:" not in out
    if fault.verdict == "crash":
        return seen and fault.signal > 0 and code == -fault.signal
    if fault.verdict == "error":
        raised = re.search(rf"^(\w+\.)*{re.escape(fault.error)}\b", err, re.M)
        return seen and code == 1 and "actual:" not in out and raised is not None
    if fault.verdict == "accepts-invalid":
        return seen and code == 1 and "actual:" in out
    if not seen or code != 1 or "actual:" not in out or not re.search("^AssertionError", err, re.M):
        return False
    mended = text.replace('print("actual:"', 'actual = expected\nprint("actual:"')
    mended = mended.replace('print("second run:"', 'second = first\nprint("second run:"')
    return _ran(mended, end, False)[:2] == (True, 0)


def shows_long(text: str, request: Json) -> bool:
    """Whether a long script reproduces the failure in its own process: it exits with 1 or dies of a signal. Hangs are not
    checked."""
    end = time.monotonic() + _seconds(request)
    ended, code = _ran(text, end, False)[:2] if request.get("verdict") != "hang" else (False, 0)
    return not ended or code == 1 or code < 0


def _seconds(request: Json) -> float:
    return min(SECONDS, 0.8 * float(request.get("seconds", SECONDS)))


def _ran(text: str, end: float, hang: bool) -> tuple[bool, int, str, str]:
    """Whether a script ended, its exit code, and both outputs."""
    with tempfile.TemporaryDirectory() as folder:
        path, out, err = (Path(folder, name) for name in ("repro.py", "out", "err"))
        path.write_text(text, encoding="utf-8")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(CHANGED)}
        clean |= {"TORCHINDUCTOR_CACHE_DIR": folder}
        known = None if hang else fresh.run(path, clean, out, err, end - time.monotonic())
        if known:
            return *known, _read(out), _read(err)
        child = sandbox.Child.start(sandbox.program([sys.executable, "-I", str(path)], folder, clean, out, err))
        ended = _wait(child, out, end, hang)
        how = child.end()
        child.journal.close()
        return ended, -how.signal if how.signal else how.code, _read(out), _read(err)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def _wait(child: sandbox.Child, out: Path, end: float, hang: bool) -> bool:
    """Waits for a script; for a hanging one, not much longer than until it prints the expected result. Kills it with all its
    children."""
    late = float("inf")
    while not child.gone(0.02):
        now = time.monotonic()
        if hang and late == float("inf") and out.exists() and out.stat().st_size:
            late = now + HANG
        if now > min(late, end):
            child.kill()
            return False
    return True


def written(writer: Writer, request: Json) -> str:
    """The script, or ""."""
    with contextlib.suppress(BadModel):
        return writer.text(str(request.get("verdict")), int(request.get("signal", 0)), _seconds(request))
    return ""
