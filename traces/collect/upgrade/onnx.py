"""ONNX's operators, by their schemas: inputs, then attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx
import onnxruntime

from rulefuzz.frameworks.onnx_evaluate import history, schema_and_opset
from traces.collect.upgrade.overloads import UNTYPED, default_text
from traces.collect.upgrade.public import Signature

_KINDS = {"INT": "int", "INTS": "int[]", "FLOAT": "float", "FLOATS": "float[]", "STRING": "str", "STRINGS": "str[]"}
_OPTION = onnx.defs.OpSchema.FormalParameterOption


def _types(schema: Any) -> str:
    return "; ".join(f"{c.type_param_str}: {', '.join(sorted(c.allowed_type_strs))}" for c in schema.type_constraints)


def _input(formal: Any) -> str:
    if formal.option == _OPTION.Variadic:
        return f"Tensor... {formal.name}"
    return f"Tensor? {formal.name}=None" if formal.option == _OPTION.Optional else f"Tensor {formal.name}"


def _attribute(attribute: Any) -> str:
    kind = _KINDS.get(attribute.type.name, UNTYPED)
    if attribute.required:
        return f"{kind} {attribute.name}"
    proto = attribute.default_value
    default = onnx.helper.get_attribute_value(proto) if proto.type else None
    return f"{kind} {attribute.name}={default_text(default if kind != UNTYPED else None)}"


class OnnxPublic:
    """See public.Public."""

    def __init__(self) -> None:
        self._schemas = history()

    def versions(self) -> dict[str, str]:
        """The distributions that answers depend on."""
        return {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}

    def apis(self) -> list[str]:
        """Each version of each operator."""
        return sorted(f"onnx.{name}_{s.since_version}" for name, schemas in self._schemas.items() for s in schemas)

    def signature(self, api: str) -> Signature | None:
        """Of the version in the name."""
        try:
            schema = schema_and_opset(api, self._schemas)[0]
        except (KeyError, LookupError, ValueError, AttributeError, StopIteration):
            return None
        names = [formal.name for formal in schema.inputs] + sorted(schema.attributes)
        given = [formal.name for formal in schema.inputs] + [
            name if schema.attributes[name].required else f"{name}=…" for name in sorted(schema.attributes)
        ]
        return Signature(names, [f"({', '.join(given)}) version {schema.since_version}, {_types(schema)}"])

    def overloads(self, api: str) -> Sequence[str]:
        """See public.Public: inputs, then attributes, which are keywords. `outputs` is the number of outputs, where a node may
        have fewer."""
        try:
            schema = schema_and_opset(api, self._schemas)[0]
        except (KeyError, LookupError, ValueError, AttributeError, StopIteration):
            return []
        inputs = [_input(formal) for formal in schema.inputs]
        attributes = [_attribute(schema.attributes[name]) for name in sorted(schema.attributes)]
        if schema.max_output > schema.min_output:
            attributes.append("int outputs=None")
        return [", ".join([*inputs, *(["*"] if attributes else []), *attributes])]


def load() -> OnnxPublic:
    """See public.load."""
    return OnnxPublic()
