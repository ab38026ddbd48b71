"""IREE: MaxPool counts Indices within one channel (iree-base-compiler 3.13.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys
import tempfile

import iree.compiler
import iree.runtime
import numpy as np
import onnx
from iree.compiler.tools.import_onnx import __main__ as importer

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]> g (float[1,2,1,2] x) => (int64[1,2,1,1] y, float[1,2,1,1] y1) { y1, y = MaxPool<kernel_shape=[1,2]>(x) }""")
INPUTS = [np.array([[[[1, 2]], [[3, 4]]]], np.float32)]
EXPECTED = np.array([[[[1]], [[3]]]], np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(MODEL, f"{folder}/m.onnx")
        importer.main(importer.parse_arguments([f"{folder}/m.onnx", "-o", f"{folder}/m.mlir"]))
        binary = iree.compiler.compile_file(f"{folder}/m.mlir", target_backends=["llvm-cpu"], input_type="onnx")
    actual = iree.runtime.load_vm_flatbuffer(binary, driver="local-sync")["g"](*INPUTS)[0].to_host()
except Exception as error:
    sys.exit("actual: " + str(error).partition("error: ")[2].partition("%")[0].strip())
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))
