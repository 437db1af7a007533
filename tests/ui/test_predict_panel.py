"""The "Try it" column: drops in, answers out."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from catdog_gui.engine.events import PhotoSkipped, Prediction, Progress
from catdog_gui.session.prediction import JobOffer, ModelLine, PredictState, Score
from catdog_gui.ui import answer_thumbs
from catdog_gui.ui.dialogs import TextDialog
from catdog_gui.ui.predict_panel import PredictPanel


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[PredictPanel]:
    widget = PredictPanel()
    qtbot.addWidget(widget)
    widget.resize(300, 700)
    widget.show()
    yield widget
    widget.hide()


@pytest.fixture
def state() -> PredictState:
    """A model of cats and dogs, no photo yet."""
    result = PredictState()
    result.use_model(ModelLine("run 3", 1_700_000_000.0, classes=("cats", "dogs")))
    return result


def answer(
    path: str, verdict: str = "sure", top: str | None = "dogs", share: float = 0.991, **more: object
) -> Prediction:
    label = top if verdict == "sure" else None
    rest = {"cats": 1 - share, "dogs": share} if top == "dogs" else {"cats": share, "dogs": 1 - share}
    values = {"probabilities": rest if top else {}, "calibrated": True, "novelty": 0.1, **more}
    return Prediction(path=path, verdict=verdict, label=label, top=top, **values)  # type: ignore[arg-type]


def shown(panel: PredictPanel) -> list[str]:
    model = panel.findChild(QAbstractItemView, "predictionList").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def visible_text(panel: QWidget) -> str:
    parts = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    parts += [item.text() for item in panel.findChildren(QPushButton) if item.isVisible()]
    return "\n".join(parts)


def drop(target: QWidget, mime: QMimeData) -> None:
    """Let go of something over a widget, as a file manager would."""
    buttons, keys, action = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(5, 5), action, mime, buttons, keys)
    target.dragEnterEvent(enter)
    assert enter.isAccepted()
    target.dropEvent(QDropEvent(QPointF(5, 5), action, mime, buttons, keys))


def files(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def area(panel: PredictPanel) -> QFrame:
    return panel.findChild(QFrame, "dropArea")


# --- what is there before ---------------------------------------------------------------------------------------------


def test_without_a_model_it_says_how_to_get_one(panel: PredictPanel, qtbot: QtBot) -> None:
    panel.render(PredictState())

    assert "Your model appears here" in visible_text(panel)
    with qtbot.waitSignal(panel.model_requested):
        next(item for item in panel.findChildren(QPushButton) if item.text() == "open a model…").click()


def test_without_a_model_a_dropped_photo_is_declined_in_words(
    panel: PredictPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    panel.render(PredictState())

    with qtbot.assertNotEmitted(panel.photos_dropped):
        drop(area(panel), files(tmp_path / "a.jpg"))

    assert "There is no model to ask yet" in visible_text(panel)


def test_the_word_that_there_is_no_model_goes_when_one_comes(
    panel: PredictPanel, state: PredictState, tmp_path: Path
) -> None:
    none_yet = PredictState()
    panel.render(none_yet)
    drop(area(panel), files(tmp_path / "a.jpg"))

    none_yet.use_model(state.model)
    panel.render(none_yet)

    assert "There is no model" not in visible_text(panel)


def test_with_a_model_it_names_the_model_and_its_classes(panel: PredictPanel, state: PredictState) -> None:
    panel.render(state)

    text = visible_text(panel)
    assert "run 3" in text
    assert "cats, dogs" in text
    assert "Drop photos or a folder here" in text


def test_while_training_it_names_the_best_epoch(panel: PredictPanel, state: PredictState) -> None:
    state.use_model(ModelLine("run 4", best_epoch=6))

    panel.render(state)

    assert "best so far · epoch 6" in visible_text(panel)


# --- photos in --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["dropArea", ""])
def test_a_drop_hands_over_paths_in_order(
    panel: PredictPanel, state: PredictState, qtbot: QtBot, tmp_path: Path, where: str
) -> None:
    panel.render(state)
    paths = [tmp_path / "b.jpg", tmp_path / "a folder", tmp_path / "a.jpg"]

    with qtbot.waitSignal(panel.photos_dropped) as emitted:
        drop(area(panel) if where else panel, files(*paths))

    assert emitted.args == [paths]


def test_a_dropped_picture_without_a_file_is_handed_over(
    panel: PredictPanel, state: PredictState, qtbot: QtBot
) -> None:
    panel.render(state)
    image, mime = QImage(9, 7, QImage.Format.Format_RGB32), QMimeData()
    image.fill(Qt.GlobalColor.red)
    mime.setImageData(image)

    with qtbot.waitSignal(panel.image_dropped) as emitted:
        drop(area(panel), mime)

    assert emitted.args[0].size() == image.size()


def test_a_web_address_is_declined_in_words(panel: PredictPanel, state: PredictState, qtbot: QtBot) -> None:
    panel.render(state)
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/cat.jpg")])

    with qtbot.assertNotEmitted(panel.photos_dropped):
        drop(area(panel), mime)

    assert "web address" in visible_text(panel)


def test_a_dropped_model_is_opened_even_without_one(panel: PredictPanel, qtbot: QtBot, tmp_path: Path) -> None:
    panel.render(PredictState())
    (tmp_path / "model.safetensors").write_bytes(b"x")

    with qtbot.waitSignal(panel.model_dropped) as emitted:
        drop(area(panel), files(tmp_path))

    assert emitted.args == [tmp_path]


def test_ctrl_v_takes_copied_files(panel: PredictPanel, state: PredictState, qtbot: QtBot, tmp_path: Path) -> None:
    panel.render(state)
    QGuiApplication.clipboard().setMimeData(files(tmp_path / "a.jpg"))

    with qtbot.waitSignal(panel.photos_dropped) as emitted:
        panel.paste()

    assert emitted.args == [[tmp_path / "a.jpg"]]


def test_the_choose_button_asks_for_photos(
    panel: PredictPanel, state: PredictState, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    panel.render(state)
    chosen = [str(tmp_path / "a.jpg"), str(tmp_path / "b.jpg")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))

    with qtbot.waitSignal(panel.photos_dropped) as emitted:
        panel.findChild(QPushButton, "choosePhotosButton").click()

    assert emitted.args == [[Path(name) for name in chosen]]


def test_a_folder_is_chosen_beside_the_photos(
    panel: PredictPanel, state: PredictState, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    panel.render(state)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))

    with qtbot.waitSignal(panel.model_dropped) as emitted:  # a folder may be a run's
        panel.findChild(QPushButton, "chooseAnswerFolderButton").click()

    assert emitted.args == [tmp_path]


def test_what_was_copied_is_classified_with_one_click(
    panel: PredictPanel, state: PredictState, qtbot: QtBot, tmp_path: Path
) -> None:
    panel.render(state)
    QGuiApplication.clipboard().setMimeData(files(tmp_path / "a.jpg"))

    with qtbot.waitSignal(panel.photos_dropped) as emitted:
        panel.findChild(QPushButton, "pasteToClassifyButton").click()

    assert emitted.args == [[tmp_path / "a.jpg"]]


# --- answers out ------------------------------------------------------------------------------------------------------


def test_answers_appear_as_they_come_in_drop_order(panel: PredictPanel, state: PredictState) -> None:
    state.begin(3)
    state.apply(answer("/p/rex.jpg"))
    panel.render(state)

    assert shown(panel) == ["rex.jpg: dogs, 99 %"]
    assert "1 of 3" in visible_text(panel)

    state.apply(answer("/p/blurry.jpg", "not_sure", "cats", 0.61))
    state.apply(answer("/p/tree.png", "none_of_these", "cats", 0.9))
    panel.render(state)

    assert shown(panel) == [
        "rex.jpg: dogs, 99 %",
        "blurry.jpg: not sure: cats 61 %, dogs 39 %",
        "tree.png: none of these",
    ]


def test_until_the_first_answer_a_sentence_counts_what_waits(panel: PredictPanel, state: PredictState) -> None:
    state.given = 200
    state.begin()
    panel.render(state)
    assert "200 files and folders were given. Looking for the photos…" in visible_text(panel)

    state.apply(Progress("validate", 0, 200))
    panel.render(state)
    assert "200 photos are waiting. The answers appear here." in visible_text(panel)

    state.apply(answer("/p/a.jpg"))
    state.waiting = 12
    panel.render(state)
    assert "are waiting" not in visible_text(panel)
    assert "1 of 200\n12 more waiting" in visible_text(panel)


def test_an_unreadable_photo_says_why(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/broken.jpg", "unreadable", None, code="empty_file"))

    panel.render(state)

    assert shown(panel)[0].startswith("broken.jpg: could not be read: ")


def test_a_share_is_only_called_100_percent_when_it_is(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg", share=0.9999))

    panel.render(state)

    assert shown(panel) == ["a.jpg: dogs, 99 %"]


def test_an_uncalibrated_model_gives_a_score(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg", share=0.97, calibrated=False))

    panel.render(state)

    assert shown(panel) == ["a.jpg: dogs, score 0.97"]


def test_what_a_score_is_stands_over_the_scores_and_over_nothing_else(panel: PredictPanel, state: PredictState) -> None:
    panel.render(state)
    assert "A score is no percentage" not in visible_text(panel)
    state.apply(answer("/p/a.jpg", calibrated=False))

    panel.render(state)

    assert "A score is no percentage: too few photos were checked for one." in visible_text(panel)
    state.clear()
    state.apply(answer("/p/a.jpg"))
    panel.render(state)
    assert "A score is no percentage" not in visible_text(panel)


def test_the_thumbnail_is_what_the_model_saw(panel: PredictPanel, state: PredictState) -> None:
    seen = np.full((224, 224, 3), (200, 40, 40), np.uint8)
    state.apply(answer("/p/a.jpg", seen=seen))
    panel.render(state)

    index = panel.findChild(QAbstractItemView, "predictionList").model().index(0, 0)
    colour = index.data(Qt.ItemDataRole.DecorationRole).toImage().pixelColor(60, 60)

    assert colour.red() > 180
    assert colour.green() < 60


def test_thumbnails_of_many_answers_are_packed_and_still_there(
    panel: PredictPanel, state: PredictState, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_thumbs, "_FRESH", 2)
    seen = np.full((32, 32, 3), (30, 30, 220), np.uint8)
    for number in range(6):
        state.apply(answer(f"/p/{number}.jpg", seen=seen))
    panel.render(state)
    model = panel.findChild(QAbstractItemView, "predictionList").model()

    qtbot.waitUntil(lambda: not model.thumbs._packing.isActive())

    assert len(model.thumbs._fresh) == 2
    pictures = [model.index(row, 0).data(Qt.ItemDataRole.DecorationRole).toImage() for row in range(6)]
    assert all(picture.pixelColor(9, 9).blue() > 200 for picture in pictures)


def test_every_kind_of_row_can_be_painted(panel: PredictPanel, state: PredictState) -> None:
    seen = np.zeros((32, 32, 3), np.uint8)
    three = {"wolves": 0.8, "dogs": 0.15, "foxes": 0.05}
    state.apply(answer("/p/a.jpg", seen=seen))
    state.apply(answer("/p/b.jpg", "not_sure"))
    state.apply(answer("/p/c.jpg", "none_of_these"))
    state.apply(answer("/p/d.jpg", "unreadable", None, code="no_such_code " * 20))
    state.apply(answer("/p/e.jpg", "sure", "wolves", probabilities=three))
    panel.render(state)

    picture = panel.findChild(QAbstractItemView, "predictionList").grab().toImage()

    colours = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 3) for y in range(picture.height())}
    assert len(colours) > 10


def test_a_name_is_never_read_as_markup(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/<img src=x>.jpg"))
    panel.render(state)

    tip = panel.findChild(QAbstractItemView, "predictionList").model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)

    assert "<img" not in tip
    assert "&lt;img" in tip


def test_the_first_answer_of_a_new_drop_is_scrolled_to(panel: PredictPanel, state: PredictState, qtbot: QtBot) -> None:
    for number in range(60):
        state.apply(answer(f"/p/{number}.jpg"))
    panel.render(state)
    view = panel.findChild(QAbstractItemView, "predictionList")

    state.begin(1)
    state.apply(answer("/p/new.jpg"))
    panel.render(state)

    last = view.model().index(60, 0)
    qtbot.waitUntil(lambda: view.viewport().rect().intersects(view.visualRect(last)))


def test_the_answer_of_a_photo_dropped_later_is_scrolled_to_when_it_comes(
    panel: PredictPanel, state: PredictState
) -> None:
    view = panel.findChild(QAbstractItemView, "predictionList")
    fill(state, 20)
    panel.render(state)
    state.end()
    panel.render(state)

    state.begin(1)
    panel.render(state)  # the model is still at work
    state.apply(answer("late.jpg"))
    panel.render(state)
    state.end()
    panel.render(state)

    assert view.viewport().rect().contains(view.visualRect(view.model().index(20, 0)).center())


def test_answers_judged_anew_stay_where_they_are(panel: PredictPanel, state: PredictState) -> None:
    view = panel.findChild(QAbstractItemView, "predictionList")
    fill(state, 60)
    panel.render(state)
    state.end()
    view.verticalScrollBar().setValue(0)
    panel.render(state)

    state.predictions = [
        replace(item, verdict="none_of_these", label=None) if number else item
        for number, item in enumerate(state.predictions)
    ]
    panel.render(state)

    assert view.verticalScrollBar().value() == 0


def test_copy_gives_the_answers_as_text(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg"))
    state.apply(answer("/p/b.jpg", top="cats", share=0.9))
    panel.render(state)

    panel.copy()

    assert QGuiApplication.clipboard().text() == "a.jpg: dogs, 99 %\nb.jpg: cats, 90 %"


def test_copy_gives_only_the_selected_answers(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg"))
    state.apply(answer("/p/b.jpg"))
    panel.render(state)
    panel.findChild(QAbstractItemView, "predictionList").selectRow(1)

    panel.copy()

    assert QGuiApplication.clipboard().text() == "b.jpg: dogs, 99 %"


def test_stop_is_there_only_while_something_runs(panel: PredictPanel, state: PredictState, qtbot: QtBot) -> None:
    stop = panel.findChild(QPushButton, "stopPredictionButton")
    state.begin(5)
    panel.render(state)

    assert stop.isVisible()
    with qtbot.waitSignal(panel.stop_requested):
        stop.click()

    state.ask_stop()
    panel.render(state)
    assert "Stopping…" in visible_text(panel)
    assert not stop.isEnabled()

    state.end()
    panel.render(state)
    assert not stop.isVisible()


def test_answers_that_take_their_time_to_stop_say_what_they_wait_for(
    panel: PredictPanel, state: PredictState, qtbot: QtBot
) -> None:
    state.begin(5)
    state.ask_stop()
    panel.render(state)
    assert "Stopping…" in visible_text(panel)
    assert "under way" not in visible_text(panel)

    qtbot.waitUntil(lambda: "The photos under way are answered first." in visible_text(panel), timeout=10_000)
    state.end()
    panel.render(state)

    assert "under way" not in visible_text(panel)


def test_save_and_clear_come_with_the_answers(panel: PredictPanel, state: PredictState, qtbot: QtBot) -> None:
    save, clear = (panel.findChild(QPushButton, name) for name in ("saveAnswersButton", "clearAnswersButton"))
    panel.render(state)
    assert not save.isVisible()

    state.apply(answer("/p/a.jpg"))
    panel.render(state)

    with qtbot.waitSignal(panel.save_requested):
        save.click()
    with qtbot.waitSignal(panel.clear_requested):
        clear.click()


def test_after_clearing_the_list_is_empty(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg"))
    panel.render(state)

    state.clear()
    panel.render(state)

    assert shown(panel) == []


def test_a_failure_is_shown_and_its_details_can_be_copied(panel: PredictPanel, state: PredictState) -> None:
    state.say("not_a_model", {"path": "/m/x.pth"}, "Traceback: deep")
    panel.render(state)

    assert "/m/x.pth" in visible_text(panel)

    panel.findChild(QPushButton, "copyDetailsButton").click()

    assert "Traceback: deep" in QGuiApplication.clipboard().text()


def test_a_new_drop_takes_the_message_away(panel: PredictPanel, state: PredictState) -> None:
    state.say("not_a_model", {"path": "/m/x.pth"})
    panel.render(state)

    state.begin(1)
    panel.render(state)

    assert "/m/x.pth" not in visible_text(panel)


def test_a_hundred_thousand_answers_come_in_without_a_new_layout_each_time(
    panel: PredictPanel, state: PredictState
) -> None:
    state.predictions.extend([answer("/p/a.jpg")] * 100_000)
    panel.render(state)

    state.apply(answer("/p/last.jpg"))
    panel.render(state)

    assert panel.findChild(QAbstractItemView, "predictionList").model().rowCount() == 100_001
    assert shown(panel)[-1] == "last.jpg: dogs, 99 %"


def test_controls_have_names_for_screen_readers(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg"))
    panel.render(state)

    kinds = (QPushButton, QAbstractItemView, QFrame)
    controls = [item for kind in kinds for item in panel.findChildren(kind) if item.objectName() and item.isVisible()]
    assert len(controls) > 4
    assert [item.objectName() for item in controls if not item.accessibleName() and item.inherits("QPushButton")] == []
    assert area(panel).accessibleName()
    assert panel.findChild(QAbstractItemView, "predictionList").accessibleName()


# --- many answers -----------------------------------------------------------------------------------------------------


def fill(state: PredictState, count: int) -> None:
    """Sure dogs, every tenth photo an unsure cat; the first of them the least sure one."""
    for number in range(count):
        unsure = number % 10 == 0
        share = 0.55 + number / 1000 if unsure else 0.95
        state.apply(
            answer(f"/p/{number:03}.jpg", "not_sure" if unsure else "sure", "cats" if unsure else "dogs", share)
        )


def chip(panel: PredictPanel, words: str) -> QPushButton:
    found = [item for item in panel.findChildren(QPushButton) if item.isCheckable() and item.text() == words]
    assert len(found) == 1, [item.text() for item in panel.findChildren(QPushButton) if item.isCheckable()]
    return found[0]


def test_of_many_answers_the_unsure_ones_come_first(panel: PredictPanel, state: PredictState) -> None:
    fill(state, 60)

    panel.render(state)

    assert shown(panel)[0].startswith("000.jpg: not sure: cats 55 %")
    assert [line.partition(":")[0] for line in shown(panel)[:7]] == [f"{n:02}0.jpg" for n in range(6)] + ["001.jpg"]


def test_a_doubtful_answer_that_comes_late_finds_its_place(panel: PredictPanel, state: PredictState) -> None:
    fill(state, 60)
    panel.render(state)

    state.apply(answer("/p/late.jpg", "not_sure", "cats", 0.51))
    panel.render(state)

    assert shown(panel)[0].startswith("late.jpg")


def test_rows_that_are_looked_at_stay_where_they_are_while_others_come_in(
    panel: PredictPanel, state: PredictState
) -> None:
    state.begin(300)
    fill(state, 200)
    panel.render(state)
    view = panel.findChild(QAbstractItemView, "predictionList")
    view.scrollTo(view.model().index(90, 0), QAbstractItemView.ScrollHint.PositionAtTop)
    before = view.indexAt(QPoint(5, 5)).data()

    for number in range(5):
        state.apply(answer(f"/p/late-{number}.jpg", "not_sure", "cats", 0.51))
    panel.render(state)

    assert view.indexAt(QPoint(5, 5)).data() == before


def test_the_selection_stays_with_its_photo_when_the_order_changes(panel: PredictPanel, state: PredictState) -> None:
    fill(state, 60)
    panel.render(state)
    panel.findChild(QAbstractItemView, "predictionList").selectRow(2)

    panel.choose_order("dropped")
    panel.copy()

    assert QGuiApplication.clipboard().text().startswith("020.jpg: not sure")
    assert shown(panel)[1].startswith("001.jpg")


def test_chips_count_the_verdicts_and_show_one_of_them(panel: PredictPanel, state: PredictState) -> None:
    fill(state, 60)
    state.apply(answer("/p/x.jpg", "unreadable", None, code="truncated"))
    panel.render(state)

    assert chip(panel, "All 61").isChecked()
    assert chip(panel, "dogs 54").isVisible()
    chip(panel, "Not sure 6").click()

    assert len(shown(panel)) == 6
    assert "6 of 61 photos" in visible_text(panel)
    chip(panel, "Not readable 1").click()
    assert [line.partition(":")[0] for line in shown(panel)] == ["x.jpg"]


def test_an_answer_that_the_filter_hides_is_counted_and_not_shown(panel: PredictPanel, state: PredictState) -> None:
    fill(state, 60)
    panel.render(state)
    chip(panel, "Not sure 6").click()

    state.apply(answer("/p/sure.jpg"))
    panel.render(state)

    assert len(shown(panel)) == 6
    assert chip(panel, "dogs 55").isVisible()


def test_a_search_shows_the_photos_with_that_in_their_name(panel: PredictPanel, state: PredictState) -> None:
    fill(state, 60)
    state.apply(answer("/folder 05/Ärger.JPG"))
    panel.render(state)
    field = panel.findChild(QLineEdit, "answerSearchEdit")

    field.setText("05")
    panel.search_now()
    assert {line.partition(":")[0] for line in shown(panel)} == {"005.jpg", *(f"05{n}.jpg" for n in range(10))}

    field.setText("ärger.j")
    panel.search_now()
    assert [line.partition(":")[0] for line in shown(panel)] == ["Ärger.JPG"]


def test_with_many_classes_they_drop_down_from_a_list(panel: PredictPanel, state: PredictState) -> None:
    for number in range(30):
        name = f"kind {number % 10}"
        state.apply(answer(f"/p/{number}.jpg", top=name, probabilities={name: 1.0}))
    panel.render(state)
    combo = panel.findChild(QComboBox, "answerClassCombo")

    combo.setCurrentIndex(combo.findText("kind 3 3"))
    combo.activated.emit(combo.currentIndex())

    assert combo.isVisible()
    assert [line.partition(":")[0] for line in shown(panel)] == ["3.jpg", "13.jpg", "23.jpg"]


def test_a_few_answers_bring_no_filters(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg"))

    panel.render(state)

    assert not panel.findChild(QLineEdit, "answerSearchEdit").isVisible()


def test_a_picture_that_is_no_longer_kept_is_asked_for_when_its_row_is_seen(
    panel: PredictPanel, state: PredictState, qtbot: QtBot
) -> None:
    state.apply(answer("/p/a.jpg"))
    state.apply(answer("/p/b.jpg", "unreadable", None, code="truncated"))
    with qtbot.waitSignal(panel.thumbnails_wanted) as emitted:
        panel.render(state)

    assert emitted.args == [[0]]
    panel.answers.put_thumbnail(0, np.full((224, 224, 3), (200, 40, 40), np.uint8))
    icon = panel.answers.index(0).data(Qt.ItemDataRole.DecorationRole)
    assert icon.toImage().pixelColor(60, 60).red() > 180


def test_a_row_is_dragged_out_as_its_photo_and_never_moved(panel: PredictPanel, state: PredictState) -> None:
    state.apply(answer("/p/a.jpg"))
    state.apply(answer(""))
    panel.render(state)
    rows = [panel.answers.index(row) for row in range(2)]

    mime = panel.answers.mimeData(rows)

    assert [url.toLocalFile() for url in mime.urls()] == ["/p/a.jpg"]
    assert mime.text().startswith("a.jpg: dogs, 99 %")
    assert panel.answers.supportedDragActions() == Qt.DropAction.CopyAction
    assert panel.answers.flags(rows[0]) & Qt.ItemFlag.ItemIsDragEnabled
    assert not panel.answers.flags(rows[1]) & Qt.ItemFlag.ItemIsDragEnabled


def test_return_on_an_answer_names_its_photo(panel: PredictPanel, state: PredictState, qtbot: QtBot) -> None:
    state.apply(answer("/p/a.jpg"))
    panel.render(state)
    view = panel.findChild(QAbstractItemView, "predictionList")
    view.setCurrentIndex(view.model().index(0, 0))

    with qtbot.waitSignal(panel.answerActivated) as emitted:
        qtbot.keyClick(view, Qt.Key.Key_Return)

    assert emitted.args == [Path("/p/a.jpg")]


class _OwnDrag:
    """A drag that began in the list, as far as a panel looks at it. (Qt gives real ones their source.)"""

    def __init__(self, source: QWidget, mime: QMimeData) -> None:
        self.source = lambda: source
        self.mimeData = lambda: mime
        self.setDropAction = lambda _action: None
        self.accepted = False

    def accept(self) -> None:
        self.accepted = True


@pytest.mark.parametrize("where", ["dropArea", ""])
def test_an_answer_that_is_dragged_out_is_not_taken_for_a_new_photo(
    panel: PredictPanel, state: PredictState, tmp_path: Path, where: str
) -> None:
    panel.render(state)
    event = _OwnDrag(panel.findChild(QAbstractItemView, "predictionList"), files(tmp_path / "a.jpg"))

    (area(panel) if where else panel).dragEnterEvent(event)  # type: ignore[arg-type]  # see there

    assert not event.accepted


def test_folders_that_could_not_be_opened_are_named(panel: PredictPanel, state: PredictState) -> None:
    state.apply(PhotoSkipped("/p/locked", "folder_forbidden"))
    panel.render(state)
    line = panel.findChild(QLabel, "answersLeftOutLine")
    assert "Could not be opened: 1." in line.text()

    state.apply(PhotoSkipped("/p/<b>", "folder_unreadable"))
    panel.render(state)
    assert "Could not be opened: 2." in line.text()
    line.linkActivated.emit("list")
    dialog = panel.findChild(TextDialog, "textDialog")
    assert "/p/<b>" in dialog.content()
    assert "You are not allowed to open this folder." in dialog.content()
    dialog.close()


def test_the_score_of_a_labelled_folder_is_shown_with_its_table_and_its_wrong_answers(
    panel: PredictPanel, state: PredictState
) -> None:
    fill(state, 60)
    state.score = Score(60, 0.9, ("cats", "dogs"), [[20, 4], [2, 34]], 54, 50, frozenset({"/p/003.jpg", "/p/010.jpg"}))
    panel.render(state)
    note = panel.findChild(QFrame, "scoreNote")
    assert "90 % right, judged by the names of the sub-folders." in note.findChild(QLabel).text()

    chip(panel, "Wrong 2").click()
    assert [line.partition(":")[0] for line in shown(panel)] == ["010.jpg", "003.jpg"]

    note.findChild(QLabel).linkActivated.emit("table")
    table = panel.findChild(QTableWidget, "scoreTable")
    assert [table.item(0, column).text() for column in range(3)] == ["20", "4", "83 %"]
    table.window().close()


def test_classes_stand_before_the_other_verdicts_in_whatever_order_they_come(
    panel: PredictPanel, state: PredictState, qtbot: QtBot
) -> None:
    state.apply(answer("/p/x.jpg", "none_of_these", None, 0.5))
    fill(state, 20)
    panel.render(state)
    state.apply(answer("/p/cat.jpg", "sure", "cats", 0.99))
    panel.render(state)

    def chips() -> list[str]:
        found = [item for item in panel.findChildren(QPushButton) if item.isCheckable() and item.isVisible()]
        return [item.text() for item in sorted(found, key=lambda item: (item.y(), item.x()))]

    qtbot.waitUntil(lambda: chips() == ["All 22", "cats 1", "dogs 18", "Not sure 2", "None of these 1"])


def test_answers_of_another_model_offer_to_ask_this_one(panel: PredictPanel, state: PredictState, qtbot: QtBot) -> None:
    fill(state, 2)
    state.say("answers_of_before")
    panel.render(state)

    with qtbot.waitSignal(panel.again_requested):
        panel.findChild(QPushButton, "messageLink").click()

    assert panel.findChild(QPushButton, "messageLink").text() == "Ask this one"
    assert "These answers are the last model's." in visible_text(panel)


@pytest.mark.parametrize(
    ("name", "is_done", "words"),
    [
        ("Holiday", True, "The answers for 100 photos of “Holiday” (today"),
        ("", True, "The answers for 100 photos (today"),
        ("Holiday", False, "“Holiday” is not done: 100 of 150 photos are answered (today"),
        ("", False, "Not done: 100 of 150 photos are answered (today"),
    ],
)
def test_what_is_left_of_an_earlier_start_is_offered_by_its_folder_or_its_count(
    panel: PredictPanel, state: PredictState, name: str, is_done: bool, words: str
) -> None:
    state.offer = JobOffer(Path("job"), name, 100, 150, is_done, time.time())

    panel.render(state)

    assert words in visible_text(panel)


def test_dialogs_start_at_home_and_then_where_one_of_their_kind_was_used_last(
    panel: PredictPanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    starts: list[str] = []

    def choose_files(_parent: object, _title: str, start: str, _kinds: str) -> tuple[list[str], str]:
        starts.append(start)
        return [str(tmp_path / "a.jpg")], ""

    def choose_folder(_parent: object, _title: str, start: str) -> str:
        starts.append(start)
        return ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", choose_files)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose_folder)
    panel.choose_photos()
    panel.choose_photos()
    panel.choose_folder()

    assert starts == [str(Path.home()), str(tmp_path), str(Path.home())]
