"""How smooth the list of answers is at 100,000 rows: `python benchmarks/answers.py [ROWS]`.

Timed on the window's thread (offscreen raster, 300 x 700): taking in 25 answers (50 ms at 500 photos/s) and
painting, in each order; a jump to a random place and painting it; another order; a filter; a search. Memory: what
Python and the process take for a row. The peer in the same run: a QListView over a QSortFilterProxyModel, Qt's usual
way, with the same rows.
"""

import os
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not

import psutil
from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QListView, QPushButton

from catdog_gui.engine.events import Prediction
from catdog_gui.session.prediction import ModelLine, PredictState
from catdog_gui.ui import theme
from catdog_gui.ui.answer_list import AnswerModel
from catdog_gui.ui.predict_panel import PredictPanel

BATCH, REPEATS = 25, 40
_DRAW = random.Random(0)


def answer(number: int) -> Prediction:
    share = 0.5 + 0.5 * _DRAW.random() ** 0.1
    verdict = "sure" if share > 0.8 else "not_sure" if _DRAW.random() < 0.7 else "none_of_these"
    top, other = ("cats", "dogs") if number % 2 else ("dogs", "cats")
    path = f"/home/someone/Pictures/Holiday {number % 37}/IMG_{number:06}.jpg"
    shares = {top: share, other: 1 - share}
    return Prediction(path, verdict, top if verdict == "sure" else None, top, shares, True, _DRAW.random())  # type: ignore[arg-type]


def timed(name: str, work: Callable[[], object], repeats: int = REPEATS) -> None:
    spent = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        spent.append(1000 * (time.perf_counter() - begin))
    print(f"{name:<46} median {statistics.median(spent):7.1f}  largest {max(spent):7.1f} ms")


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    theme.apply(app)
    panel, state = PredictPanel(), PredictState()
    state.use_model(ModelLine("pets", classes=("cats", "dogs")))
    panel.resize(300, 700)
    panel.show()
    state.begin(rows + 4 * BATCH * REPEATS)
    state.apply(answer(0))
    panel.render(state)
    app.processEvents()
    state.predictions.extend(memory(lambda: [answer(number) for number in range(1, rows)], rows))
    timed(f"{rows:,} answers at once", lambda: show(app, panel, state), 1)
    numbers = iter(range(rows, 10 * rows))

    def more() -> None:
        for _ in range(BATCH):
            state.apply(answer(next(numbers)))
        show(app, panel, state)

    view = panel.findChild(QAbstractItemView, "predictionList")
    for order in ("dropped", "doubt", "name"):
        panel.choose_order(order)
        for place, value in (("at the top", 0), ("in the middle", view.verticalScrollBar().maximum() // 2)):
            view.verticalScrollBar().setValue(value)
            app.processEvents()
            timed(f"{BATCH} more, order “{order}”, {place}", more)

    def jump() -> None:
        view.verticalScrollBar().setValue(_DRAW.randrange(view.verticalScrollBar().maximum()))
        view.viewport().repaint()

    timed("a jump to a random place", jump)
    orders = iter(["doubt", "dropped", "name"] * REPEATS)
    timed("another order", lambda: (panel.choose_order(next(orders)), app.processEvents()), 9)
    view.selectAll()
    timed("another order, all selected", lambda: (panel.choose_order(next(orders)), app.processEvents()), 3)
    view.clearSelection()
    chips = [item for item in panel.findChildren(QPushButton) if item.isCheckable()]
    clicks = iter(chips * REPEATS)
    timed("a filter", lambda: (next(clicks).click(), app.processEvents()), 8)
    chips[0].click()
    field, words = panel.findChild(QLineEdit, "answerSearchEdit"), iter(["img_0", "img_09", "7.jpg", ""] * REPEATS)
    timed("a search", lambda: (field.setText(next(words)), panel.search_now(), app.processEvents()), 8)
    peer(app, state, rows // 10)
    return 0


def show(app: QApplication, panel: PredictPanel, state: PredictState) -> None:
    panel.render(state)
    app.processEvents()


def memory(make: Callable[[], list[Prediction]], rows: int) -> list[Prediction]:
    tracemalloc.start()
    before = psutil.Process().memory_info().rss
    result = make()
    taken, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    grown = psutil.Process().memory_info().rss - before
    print(
        f"memory for an answer: {taken / rows:.0f} bytes of Python objects (process with tracing: {grown / rows:.0f})"
    )
    return result


def peer(app: QApplication, state: PredictState, rows: int) -> None:
    """Qt's usual way; with a tenth of the rows, since sorting all of them takes a minute."""
    proxy, view, source, some = QSortFilterProxyModel(), QListView(), AnswerModel(), PredictState()
    some.predictions.extend(state.predictions[:rows])
    source.follow(some)
    proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    view.setUniformItemSizes(True)
    proxy.setSourceModel(source)
    view.setModel(proxy)
    view.resize(300, 400)
    view.show()
    app.processEvents()
    timed(f"peer, {rows:,} rows: order by text", lambda: (proxy.sort(0), app.processEvents(), proxy.sort(-1)), 1)
    words = iter(["img_0", "img_09", "7.jpg", ""] * 5)
    timed(f"peer, {rows:,} rows: a search", lambda: (proxy.setFilterFixedString(next(words)), app.processEvents()), 4)
    view.close()


if __name__ == "__main__":
    sys.exit(main())
