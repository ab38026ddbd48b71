"""OpenVINO: a bfloat16 constant in int32_data is read as an integer (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g () => (float[1] y) { y = Cast <to = 1> (c) }""")
MODEL.graph.initializer.add(name="c", data_type=onnx.TensorProto.BFLOAT16, dims=[1], int32_data=[0x3F80])
expected = onnx.numpy_helper.to_array(MODEL.graph.initializer[0]).astype("float32")
print("expected:", expected.dtype, expected.shape, expected.tolist(), flush=True)
core = openvino.Core()
actual = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")([])[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(actual.tolist() != expected.tolist())
