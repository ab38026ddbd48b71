"""Patterns of TensorFlow's raw operators in programs, and their recordings."""

from __future__ import annotations

import unittest
from typing import Any

try:
    import numpy as np
    import tensorflow as tf

    from traces.collect.zoo.eager import chains
    from traces.collect.zoo.raw_ops import tape
except ImportError:
    raise unittest.SkipTest("no tensorflow") from None

KNOWN = {f"tf.raw_ops.{name}" for name in ("Mul", "AddV2", "Relu", "ReluGrad", "Sum", "Split", "ConcatV2", "OneHot")}


def lines(program: Any, *given: Any) -> dict[str, Any]:
    """The recordings of its patterns."""
    found = chains.Patterns("tensorflow", KNOWN)
    found.add("test", tape.record(program, given or (tf.constant(np.arange(6.0).reshape(2, 3) + 1, tf.float32),)))
    return found.lines


class Recordings(unittest.TestCase):
    """One program each."""

    def test_data_flow(self) -> None:
        """Attributes and small constants are written, variables are constant inputs, outputs are those that no call takes."""
        weight = tf.Variable([0.5, 0.5, 0.5])
        found = lines(lambda x: tf.reduce_sum(tf.nn.relu(x * weight) * 2.5, 1))
        line = found["tf.raw_ops.Mul(x0,c);tf.raw_ops.Relu(0);tf.raw_ops.Mul(1);tf.raw_ops.Sum(2)"]
        self.assertEqual(line["framework"], "tensorflow")
        one = {"id": 0, "shape": [2, 3], "dtype": "float32", "values": "positive"}
        two = {"id": 1, "shape": [3], "dtype": "float32", "values": "unit", "constant": True}
        self.assertEqual(line["inputs"], [one, two])
        args = {arg["name"]: arg["value"] for node in line["nodes"][2:] for arg in node["args"]}
        self.assertEqual(args["y"], {"elements": {"const": "2.5"}, "dtype": "float32"})
        self.assertEqual(args["axis"], {"elements": {"const": "1"}, "dtype": "int32"})
        self.assertEqual(args["keep_dims"], {"const": "False"})
        self.assertEqual(line["outputs"], [5])

    def test_gradients(self) -> None:
        """The calls of a gradient take results of the calls before."""

        def program(x: Any) -> Any:
            with tf.GradientTape() as watched:
                watched.watch(x)
                y = tf.nn.relu(x * 2.0)
            return watched.gradient(y, x, tf.ones_like(y) * x)

        self.assertIn("tf.raw_ops.Mul(c,x0);tf.raw_ops.Mul(x0);tf.raw_ops.Relu(1);tf.raw_ops.ReluGrad(0,2)", lines(program))

    def test_several_tensors(self) -> None:
        """Which result feeds a call, and lists of tensors."""
        given = tf.constant(np.arange(32.0).reshape(2, 16), tf.float32)
        found = lines(lambda x: tf.concat(tf.split(x, 2, 0)[::-1], 1), given)
        line = found["tf.raw_ops.Split(x0)=2;tf.raw_ops.ConcatV2(0.1,0)"]
        self.assertEqual(line["nodes"][1]["args"][0]["value"], [{"ref": 2}, {"ref": 1}])

    def test_constants_are_folded(self) -> None:
        """Calls on shapes and constants are not recorded; their results are constants, written out if they are small."""
        found = lines(lambda x: tf.nn.relu(x + tf.cast(tf.shape(x)[0] * 2, tf.float32)))
        line = found["tf.raw_ops.AddV2(x0);tf.raw_ops.Relu(0)"]
        self.assertEqual(line["nodes"][0]["args"][1]["value"], {"elements": {"const": "4.0"}, "dtype": "float32"})
        weight = tf.Variable([0.5, 0.5, 0.5])
        found = lines(lambda x: tf.nn.relu(x + weight * 2.0))
        self.assertEqual(list(found), ["tf.raw_ops.AddV2(x0,c);tf.raw_ops.Relu(0)"])

    def test_calls_without_rules(self) -> None:
        """They end a window, and so do attributes that no call states."""
        self.assertEqual(lines(lambda x: tf.nn.relu(tf.exp(x * 2.0))), {})

    def test_omitted_attributes(self) -> None:
        """An attribute that is None has its default."""
        found = lines(lambda x: tf.one_hot(x, 4) * 2.0, tf.constant([1, 2]))
        args = {arg["name"]: arg["value"] for arg in found["tf.raw_ops.OneHot(x0);tf.raw_ops.Mul(0)"]["nodes"][0]["args"]}
        self.assertEqual(args["axis"], {"const": "-1"})


if __name__ == "__main__":
    unittest.main()
