"""100 ordinary calls of JAX, written from its documentation: the function, positional and named arguments, some of them
wrong on purpose. An array is an `A`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class A:
    """An array of this shape and dtype; a tuple in the place of a shape."""

    shape: tuple[int, ...]
    dtype: str = "float32"


KEY = A((2,), "uint32")
Call = tuple[str, tuple[Any, ...], dict[str, Any]]


def call(api: str, *args: Any, **kwargs: Any) -> Call:
    """A call."""
    return f"jax.{api}", args, kwargs


CALLS: list[Call] = [
    call("numpy.add", A((3, 4)), A((4,))),
    call("numpy.add", A((3, 4)), 1.0),
    call("numpy.add", A((3, 4)), A((3,))),
    call("numpy.multiply", A((8, 1, 5)), A((7, 5))),
    call("numpy.subtract", A((2, 3), "int32"), 2),
    call("numpy.divide", A((2, 3)), A((2, 3))),
    call("numpy.power", A((5,)), 2),
    call("numpy.maximum", A((2, 3)), 0.0),
    call("numpy.exp", A((2, 3, 4))),
    call("numpy.sqrt", A(())),
    call("numpy.tanh", A((16, 128))),
    call("numpy.sin", A((10,))),
    call("numpy.abs", A((3, 3), "int32")),
    call("numpy.sum", A((2, 3, 4))),
    call("numpy.sum", A((2, 3, 4)), axis=1),
    call("numpy.sum", A((2, 3, 4)), axis=-1, keepdims=True),
    call("numpy.sum", A((2, 3, 4)), axis=(0, 2)),
    call("numpy.sum", A((2, 3)), axis=2),
    call("numpy.mean", A((32, 10)), axis=0),
    call("numpy.mean", A((4, 8, 8, 3)), axis=(1, 2)),
    call("numpy.var", A((4, 8)), axis=-1, keepdims=True),
    call("numpy.std", A((4, 8)), axis=0),
    call("numpy.max", A((4, 8)), axis=1),
    call("numpy.min", A((4, 8))),
    call("numpy.argmax", A((32, 10)), axis=-1),
    call("numpy.argmin", A((7,))),
    call("numpy.all", A((3, 4), "bool"), axis=1),
    call("numpy.any", A((3, 4), "bool")),
    call("numpy.cumsum", A((3, 4)), axis=1),
    call("numpy.cumprod", A((6,))),
    call("numpy.sort", A((3, 4)), axis=-1),
    call("numpy.argsort", A((3, 4))),
    call("numpy.matmul", A((2, 3)), A((3, 4))),
    call("numpy.matmul", A((8, 2, 3)), A((3, 4))),
    call("numpy.matmul", A((2, 3)), A((4, 5))),
    call("numpy.dot", A((2, 3)), A((3,))),
    call("numpy.dot", A((5,)), A((5,))),
    call("numpy.vdot", A((2, 3)), A((6,))),
    call("numpy.outer", A((3,)), A((4,))),
    call("numpy.tensordot", A((2, 3, 4)), A((3, 4, 5)), 2),
    call("numpy.einsum", "ij,jk->ik", A((2, 3)), A((3, 4))),
    call("numpy.einsum", "bij,bjk->bik", A((8, 2, 3)), A((8, 3, 4))),
    call("numpy.reshape", A((2, 6)), (3, 4)),
    call("numpy.reshape", A((2, 6)), (4, -1)),
    call("numpy.reshape", A((2, 6)), (5, 2)),
    call("numpy.transpose", A((2, 3, 4))),
    call("numpy.transpose", A((2, 3, 4)), (0, 2, 1)),
    call("numpy.swapaxes", A((2, 3, 4)), 1, 2),
    call("numpy.moveaxis", A((2, 3, 4)), 0, -1),
    call("numpy.expand_dims", A((2, 3)), 0),
    call("numpy.expand_dims", A((2, 3)), axis=-1),
    call("numpy.squeeze", A((1, 3, 1))),
    call("numpy.squeeze", A((1, 3, 1)), axis=0),
    call("numpy.squeeze", A((2, 3)), axis=0),
    call("numpy.ravel", A((2, 3))),
    call("numpy.concatenate", [A((2, 3)), A((2, 5))], axis=1),
    call("numpy.concatenate", [A((2, 3)), A((4, 3))]),
    call("numpy.concatenate", [A((2, 3)), A((2, 5))]),
    call("numpy.stack", [A((2, 3)), A((2, 3))]),
    call("numpy.stack", [A((2, 3)), A((2, 3)), A((2, 3))], axis=-1),
    call("numpy.hstack", [A((2, 3)), A((2, 4))]),
    call("numpy.vstack", [A((2, 3)), A((4, 3))]),
    call("numpy.split", A((9, 4)), 3),
    call("numpy.tile", A((2, 3)), (2, 2)),
    call("numpy.repeat", A((2, 3)), 2, axis=1),
    call("numpy.flip", A((2, 3)), axis=0),
    call("numpy.roll", A((2, 3)), 1, axis=1),
    call("numpy.pad", A((2, 3)), ((1, 1), (2, 2))),
    call("numpy.broadcast_to", A((3,)), (2, 3)),
    call("numpy.broadcast_to", A((3,)), (2, 4)),
    call("numpy.where", A((2, 3), "bool"), A((2, 3)), A((2, 3))),
    call("numpy.where", A((2, 3), "bool"), A((2, 3)), 0.0),
    call("numpy.clip", A((2, 3)), 0.0, 1.0),
    call("numpy.tril", A((4, 4))),
    call("numpy.diag", A((4,))),
    call("numpy.trace", A((4, 5))),
    call("numpy.zeros_like", A((2, 3))),
    call("numpy.isnan", A((2, 3))),
    call("numpy.linalg.norm", A((3, 4))),
    call("numpy.linalg.norm", A((3, 4)), axis=1),
    call("numpy.linalg.inv", A((5, 3, 3))),
    call("numpy.linalg.inv", A((3, 4))),
    call("numpy.linalg.solve", A((3, 3)), A((3, 2))),
    call("numpy.linalg.cholesky", A((4, 4))),
    call("numpy.linalg.qr", A((5, 3))),
    call("numpy.fft.fft", A((8,))),
    call("nn.relu", A((32, 128))),
    call("nn.gelu", A((2, 5))),
    call("nn.softmax", A((32, 10))),
    call("nn.softmax", A((32, 10)), axis=0),
    call("nn.log_softmax", A((32, 10)), axis=-1),
    call("nn.sigmoid", A((2, 5))),
    call("nn.one_hot", A((7,), "int32"), 10),
    call("nn.logsumexp", A((2, 5)), axis=1),
    call("lax.conv", A((1, 3, 8, 8)), A((4, 3, 3, 3)), (1, 1), "SAME"),
    call("lax.dot", A((2, 3)), A((3, 4))),
    call("lax.dynamic_slice", A((5, 6)), (1, 2), (2, 3)),
    call("random.normal", KEY, (2, 3)),
    call("random.uniform", KEY, (4,)),
    call("scipy.special.erf", A((2, 3))),
]
