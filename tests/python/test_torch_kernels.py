"""inductor's kernels in one library: the source text, and models compiled as one, with one g++ call."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any

try:
    import torch
    from torch._inductor import codecache

    from rulefuzz import targets
    from rulefuzz.frameworks import torch_kernels
    from rulefuzz.frameworks.torch_kernels import source_of
except ImportError:
    raise unittest.SkipTest("no torch") from None

KERNEL = """
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0, float* out_ptr0, const int64_t ks0)
{
    out_ptr0[0] = in_ptr0[0] + ks0;
}
"""


class Sources(unittest.TestCase):
    """The merged source."""

    def test_two_kernels(self) -> None:
        types = ["const float*", "float*", "const int64_t"]
        text = source_of([(types, KERNEL), (types, KERNEL)])
        self.assertEqual(text.count("#include <torch/csrc/inductor/cpp_prefix.h>"), 1)
        self.assertTrue(text.startswith("#include <torch/csrc/inductor/cpp_prefix.h>"))
        self.assertEqual(text.count("void kernel(const float* in_ptr0"), 2)
        self.assertEqual(text.count('extern "C"'), 2)
        self.assertIn("part1::kernel((const float*)words[0], (float*)words[1], (const int64_t)words[2]);", text)

    def test_unknown_source(self) -> None:
        for types, source in ((["double"], KERNEL), (["float*"], KERNEL.replace("kernel(", "other("))):
            with self.assertRaises(NotImplementedError):
                source_of([(types, source)])


@unittest.skipUnless(shutil.which("g++"), "no g++")
class Compiling(unittest.TestCase):
    """`together` of torch-inductor."""

    def test_second_worker(self) -> None:
        """A worker that starts later in a campaign, whose graphs are known, prepares itself as well."""
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, RULEFUZZ_SCRATCH=folder):
            for _ in range(2):
                torch_kernels.prepare()

    def test_single_compiler_call(self) -> None:
        """Two kernels with a matrix product in between, which inductor does not fuse."""

        def model(x: Any, y: Any) -> Any:
            z = (torch.exp(x) @ y).sin() // 2
            return z, torch.softmax(z @ x, 0)

        target = targets.load("torch-inductor")
        x, y = torch.rand(8, 8), torch.rand(8, 8)
        built: list[Any] = []
        build: Callable[..., Any] = codecache.CppBuilder.build
        with tempfile.TemporaryDirectory() as folder, torch.no_grad(), unittest.mock.patch.dict(
            os.environ, {"TORCHINDUCTOR_CACHE_DIR": folder, "TORCHINDUCTOR_COMPILE_THREADS": "1"}):  # fmt: skip
            target.prepare()
            with target.together():
                target.compile(model, [x, y], lambda stage: None)(x, y)  # compiles the header

            def count(builder: Any) -> Any:
                built.append(builder)
                return build(builder)

            with unittest.mock.patch.object(codecache.CppBuilder, "build", count), target.together():
                got = target.compile(lambda x, y: model(y.cos(), x), [x, y], lambda stage: None)(x, y)
            self.assertEqual(len(built), 1)
            for one, other in zip(got, model(y.cos(), x), strict=True):
                torch.testing.assert_close(one, other)


if __name__ == "__main__":
    unittest.main()
