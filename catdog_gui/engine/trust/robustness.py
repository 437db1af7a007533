"""How a model answers poor photos: the same labelled photos turned, cropped, tiny, dark, blurred, noisy, ...

What matters is the share that is surely wrong: a poor photo should become "not sure", not a confident error.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.answers.predict import Predictor
from catdog_gui.engine.errors import InputError, PhotoError, Stopped
from catdog_gui.engine.photos.disturbances import Disturbance, all_disturbances
from catdog_gui.engine.photos.images import decode, decode_upright, from_array, read_bytes
from catdog_gui.engine.photos.reading import default_workers, read_ahead
from catdog_gui.engine.photos.recipe import Picture

MOST_PHOTOS = 1000  # asked in each row of the table, drawn evenly: some 18 rows, so 18,000 answers
_AT_ONCE = 64
OnRow = Callable[["Row"], None]
OnProgress = Callable[[int, int], None]
OnSlow = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One disturbance and strength. photos: how many were asked; right, sure, sure_wrong: how many of them."""

    disturbance: str
    strength: float
    unit: str
    photos: int
    right: int
    sure: int
    sure_wrong: int

    def to_json(self) -> dict[str, Any]:
        """The counts, and accuracy, sure_share and sure_error_share as shares 0..1 of all photos asked."""
        shares = {"accuracy": self.right, "sure_share": self.sure, "sure_error_share": self.sure_wrong}
        return asdict(self) | {name: count / max(self.photos, 1) for name, count in shares.items()}


def robustness(
    predictor: Predictor,
    labelled: Sequence[tuple[Path, str]],
    should_stop: Callable[[], bool] = lambda: False,
    *,
    on_progress: OnProgress = lambda _done, _total: None,
    on_slow: OnSlow = lambda _photo: None,
    most: int = MOST_PHOTOS,
) -> Iterator[Row]:
    """A row for the photos as they are, then one for each disturbance, as they are done. At most `most` photos each.

    labelled: photos with the names of their true classes; unreadable ones are passed over. on_progress: photos done, of
    all rows together; on_slow: a photo that has been waited for a minute. Raises InputError no_readable_photos,
    Stopped.
    """
    chosen = _evenly(labelled, most)
    rows = list(all_disturbances())
    for number, disturbance in enumerate(rows):
        done_before = number * len(chosen)

        def tell(done: int, before: int = done_before) -> None:
            on_progress(before + done, len(rows) * len(chosen))

        row = _row(predictor, chosen, disturbance, should_stop, tell, on_slow)
        if row.photos == 0:
            raise InputError("no_readable_photos", count=len(chosen), reason="")
        yield row


def _evenly(labelled: Sequence[tuple[Path, str]], most: int) -> list[tuple[Path, str]]:
    """Photos of all classes in turn would favour small ones: every n-th of the list keeps the classes' shares."""
    if len(labelled) <= most:
        return list(labelled)
    places = np.linspace(0, len(labelled) - 1, most).round().astype(int)
    return [labelled[place] for place in places]


def _row(
    predictor: Predictor,
    labelled: Sequence[tuple[Path, str]],
    disturbance: Disturbance,
    should_stop: Callable[[], bool],
    tell: Callable[[int], None],
    on_slow: OnSlow,
) -> Row:
    photos = right = sure = wrong = done = 0

    def spoil(item: tuple[Path, str]) -> tuple[Picture | None, str]:
        return spoiled(item[0], disturbance, predictor), item[1]

    group: list[tuple[Picture, str]] = []

    def judge() -> None:
        nonlocal photos, right, sure, wrong
        if not group:
            return
        answers = predictor.judge(predictor.features([square for square, _ in group]))
        for answer, (_, label) in zip(answers, group, strict=True):
            photos += 1
            right += answer.top == label
            sure += answer.verdict == "sure"
            wrong += answer.verdict == "sure" and answer.label != label
        group.clear()

    squares = read_ahead(
        labelled, spoil, workers=default_workers(), should_stop=should_stop, on_slow=lambda item: on_slow(item[0])
    )
    for square, label in squares:
        if should_stop():
            raise Stopped
        done += 1
        if square is not None:
            group.append((square, label))
        if len(group) >= _AT_ONCE:
            judge()
            tell(done)
    judge()
    tell(done)
    return Row(disturbance.name, disturbance.strength, disturbance.unit, photos, right, sure, wrong)


def spoiled(path: Path, disturbance: Disturbance, predictor: Predictor) -> Picture | None:
    """The square that the network sees of the photo made poor; None where it cannot be read."""
    recipe = predictor.model.recipe
    try:
        data = read_bytes(path)
        if disturbance.name == "none":
            return decode(data, recipe)
        return from_array(disturbance.spoil(decode_upright(data, 2 * recipe.size)), recipe)
    except PhotoError:
        return None
