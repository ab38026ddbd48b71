"""Operators of other domains that need a later operator set of the default domain than 7, by onnxruntime 1.32.0.

Written by traces/collect/frameworks/onnx/versions.py; do not edit.
"""

FIRST_SETS: dict[str, int] = {
    "com_microsoft.Gelu": 9,
}
