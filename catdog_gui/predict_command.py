"""`catdog predict` and `catdog undo-move`: answers as lines, tables and sorted photos. Imported when asked for."""

import argparse
import dataclasses
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from catdog_gui.engine import events
from catdog_gui.engine.datasets.walk import SkippedFile
from catdog_gui.engine.errors import CatDogError, InputError, Stopped, UsageError
from catdog_gui.engine.messages import about, sentence
from catdog_gui.engine.photos.names import printable
from catdog_gui.output import Output, ShouldStop, keep_what_is_there, say_step

_STOPPED = 130


def predict(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.answers.predict import load_model
    from catdog_gui.engine.datasets.search import find_photos

    out = Output(options)
    began = time.perf_counter()
    _check_files(options)
    sorting = _Sorting(options, out)
    predictor = load_model(options.model, device=options.device, careful=options.careful)
    say_step(out, predictor.model.careful, options.careful)
    answers: list[events.Prediction] = []
    unreadable = 0
    stopped = False

    def left_out(item: SkippedFile) -> None:
        out.event(events.PhotoSkipped(item.path, item.code, dict(item.fields)))
        out.say(f"left out: {item.path}: {sentence(item.code, item.fields)}")

    try:
        photos = find_photos(options.paths, should_stop, left_out)
        for photo, answer in _asked(predictor, photos, should_stop, out.tell_of_slow()):
            out.event(answer)
            if unreadable == len(answers) == 1:
                out.answer(_told(answers[0]))
            if answers or answer.verdict != "unreadable":  # of an only photo the end says it
                out.answer(_told(answer))
            unreadable += answer.verdict == "unreadable"
            answers.append(dataclasses.replace(answer, seen=None))
            sorting.sort(photo, answer)
            out.count_answers(len(answers))
    except Stopped:
        stopped = True
        if unreadable == len(answers) == 1:
            out.answer(_told(answers[0]))
    finally:
        predictor.close()
        sorting.close()
    _write_files(options, answers)
    if len(answers) > 1:
        out.say(_totals(answers))
    sorting.say_totals()
    if not answers and not stopped:
        raise InputError("no_photos_given")
    if unreadable == len(answers) and not stopped:
        first = answers[0]
        reason = about(first.path, first.code or "", first.fields)
        raise InputError("no_readable_photos", count=unreadable, reason=reason)
    sorting.raise_failures()
    seconds = round(time.perf_counter() - began, 3)
    status = {"status": "stopped"} if stopped else {}
    counts = {"photos": len(answers), "unreadable_count": unreadable, **sorting.totals()}
    out.result({**counts, "seconds": seconds, **status})
    return _STOPPED if stopped else 0


def _totals(answers: list[events.Prediction]) -> str:
    """One sentence for people: how many of what."""
    said = Counter(answer.label or answer.verdict.replace("_", " ") for answer in answers)
    return f"{_photos(len(answers))}: {', '.join(f'{count:,} {name}' for name, count in said.most_common())}"


def undo_move(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.answers import moving

    out = Output(options)
    last = moving.newest()
    journal = options.journal or (last.path if last is not None else None)
    if journal is None or not journal.is_file():
        raise InputError("nothing_to_undo")
    undone = moving.undo(journal, should_stop)
    for place in undone.back.values() if options.verbose else ():
        out.answer(f"back at {place}")
    for item in undone.failed:
        out.event(item)
        out.say(about(item.path, item.code, item.fields))
    folders = {str(Path(place).parent) for place in undone.back.values()}
    where = "".join(folders) if len(folders) == 1 else f"{len(folders):,} folders"
    told = f"{_photos(len(undone.back))} back" + (f" in {where}" if folders else "")
    out.answer(f"{told}, {len(undone.failed):,} not" if undone.failed else told)
    out.result({"back": len(undone.back), "failed_count": len(undone.failed)})
    return 1 if undone.failed else 0


def _check_files(options: argparse.Namespace) -> None:
    """Said before the work, not after it."""
    if options.move and options.sort_into is None:
        raise UsageError("move_without_folder")
    if options.sort_into is not None:
        wanted = options.sort_into.absolute()
        in_the_way = next((path for path in (wanted, *wanted.parents) if os.path.isfile(path)), None)  # noqa: PTH113
        if in_the_way is not None:
            raise UsageError("sort_into_file", path=str(in_the_way))
    from catdog_gui.engine.answers.files import is_csv, is_json

    keep_what_is_there(options.csv, force=options.force, ending=".csv", is_ours=is_csv)
    keep_what_is_there(options.json_file, force=options.force, ending=".json", is_ours=is_json)
    if options.csv is not None and options.json_file is not None and _same(options.csv, options.json_file):
        raise UsageError("outputs_alike", path=str(options.csv))


def _write_files(options: argparse.Namespace, answers: list[events.Prediction]) -> None:
    from catdog_gui.engine.answers import files as answer_files

    if options.csv is not None:
        answer_files.write_csv(options.csv, answers)
    if options.json_file is not None:
        answer_files.write_json(options.json_file, answers)


def _same(first: Path, second: Path) -> bool:
    """Whether two names are one file, there or not yet."""
    one, other = (os.path.normcase(os.path.realpath(path)) for path in (first, second))
    return one == other


class _Sorting:
    """Sorts where that was asked for, says each place, and keeps what went wrong for the end."""

    def __init__(self, options: argparse.Namespace, out: Output) -> None:
        """Raises InputError sort_into_learned, CatDogError: before any photo is read."""
        from catdog_gui.engine.answers.sorting import Sorter
        from catdog_gui.engine.runs import run_list

        self._out = out
        self._failed: list[events.PhotoSkipped] = []
        self._untried = 0  # photos that came after the disk was full
        self._target: Path | None = options.sort_into
        self._placed: Counter[str] = Counter()  # by folder
        self._unreadable = 0
        self._did = "moved" if options.move else "copied"
        self._sorter: Sorter | None = None
        if options.sort_into is not None:
            model: Path = options.model
            run = model if model.is_dir() else model.parent
            folders = run_list.learned_from(None, run)
            self._sorter = Sorter(options.sort_into, move=options.move, learned_from=folders)

    def sort(self, photo: Path, answer: events.Prediction) -> None:
        self._unreadable += answer.verdict == "unreadable"
        if self._sorter is None:
            self._untried += bool(self._failed) and answer.verdict != "unreadable"
            return
        try:
            place = self._sorter.sort(photo, answer)
        except CatDogError as error:
            failed = events.PhotoSkipped(printable(str(photo)), error.code, dict(error.fields))
            self._failed.append(failed)
            self._out.event(failed)
            self._out.say(f"not {self._did}: {about(failed.path, failed.code, failed.fields)}")
            if error.code == "disk_full":  # the answers go on, so that a table has them all
                self.close()
            return
        if place is not None:
            self._placed[place.parent.name] += 1
            self._out.say(f"{self._did} to {place}")

    def totals(self) -> dict[str, Any]:
        """For `--json`: photos in each folder, and those that stayed where they were; nothing where none was asked."""
        if self._target is None:
            return {}
        return {"sorted": dict(sorted(self._placed.items())), "left_count": self._unreadable + self._not_placed}

    def say_totals(self) -> None:
        """One sentence for people: what is where now."""
        if self._target is None:
            return
        told = [f"{count:,} into {name}" for name, count in sorted(self._placed.items())]
        done = f"{self._did} {_photos(self._placed.total())} to {self._target}" + (
            f": {', '.join(told)}" if told else ""
        )
        kept = {"unreadable": self._unreadable, f"not {self._did}": self._not_placed}
        left = ", ".join(f"{count:,} {why}" for why, count in kept.items() if count)
        self._out.say(f"{done}; {left}" if left else done)

    @property
    def _not_placed(self) -> int:
        return len(self._failed) + self._untried

    def close(self) -> None:
        if self._sorter is not None:
            self._sorter.close()
            self._sorter = None

    def raise_failures(self) -> None:
        """Raises CatDogError not_all_sorted with the first photo that is not in its folder."""
        if self._failed:
            first = self._failed[0]
            reason = about(first.path, first.code, first.fields)
            raise CatDogError("not_all_sorted", count=self._not_placed, path=first.path, reason=reason)


def _photos(count: int) -> str:
    return "1 photo" if count == 1 else f"{count:,} photos"


def _asked(
    predictor: Any,  # noqa: ANN401 -- engine.answers.predict.Predictor
    photos: Iterator[Path],
    should_stop: ShouldStop,
    on_slow: Callable[[object], None],
) -> Iterator[tuple[Path, events.Prediction]]:
    """Each photo with its answer; the photos are remembered only until they are answered."""
    asked: deque[Path] = deque()

    def noted() -> Iterator[Path]:
        for photo in photos:
            asked.append(photo)
            yield photo

    for answer in predictor.predict_many(noted(), should_stop, on_slow=on_slow):
        yield asked.popleft(), answer


def _told(answer: events.Prediction) -> str:
    from catdog_gui.session.prediction import describe

    return f"{answer.path}: {describe(answer)}"
