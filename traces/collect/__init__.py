"""Collects operator records from the frameworks: see docs/guides/add-a-framework.md and traces/SCHEMA.md."""

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("rulefuzz") is None:  # in the source tree; when installed, the two are side by side
    sys.path.append(str(Path(__file__).resolve().parents[2] / "runtime" / "python"))
