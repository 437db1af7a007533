"""The last layer learns, over features that are stored: `fast`. Torch only where it computes the features."""

import dataclasses
import time
from typing import Any

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.config import preset
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.figures import EpochFigures, EpochSoFar, NotFiniteError, Step, Validation
from catdog_gui.engine.learning.learner import OnStep, Snapshot, adopted_rows, rate_at
from catdog_gui.engine.learning.linear_head import Descent, LinearHead, loss_and_gradient
from catdog_gui.engine.learning.randomness import plan_batches, shuffled
from catdog_gui.engine.networks.features import LITE0, engine_name, make_engine
from catdog_gui.engine.preparing.prepare import Rows
from catdog_gui.engine.preparing.prepared import Prepared
from catdog_gui.engine.preparing.setup import Setup, feature_kind
from catdog_gui.engine.preparing.stores import ArrayStore

Array = np.ndarray[Any, np.dtype[Any]]


class HeadLearner:
    """`Learner` over stored features (N, F) float16; see there."""

    head_only = True

    def __init__(self, setup: Setup) -> None:
        self._setup, self._config = setup, setup.config
        self._stages, self._features = _frozen(setup)
        self._so_far = EpochSoFar()
        self.steps_per_epoch = 0

    def rows(self) -> Rows:
        setup, config = self._setup, self._config
        name = engine_name(config.model, setup.device.id)
        setup.facts["engine"] = name
        stages, size, device, precision = self._stages, config.image_size, setup.device.id, setup.precision
        return Rows(
            shape=(self._features,),
            kind=feature_kind(setup, "all", name) if config.pretrained else None,
            engine=lambda: make_engine(config.model, stages, size, device, precision),
        )

    def begin(self, prepared: Prepared, on_step: OnStep) -> None:
        assert isinstance(prepared.store, ArrayStore)
        self._rows, self._labels = prepared.store.rows, prepared.labels
        self._train, self._val, self._on_step = prepared.train, prepared.val, on_step
        self._batch = self._fitting_batch()
        self.steps_per_epoch = len(self._plan(0))
        self.head = LinearHead.zeros(self._features, len(prepared.scan.classes))
        self.head.standardize(self._rows, self._train)
        self._descent = Descent(self._config.optimizer, self._config.weight_decay)

    def _fitting_batch(self) -> int:
        """The batch that was asked for, or all photos to learn from where they are fewer."""
        wanted, photos = self._config.batch_size, len(self._train)
        if photos < wanted != preset(self._config.preset).batch_size:  # nobody asked for the preset's own
            self._setup.report.say(events.Notice("batch_lowered", {"batch_size": photos, "photos": photos}))
        return max(1, min(wanted, photos))

    def _plan(self, epoch: int) -> list[Array]:
        return plan_batches(shuffled(self._config.seed, epoch, self._train), self._batch)

    def first_state(self) -> bool:
        return False

    def train_epoch(self, epoch: int, so_far: EpochSoFar) -> EpochFigures:
        self._so_far = so_far
        head, config = self.head, self._config
        values = {"weight": head.weight, "bias": head.bias}
        plan = self._plan(epoch)
        for number, members in enumerate(plan[so_far.steps :], start=so_far.steps + 1):
            if self._setup.should_stop():
                raise Stopped
            began = time.perf_counter()
            inputs, labels = head.standard(self._rows[members]), self._labels[members]
            read = time.perf_counter()
            scores = inputs @ head.weight.T + head.bias
            loss, error = loss_and_gradient(scores, labels, config.label_smoothing)
            if not np.isfinite(loss):
                raise NotFiniteError(number)
            rate = rate_at(config, (epoch - 1) * self.steps_per_epoch + number - 1, self.steps_per_epoch)
            self._descent.step(values, {"weight": error.T @ inputs, "bias": error.sum(axis=0)}, rate)
            right = int((scores.argmax(axis=1) == labels).sum())
            so_far.steps, so_far.photos = number, so_far.photos + len(labels)
            so_far.loss_sum, so_far.right_sum = so_far.loss_sum + loss * len(labels), so_far.right_sum + right
            self._on_step(Step(number, loss, right, len(labels), read - began, time.perf_counter() - read), rate)
        return EpochFigures(so_far.loss_sum / so_far.photos, so_far.right_sum / so_far.photos, so_far.photos)

    def so_far(self) -> EpochSoFar:
        return dataclasses.replace(self._so_far)

    def validate(self) -> Validation:
        if self._setup.should_stop():
            raise Stopped
        pieces = [self._val[start : start + 4096] for start in range(0, len(self._val), 4096)]
        parts = [self.head.scores(self._rows[piece]) for piece in pieces]
        scores = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)
        labels, none = self._labels[self._val], np.zeros((0, 0), np.float16)
        if not parts:
            return Validation(float("nan"), float("nan"), scores, labels, none)
        loss, _ = loss_and_gradient(scores, labels, 0.0)
        return Validation(loss, float((scores.argmax(axis=1) == labels).mean()), scores, labels, none)

    def features(self, photos: Array) -> Array | None:
        return self._rows[photos]

    def state(self) -> dict[str, Array]:
        return {"weight": self.head.weight.copy(), "bias": self.head.bias.copy()}

    def checked_state(self) -> dict[str, Array]:
        return self.state()

    def restore(self, state: dict[str, Array]) -> None:
        self.head.weight, self.head.bias = state["weight"].copy(), state["bias"].copy()

    def snapshot(self) -> Snapshot:
        moments = {f"moments.{name}": value for name, value in self._descent.moments.items()}
        scaling = {"mean": self.head.mean, "scale": self.head.scale}
        return Snapshot({**self.state(), **scaling, **moments}, {"descent_steps": self._descent.steps})

    def go_on(self, snapshot: Snapshot) -> None:
        tensors = snapshot.tensors
        for name, value in tensors.items():
            like = getattr(self.head, "weight" if "weight" in name else "bias" if "bias" in name else name)
            if value.shape != like.shape or value.dtype.kind != "f":
                raise ValueError(name)
        self.restore(tensors)
        self.head.mean, self.head.scale = tensors["mean"], tensors["scale"]
        self._descent.steps = int(snapshot.values["descent_steps"])
        self._descent.moments = {name[8:]: value for name, value in tensors.items() if name.startswith("moments.")}

    def adopt(self, snapshot: Snapshot, classes: tuple[str, ...]) -> None:
        tensors, new = snapshot.tensors, self._setup.scan.classes
        old = LinearHead(*(tensors[name] for name in ("weight", "bias", "mean", "scale")))
        weight, bias = old.folded()  # over plain features: the new photos have a mean and deviation of their own
        weight, bias = weight * self.head.scale, bias + weight @ self.head.mean
        self.head.weight = adopted_rows(weight, classes, self.head.weight, new)
        self.head.bias = adopted_rows(bias, classes, self.head.bias, new)

    def tensors(self) -> dict[str, Array]:
        weight, bias = self.head.folded()
        stages = {f"stages.{name}": value for name, value in self._stages.items()}
        return {**stages, "head.weight": weight, "head.bias": bias}

    def close(self) -> None:
        """Let go of the features: the loop that this tells of its steps knows it too, and the window collects late."""
        vars(self).clear()


def _frozen(setup: Setup) -> tuple[dict[str, Array], int]:
    """The stages' tensors by name, and how many features they give."""
    config = setup.config
    if config.pretrained and config.model == LITE0 and engine_name(LITE0, setup.device.id) == "openvino":
        from catdog_gui.engine.networks.lite0_shape import FEATURES
        from catdog_gui.engine.networks.weights import bundled_lite0

        return dict(bundled_lite0()), FEATURES
    from catdog_gui.engine.learning.network_setup import build_network, stage_tensors

    network = build_network(setup)
    return stage_tensors(network), network.head.in_features
