"""ONNX files of a zoo with their inputs, in a folder: MODEL.HOW.onnx, its origin's model and exporter, and MODEL.HOW.npz."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx


@dataclass(frozen=True)
class Stored:
    """A file."""

    path: Path

    @property
    def model(self) -> str:
        """The model's name."""
        return self.path.name.split(".")[0]

    @property
    def how(self) -> str:
        """The exporter and its settings, or the quantizer."""
        return self.path.name.split(".")[1]

    def load(self) -> tuple[onnx.ModelProto, dict[str, Any]]:
        """The file and its inputs."""
        with np.load(self.path.with_suffix(".npz")) as fed:
            return onnx.load(self.path), dict(fed)


def path_of(folder: Path, model: str, how: str) -> Path:
    """The path of a file."""
    return folder / f"{model}.{how}.onnx"


def save_inputs(path: Path, fed: dict[str, Any]) -> None:
    """Stores the inputs of a file."""
    np.savez(path.with_suffix(".npz"), **fed)


@contextlib.contextmanager
def skipping(path: Path) -> Iterator[None]:
    """Exporters fail on some models: then a line is printed, and there is no file."""
    try:
        yield
    except Exception as error:
        print(f"{path.name}: {type(error).__name__}: {str(error)[:100]!r}", file=sys.stderr)
        path.unlink(missing_ok=True)


def stored(folder: Path) -> Iterator[Stored]:
    """All files with inputs of a folder and the folders in it, in byte order of their names."""
    found = (path for path in folder.rglob("*.onnx") if path.with_suffix(".npz").exists())
    yield from map(Stored, sorted(found, key=lambda path: (path.name, str(path))))
