"""With TensorFlow: calls are rebuilt, judged and found by probing. Skipped if tensorflow cannot be imported."""

import importlib.util
import multiprocessing
import unittest
from collections.abc import Callable, Sequence
from typing import Any

from traces.collect.call.arglist import signature
from traces.collect.call.spec import Elements, Literal, TensorSpec, Values
from traces.collect.call.symbolise import symbolise
from traces.collect.judge.verdict import FAIL, MIXED, PASS, judge

HAVE_TENSORFLOW = importlib.util.find_spec("tensorflow") is not None


def verdict(name: str, arguments: Sequence[tuple[str, object]], values: Values | None = None) -> str:
    """The verdict on a call, with its own or with other values."""
    from traces.collect.frameworks.tensorflow import adapter as tensorflow_adapter

    adapter = tensorflow_adapter.load()
    call = symbolise(f"tf.raw_ops.{name}", [(key, False, value) for key, value in arguments])
    return judge(adapter, adapter.compile(call.api, call.args), values or call.values, None).kind


def outputs(name: str, arguments: Sequence[tuple[str, object]]) -> Any:
    """The outputs of a call."""
    from traces.collect.frameworks.tensorflow import adapter as tensorflow_adapter

    adapter = tensorflow_adapter.load()
    call = symbolise(f"tf.raw_ops.{name}", [(key, False, value) for key, value in arguments])
    return adapter.run(adapter.compile(call.api, call.args), call.values, "normal")


def probe(name: str) -> list[str]:
    """The structures found by probing."""
    from traces.collect.frameworks.tensorflow import adapter as tensorflow_adapter
    from traces.collect.frameworks.tensorflow import defs as tensorflow_defs
    from traces.collect.frameworks.tensorflow.probe import Search

    found = Search(tensorflow_adapter.load(), tensorflow_defs.define(name), 1).run()
    return [signature(call.args) for call in found]


def obstacle(name: str) -> str | None:
    """Why an operator is excluded."""
    from traces.collect.frameworks.tensorflow import defs as tensorflow_defs

    return tensorflow_defs.obstacle(name)


def _answer(pipe: Any, function: Callable[..., Any], args: Sequence[Any]) -> None:
    pipe.send(function(*args))


def apart(function: Callable[..., Any], *args: Any) -> Any:
    """The function's result from a separate process: TensorFlow cannot be forked once it has run, so it is not
    imported here."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_answer, args=(theirs, function, args))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    finally:
        process.join()


def floats(*dims: int) -> TensorSpec:
    """A float tensor."""
    return TensorSpec(dims, "float32")


@unittest.skipUnless(HAVE_TENSORFLOW, "tensorflow is not installed here")
class TensorFlow(unittest.TestCase):
    """tensorflow_adapter, tensorflow_defs and tensorflow_probe."""

    def test_verdicts(self) -> None:
        """A broadcast, a mismatch, an index that depends on elements."""
        pair = [("x", floats(2, 3)), ("y", floats(2, 3))]
        self.assertEqual(apart(verdict, "AddV2", pair, (2, 3, 1, 3)), PASS)
        self.assertEqual(apart(verdict, "AddV2", pair, (2, 3, 2, 2)), FAIL)
        gather = [("params", floats(4)), ("indices", TensorSpec((2,), "int32"))]
        self.assertEqual(apart(verdict, "Gather", gather), MIXED)

    def test_kinds_of_arguments(self) -> None:
        """Elements, dtypes, quantized tensors, strings; a variable, whose value replaces outputs that a call
        does not return."""
        fill = [("dims", Elements([2, 3], "int32")), ("value", floats())]
        self.assertEqual(apart(outputs, "Fill", fill), (((2, 3), "float32"),))
        cast = [("x", TensorSpec((2,), "qint8")), ("DstT", Literal("tf.float32"))]
        self.assertEqual(apart(outputs, "Bitcast", [("input", cast[0][1]), ("type", Literal("tf.int8"))]), (((2,), "int8"),))
        self.assertEqual(apart(outputs, "StringLength", [("input", TensorSpec((3,), "string"))]), (((3,), "int32"),))
        held = [("resource", TensorSpec((2, 3), "float32", held="variable")), ("value", floats(2, 3))]
        self.assertEqual(apart(outputs, "AssignAddVariableOp", held), (((2, 3), "float32"),))

    def test_probing(self) -> None:
        """Matrices are found for MatMul, a variable for an operator that reads one."""
        self.assertTrue(any('{"tensor":["s2","s3"]}' in text for text in apart(probe, "MatMul")))
        self.assertTrue(any('"held":"variable"' in text for text in apart(probe, "ReadVariableOp")))

    def test_obstacles(self) -> None:
        """An operator that cannot be recorded has a reason."""
        self.assertIsNone(apart(obstacle, "MatMul"))
        self.assertEqual(apart(obstacle, "RefSwitch"), "takes a reference")
        self.assertEqual(apart(obstacle, "Const"), "takes a tensor as attribute")


if __name__ == "__main__":
    unittest.main()
