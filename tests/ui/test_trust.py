"""Why an answer, how careful the model is, poor photos: what a person sees and what happens to the answers."""

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton, QSlider, QTableWidget, QWidget

from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.events import Notice, Prediction, RunResult
from catdog_gui.engine.models.limits import Limits, Setting
from catdog_gui.engine.trust import robustness
from catdog_gui.session.prediction import CheckedPhotos, ModelLine, describe
from catdog_gui.session.state import RunState
from catdog_gui.session.trust import Alike, Careful, PoorRow, Why, judged_anew
from catdog_gui.ui import theme
from catdog_gui.ui.answer_words import line_of, words_of
from catdog_gui.ui.job_values import OpenedModel
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.main_window import MainWindow
from catdog_gui.ui.poor_panel import PoorPanel
from catdog_gui.ui.why_panel import SQUARE_PX, WhyPanel
from tests.ui.conftest import LIMIT_MS, FakeJobs, told_of_a_photo_that_hangs

Find = Callable[..., Any]


def answer(path: str, share: float = 0.97, novelty: float = 0.3, verdict: str = "sure") -> Prediction:
    return Prediction(
        path=path,
        verdict=verdict,  # type: ignore[arg-type]
        label="cats" if verdict == "sure" else None,
        top="cats",
        probabilities={"cats": share, "dogs": 1 - share},
        calibrated=True,
        novelty=novelty,
    )


def why_of(item: Prediction, **changes: Any) -> Why:
    square = np.zeros((32, 32, 3), np.uint8)
    alike = tuple(Alike("cats", 0.9 - number / 10, f"/photos/cats/{number}.jpg", square) for number in range(5))
    values = {"square": square, "heat": square + 200, "target": "cats", "alike": alike}
    return Why(item, **{**values, **changes})


class TrustFakes(FakeJobs):
    """What the real jobs would find out, as the test wants it."""

    def __init__(self) -> None:
        super().__init__()
        self.why: Why | Exception | None = None
        self.explained: list[Path] = []
        self.step = 0
        self.saved: list[int] = []
        self.save_error: Exception | None = None
        self.save_release = threading.Event()
        self.save_release.set()
        self.rows: list[PoorRow] = []
        self.poor_messages: list[object] = []
        self.row_release = threading.Event()

    def explain(self, model: Path, photo: Path, side: int) -> Any:
        self.explained.append(photo)

        def job(_send: object, _should_stop: object) -> Why:
            if isinstance(self.why, Exception):
                raise self.why
            return self.why or why_of(answer(str(photo)))

        return job

    def careful(self, model: Path) -> Any:
        steps = tuple(
            Setting(step, Limits(0.5 + step / 20, 0.5 - step / 50), 400, 40 + 8 * step, 355 - 8 * step)
            for step in range(-5, 6)
        )
        return lambda send, should_stop: Careful(self.step, steps)

    def save_careful(self, model: Path, step: int, answers: Sequence[Prediction]) -> Any:
        self.saved.append(step)

        def job(_send: object, _should_stop: object) -> list[Prediction]:
            self.save_release.wait(10)
            if self.save_error is not None:
                raise self.save_error
            self.step = step
            return judged_anew(answers, Limits(0.99 if step > 0 else 0.1, 0.5))

        return job

    def known_poor_photos(self, run: Path) -> Any:
        return lambda send, should_stop: ()

    def poor_photos(self, run: Path) -> Any:
        def job(send: Callable[[object], None], should_stop: Callable[[], bool]) -> Any:
            for message in (*self.rows, *self.poor_messages):
                send(message)
            while not (self.row_release.wait(0.005) or should_stop()):
                pass
            return tuple(self.rows)

        return job


@pytest.fixture
def jobs() -> TrustFakes:
    return TrustFakes()


@pytest.fixture
def answered(qtbot: Any, window: MainWindow, jobs: TrustFakes, tmp_path: Path) -> MainWindow:
    """Three answers on screen: a sure one, one that cannot be read, a doubtful one."""
    window.predict.use(tmp_path / "run" / "model.safetensors", ModelLine("m"))
    jobs.answers = [
        answer("/p/a.jpg"),
        Prediction("/p/b.jpg", "unreadable", None, None, {}, True, None, code="truncated"),
        answer("/p/c.jpg", 0.6, verdict="not_sure"),
    ]
    window.predict.classify([tmp_path])
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)
    return window


