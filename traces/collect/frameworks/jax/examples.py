"""Calls of a few functions without helpful annotations. The collector derives the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from traces.collect.call.spec import TensorSpec, of_integers

SOURCE = "examples"


def f(*dims: int) -> TensorSpec:
    """An array of floats."""
    return TensorSpec(dims, "float32")


def b(*dims: int) -> TensorSpec:
    """An array of booleans."""
    return TensorSpec(dims, "bool")


def i(*items: int) -> TensorSpec:
    """A vector of integers, whose elements may matter."""
    return of_integers((len(items),), "int32", np.array(items), 8)


Example = tuple[tuple[Any, ...], dict[str, Any]]

EXAMPLES: dict[str, list[Example]] = {
    "jax.numpy.add": [((f(2, 3), f(2, 3)), {}), ((f(2, 3), f(3)), {}), ((f(4, 1), f(1, 5)), {})],
    "jax.numpy.matmul": [((f(2, 3), f(3, 4)), {}), ((f(5, 2, 3), f(3, 4)), {}), ((f(3), f(3)), {})],
    "jax.numpy.where": [((b(2, 3), f(2, 3), f(2, 3)), {}), ((b(3), f(2, 3), f()), {})],
    "jax.numpy.sum": [((f(2, 3),), {"axis": 1}), ((f(2, 3, 4),), {}), ((f(2, 3),), {"axis": 0, "keepdims": True})],
    "jax.numpy.tile": [((f(2, 3), (2, 1)), {}), ((f(4), 3), {})],
    "jax.numpy.repeat": [((f(2, 3), 2), {"axis": 1}), ((f(5), 3), {})],
    "jax.numpy.roll": [((f(4, 3), 1), {"axis": 0}), ((f(6), 2), {})],
    "jax.numpy.outer": [((f(3), f(4)), {}), ((f(2, 3), f(4)), {})],
    "jax.numpy.tril": [((f(4, 4),), {}), ((f(3, 5), 1), {})],
    "jax.numpy.kron": [((f(2, 3), f(4, 2)), {}), ((f(3), f(2)), {})],
    "jax.numpy.take": [((f(5, 3), i(0, 2, 4)), {"axis": 0}), ((f(7), i(1, 6)), {})],
    "jax.lax.concatenate": [(([f(2, 3), f(2, 4)],), {"dimension": 1}), (([f(2), f(3), f(1)],), {"dimension": 0})],
    "jax.lax.reshape": [((f(2, 6), (3, 4)), {}), ((f(4, 2), (8,)), {})],
    "jax.lax.slice": [((f(5, 6), (1, 0), (4, 6)), {}), ((f(9), (2,), (8,), (3,)), {})],
    "jax.lax.dot": [((f(2, 3), f(3, 4)), {}), ((f(3), f(3)), {})],
    "jax.lax.conv": [((f(1, 2, 8, 8), f(4, 2, 3, 3), (1, 1), "SAME"), {}),
                     ((f(2, 3, 9, 7), f(5, 3, 2, 2), (2, 1), "VALID"), {})],
    "jax.lax.conv_general_dilated": [
        ((f(1, 2, 8, 8), f(4, 2, 3, 3), (1, 1), "SAME"), {}),
        ((f(2, 3, 9, 7), f(5, 3, 2, 2), (2, 1), ((1, 1), (0, 2))), {}),
        ((f(1, 4, 9), f(6, 2, 3), (1,), ((1, 1),)), {"feature_group_count": 2}),
        ((f(1, 4, 9, 9), f(6, 4, 3, 3), (1, 1), "VALID"), {"rhs_dilation": (2, 2)})],
    "jax.lax.conv_transpose": [((f(1, 8, 8, 2), f(3, 3, 2, 4), (2, 2), "SAME"), {}),
                               ((f(1, 8, 2), f(3, 2, 4), (2,), "VALID"), {})],
    "jax.lax.conv_with_general_padding": [((f(1, 2, 8, 8), f(4, 2, 3, 3), (1, 1), ((1, 1), (1, 1)), None, None), {})],
    "jax.numpy.einsum": [(("ij,jk->ik", f(2, 3), f(3, 4)), {}), (("bij,bjk->bik", f(5, 2, 3), f(5, 3, 4)), {}),
                         (("ii->i", f(4, 4)), {}), (("bhqd,bhkd->bhqk", f(2, 3, 4, 5), f(2, 3, 6, 5)), {})],
    "jax.nn.dot_product_attention": [((f(2, 4, 3, 8), f(2, 6, 3, 8), f(2, 6, 3, 8)), {})],
    "jax.lax.top_k": [((f(3, 6), 2), {}), ((f(5), 5), {})],
    "jax.lax.broadcast": [((f(2, 3), (4,)), {}), ((f(3), (2, 5)), {})],
    "jax.nn.softmax": [((f(2, 5),), {}), ((f(2, 3, 4),), {"axis": 1})],
    "jax.nn.glu": [((f(3, 4),), {}), ((f(4, 5),), {"axis": 0})],
}  # fmt: skip
