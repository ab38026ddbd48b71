"""ONNX: onnx, onnxruntime, the reference evaluator."""
