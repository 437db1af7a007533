"""Where in the photo a class has its evidence: a number for each cell of the network's last map.

Class activation maps (Zhou et al. 2016): where the head is linear over the mean of the last map, its weights over the
map itself are the score, place by place. Everywhere else the gradient of the score takes the weights' place (Grad-CAM,
Selvaraju et al. 2017), without its ReLU: what speaks against the class is shown too. For a head over a mean both are
the same map.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from PIL import Image

from catdog_gui.engine.models.model_file import Model
from catdog_gui.engine.networks.features import FeatureEngine, engine_name, make_engine, one
from catdog_gui.engine.photos.recipe import Picture

Array = np.ndarray[Any, np.dtype[Any]]
_LITE0_MAP = 18  # stages of EfficientNet-Lite0 before its mean
FOR, AGAINST = (230, 97, 0), (0, 90, 181)  # orange and blue: apart for colour-blind eyes too
_STRONGEST = 0.75  # opacity of the strongest evidence
_PALE = 0.55  # share of the photo's colour that goes, so that the overlay's can be told from it


class HeatMapper(Protocol):
    """Makes maps for one model. One caller at a time."""

    def evidence(self, square: Picture, target: int) -> Array:
        """(h, w) float32: how much each cell of the last map speaks for class `target` against the mean of the others.

        square: what the network sees, uint8 (S, S, 3). Negative: it speaks against it. A softmax knows differences of
        scores only, so the weights of the class alone would mean nothing.
        """

    def close(self) -> None:
        """Give memory back; `evidence` must not be called again."""


def make_heat_mapper(model: Model, device: str, precision: str) -> HeatMapper:
    """A mapper for the model's network, with a copy of it in memory; precision: of OpenVINO's graph.

    Raises RuntimeError, KeyError, ValueError where the tensors are not the network's.
    """
    if engine_name(model.network, device) == "openvino":
        return _ActivationMapper(model, device, precision)
    return _GradientMapper(model, device)


def contrast(weight: Array, target: int) -> Array:
    """(F,) weights of a class against the mean of the others, of a head (C, F)."""
    others = np.delete(weight, target, axis=0)
    result: Array = weight[target] - others.mean(axis=0)
    return result


class _ActivationMapper:
    """The linear head over the last map of EfficientNet-Lite0, without torch."""

    def __init__(self, model: Model, device: str, precision: str) -> None:
        self._weight = model.tensors["head.weight"].astype(np.float32)
        size, network = model.recipe.size, model.network
        self._engine: FeatureEngine = make_engine(network, _stages(model), size, device, precision, _LITE0_MAP)

    def evidence(self, square: Picture, target: int) -> Array:
        activations = one(self._engine, square)  # (F, h, w)
        result: Array = np.tensordot(contrast(self._weight, target), activations, axes=1)
        return result / np.float32(activations.shape[1] * activations.shape[2])

    def close(self) -> None:
        self._engine.close()


class _GradientMapper:
    """The gradient of the score through the last stage, for networks that end otherwise; torch, float32."""

    def __init__(self, model: Model, device: str) -> None:
        import torch

        from catdog_gui.engine.networks import catalog as networks

        self._device = torch.device(device)
        self._network = networks.build(model.network, len(model.classes), image_size=model.recipe.size)
        state = {name: torch.from_numpy(value) for name, value in model.tensors.items() if not name.startswith("nov")}
        names = set(self._network.state_dict())
        self._network.load_state_dict({k: v for k, v in state.items() if k in names}, strict=False)
        self._network.eval().requires_grad_(requires_grad=False).to(self._device)
        self._weight = model.tensors["head.weight"].astype(np.float32)

    def evidence(self, square: Picture, target: int) -> Array:
        import torch

        network = self._network
        photo = torch.from_numpy(square[None]).to(self._device)
        direction = torch.from_numpy(contrast(self._weight, target)).to(self._device)
        with torch.no_grad():
            activations = network.features(photo, last=len(network.stages) - 1)
        with torch.enable_grad():
            activations.requires_grad_()
            score = network.features(activations, first=len(network.stages) - 1)[0] @ direction
            (gradient,) = torch.autograd.grad(score, activations)
        weights = gradient.mean(dim=(2, 3), keepdim=True)
        result: Array = (weights * activations.detach()).sum(dim=1)[0].cpu().numpy()
        return result

    def close(self) -> None:
        from catdog_gui.engine.devices import free_memory

        del self._network
        free_memory(str(self._device))


def _stages(model: Model) -> Mapping[str, Array]:
    return {n.removeprefix("stages."): value for n, value in model.tensors.items() if n.startswith("stages.")}


def enlarge(evidence: Array, side: int) -> Array:
    """(side, side) float32 in -1..1: the cells enlarged (bilinear), the strongest at 1 or -1; all 0 where none is."""
    clean = np.where(np.isfinite(evidence), evidence, 0).astype(np.float32)
    strongest = float(np.abs(clean).max(initial=0))
    if strongest == 0:
        return np.zeros((side, side), np.float32)
    return np.asarray(Image.fromarray(clean / strongest).resize((side, side), Image.Resampling.BILINEAR))


def overlay(square: Picture, heat: Array) -> Picture:
    """The square (S, S, 3), paler, under its heat (S, S) in -1..1: orange speaks for the class, blue against it."""
    grey = np.asarray(Image.fromarray(square).convert("L"), np.float32)[..., None]
    pale = square * (1 - _PALE) + grey * _PALE
    colour = np.where(heat[..., None] >= 0, np.array(FOR, np.float32), np.array(AGAINST, np.float32))
    opacity = np.abs(heat)[..., None] * _STRONGEST
    return np.round(pale * (1 - opacity) + colour * opacity).astype(np.uint8)
