"""ONNX files of another folder, quantized by NNCF.

python -m traces.collect.zoo.sources.nncf FROM FOLDER    (in the environment that traces/backends.sh zoo-nncf makes)
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

import nncf
import onnx
from nncf.quantization.advanced_parameters import AdvancedQuantizationParameters, QuantizationParameters

from traces.collect.zoo import store

FROM = ("script13", "script17", "dynamo18")
LAYERS = (
    "Attention", "AttentionPacked", "BnConv", "ConvAddRelu", "ConvBnRelu", "ConvBnRelu6", "ConvTransposeBn",
    "Depthwise", "Encoder", "Focus", "GlobalPoolLinear", "InvertedResidual", "Lstm", "Mlp", "MlpGelu",
    "PadConvBoth", "PadMaxPool", "PixelShuffle", "Pyramid", "SkipCat", "SplitConv", "SqueezeHard", "SqueezeSigmoid",
    "UNetPad", "Bert", "ConvNext", "MobileNetV2", "ResNet", "ViT",
)  # fmt: skip
SETTINGS: dict[str, dict[str, Any]] = {
    "nncf": {"preset": nncf.QuantizationPreset.PERFORMANCE},
    "nncfmixed": {"preset": nncf.QuantizationPreset.MIXED, "advanced_parameters": AdvancedQuantizationParameters(
        activations_quantization_params=QuantizationParameters(per_channel=False), disable_bias_correction=True)},
    "nncftransformer": {"model_type": nncf.ModelType.TRANSFORMER},
}  # fmt: skip


def main() -> None:
    """The program."""
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.WARNING)
    for name in LAYERS:
        plain = next((path for how in FROM if (path := store.path_of(source, name, how)).exists()), None)
        if not plain:
            continue
        for how, told in SETTINGS.items():
            path = store.path_of(folder, name, how)
            if path.exists():
                continue
            with store.skipping(path):
                model, fed = store.Stored(plain).load()
                onnx.save(nncf.quantize(model, nncf.Dataset([fed]), subset_size=1, **told), path)
                store.save_inputs(path, fed)


if __name__ == "__main__":
    main()
