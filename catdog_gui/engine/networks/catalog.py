"""Name -> network: stages that make features, and a linear head that makes class scores."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from catdog_gui.engine.errors import UsageError
from catdog_gui.engine.networks import lite0
from catdog_gui.engine.networks.depthwise import quicken
from catdog_gui.engine.networks.lite0_shape import FEATURES as LITE0_FEATURES
from catdog_gui.engine.networks.weights import bundled_lite0, fetch_weights

MEAN = (0.485, 0.456, 0.406)  # ImageNet's, of RGB in 0..1
STD = (0.229, 0.224, 0.225)
LITE0 = "efficientnet_lite0"
BATCH_NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm)


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """upper_from: the first stage that `trainable="upper"` trains."""

    title: str
    build: Callable[[int], tuple[nn.Sequential, int]]  # image size -> stages, feature size
    upper_from: int


class Network(nn.Module):
    """Scores from photos. `stages` end in (N, feature_size); `head` is linear.

    Input: uint8 (N, S, S, 3), or float (N, 3, S, S) already normalized.
    """

    scale: torch.Tensor
    shift: torch.Tensor

    def __init__(self, stages: nn.Sequential, feature_size: int, classes: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.stages = stages
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(feature_size, classes)
        mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (MEAN, STD))
        self.register_buffer("scale", 1 / (255 * std), persistent=False)
        self.register_buffer("shift", -mean / std, persistent=False)
        self.checkpointing = False

    @property
    def has_dropout(self) -> bool:
        """Whether learning draws random numbers."""
        drawing = (layer for layer in self.modules() if type(layer).__name__ in ("Dropout", "StochasticDepth"))
        return any(float(getattr(layer, "p", 0.0)) > 0 for layer in drawing)

    def normalize(self, photos: torch.Tensor) -> torch.Tensor:
        """uint8 (N, S, S, 3) -> float32 (N, 3, S, S) in channels_last memory."""
        x = photos.permute(0, 3, 1, 2)  # a view: NHWC storage is channels_last already
        return torch.addcmul(self.shift, x.float(), self.scale)  # (v / 255 - mean) / std in one pass

    def features(self, photos: torch.Tensor, *, first: int = 0, last: int | None = None) -> torch.Tensor:
        """The output of stages first..last (exclusive); all of them give (N, feature_size)."""
        x = self.normalize(photos) if photos.dtype == torch.uint8 else photos
        for stage in self.stages[first:last]:
            x = _recomputed(stage, x) if self.checkpointing and self.training else stage(x)
        return x

    def forward(self, photos: torch.Tensor) -> torch.Tensor:
        """Class scores (N, C)."""
        scores: torch.Tensor = self.head(self.dropout(self.features(photos)))
        return scores


class Upper(nn.Module):
    """The learning part of a network: stages from `first` on, and the head, over what the frozen stages gave."""

    def __init__(self, network: Network, first: int) -> None:
        super().__init__()
        self.network = network
        self.first = first

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        network = self.network
        scores: torch.Tensor = network.head(network.dropout(network.features(x, first=self.first)))
        return scores


def _recomputed(stage: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """The stage without keeping its activations. Norm statistics are updated by the first pass only."""
    from contextlib import nullcontext

    result: torch.Tensor = checkpoint(
        stage, x, use_reentrant=False, context_fn=lambda: (nullcontext(), _StatisticsKept(stage))
    )
    return result


class _StatisticsKept:
    """While it is entered, BatchNorm layers in training mode do not move their running statistics."""

    def __init__(self, module: nn.Module) -> None:
        self._norms = [layer for layer in module.modules() if isinstance(layer, BATCH_NORMS)]
        self._momenta: list[float | None] = []

    def __enter__(self) -> None:
        self._momenta = [layer.momentum for layer in self._norms]
        for layer in self._norms:
            layer.momentum = 0.0

    def __exit__(self, *_: object) -> None:
        for layer, momentum in zip(self._norms, self._momenta, strict=True):
            layer.momentum = momentum


def set_learning(network: Network, first: int, *, keep_statistics: bool) -> None:
    """Put the network in training mode with the stages before `first` frozen.

    keep_statistics: BatchNorm uses the pretrained statistics and does not move them (small batches would spoil them).
    """
    network.train()
    for number, stage in enumerate(network.stages):
        stage.requires_grad_(number >= first)
        if number < first:
            stage.eval()
    if keep_statistics:
        for layer in network.modules():
            if isinstance(layer, BATCH_NORMS):
                layer.eval()


def build(name: str, classes: int, *, image_size: int = 224, dropout: float = 0.0) -> Network:
    """A network with random weights. Raises UsageError unknown_network."""
    spec = SPECS.get(name)
    if spec is None:
        raise UsageError("unknown_network", name=name, known=", ".join(SPECS))
    stages, feature_size = spec.build(image_size)
    quicken(stages)
    return Network(stages, feature_size, classes, dropout=dropout)


def load_pretrained(
    network: Network,
    name: str,
    *,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> None:
    """Fill the stages with ImageNet weights: bundled ones, or downloaded once (bytes done, bytes in all).

    Raises CatDogError weights_unavailable, Stopped.
    """
    if name == LITE0:
        tensors = {key: torch.from_numpy(value) for key, value in bundled_lite0().items()}
        network.stages.load_state_dict(tensors, strict=False)
        return
    from torchvision import models

    weights: Any = models.get_model_weights(name).DEFAULT
    state = torch.load(fetch_weights(name, weights.url, on_progress, should_stop), "cpu", weights_only=True)
    whole = models.get_model(name)
    whole.load_state_dict(state)
    stages, _ = _torchvision_stages(name, whole)
    network.stages.load_state_dict(stages.state_dict())


def has_pretrained(name: str) -> bool:
    return name != "small_cnn"


def _flat() -> nn.Sequential:
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(1))


def _torchvision_stages(name: str, whole: Any) -> tuple[nn.Sequential, int]:  # noqa: ANN401 -- untyped library
    if name.startswith("resnet"):
        stem = nn.Sequential(whole.conv1, whole.bn1, whole.relu, whole.maxpool)
        layers = [block for layer in (whole.layer1, whole.layer2, whole.layer3, whole.layer4) for block in layer]
        return nn.Sequential(stem, *layers, _flat()), whole.fc.in_features
    if name.startswith("mobilenet_v3"):
        last = nn.Sequential(_flat(), whole.classifier[0], whole.classifier[1])
        return nn.Sequential(*whole.features, last), whole.classifier[0].out_features
    if name.startswith("convnext"):
        blocks = _flattened(whole.features)
        last = nn.Sequential(nn.AdaptiveAvgPool2d(1), whole.classifier[0], nn.Flatten(1))
        return nn.Sequential(*blocks, last), whole.classifier[2].in_features
    return nn.Sequential(*_flattened(whole.features), _flat()), whole.classifier[-1].in_features


def _flattened(features: Iterable[nn.Module]) -> list[nn.Module]:
    """Blocks one by one, so that activations can be dropped and stages be frozen in fine steps."""
    blocks: list[nn.Module] = []
    for part in features:
        inner = list(part.children()) if type(part) is nn.Sequential else []
        blocks += inner or [part]
    return blocks


def _torchvision(name: str) -> Callable[[int], tuple[nn.Sequential, int]]:
    def build_stages(_image_size: int) -> tuple[nn.Sequential, int]:
        from torchvision import models

        return _torchvision_stages(name, models.get_model(name))

    return build_stages


def _lite0(_image_size: int) -> tuple[nn.Sequential, int]:
    return lite0.stages(), LITE0_FEATURES


def _small_cnn(image_size: int) -> tuple[nn.Sequential, int]:
    """The article's network: four convolutions with pooling, one hidden layer of 512."""

    def layer(channels_in: int, channels_out: int) -> nn.Sequential:
        # Pooled before the ReLU: values and gradients are the same, and the ReLU has a quarter of the work.
        return nn.Sequential(nn.Conv2d(channels_in, channels_out, 3, padding=1), nn.MaxPool2d(2), nn.ReLU())

    side = image_size // 16
    hidden = nn.Sequential(nn.Flatten(), nn.Linear(128 * side * side, 512), nn.ReLU())
    return nn.Sequential(layer(3, 32), layer(32, 64), layer(64, 128), layer(128, 128), hidden), 512


SPECS: dict[str, NetworkSpec] = {
    LITE0: NetworkSpec("EfficientNet-Lite0", _lite0, upper_from=12),
    "resnet18": NetworkSpec("ResNet-18", _torchvision("resnet18"), upper_from=7),
    "resnet34": NetworkSpec("ResNet-34", _torchvision("resnet34"), upper_from=14),
    "resnet50": NetworkSpec("ResNet-50", _torchvision("resnet50"), upper_from=14),
    "mobilenet_v3_small": NetworkSpec("MobileNetV3 small", _torchvision("mobilenet_v3_small"), upper_from=9),
    "mobilenet_v3_large": NetworkSpec("MobileNetV3 large", _torchvision("mobilenet_v3_large"), upper_from=13),
    "efficientnet_v2_s": NetworkSpec("EfficientNetV2-S", _torchvision("efficientnet_v2_s"), upper_from=26),
    "convnext_tiny": NetworkSpec("ConvNeXt-Tiny", _torchvision("convnext_tiny"), upper_from=18),
    "small_cnn": NetworkSpec("Small CNN (the article's)", _small_cnn, upper_from=4),
}
