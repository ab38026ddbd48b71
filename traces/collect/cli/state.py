"""Results of earlier runs, kept under build/ while their key is valid."""

from __future__ import annotations

import json
from pathlib import Path

from traces.collect import cache
from traces.collect.call.spec import Json
from traces.collect.records import write


class State:
    """Finished APIs, one file each, valid for one key and the API's plan."""

    def __init__(self, folder: Path, key: str, plan: dict[str, Json]) -> None:
        self._folder, self._key, self._plan = folder, key, plan

    def _path(self, api: str) -> Path:
        return self._folder / f"{api}.json"

    def _key_of(self, api: str) -> str:
        return cache.digest(self._key, self._plan[api])

    def get(self, api: str) -> Json | None:
        """The stored answer, or None."""
        try:
            stored = json.loads(self._path(api).read_text())
        except (OSError, ValueError):
            return None
        return stored["answer"] if stored["key"] == self._key_of(api) else None

    def put(self, api: str, answer: Json) -> None:
        """Stores an answer."""
        write.write_file(self._path(api), json.dumps({"key": self._key_of(api), "answer": answer}))

    def forget(self) -> None:
        """Removes all answers."""
        for path in self._folder.glob("*.json"):
            path.unlink()
