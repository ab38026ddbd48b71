"""A framework for tests of runtime/backends/eager.py: numpy, and calls that fail in every way."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../runtime/backends"))
import eager
import numpy as np


def spin(x):
    while True:
        pass


def raises(x):
    raise ValueError("no")


OPERATORS = {
    "fake.copy": lambda x: x.copy(),
    "fake.inverse": lambda x: 1 / x,
    "fake.zero": lambda x: x * 0,
    "fake.needs_sign": lambda x: raises(x) if (x >= 0).all() else x.copy(),
    "fake.gaps": lambda x: np.repeat(x, 2, 1)[:, ::2],
    "fake.needs_no_gaps": lambda x: x.copy() if x.flags.c_contiguous else raises(x),
    "fake.narrow": lambda x: x[:-1],
    "fake.half": lambda x: x.astype(np.float16),
    "fake.raises": raises,
    "fake.abort": lambda x: os.abort(),
    "fake.spin": spin,
}


class Fake:
    name = "fake"

    def enter(self):
        np.seterr(all="ignore")

    def tensor(self, array, dtype):
        return array.astype(dtype)

    def span(self, nodes, start, dtypes):
        return min(len(nodes) - start, 2)

    def run(self, nodes, values):
        made, known = [], dict(values)
        for node in nodes:
            made.append([OPERATORS[node["api"]](known[node["args"][0]["value"]["ref"]])])
            known[node["outputs"][0]["id"]] = made[-1][0]
        return made

    def describe(self, tensor):
        return tensor.shape, tensor.dtype.name

    def finite(self, tensor):
        return bool(np.isfinite(tensor).all())

    def extent(self, tensor):
        return eager.extent(tensor)

    def plain(self, tensor):
        return tensor if tensor.flags.c_contiguous else tensor.copy()

    def notes(self):
        return {}


if __name__ == "__main__":
    eager.CPU_SECONDS = 1.0
    sys.exit(eager.main(Fake()))
