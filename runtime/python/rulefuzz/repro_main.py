"""The main part of a repro script. torch_script.py copies the functions below into a file that runs alone."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback

TIMEOUT = 120


def attempt(model, inputs, compile_target, names):
    """Runs the model both ways; what is wrong, "" when nothing is. SystemExit(2) when eager fails."""
    import torch

    with torch.no_grad():
        wanted = [tensor.clone() for tensor in inputs]
        try:
            wanted = [*model(*wanted), *wanted]
        except Exception:
            traceback.print_exc()
            raise SystemExit(2) from None
        got = [tensor.clone() for tensor in inputs]
        try:
            compiled = compile_target(model, inputs, lambda stage: None)
            got = [*compiled(*got), *got]
        except Exception as error:
            traceback.print_exc()
            return f"only the target raises {type(error).__name__}: {error}"
    for name, one, other in zip(names, got, wanted):
        how = difference(one, other) if name else ""
        if how:
            return f"{name} differs: {how}"
    return ""


def main(model, inputs, compile_target, names):
    """Runs the attempt in a child, so that a crash or a hang is seen as well; the exit code of the script."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        what = attempt(model, inputs, compile_target, names)
        print(f"REPRODUCED: {what}" if what else "not reproduced: eager and target agree", flush=True)
        os._exit(1 if what else 0)
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
    return os.WEXITSTATUS(status)
