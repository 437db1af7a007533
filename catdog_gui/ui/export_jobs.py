"""Answers as files, and photos into folders by class. See `jobs.Jobs`."""

from collections.abc import Callable, Sequence
from pathlib import Path

from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.events import PhotoSkipped, Prediction
from catdog_gui.ui.bridge import Stop
from catdog_gui.ui.job_values import Count, Movable, Sorted

Send = Callable[[object], None]
_EVERY = 50  # photos between two words about how far it is


class ExportJobs:
    """Owner: the window; jobs: any thread."""

    def save_answers(
        self, target: Path, answers: Sequence[Prediction], *, as_json: bool
    ) -> Callable[[Send, Stop], None]:
        """Write a table for spreadsheets, or JSON."""

        def job(_send: Send, _should_stop: Stop) -> None:
            from catdog_gui.engine.answers import files as answer_files

            (answer_files.write_json if as_json else answer_files.write_csv)(target, answers)

        return job

    def sort_photos(
        self, target: Path, answers: Sequence[Prediction], *, move: bool, model: Path | None
    ) -> Callable[[Send, Stop], Sorted]:
        """Copy or move the photos of answers into folders under `target`. Sends Count.

        model: its training photos are never moved, nor those of any run.
        """

        def job(send: Send, should_stop: Stop) -> Sorted:
            from catdog_gui.engine.answers.sorting import Sorter
            from catdog_gui.engine.runs import run_list

            runs = (model.parent,) if model is not None else ()
            sorter = Sorter(target, move=move, learned_from=run_list.learned_from(None, *runs))
            places: dict[str, str] = {}
            failed: list[PhotoSkipped] = []
            try:
                for done, answer in enumerate(answers):
                    if should_stop():
                        break
                    if done % _EVERY == 0:
                        send(Count(done, len(answers)))
                    try:
                        place = sorter.sort(Path(answer.path), answer)
                    except CatDogError as error:
                        failed.append(PhotoSkipped(answer.path, error.code, dict(error.fields)))
                        if error.code == "disk_full":  # the rest was not even tried, and stays too
                            rest = [item for item in answers[done + 1 :] if item.verdict != "unreadable"]
                            failed += [PhotoSkipped(item.path, error.code, dict(error.fields)) for item in rest]
                            break
                        continue
                    if place is not None:
                        places[answer.path] = str(place)
            finally:
                sorter.close()
            return Sorted(len(places), places if move else {}, tuple(failed))

        return job

    def undo_moves(self, journal: Path) -> Callable[[Send, Stop], Sorted]:
        """Bring moved photos back."""

        def job(_send: Send, should_stop: Stop) -> Sorted:
            from catdog_gui.engine.answers import moving

            try:
                undone = moving.undo(journal, should_stop)
            except Stopped:
                return Sorted(0, {})
            return Sorted(len(undone.back), undone.back, tuple(undone.failed))

        return job

    def last_moves(self) -> Callable[[Send, Stop], Movable | None]:
        """The newest moves that can be undone."""

        def job(_send: Send, _should_stop: Stop) -> Movable | None:
            from catdog_gui.engine.answers import moving

            found = moving.newest()
            return Movable(found.path, found.count) if found is not None else None

        return job
