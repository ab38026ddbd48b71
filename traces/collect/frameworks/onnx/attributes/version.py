"""The versions of operators that models use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulefuzz.frameworks.domains import onnx as onnx_domains
from rulefuzz.frameworks.onnx_evaluate import OPSET, alike, history, schema_and_opset
from traces.collect.frameworks.onnx.adapter import newest_name
from traces.collect.frameworks.onnx.source import in_use

MOST, MOST_OF_OLDER, MOST_OF_DOMAIN = 24, 9, 5
"""Signatures added to an operator's newest version, to each older one, and to an operator of another domain."""


@dataclass
class Version:
    """A version of an operator."""

    api: str
    schema: Any
    family: list[tuple[str, Any]]
    """The APIs and schemas of all versions, this one's neighbours first."""
    most: int


def _near(family: Sequence[tuple[str, Any]], place: int) -> list[tuple[str, Any]]:
    return [family[i] for i in sorted(range(len(family)), key=lambda other: (abs(other - place), other))]


def versions() -> dict[str, Version]:
    """All versions in use by API. Versions that are the same call as a newer one are omitted: models do not use them."""
    schemas, found = history(), {}
    for name, known in sorted(schemas.items()):
        newest = newest_name(name, known)
        current, opset = schema_and_opset(newest, schemas)
        if opset > OPSET or current.deprecated:
            continue
        same = {schema.since_version for schema in alike(current, schemas)}
        family = [(newest, current)]
        family += [(f"onnx.{name}_{old.since_version}", old) for old in reversed(in_use(known)) if not old.deprecated]
        for place, (api, schema) in enumerate(family):
            if schema is current or schema.since_version not in same:
                found[api] = Version(api, schema, _near(family, place), MOST if schema is current else MOST_OF_OLDER)
    for name, schema in sorted(onnx_domains.schemas().items()):
        found[f"onnx.{name}"] = Version(f"onnx.{name}", schema, [(f"onnx.{name}", schema)], MOST_OF_DOMAIN)
    return found
