"""Which dtypes an operator is recorded with."""

import unittest
from unittest import mock

from tests.traces.fake import adapter
from tests.traces.fake.adapter import Tensor
from traces.collect.call.spec import TensorSpec
from traces.collect.call.symbolise import symbolise
from traces.collect.records.dtype_table import dtype_table
from traces.collect.records.filter import Operator

BYTES = {"float32": 4, "int32": 4, "int16": 2, "int64": 8}


def view(x: Tensor) -> Tensor:
    """As int16: its last dimension depends on the width of the elements."""
    return Tensor((*x.dims[:-1], x.dims[-1] * BYTES[x.dtype] // 2), "int16")


class Table(unittest.TestCase):
    """dtype_table."""

    def test_dimensions(self) -> None:
        """Dtypes with other output dimensions than the records belong to another signature."""
        call = symbolise("fake.view", [("x", True, TensorSpec((3, 4), "float32"))])
        operator = Operator("fake.view", call.args, ((2, "int16"),), [call.values])
        candidates = [["int32"], ["int64"], ["int16"]]
        with mock.patch.dict(adapter.FUNCTIONS, {"fake.view": view}):
            found = dtype_table(adapter.FakeAdapter(), operator, [call.values], candidates)
        self.assertEqual(found, [[["float32"], ["int16"]], [["int32"], ["int16"]]])
