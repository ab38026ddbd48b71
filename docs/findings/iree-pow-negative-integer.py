"""IREE: Pow of a negative int64 returns the minimum of int64 (iree-base-compiler 3.13.0, iree-base-runtime 3.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import os
import sys
import tempfile

import iree.compiler
import iree.runtime
import numpy as np
import onnx
from iree.compiler.tools.import_onnx import __main__ as importer

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int64[3] x, int64[3] e) => (int64[3] y) { y = Pow (x, e) }""")
INPUTS = [np.array([-7, 7, -2], np.int64), np.array([3, 3, 2], np.int64)]
EXPECTED = np.array([-343, 343, 4], np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.onnx")
    onnx.save(MODEL, path)
    importer.main(importer.parse_arguments([path, "-o", path + ".mlir"]))
    binary = iree.compiler.compile_file(path + ".mlir", target_backends=["llvm-cpu"], input_type="onnx")
actual = iree.runtime.load_vm_flatbuffer(binary, driver="local-sync")["g"](*INPUTS).to_host()
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))
