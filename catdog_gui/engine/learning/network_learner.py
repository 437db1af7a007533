"""The upper stages or the whole network learn: `balanced`, `best`, `article`. By torch, on any device."""

import copy
import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from catdog_gui.engine import devices, events
from catdog_gui.engine.distributed.ranks import collected, dealt
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.learning import variation
from catdog_gui.engine.learning.batches import make_loaders
from catdog_gui.engine.learning.figures import EpochFigures, EpochSoFar, NotFiniteError, Validation
from catdog_gui.engine.learning.first_head import features_of, learn_head
from catdog_gui.engine.learning.learner import OnStep, Snapshot, adopted_rows, rate_at
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.learning.network_setup import (
    VARIATIONS,
    build_network,
    frozen_shape,
    learning_module,
    learning_stage,
    stage_tensors,
    stored_stage,
    variations_with_room,
)
from catdog_gui.engine.learning.optim import make_optimizer, optimizer_tensors, restore_optimizer, set_learning_rate
from catdog_gui.engine.learning.recovery import Ladder, in_smaller_batches
from catdog_gui.engine.learning.trainer import Trainer, validation_of
from catdog_gui.engine.networks.catalog import set_learning
from catdog_gui.engine.networks.features import engine_name, make_engine
from catdog_gui.engine.networks.precision import tune
from catdog_gui.engine.photos.images import Recipe
from catdog_gui.engine.preparing.prepare import Rows
from catdog_gui.engine.preparing.prepared import Prepared
from catdog_gui.engine.preparing.setup import Setup, feature_kind

Array = np.ndarray[Any, np.dtype[Any]]


