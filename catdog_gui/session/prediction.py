"""What the "Try it" column shows: a reducer over the events of prediction jobs. Neither torch nor Qt."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PureWindowsPath

from catdog_gui.engine import events
from catdog_gui.engine.errors import Fields
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.models.limits import LOOKS_POOR
from catdog_gui.session.results import half_up

PHOTO_WAITS = "photo_waits"  # until the photo comes
SHOWN_PHOTOS = frozenset({"checked_photos", "checked_mistakes"})  # they say what is shown; nothing is wrong
SEEN_KEPT = 512  # pictures (28 KB each) that wait for a view; a drain brings a few dozen


@dataclass(frozen=True, slots=True)
class ModelLine:
    """Which model answers. when: seconds since 1970, None where unknown. best_epoch: of a run that still trains."""

    name: str
    when: float | None = None
    best_epoch: int | None = None
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A code and its fields, worded by `ui.text.say`. details: for "Copy details"."""

    code: str
    fields: Fields = field(default_factory=dict)
    details: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How the answers stand beside the sub-folders that the photos lie in. accuracy: 0..1 of `photos`.

    confusion: rows true, columns answered, in `classes`; sure_right: of the `sure` answers; wrong: paths as shown.
    learned: the model learned from photos of this folder.
    """

    photos: int
    accuracy: float
    classes: tuple[str, ...]
    confusion: list[list[int]]
    sure: int
    sure_right: int
    wrong: frozenset[str]
    learned: bool = False


@dataclass(frozen=True, slots=True)
class CheckedPhotos:
    """Photos to ask about: those that a run was checked with and answered so. answer "": all that it got wrong."""

    run: Path
    label: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class JobOffer:
    """A job of answers that can be gone on with, or whose answers can be shown again. when: seconds since 1970.

    name: the folder of its photos, "" where they are of several.
    """

    path: Path
    name: str
    answered: int
    total: int
    is_done: bool
    when: float


@dataclass(slots=True)
class PredictState:
    """The answers on screen. Owner: the window's model of predictions; changed only by its methods.

    predictions: in drop order, only ever appended to; `clear` begins a new list. The newest SEEN_KEPT have their
    picture. total, done: photos of the drops that are being worked on; total 0: not known yet. given: files and folders
    of the drop that is being worked on; waiting: those of the drops after it.
    """

    model: ModelLine | None = None
    predictions: list[Prediction] = field(default_factory=list)
    running: bool = False
    stopping: bool = False
    done: int = 0
    total: int = 0
    given: int = 0
    waiting: int = 0
    before: int = 0  # answers of the drops before the one whose photos are still being counted
    message: Message | None = None
    paused: bool = False
    seconds_left: float | None = None  # None: not known yet
    score: Score | None = None
    offer: JobOffer | None = None
    left_out: list[events.PhotoSkipped] = field(default_factory=list)  # folders and photos that could not be opened

    def use_model(self, model: ModelLine | None) -> None:
        """Answers from now on are this model's; those on screen stay."""
        self.model = model

    def begin(self, count: int = 0) -> None:
        """Photos were handed to a job. count: how many more, 0 while folders are still being searched."""
        if not self.running:
            self.done = self.total = 0
            self.paused, self.seconds_left = False, None
        self.running, self.stopping, self.message = True, False, None
        self.total += count
        self.before = self.done

    def ask_stop(self) -> None:
        """The user pressed Stop; shown at once, before the job has seen it."""
        self.stopping = self.running

    def pause(self, paused: bool) -> None:
        """The user holds the answers up, or lets them go on."""
        self.paused = paused and self.running
        self.seconds_left = None

    def end(self) -> None:
        """The job is over, whatever it said last."""
        self.running = self.stopping = self.paused = False
        self.done = self.total = 0
        self.seconds_left = None

    def clear(self) -> None:
        """Forget the answers. Those of a job that goes on keep coming."""
        self.predictions = []
        self.message = self.score = self.offer = None
        self.left_out = []

    def say(self, code: str, fields: Fields | None = None, details: str = "") -> None:
        """Show a message under the drop area until the next drop."""
        self.message = Message(code, fields or {}, details)

    def relocate(self, moved: Mapping[str, str]) -> None:
        """Photos were moved: old path -> new path, as shown."""
        for number, item in enumerate(self.predictions):
            if item.path in moved:
                self.predictions[number] = dataclasses.replace(item, path=moved[item.path])
        if self.score is not None:
            wrong = frozenset(moved.get(path, path) for path in self.score.wrong)
            self.score = dataclasses.replace(self.score, wrong=wrong)

    def apply(self, event: events.Event) -> None:
        """Take one event in. Progress: `total` is the number of photos found in this drop."""
        match event:
            case Prediction():
                self._answer(event)
            case events.Progress():
                self.total = max(self.total, self.before + event.total)
            case events.PhotoSkipped():
                self.left_out.append(event)
            case events.Notice() | events.DataWarning():
                self.say(event.code, event.fields)
            case events.RunFailed():
                self.say(event.code, event.fields, event.details)
                self.end()

    def _answer(self, prediction: Prediction) -> None:
        if self.message is not None and self.message.code == PHOTO_WAITS:
            self.message = None  # it has come
        self.predictions.append(prediction)
        self.done += 1
        self.total = max(self.total, self.done) if self.total else 0
        old = len(self.predictions) - SEEN_KEPT - 1
        if old >= 0 and self.predictions[old].seen is not None:
            self.predictions[old] = dataclasses.replace(self.predictions[old], seen=None)


