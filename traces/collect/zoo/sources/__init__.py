"""Sources of ONNX files that need an environment of their own, or another library: each is a program that fills a folder."""