class NetworkLearner:
    """`Learner` over photos or over what the frozen stages gave; see there.

    first: the stage from which learning starts, 0 = the whole network. stored: the stage whose input the store holds;
    0 = photos: where all learns, or where photos are varied, which what is frozen must see anew.
    """

    head_only = False

    def __init__(self, setup: Setup) -> None:
        self._setup, self._config = setup, setup.config
        self.network = build_network(setup)
        self.first, self.stored = learning_stage(setup.config), stored_stage(setup.config)
        self.steps_per_epoch = 0
        self._versions = 0  # of a photo in each row of the store; 0: its row is the photo's
        self._epoch = 0
        self._start: dict[str, Array] = {}  # what learning began with; nothing where that was random
        self._checked: dict[str, Array] | None = None  # what the last check was about
        self._captured: list[torch.Tensor] = []

    # -- set-up ---------------------------------------------------------------------------------------------------

    def rows(self) -> Rows:
        """What the frozen stages give, or the decoded squares where nothing is frozen."""
        setup, config = self._setup, self._config
        recipe = Recipe(config.image_size, config.fit)
        if self.stored == 0:
            side = recipe.margin_size if config.augment else recipe.size
            return Rows((side, side, 3), kind=f"squares {side} {recipe.to_json()}", margin=config.augment)
        name = engine_name(config.model, setup.device.id)
        setup.facts["engine"] = name
        stages, size, device, precision = (
            stage_tensors(self.network),
            config.image_size,
            setup.device.id,
            setup.precision,
        )
        shape = frozen_shape(self.network, self.stored, size)
        kind = feature_kind(setup, str(self.stored), name)
        count, vary = variations_with_room(setup, shape), None
        setup.facts[VARIATIONS] = count
        if count:
            self._versions = 1 + count
            shape, kind = (1 + count, *shape), f"{kind} {count} varied {variation.VERSION}"
            vary = functools.partial(variation.versions, size=size, count=count)
        return Rows(
            shape=shape,
            kind=kind if config.pretrained else None,
            engine=lambda: make_engine(config.model, stages, size, device, precision, self.stored),
            margin=vary is not None,
            vary=vary,
        )

    def begin(self, prepared: Prepared, on_step: OnStep) -> None:
        setup, network = self._setup, self.network
        self._prepared = prepared
        self._on_step, self._classes = on_step, prepared.scan.classes
        if network.head.out_features != len(self._classes):  # a class's photos were all unreadable
            network.head = nn.Linear(network.head.in_features, len(self._classes))
        if self._config.pretrained:
            nn.init.zeros_(network.head.weight)
            nn.init.zeros_(network.head.bias)
        self._set_mode()
        self.module = learning_module(network, self.stored)
        self._train_loader, self._val_loader = make_loaders(
            setup, self.module, prepared, squares=self.stored == 0, versions=self._versions
        )
        self.steps_per_epoch = len(self._train_loader)
        tune(torch.device(setup.device.id))
        self.module.to(setup.device.id)
        network.to(memory_format=torch.channels_last)
        self._optimizer = make_optimizer(network, self._config, setup.device.kind)
        network.head.register_forward_pre_hook(self._capture)
        self._trainer = self._make_trainer()
        self._ladder = Ladder(setup, network, self._trainer, (self._train_loader, self._val_loader))

    def _make_trainer(self) -> Trainer:
        config, setup = self._config, self._setup
        kind: Callable[..., Trainer] = Trainer
        if setup.ranks.count > 1:
            from catdog_gui.engine.distributed.torch_ranks import Together
            from catdog_gui.engine.learning.ranks_trainer import RanksTrainer

            assert isinstance(setup.ranks, Together)
            kind = functools.partial(RanksTrainer, ranks=setup.ranks)
        return kind(
            self.module,
            self._train_loader,
            self._val_loader,
            device=setup.device,
            precision=setup.precision,
            accumulate=config.accumulate,
            label_smoothing=config.label_smoothing,
            empty_cache_every=config.empty_cache_every,
            before_step=self._before_step,
            on_step=lambda step: self._on_step(step, self._rate(step.number)),
            should_stop=setup.should_stop,
            set_mode=self._set_mode,
        )

    def _set_mode(self) -> None:
        """Training mode with the frozen parts as they are."""
        set_learning(self.network, self.first, keep_statistics=self._config.pretrained)

    def _capture(self, head: nn.Module, inputs: tuple[torch.Tensor]) -> None:
        """While validating, keep the photos' features: novelty is measured against them."""
        if not head.training:
            self._captured.append(inputs[0].detach().half().cpu())

    # -- learning -------------------------------------------------------------------------------------------------

    def first_state(self) -> bool:
        """Fine-tuning starts from the head that the frozen network would have got, and that is its first best."""
        if not self._config.pretrained:
            return False
        ranks, members = self._setup.ranks, self._train_loader.members
        plain = self._as_they_are(dealt(members, ranks))
        found = ranks.attempt(lambda: self._look(plain, "train"), unequal=True)
        features, labels = (_whole(parts, len(members)) for parts in zip(*ranks.gather(found), strict=True))
        seed, stop, head = self._config.seed, self._setup.should_stop, self.network.head
        ranks.attempt(lambda: learn_head(head, features, labels, seed=seed, should_stop=stop), unequal=True)
        self._start = self.state()
        return True

    def _as_they_are(self, photos: Array) -> BatchLoader:
        loader = self._train_loader
        return dataclasses.replace(loader, learning=False, varied=False, members=photos, shard=(0, 1), start=0)

    def _look(self, photos: BatchLoader, phase: events.Phase) -> tuple[Array, Array]:
        """The features and labels of a loader's photos, in as many parts as memory takes."""
        setup = self._setup

        def look() -> tuple[Array, Array]:
            def tell(done: int, total: int) -> None:
                setup.report.progress(phase, done, total)

            return features_of(self.module, self.network.head, photos, self._trainer.precision, tell, setup.should_stop)

        return in_smaller_batches(photos, look)

    def features(self, photos: Array) -> Array | None:
        found, _ = self._look(self._as_they_are(photos), "save")
        self._captured.clear()
        return found if len(found) == len(photos) else None

    def train_epoch(self, epoch: int, so_far: EpochSoFar) -> EpochFigures:
        """Where it meets trouble that has a remedy, the same again from where this call began."""
        self._epoch = self._train_loader.epoch = epoch
        self._train_loader.start = so_far.steps
        began = dataclasses.replace(so_far)
        state, optimizer = self.state(), copy.deepcopy(self._optimizer.state_dict())
        while True:
            try:
                return self._trainer.train_epoch(self._optimizer, began)
            except Stopped:
                raise
            except NotFiniteError as error:
                self._back_to_full_precision(error)
            except Exception as error:
                if not devices.is_out_of_memory(error):
                    raise
                self._ladder.climb(error)
                self._ladder.go_on(self._setup.ranks.share(self._ladder.state()))
            finally:
                self._optimizer.zero_grad(set_to_none=True)
            self.restore(state)
            self._optimizer.load_state_dict(copy.deepcopy(optimizer))
            devices.free_memory(self._setup.device.id)

    def so_far(self) -> EpochSoFar:
        return self._trainer.so_far()

    def _back_to_full_precision(self, error: NotFiniteError) -> None:
        if self._trainer.precision == "fp32":
            raise CatDogError("loss_not_finite", epoch=self._epoch, rate=self._config.learning_rate) from error
        self._setup.report.say(events.Notice("precision_fallback", {"precision": self._trainer.precision}))
        self._trainer.use_precision("fp32")

    def _rate(self, number: int) -> float:
        return rate_at(self._config, (self._epoch - 1) * self.steps_per_epoch + number - 1, self.steps_per_epoch)

    def _before_step(self, number: int) -> None:
        set_learning_rate(self._optimizer, self._rate(number))
        if self.network.has_dropout:  # what is dropped depends on the step alone: a run that goes on drops the same
            rank = self._setup.ranks.number * 15_485_863
            torch.manual_seed(self._config.seed * 1_000_003 + self._epoch * 10_007 + number + rank)

    def validate(self) -> Validation:
        """Of the weights, and of their mean with those that learning began with; the better of the two counts.

        Between both lie weights that know the photos nearly as well and have forgotten less (WiSE-FT, Wortsman et al.
        2022, arXiv:2109.01903): of 2,000 photos' log loss 10 to 20 % less.
        """
        found, now = self._validated_by_all(), self.state()
        self._checked = now
        if not self._start or not self._epoch:
            return found
        halfway = {name: _mean(self._start[name], value) for name, value in now.items()}
        self.restore(halfway)
        try:
            between = self._validated_by_all()
        finally:
            self.restore(now)
        if between.calibrated_loss < found.calibrated_loss:
            found, self._checked = between, halfway
        return found

    def _validated_by_all(self) -> Validation:
        ranks = self._setup.ranks
        found = ranks.attempt(self._validated, unequal=True)
        if ranks.count == 1:
            return found
        parts = ranks.gather((found.scores, found.labels, found.features))
        count = len(self._prepared.val)
        return validation_of(*(_whole(rows, count) for rows in zip(*parts, strict=True)))

    def _validated(self) -> Validation:
        """Of this rank's photos."""
        found = in_smaller_batches(self._val_loader, self._validate)
        features = torch.cat(self._captured).numpy() if self._captured else found.features
        self._captured.clear()
        return dataclasses.replace(found, features=features)

    def _validate(self) -> Validation:
        self._captured.clear()
        return self._trainer.validate()

    # -- states ---------------------------------------------------------------------------------------------------

    def checked_state(self) -> dict[str, Array]:
        return self.state() if self._checked is None else self._checked

    def state(self) -> dict[str, Array]:
        return {name: value.detach().to("cpu", copy=True).numpy() for name, value in self.module.state_dict().items()}

    def restore(self, state: dict[str, Array]) -> None:
        self.module.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})

    def snapshot(self) -> Snapshot:
        tensors = {f"weights.{name}": value for name, value in self.state().items()}
        tensors |= {f"start.{name}": value for name, value in self._start.items()}
        tensors |= {f"optimizer.{name}": value for name, value in optimizer_tensors(self._optimizer).items()}
        values: dict[str, Any] = {"scaler": self._trainer.scaler.state_dict(), "precision": self._trainer.precision}
        values |= {**self._ladder.state(), "check_batch": self._val_loader.batch_size}
        return Snapshot(tensors, values)

    def go_on(self, snapshot: Snapshot) -> None:
        self.restore(_part(snapshot.tensors, "weights."))
        self._start = _part(snapshot.tensors, "start.")
        restore_optimizer(self._optimizer, _part(snapshot.tensors, "optimizer."))
        if snapshot.values["precision"] != self._trainer.precision:
            self._trainer.use_precision(str(snapshot.values["precision"]))
        if snapshot.values.get("scaler"):
            self._trainer.scaler.load_state_dict(snapshot.values["scaler"])
        self._ladder.go_on(snapshot.values)
        self._val_loader.batch_size = int(snapshot.values["check_batch"])

    def adopt(self, snapshot: Snapshot, classes: tuple[str, ...]) -> None:
        state, weights = self.state(), _part(snapshot.tensors, "weights.")
        for name, value in weights.items():
            if name in state and name.rpartition(".")[0].endswith("head"):
                state[name] = adopted_rows(value, classes, state[name], self._classes)
            elif name in state and state[name].shape == value.shape:
                state[name] = value
        self.restore(state)
        self._start = self.state()

    def tensors(self) -> dict[str, Array]:
        return {
            name: value.detach().to("cpu", torch.float32, copy=True).numpy()
            for name, value in self.network.state_dict().items()
            if not name.endswith("num_batches_tracked")
        }

    def close(self) -> None:
        """Let go of everything, so that cycles are cut: the window collects late, and the next run needs the memory."""
        vars(self).clear()


def _mean(first: Array, second: Array) -> Array:
    """Of two tensors of weights; the second where they are counts."""
    return (first + second) / 2 if np.issubdtype(second.dtype, np.floating) else second


def _part(tensors: dict[str, Array], prefix: str) -> dict[str, Array]:
    return {name[len(prefix) :]: value for name, value in tensors.items() if name.startswith(prefix)}


def _whole(parts: Sequence[Array], count: int) -> Array:
    """The rows of all ranks in the order of the photos that were dealt out; as they come where some were lost."""
    kept = [part for part in parts if len(part)]  # an empty part may not know how long a row is
    if sum(map(len, kept)) != count or len(parts) == 1:
        return np.concatenate(kept) if kept else parts[0]
    whole: Array = collected(parts, np.empty((count, *kept[0].shape[1:]), kept[0].dtype))
    return whole