def file_name(path: str) -> str:
    """The last part of a path of this or the other kind of system, on one line, for showing."""
    name = PureWindowsPath(path).name if "\\" in path and "/" not in path else PurePath(path).name
    return "".join(" " if ord(char) < 32 or char in "\u2028\u2029" else char for char in name) or path


def ranked(prediction: Prediction) -> list[tuple[str, float]]:
    """Classes with their probabilities, likeliest first."""
    return sorted(prediction.probabilities.items(), key=lambda item: -item[1])


def gives_scores(predictions: Sequence[Prediction]) -> bool:
    """Whether these answers of one model carry scores instead of percentages. The first that could be read tells."""
    return next((not item.calibrated for item in predictions if item.verdict != "unreadable"), False)


def probability(prediction: Prediction) -> float | None:
    """0..1 of the best guess; None where there is none."""
    if prediction.top is None:
        return None
    return prediction.probabilities.get(prediction.top)


def describe(prediction: Prediction) -> str:
    """The answer in English: "dogs, 99 %", "none of these", "could not be read: ..."."""
    share = probability(prediction)
    match prediction.verdict:
        case "sure":
            return f"{prediction.label}, {_share(prediction, share or 0.0)}"
        case "not_sure":
            pairs = ", ".join(f"{name} {_share(prediction, value)}" for name, value in ranked(prediction)[:2])
            return f"not sure: {pairs}" + (" (the photo looks poor)" if prediction.code == LOOKS_POOR else "")
        case "none_of_these":
            return "none of these"
        case "unreadable":
            return f"could not be read: {sentence(prediction.code or '', prediction.fields)}"


def _share(prediction: Prediction, share: float) -> str:
    """A percentage once it is calibrated; before that a score, which promises less."""
    return f"{_certain(share)} %" if prediction.calibrated else f"score {share:.2f}"


def _certain(share: float) -> int:
    """Whole percent; 100 is kept for certainty."""
    return min(99, half_up(100 * share)) if share < 1.0 else 100


def to_text(predictions: Iterable[Prediction], words: Callable[[Prediction], str] = describe) -> str:
    """One line a photo, "rex.jpg: dogs, 99 %". words: the answer in the window's language."""
    return "\n".join(f"{file_name(item.path)}: {words(item)}" for item in predictions)
