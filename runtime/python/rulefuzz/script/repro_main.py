"""The main part of a repro script: repro.py copies the functions below into a file that runs alone."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

TIMEOUT = 120

fresh: Any = None
reference: Any = None
seen: Any = None
"""In a script, these three are the framework's."""
difference: Any = None
"""compare.difference."""
torch: Any = None
started: Any = None
played: Any = None
other_told: Any = None
"""Of the framework's session/driver.py."""
other_strides: Any = None
"""compare.other_strides, or the framework's."""
fill_heap: Any = None
"""framework.fill_heap."""


def attempt(model: Any, inputs: Sequence[Any], compile_target: Callable[..., Any], names: Sequence[Any],
            shared: Any = None) -> str:  # fmt: skip
    """Runs the model by the reference, and twice by the target. Returns what is wrong, "" if nothing is. SystemExit(2) if the
    reference fails. `shared`: tells which results and inputs share memory, if that is compared."""
    wanted = fresh(inputs)
    try:
        wanted = [*reference(model, wanted), *wanted]
    except Exception:
        traceback.print_exc()
        raise SystemExit(2) from None
    compiled: Any = None
    for which in ("", " in the second run"):
        got = fresh(inputs)
        try:
            compiled = compiled or compile_target(model, fresh(inputs), lambda stage: None)
            got = [*compiled(*got), *got]
        except Exception as error:
            traceback.print_exc()
            return f"only the target raises {type(error).__name__}{which}: {error}"
        if len(got) != len(wanted):
            return f"{len(got)} results instead of {len(wanted)}{which}"
        for (name, absolute, relative), one, other in zip(names, got, wanted):
            how = (difference(seen(one), seen(other), absolute, relative) or other_strides(one, other)) if name else ""
            if how:
                return f"{name} differs{which}: {how}"
        count = len(wanted) - len(inputs)
        memory = [[x[:2] for x in shared(run[:count], run[count:])] for run in (got, wanted)] if shared else []
        if memory and memory[0] != memory[1]:
            return f"other results and inputs share memory{which}"
    return ""


def attempt_miss(model: Any, inputs: Sequence[Any], compile_target: Callable[..., Any]) -> str:
    """Runs an invalid model both ways, as `attempt`. SystemExit(2) if the reference accepts it."""
    try:
        reference(model, fresh(inputs))
    except Exception as error:
        print(f"the reference rejects it: {type(error).__name__}: {error}", flush=True)
    else:
        print("the reference accepts it", flush=True)
        raise SystemExit(2)
    try:
        compiled = compile_target(model, fresh(inputs), lambda stage: None)
        compiled(*fresh(inputs))
    except Exception:
        traceback.print_exc()
        return ""
    return "the target accepts it"


def attempt_calls(
    program: str, constants: Any, inputs: Sequence[Any], compiler: Callable[..., Any], names: Sequence[Any]
) -> str:
    """Runs the calls of a program in eager mode, and compiled. Returns what is wrong, "" if nothing is."""
    runs = []
    compilers: list[Callable[..., Any]] = [lambda function, stage: function, compiler]
    for compile_target in compilers:
        space = started(program, {name: fresh([x])[0] for name, x in constants.items()})
        torch.manual_seed(0)
        runs.append(played(space, compile_target(space["model"], lambda stage: None), inputs))
    for number, (want, got) in enumerate(zip(*runs), 1):
        name, how = other_told(got, want)
        if name and got["raised"]:
            traceback.print_exception(got["raised"])
        if name:
            return f"{name} in call {number}: {how}"
        for (label, absolute, relative), one, other in zip(
            names, [*got["base"], *got["taken"]], [*want["base"], *want["taken"]]
        ):
            how = difference(seen(one), seen(other), absolute, relative) if label else ""
            if how:
                return f"{label} differs in call {number}: {how}"
    return ""


def attempt_each(model: Any, inputs: Sequence[Any], compile_target: Callable[..., Any], names: Sequence[Any]) -> str:
    """Compiles the model once, with the first inputs, and runs it with each both ways; as `attempt`."""
    compiled: Any = None
    for number, given in enumerate(inputs):
        wanted, got = fresh(given), fresh(given)
        try:
            wanted = [*reference(model, wanted), *wanted]
        except Exception:
            traceback.print_exc()
            raise SystemExit(2) from None
        try:
            compiled = compiled or compile_target(model, fresh(given), lambda stage: None)
            got = [*compiled(*got), *got]
        except Exception as error:
            traceback.print_exc()
            return f"only the target raises {type(error).__name__}, for inputs {number}: {error}"
        if len(got) != len(wanted):
            return f"{len(got)} results instead of {len(wanted)}, for inputs {number}"
        for (name, absolute, relative), one, other in zip(names[number], got, wanted):
            how = (difference(seen(one), seen(other), absolute, relative) or other_strides(one, other)) if name else ""
            if how:
                return f"{name} differs for inputs {number}: {how}"
    return ""


def second_run(model: Any, example: Sequence[Any], stage: Callable[[str], None]) -> Callable[..., Any]:
    """Runs the reference again with other contents of free memory."""

    def call(*inputs: Any) -> Any:
        fill_heap(0x4B)
        return reference(model, inputs)

    stage("run")
    return call


def run_child(told: int, work: Callable[[], str]) -> None:
    """Does the work, prints the result, reports on the pipe that it ended, and ends the process."""
    code = 1
    try:
        what = work()
        print(f"REPRODUCED: {what}" if what else "not reproduced: reference and target agree", flush=True)
        code = 1 if what else 0
        os.write(told, b"!")
    except SystemExit as error:
        code = int(error.code or 0)
        if code == 2:
            os.write(told, b"!")
    except Exception:  # a failure of the script itself
        traceback.print_exc()
        code = 2
        os.write(told, b"!")
    finally:
        os._exit(code)


def main(work: Callable[[], str]) -> int:
    """Does the work in a child, so that a crash, a hang and an exit are detected. Returns the script's exit code."""
    sys.stdout.flush()
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        run_child(told, work)
    os.close(told)
    end = time.monotonic() + TIMEOUT
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            print(f"REPRODUCED: no answer within {TIMEOUT} s")
            return 1
        time.sleep(0.02)
    if os.WIFSIGNALED(status):
        print(f"REPRODUCED: killed by signal {os.WTERMSIG(status)}")
        return 1
    if not os.read(heard, 1):
        print(f"REPRODUCED: the process ended with exit code {os.WEXITSTATUS(status)}")
        return 1
    return os.WEXITSTATUS(status)
