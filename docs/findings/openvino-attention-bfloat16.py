"""OpenVINO: Attention of bfloat16 returns the value of another key (OpenVINO 2026.4.1, on a processor with AVX512_BF16 and without AMX). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (bfloat16[1,2,1] q, bfloat16[1,2,1] k, bfloat16[1,2,1] v) => (bfloat16[1,2,1] y) {
  y = Attention <kv_num_heads = 1, q_num_heads = 1> (q, k, v)
}""")
INPUTS = {"q": [1, 1], "k": [-4, 4], "v": [4, -2]}
print("expected: [-2.0, -2.0]", flush=True)
core = openvino.Core()
request = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
for name, values in INPUTS.items():
    bits = (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16).reshape(1, 2, 1)
    request.set_tensor(name, openvino.Tensor(bits, bits.shape, openvino.Type.bf16))
request.infer()
bits = np.array(request.get_tensor("y").data).view(np.uint16).astype(np.uint32) << 16
actual = bits.view(np.float32).reshape(-1).tolist()
print("actual:  ", actual)
sys.exit(not np.allclose(actual, [-2, -2], 0.05))
