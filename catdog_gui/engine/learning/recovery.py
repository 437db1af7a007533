"""What to do when memory runs out: the article's remedies, one after the other, by the run itself."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from catdog_gui.engine import devices, events
from catdog_gui.engine.config import SMALLER
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.learning.trainer import Trainer, takes_statistics
from catdog_gui.engine.networks.catalog import Network
from catdog_gui.engine.preparing.setup import Setup

T = TypeVar("T")


def in_smaller_batches(loader: BatchLoader, work: Callable[[], T]) -> T:
    """work() without learning; begun again with half of `loader`'s batch where memory runs out, down to one photo."""
    while True:
        try:
            return work()
        except Exception as error:
            if not devices.is_out_of_memory(error):
                raise
            if not loader.leave_card():
                if loader.batch_size == 1:
                    raise
                loader.batch_size = max(1, loader.batch_size // 2)
        devices.free_memory(str(loader.device))


class Ladder:
    """One run's climb: free the cache; halve the parts of a batch, down to one photo; checkpointing; fewer bits.

    Each rung is said. The batch that the weights learn from stays the same: its gradients are added up over the parts.
    """

    def __init__(self, setup: Setup, network: Network, trainer: Trainer, loaders: Sequence[BatchLoader]) -> None:
        """loaders: the one that is learned from first."""
        self._setup, self._network, self._trainer, self._loaders = setup, network, trainer, loaders
        self._batch = loaders[0].batch_size
        self._freed = False

    def climb(self, error: BaseException) -> None:
        """The next rung that there is. Raises CatDogError out_of_memory at the top."""
        rungs = (self._free, self._halve, self._checkpoint, self._lower_precision)
        if not any(rung() for rung in rungs):
            raise CatDogError(
                "out_of_memory",
                device=self._setup.device.name,
                batch_size=self._batch,
                model=self._setup.config.model,
                smaller=SMALLER.get(self._setup.config.model),
            ) from error

    def state(self) -> dict[str, Any]:
        """For the checkpoint: a run that goes on does not fall off again."""
        return {"accumulate": self._trainer.accumulate, "checkpointing": self._network.checkpointing}

    def go_on(self, state: dict[str, Any]) -> None:
        self._trainer.accumulate = int(state["accumulate"])
        self._network.checkpointing = bool(state["checkpointing"])

    def _say(self, code: str, **fields: int | str) -> bool:
        self._setup.report.say(events.Notice(code, dict(fields)))
        return True

    def _free(self) -> bool:
        """Photos that lie on the card leave it, and the caller frees what it holds: that alone may be enough, once."""
        left = [loader.leave_card() for loader in self._loaders]
        if self._freed and not any(left):
            return False
        self._freed = True
        return self._say("memory_freed")

    def _halve(self) -> bool:
        parts = self._trainer.accumulate * 2
        least = 2 if takes_statistics(self._trainer.model) else 1  # BatchNorm has no variance of one photo
        if parts * least > self._batch:
            return False
        self._trainer.accumulate = parts
        code = "batch_halved_statistics" if least == 2 else "batch_halved"
        return self._say(code, part=-(-self._batch // parts), batch_size=self._batch)

    def _checkpoint(self) -> bool:
        if self._network.checkpointing:
            return False
        self._network.checkpointing = True
        return self._say("checkpointing_on")

    def _lower_precision(self) -> bool:
        lower = next((name for name in ("bf16", "fp16") if name in self._setup.device.precisions), None)
        if self._trainer.precision != "fp32" or lower is None:
            return False
        self._trainer.use_precision(lower)
        return self._say("precision_lowered", precision=lower)
