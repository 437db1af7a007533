"""How long a run will take on this computer, and how much memory. Arithmetic only: neither torch nor numpy.

The costs of `estimate_costs` are multiplied by what `machine.Machine` says of this computer: measured by
`measuring`, and corrected by what past runs here really took.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.estimates import costs

KINDS = ("features", "upper", "whole", "small_cnn")  # what a computer's factors are told for, beside reading
MAPPED_MB = 256.0  # a larger store lies in a mapped file, which the system may put out of memory


@dataclass(frozen=True, slots=True)
class Machine:
    """One device of this computer. factors: kind -> times the reference's cost; 1.0 where nothing is known.

    reading_ms: a photo, None = the reference's; base_mb: the process before a run, without torch; learned: run kind ->
    what past runs took over what was estimated, preparing and learning. measured: by a self-measurement, else by the
    reference alone.
    """

    device: str = "cpu"
    precision: str = "fp32"
    factors: Mapping[str, float] = field(default_factory=dict)
    reading_ms: float | None = None
    base_mb: float = costs.BASE_MB
    learned: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    measured: bool = False

    def factor(self, kind: str) -> float:
        """Times the reference's cost; of a kind that was not measured, the middle of those that were."""
        known = self.factors.get(kind)
        if known is not None:
            return known
        rest = sorted(self.factors.values())
        return rest[len(rest) // 2] if rest else 1.0

    @property
    def knows_something(self) -> bool:
        """Whether an estimate is worth saying; a card that was never measured could be a hundred times faster."""
        return self.measured or self.device == "cpu"


@dataclass(frozen=True, slots=True)
class Estimate:
    """seconds: by phase, as in a run's result. peak_mb: largest memory (of the process, or on the card), MiB.

    needed_mb: the part of it that must be free. rough: this kind of work was not measured here. cached: the photos'
    features are likely kept from an earlier run.
    """

    seconds: Mapping[str, float]
    peak_mb: float
    needed_mb: float
    rough: bool = False
    cached: bool = False

    @property
    def total_s(self) -> float:
        return sum(self.seconds.values())


def run_kind(config: TrainConfig) -> str:
    """Runs of one kind cost alike; they correct each other's estimates."""
    stored = config.stored_variations
    varied = " varied" if config.augment else f" {stored} variations" if stored else ""
    start = "" if config.pretrained else " from nothing"
    return f"{config.model} {config.trainable} {config.image_size}{varied}{start}"


def estimate(
    config: TrainConfig, photos: int, machine: Machine, *, cached: bool = False, loaded: bool = True
) -> Estimate:
    """What a run of `config` over this many photos will take, as if it used all its epochs.

    cached: the photos' features are kept from an earlier run. loaded: the libraries are in memory already.
    """
    prepare, learn = machine.learned.get(run_kind(config), (1.0, 1.0))
    seconds = raw_seconds(config, photos, machine, cached=cached)
    seconds["prepare"] *= 1.0 if cached else prepare
    for phase in ("train", "validate"):
        seconds[phase] *= learn
    if not loaded:
        libraries = "head" if config.trainable == "head" else "network"
        seconds["imports"] = costs.IMPORTS_S[libraries] * machine.factor("features")
    peak, needed = memory_mb(config, photos, machine)
    return Estimate(seconds, peak, needed, rough=cost_kind(config) not in machine.factors, cached=cached)


def cost_kind(config: TrainConfig) -> str:
    """The kind of cost that decides how long a run takes."""
    return "features" if config.trainable == "head" else part_of(config)[1]


def sides(config: TrainConfig, photos: int) -> tuple[int, int]:
    """Photos to learn from and to check with."""
    check = 0 if config.val is not None else max(1, round(photos * config.val_fraction))
    return max(1, photos - check), check


def raw_seconds(config: TrainConfig, photos: int, machine: Machine, *, cached: bool = False) -> dict[str, float]:
    """By phase, before past runs correct it."""
    train, check = sides(config, photos)
    if config.trainable == "head":
        learning = config.epochs * train * _head_ms(machine)
        checking = config.epochs * check * costs.HEAD_CHECK_MS * machine.factor("features")
    else:
        learning, checking = _fine_tuning_ms(config, train, check, machine)
    return {
        "scan": 2e-5 * photos,
        "prepare": _prepare_s(config, photos, machine, cached=cached),
        "train": learning / 1000,
        "validate": checking / 1000,
        "save": costs.SAVE_S + _last_look_s(config, train, machine) + _poor_copies_s(config, machine, cached=cached),
    }


def _last_look_s(config: TrainConfig, train: int, machine: Machine) -> float:
    """The training photos to remember, once more through a network that moved."""
    if config.trainable == "head":
        return 0.0
    looks = min(costs.REMEMBERED, train)
    return looks * _seen_ms(config, machine) / 1000


def _poor_copies_s(config: TrainConfig, machine: Machine, *, cached: bool) -> float:
    """Photos made poor, through the whole network; each photo as it is too where its features have changed."""
    if cached and config.trainable == "head":
        return costs.POOR_COPIES * costs.CACHED_MS / 1000
    looks = costs.POOR_COPIES * (1 if config.trainable == "head" else 2)
    computing = looks * _whole_ms(config, machine) + costs.POOR_COPIES * _reading_ms(machine)
    return costs.READY_S * machine.factor("features") + computing / 1000


def _head_ms(machine: Machine) -> float:
    return costs.HEAD_MS * machine.factor("features")


def _prepare_s(config: TrainConfig, photos: int, machine: Machine, *, cached: bool) -> float:
    reading = _reading_ms(machine)
    if config.stores_photos:
        return photos * reading / 1000
    if cached:
        return photos * (costs.CACHED_MS + costs.CACHED_MB_MS * _row_mb(config, part_of(config)[0])) / 1000
    stored = config.stored_variations
    frozen = (1 + stored) * _frozen_ms(config, machine)
    making = stored * costs.VERSION_MS * machine.factor("features") * _area(config)
    return costs.READY_S * machine.factor("features") + photos * (reading + making + frozen) / 1000


def _reading_ms(machine: Machine) -> float:
    return machine.reading_ms if machine.reading_ms is not None else costs.READING_MS * machine.factor("features")


def _frozen_ms(config: TrainConfig, machine: Machine) -> float:
    """One photo through the stages that stay as they are."""
    return (costs.UPPER_SHARE if config.trainable == "upper" else 1.0) * _whole_ms(config, machine)


def _whole_ms(config: TrainConfig, machine: Machine) -> float:
    """One photo through all stages, on the fastest engine here."""
    if config.model == costs.LITE0 and machine.device == "cpu":
        usual = costs.FEATURES_MS["bf16" if machine.precision == "bf16" else "fp32"]
        return usual * machine.factor("features") * _area(config)
    step = _step(costs.WHOLE[config.model], machine)
    return step.check_ms * machine.factor("whole") * _area(config)


def _fine_tuning_ms(config: TrainConfig, train: int, check: int, machine: Machine) -> tuple[float, float]:
    """Learning and checking of a run whose network moves."""
    part, kind = part_of(config)
    step, factor = _step(part, machine), machine.factor(kind)
    steps = math.ceil(train / min(config.batch_size, train)) * config.accumulate
    again = 1.35 if config.checkpointing else 1.0  # activations are computed twice
    photo = step.photo_ms * factor * _area(config) * again
    varied = costs.VARIED_MS * machine.factor("whole") * _area(config) if config.augment else 0.0
    varied, seen = varied + _below_ms(config, machine), _seen_ms(config, machine)
    learning = config.epochs * (steps * step.step_ms * factor + train * (photo + varied))
    if config.pretrained:  # the first look at the photos, and the head that is learned on it
        learning += train * (seen + 15 * _head_ms(machine))
    looks = 2 * config.epochs + 1 if config.pretrained else config.epochs
    return learning, looks * check * seen


def _seen_ms(config: TrainConfig, machine: Machine) -> float:
    """A photo that is looked at and not learned from, where the network moves."""
    part, kind = part_of(config)
    return _step(part, machine).check_ms * machine.factor(kind) * _area(config) + _below_ms(config, machine)


def _below_ms(config: TrainConfig, machine: Machine) -> float:
    """A varied photo through the frozen stages, which torch computes in every epoch."""
    if config.learns_all or not config.stores_photos:
        return 0.0
    whole = _step(costs.WHOLE[config.model], machine)
    return costs.UPPER_SHARE * whole.check_ms * machine.factor("whole") * _area(config)


def part_of(config: TrainConfig) -> tuple[costs.Part, str]:
    """The part that learns, and the kind of its factor."""
    if config.model == costs.SMALL_CNN:
        return costs.WHOLE[config.model], "small_cnn"
    if config.learns_all:
        return costs.WHOLE[config.model], "whole"
    return costs.UPPER[config.model], "upper"


def _step(part: costs.Part, machine: Machine) -> costs.Step:
    return part.fp32 if machine.precision == "fp32" else part.bf16


def _area(config: TrainConfig) -> float:
    return (config.image_size / 224) ** 2


def memory_mb(config: TrainConfig, photos: int, machine: Machine) -> tuple[float, float]:
    """Largest memory, and the part of it that must be free; MiB. On a card: what lies there."""
    part, _kind = part_of(config)
    step = 0.0
    if config.trainable != "head":
        share = 1.0 if machine.precision == "fp32" else costs.BF16_MEMORY
        batch = math.ceil(min(config.batch_size, photos) / config.accumulate)
        kept = part.activations_mb * share * _area(config) * batch
        step = (kept / 3 if config.checkpointing else kept) + 4 * part.learning_mb
        step += _passing_mb(config, part, share) * _area(config) * batch
    if machine.device.partition(":")[0] == "cuda":
        return 1.2 * step + 100.0, 1.2 * step + 100.0
    store = photos * _row_mb(config, part)
    base = _base_mb(config, machine)
    return base + step + store, base + step + (store if store <= MAPPED_MB else 0.0)


def _passing_mb(config: TrainConfig, part: costs.Part, share: float) -> float:
    """A photo while it is varied and passes through what is frozen. Added up: freed blocks stay with the process."""
    if not (config.augment and config.stores_photos):
        return 0.0
    return costs.VARIED_MB + (0.0 if config.learns_all else part.passing_mb * share)


def _base_mb(config: TrainConfig, machine: Machine) -> float:
    """The process with its libraries: torch, which takes most of it, is loaded for runs that move a network."""
    if config.trainable == "head":
        return machine.base_mb + costs.HEAD_MB
    return machine.base_mb + costs.TORCH_MB


def _row_mb(config: TrainConfig, part: costs.Part) -> float:
    if config.trainable == "head":
        return 0.0025
    if not config.stores_photos:
        return (1 + config.stored_variations) * part.row_mb * _area(config)
    side = config.image_size * (8 / 7 if config.augment else 1.0)
    return 3 * side * side / 2**20
