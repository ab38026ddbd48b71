"""Small versions of common architectures, from transformers' configurations, with random weights: nothing is downloaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

LAYERS = {"num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 32, "hidden_size": 16}
TEXT = {**LAYERS, "vocab_size": 40, "max_position_embeddings": 32}
TOKENS, SIDE = 6, 32
IMAGE = {"image_size": SIDE}
Made = tuple[Any, tuple[Any, ...]]
"""A module and its example inputs."""


class First(torch.nn.Module):  # type: ignore[misc]
    """A model of transformers that returns its first tensor."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, *inputs: Any) -> Any:
        """The first tensor of the result."""
        return self.inner(*inputs)[0]


def _ids() -> Any:
    return torch.randint(0, 40, (1, TOKENS))


def _text() -> tuple[Any, ...]:
    return (_ids(),)


def _masked() -> tuple[Any, ...]:
    return _ids(), torch.ones(1, TOKENS, dtype=torch.int64)


def _image() -> tuple[Any, ...]:
    return (torch.randn(1, 3, SIDE, SIDE),)


def _sound() -> tuple[Any, ...]:
    return (torch.randn(1, 400),)


ARCHITECTURES: dict[str, tuple[Callable[[], tuple[Any, ...]], dict[str, Any]]] = {
    "Albert": (_masked, {**TEXT, "embedding_size": 8}),
    "Bert": (_masked, TEXT),
    "CLIPText": (_text, TEXT),
    "CLIPVision": (_image, {**LAYERS, **IMAGE, "patch_size": 8}),
    "ConvNext": (_image, {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2}),
    "ConvNextV2": (_image, {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2}),
    "DebertaV2": (_masked, {**TEXT, "relative_attention": True, "pos_att_type": ["c2p", "p2c"]}),
    "DistilBert": (_masked, {"vocab_size": 40, "dim": 16, "n_layers": 2, "n_heads": 4, "hidden_dim": 32}),
    "EfficientNet": (_image, {"image_size": SIDE, "width_coefficient": 0.25, "depth_coefficient": 0.2, "hidden_dim": 320}),
    "Electra": (_masked, {**TEXT, "embedding_size": 8}),
    "FNet": (_text, TEXT),
    "GPT2": (_text, {"vocab_size": 40, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 32}),
    "GPTNeoX": (_text, TEXT),
    "Llama": (_text, TEXT),
    "MobileNetV1": (_image, {"depth_multiplier": 0.25}),
    "MobileNetV2": (_image, {"depth_multiplier": 0.25}),
    "MobileViT": (_image, {"hidden_sizes": [16, 24, 32], "neck_hidden_sizes": [8, 8, 16, 16, 16, 16, 32]}),
    "MPNet": (_masked, TEXT),
    "PoolFormer": (_image, {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 1, 1]}),
    "RegNet": (_image, {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "groups_width": 8}),
    "ResNet": (_image, {"embedding_size": 16, "hidden_sizes": [16, 32], "depths": [1, 1], "layer_type": "basic"}),
    "Roberta": (_masked, TEXT),
    "Segformer": (_image, {"hidden_sizes": [8, 16, 16, 32], "depths": [1, 1, 1, 1]}),
    "Swin": (_image, {**IMAGE, "patch_size": 2, "embed_dim": 8, "depths": [1, 1], "num_heads": [2, 2], "window_size": 4}),
    "T5Encoder": (_text, {"vocab_size": 40, "d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2, "num_heads": 4}),
    "ViT": (_image, {**LAYERS, **IMAGE, "patch_size": 8}),
    "Wav2Vec2": (_sound, {**LAYERS, "conv_dim": [8, 8], "conv_stride": [5, 2], "conv_kernel": [10, 3],
                          "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 2}),
}
FURTHER: dict[str, tuple[Callable[[], tuple[Any, ...]], dict[str, Any]]] = {
    "BertForSequenceClassification": (_masked, TEXT),
    "Bloom": (_text, {"vocab_size": 40, "hidden_size": 16, "n_layer": 2, "n_head": 4}),
    "GPTNeo": (_text, {"vocab_size": 40, "hidden_size": 16, "num_layers": 2, "attention_types": [[["global", "local"], 1]],
                       "num_heads": 4, "max_position_embeddings": 32}),
    "OPT": (_text, {"vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "ffn_dim": 32, "num_attention_heads": 4,
                    "max_position_embeddings": 32, "word_embed_proj_dim": 16}),
    "ResNetForImageClassification": ARCHITECTURES["ResNet"],
}
"""Architectures that contribute chains only: the weights of all others influence every generated model."""
CONFIGURATIONS = {"BertForSequenceClassification": "Bert", "ResNetForImageClassification": "ResNet", "T5Encoder": "T5"}
"""Models whose configuration has another name."""


def class_of(name: str) -> str:
    """The class name in transformers: names with a task have no "Model" appended."""
    return name if re.search("For[A-Z]", name) else f"{name}Model"


def made(name: str) -> Made:
    """A model in inference mode with its inputs; the same weights and inputs each time."""
    import transformers

    torch.manual_seed(0)
    inputs, told = (ARCHITECTURES | FURTHER)[name]
    config = getattr(transformers, CONFIGURATIONS.get(name, name) + "Config")(**told)
    config.use_cache = False
    config._attn_implementation = "eager"
    model = getattr(transformers, class_of(name))
    return First(model(config)).eval(), inputs()


def names() -> Iterator[str]:
    """All of them."""
    yield from sorted(ARCHITECTURES | FURTHER)
