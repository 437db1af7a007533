"""Work done ahead in threads comes in order, and a stop never waits for a file."""

import threading
import time
from collections.abc import Iterator

import pytest

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.photos import reading
from catdog_gui.engine.photos.reading import default_workers, read_ahead


def never() -> bool:
    return False


@pytest.mark.parametrize("workers", [1, 3, 16])
def test_results_come_in_order_whatever_ends_first(workers: int) -> None:
    first_may_end = threading.Event()

    def work(number: int) -> int:
        if number == 0 and workers > 1:
            first_may_end.wait(10)
        if number == 1:
            first_may_end.set()
        return number * number

    assert list(read_ahead(range(50), work, workers=workers, should_stop=never)) == [n * n for n in range(50)]


def test_no_more_is_begun_than_the_depth_allows() -> None:
    begun: list[int] = []
    results = read_ahead(range(1000), begun.append, workers=2, should_stop=never, depth=5)
    for _ in range(10):
        next(results)
    results.close()  # type: ignore[attr-defined]

    assert len(begun) <= 15


def test_what_one_item_raises_comes_at_its_place() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise KeyError(number)
        return number

    results = read_ahead(range(10), work, workers=2, should_stop=never)

    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError):
        next(results)


def test_what_the_items_raise_comes_through() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise FileNotFoundError("gone")

    with pytest.raises(FileNotFoundError):
        list(read_ahead(items(), lambda n: n, workers=2, should_stop=never))


def test_a_stop_does_not_wait_for_a_file_that_hangs() -> None:
    hanging, go_on = threading.Event(), threading.Event()

    def work(_number: int) -> None:
        hanging.set()
        go_on.wait(20)

    began = time.monotonic()
    try:
        with pytest.raises(Stopped):
            list(read_ahead(range(5), work, workers=1, should_stop=hanging.is_set))
        assert time.monotonic() - began < 2
    finally:
        go_on.set()


def test_the_default_uses_the_processors_that_this_process_has() -> None:
    assert 1 <= default_workers() <= 16


def test_a_file_that_is_waited_for_long_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    arrived, told = threading.Event(), []

    def work(item: str) -> str:
        if item == "slow":
            arrived.wait(60)
        return item.upper()

    def on_slow(item: str) -> None:
        told.append(item)
        threading.Timer(0.5, arrived.set).start()

    items = ["a", "slow", "b"]
    found = list(reading.read_ahead(items, work, workers=1, should_stop=lambda: False, on_slow=on_slow))

    assert found == ["A", "SLOW", "B"]
    assert told == ["slow"]