def test_an_answer_that_only_a_poor_photo_holds_back_says_so() -> None:
    limits = Limits(0.8, 0.5, poor=2.75)
    poor = replace(answer("/p/a.jpg", 0.97), poorness=1.5)

    held_back, again = judged_anew([poor], limits)[0], judged_anew([poor], Limits(0.8, 0.5))[0]

    assert line_of(held_back) == "not sure: cats 97 %, dogs 3 % (the photo looks poor)"
    assert words_of(held_back).detail.splitlines() == ["poor photo", "cats\u00a097\u00a0% · dogs\u00a03\u00a0%"]
    assert describe(held_back) == "not sure: cats 97 %, dogs 3 % (the photo looks poor)"
    assert (line_of(again), again.code) == ("cats, 97 %", None)


@pytest.fixture
def finished(qtbot: Any, answered: MainWindow, make_result: Callable[..., RunResult], tmp_path: Path) -> MainWindow:
    """The window with the result of the run whose model gave the answers."""
    answered.run.state.apply(make_result(tmp_path / "run"))
    answered.run.changed.emit()
    answered.show_tab(1)
    qtbot.waitUntil(lambda: answered.background.is_idle, timeout=LIMIT_MS)
    return answered


def click(window: MainWindow, row: int) -> None:
    view = window.predict_panel._list
    where = view.visualRect(view.model().index(row, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)


def text_of(window: MainWindow, name: str, find: Find) -> str:
    label: QLabel = find(window, name)
    return label.text().replace("\u00a0", " ")


# --- why -------------------------------------------------------------------------------------------------------------


def test_a_click_on_an_answer_says_why(qtbot: Any, answered: MainWindow, jobs: TrustFakes, find: Find) -> None:
    click(answered, 0)
    qtbot.waitUntil(lambda: len(answered.trust.why.findChildren(QLabel, "alikePhoto")) == 5, timeout=LIMIT_MS)

    panel = find(answered, "whyPanel")
    assert panel.isVisible()
    assert jobs.explained == [Path("/p/a.jpg")]
    assert text_of(answered, "whyAnswer", find) == "cats, 97 %"
    assert "speaks for “cats”" in text_of(answered, "heatLegend", find)
    assert answered.rect().contains(panel.geometry())


def test_the_heat_can_be_taken_off_the_photo(qtbot: Any, answered: MainWindow, find: Find) -> None:
    click(answered, 0)
    qtbot.waitUntil(lambda: bool(text_of(answered, "heatLegend", find)), timeout=LIMIT_MS)
    check: QCheckBox = find(answered, "heatMapCheck")

    check.click()

    assert "all that the model saw" in text_of(answered, "heatLegend", find)


def test_escape_and_close_put_it_away(qtbot: Any, answered: MainWindow, find: Find) -> None:
    panel = find(answered, "whyPanel")
    click(answered, 0)
    assert panel.isVisible()
    QTest.keyClick(answered, Qt.Key.Key_Escape)
    assert not panel.isVisible()

    click(answered, 0)
    button: QPushButton = find(answered, "closeWhyButton")
    button.click()
    assert not panel.isVisible()


def test_clearing_the_answers_puts_it_away(answered: MainWindow, find: Find) -> None:
    click(answered, 0)
    answered.predict.clear()

    assert not find(answered, "whyPanel").isVisible()


def test_another_page_puts_it_away_and_it_never_lies_on_the_answers(answered: MainWindow, find: Find) -> None:
    click(answered, 0)
    panel = find(answered, "whyPanel")
    answers = answered.right_card.geometry().translated(answered.centralWidget().pos())
    assert not panel.geometry().intersects(answers)

    answered.show_tab(2)

    assert not panel.isVisible()


def test_a_photo_that_cannot_be_read_is_not_asked_about(answered: MainWindow, jobs: TrustFakes, find: Find) -> None:
    click(answered, 1)

    assert jobs.explained == []
    assert not find(answered, "whyPanel").isVisible()


def test_missing_photos_are_told(qtbot: Any, answered: MainWindow, jobs: TrustFakes, find: Find) -> None:
    alike = (Alike("cats", 0.9), Alike("dogs", 0.8, "/gone/1.jpg"))
    jobs.why = why_of(answer("/p/a.jpg"), alike=alike, missing="run_of_model_gone")
    click(answered, 0)
    qtbot.waitUntil(lambda: "not on this computer" in text_of(answered, "whyNote", find), timeout=LIMIT_MS)
    assert len(answered.trust.why.findChildren(QLabel, "alikePhoto")) == 2


def test_a_failure_to_explain_is_said_in_the_sheet(
    qtbot: Any, answered: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    jobs.why = InputError("model_missing", path="/m")
    click(answered, 0)

    qtbot.waitUntil(lambda: "no model" in text_of(answered, "whyNote", find), timeout=LIMIT_MS)


def test_a_picture_without_a_file_says_that_it_cannot_be_looked_at_again(
    qtbot: Any, window: MainWindow, jobs: TrustFakes, tmp_path: Path, find: Find
) -> None:
    window.predict.use(tmp_path / "m.safetensors", ModelLine("m"))
    jobs.answers = [answer("")]
    window.predict.classify([b"pixels"])
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)

    click(window, 0)

    assert "without a file" in text_of(window, "whyNote", find)
    assert jobs.explained == []


# --- how careful -----------------------------------------------------------------------------------------------------


def test_the_slider_says_what_each_place_does_to_the_checked_photos(finished: MainWindow, find: Find) -> None:
    slider: QSlider = find(finished, "carefulSlider")
    assert slider.value() == 0
    assert "refuse 40 (10.0 %)" in text_of(finished, "carefulWords", find)

    slider.setValue(2)

    said = text_of(finished, "carefulWords", find)
    assert "Of your 400 checked photos it would refuse 56 (14.0 %)." in said
    assert "Of the 344 it answers, 339 are right (98.5 %)." in said


@pytest.mark.parametrize("width", [960, 1280])
def test_moving_the_slider_moves_nothing_below_it(finished: MainWindow, find: Find, width: int) -> None:
    finished.resize(width, 640)
    slider: QSlider = find(finished, "carefulSlider")
    below: set[int] = set()

    for step in (0, -5, 5, 1, 0):
        slider.setValue(step)
        for _round in range(5):
            QApplication.processEvents()
        below.add(finished.trust.poor.mapTo(finished.results, QPoint(0, 0)).y())

    assert len(below) == 1


def test_of_few_checked_photos_the_slider_gives_counts_and_says_that_it_is_not_fitted(
    qtbot: Any, finished: MainWindow, find: Find
) -> None:
    few = Careful(0, (Setting(0, Limits(0.9, 0.6), checked=8, refused=1, right=7),))

    finished.trust.careful.render(few)

    said = text_of(finished, "carefulWords", find)
    assert said == "Only 8 photos were checked: of these it would answer 7, 7 of them right."
    assert "Too few photos were checked to fit this" in labels_of(finished.trust.careful)


def labels_of(panel: QWidget) -> str:
    return "\n".join(part.text() for part in panel.findChildren(QLabel))


def test_a_place_that_was_settled_on_is_kept_and_the_answers_follow(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    slider: QSlider = find(finished, "carefulSlider")

    slider.setValue(3)
    qtbot.waitUntil(lambda: finished.predict.state.predictions[0].verdict == "not_sure", timeout=LIMIT_MS)
    assert jobs.saved == [3]
    qtbot.waitUntil(lambda: finished.background.is_idle, timeout=LIMIT_MS)
    find(finished, "carefulBackButton").click()
    qtbot.waitUntil(lambda: finished.predict.state.predictions[0].verdict == "sure", timeout=LIMIT_MS)

    verdicts = [item.verdict for item in finished.predict.state.predictions]
    assert verdicts == ["sure", "unreadable", "sure"]
    assert jobs.saved == [3, 0]


def test_the_last_place_of_the_slider_wins_while_an_earlier_one_is_being_kept(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    slider: QSlider = find(finished, "carefulSlider")
    jobs.save_release.clear()
    slider.setValue(-5)
    qtbot.waitUntil(lambda: jobs.saved == [-5], timeout=LIMIT_MS)

    slider.setValue(4)
    jobs.save_release.set()
    qtbot.waitUntil(lambda: jobs.saved == [-5, 4] and finished.background.is_idle, timeout=LIMIT_MS)

    assert (slider.value(), jobs.step) == (4, 4)


def test_a_slider_that_is_let_go_is_kept_at_once(finished: MainWindow, jobs: TrustFakes, find: Find) -> None:
    slider: QSlider = find(finished, "carefulSlider")
    slider.setSliderDown(True)
    slider.setValue(2)
    assert jobs.saved == []

    slider.setSliderDown(False)

    assert jobs.saved == [2]


def test_the_last_place_is_kept_though_the_window_closes_at_once(
    finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    find(finished, "carefulSlider").setValue(3)

    finished.close()

    assert jobs.step == 3


def test_the_last_place_is_kept_though_an_earlier_one_is_being_kept_when_the_window_closes(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    slider: QSlider = find(finished, "carefulSlider")
    jobs.save_release.clear()
    slider.setValue(-5)
    qtbot.waitUntil(lambda: jobs.saved == [-5], timeout=LIMIT_MS)
    slider.setValue(4)
    threading.Timer(0.1, jobs.save_release.set).start()

    finished.close()

    assert jobs.step == 4


def test_a_place_chosen_just_before_another_run_is_opened_is_kept_with_its_own_model(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    models: list[Path] = []
    save = jobs.save_careful
    jobs.save_careful = lambda model, step, answers: models.append(model) or save(model, step, answers)  # type: ignore[func-returns-value,method-assign]
    own = finished.run.state.result.model
    find(finished, "carefulSlider").setValue(3)

    finished.run.show(RunState())

    qtbot.waitUntil(lambda: finished.background.is_idle, timeout=LIMIT_MS)
    assert (models, jobs.step) == ([Path(own)], 3)


def test_a_choice_that_cannot_be_kept_goes_back_and_says_why(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    jobs.save_error = CatDogError("cannot_write", path="/run", reason="read-only")
    slider: QSlider = find(finished, "carefulSlider")

    slider.setValue(-4)
    qtbot.waitUntil(lambda: "read-only" in finished.trust.careful.message.text(), timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: slider.value() == 0, timeout=LIMIT_MS)

    assert [item.verdict for item in finished.predict.state.predictions] == ["sure", "unreadable", "not_sure"]


# --- poor photos -----------------------------------------------------------------------------------------------------


def labels_in(window: MainWindow, find: Find) -> list[str]:
    return [label.text() for label in find(window, "poorTable").findChildren(QLabel)]


def test_poor_photos_are_tried_row_by_row_and_can_be_stopped(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    jobs.rows = [PoorRow("none", 0, 400, 392, 372, 1), PoorRow("turned", 90, 400, 352, 272, 10)]
    find(finished, "poorPhotosButton").click()
    qtbot.waitUntil(lambda: "turned by 90°" in labels_in(finished, find), timeout=LIMIT_MS)

    assert "98 %" in labels_in(finished, find)
    assert {"as they are", "0.3 %", "2.5 %"} <= set(labels_in(finished, find))
    find(finished, "stopPoorPhotosButton").click()
    assert find(finished, "poorPhotosButton").isVisibleTo(finished.trust.poor)
    assert "turned by 90°" in labels_in(finished, find)


def test_a_poor_photo_that_does_not_come_is_named_until_it_has_come(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find
) -> None:
    jobs.poor_messages = [Notice("photo_waits", {"path": "/drive/a.jpg"})]
    message = finished.trust.poor.message

    find(finished, "poorPhotosButton").click()

    qtbot.waitUntil(lambda: message.text().startswith("/drive/a.jpg has not come for a minute"), timeout=LIMIT_MS)
    jobs.row_release.set()
    qtbot.waitUntil(lambda: message.text() == "", timeout=LIMIT_MS)


def test_the_real_table_of_poor_photos_tells_of_a_photo_that_does_not_come(
    drawn_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Jobs().poor_photos(drawn_run)

    assert told_of_a_photo_that_hangs(monkeypatch, robustness, job) == ["photo_waits"]


def test_poor_photos_of_a_few_checked_ones_are_counted_and_make_no_percentage(qtbot: Any) -> None:
    panel = PoorPanel()
    qtbot.addWidget(panel)

    panel.render([PoorRow("none", 0, 8, 7, 5, 0)], running=False)

    shown = [label.text() for label in panel.findChildren(QLabel)]
    assert {"7 of 8", "5 of 8", "0 of 8"} <= set(shown)
    assert not any("%" in words for words in shown)


def test_the_sheet_says_that_it_waits_until_the_reasons_are_there(qtbot: Any) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    panel = WhyPanel(window)
    note = next(item for item in panel.findChildren(QLabel) if item.objectName() == "whyNote")

    panel.wait_for(answer("/p/a.jpg", 0.97))
    waiting = note.text()
    panel.show_why(Why(answer("/p/a.jpg", 0.97)))

    assert waiting == "The model looks at the photo again…"
    assert not note.isVisibleTo(panel)


def test_nothing_in_the_sheet_lies_over_anything_else_however_its_words_wrap(qtbot: Any) -> None:
    theme.apply(QApplication.instance())  # its border takes room, too
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    panel = WhyPanel(window)
    square = np.zeros((32, 32, 3), np.uint8)

    for length in range(1, 60):
        panel.show_why(replace(why_of(answer("/p/a.jpg", 0.97)), square=square, heat=square, target="i" * length))
        QApplication.processEvents()
        parts = [part for part in panel.findChildren(QWidget) if part.isVisible() and part.parentWidget() is panel]
        shown = sorted((part.geometry() for part in parts), key=lambda place: place.top())
        assert not any(over.intersects(under) for over, under in itertools.combinations(shown, 2)), length


def test_before_the_first_reasons_the_sheet_has_no_empty_place_for_a_picture(qtbot: Any) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    panel = WhyPanel(window)

    panel.wait_for(answer("/p/a.jpg", 0.97))

    assert not panel.findChild(QCheckBox, "heatMapCheck").isVisibleTo(panel)
    assert panel.height() < SQUARE_PX


# --- the photos behind the table -------------------------------------------------------------------------------------


def table_of(window: MainWindow) -> QTableWidget:
    table = window.results.findChild(QTableWidget, "confusionTable")
    assert isinstance(table, QTableWidget)
    return table


def click_cell(table: QTableWidget, row: int, column: int) -> None:
    where = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)


def test_a_click_on_a_number_of_the_table_answers_its_photos_in_a_list_of_their_own(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, tmp_path: Path
) -> None:
    jobs.answers = [answer("/p/wrong.jpg")]
    click_cell(table_of(finished), 0, 1)
    qtbot.waitUntil(lambda: finished.background.is_idle, timeout=LIMIT_MS)

    assert jobs.predicted[-1] == [CheckedPhotos(tmp_path / "run", "cats", "dogs")]
    assert [item.path for item in finished.predict.state.predictions] == ["/p/wrong.jpg"]


def test_so_does_enter_on_a_number_that_was_reached_with_the_keys(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, tmp_path: Path
) -> None:
    table = table_of(finished)
    table.setFocus()
    table.setCurrentCell(0, 0)
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: finished.background.is_idle, timeout=LIMIT_MS)

    assert jobs.predicted[-1] == [CheckedPhotos(tmp_path / "run", "dogs", "cats")]


def test_all_wrong_ones_are_a_link(qtbot: Any, finished: MainWindow, jobs: TrustFakes, find: Find) -> None:
    link: QPushButton = find(finished, "showMistakes")
    link.click()
    qtbot.waitUntil(lambda: finished.background.is_idle, timeout=LIMIT_MS)

    assert link.text() == "Show the 5 that are wrong"
    assert [(item.label, item.answer) for item in jobs.predicted[-1]] == [("", "")]  # type: ignore[attr-defined]


def test_nothing_is_behind_a_zero_or_the_share_found(
    qtbot: Any, answered: MainWindow, jobs: TrustFakes, make_result: Callable[..., RunResult], tmp_path: Path
) -> None:
    answered.run.state.apply(replace(make_result(tmp_path / "run", accuracy=1.0), confusion=[[200, 0], [0, 200]]))
    answered.run.changed.emit()
    answered.show_tab(1)
    before = len(jobs.predicted)
    for row, column in ((0, 1), (1, 0), (0, 2), (1, 2)):
        click_cell(table_of(answered), row, column)
    click_cell(table_of(answered), 1, 1)
    qtbot.waitUntil(lambda: answered.background.is_idle, timeout=LIMIT_MS)

    assert jobs.predicted[before:] == [[CheckedPhotos(tmp_path / "run", "dogs", "dogs")]]
    assert not answered.results.findChild(QPushButton, "showMistakes").isVisible()


def test_the_model_of_another_run_is_opened_before_it_answers_for_its_check_photos(
    qtbot: Any, finished: MainWindow, jobs: TrustFakes, tmp_path: Path
) -> None:
    model = tmp_path / "run" / "model.safetensors"
    jobs.open_model = lambda path: lambda send, should_stop: OpenedModel(path, ModelLine("of the run"))  # type: ignore[method-assign]
    finished.predict.use(tmp_path / "other.safetensors", ModelLine("other"))
    click_cell(table_of(finished), 0, 1)
    qtbot.waitUntil(lambda: finished.background.is_idle, timeout=LIMIT_MS)

    assert finished.predict.answered_by == model
    assert finished.predict.state.model == ModelLine("of the run")
