"""A curve as NumPy columns that grow with it, and the few points of it that a screen can show."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from catdog_gui.session.state import Curve

Floats = NDArray[np.float64]
_BLOCK = 64  # points whose smallest and largest value are kept ready
_MARKS_KEPT = 10_000
_ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


class Columns:
    """A copy of one Curve, extended by what is new in it. Values that are not finite become NaN.

    `array` cannot grow while a NumPy view of it lives, so only the new tail is copied, once.
    """

    def __init__(self) -> None:
        self._curve: Curve | None = None
        self._restart()

    def __len__(self) -> int:
        return self._n

    @property
    def x(self) -> Floats:
        return self._x[: self._n]

    @property
    def y(self) -> Floats:
        return self._y[: self._n]

    @property
    def marks(self) -> tuple[list[float], list[float]]:
        """Where stretches without a value begin: x, and the last value before (0 where there is none)."""
        return self._mark_x, self._mark_y

    def follow(self, curve: Curve) -> bool:
        """Take in what the curve has more than at the last call; returns whether there was anything."""
        n = min(len(curve.x), len(curve.y))
        if curve is not self._curve or n < self._n:
            was_empty = self._n == 0
            self._curve = curve
            self._restart()
            if n == 0:
                return not was_empty
        if n == self._n:
            return False
        self._append(np.frombuffer(curve.x[self._n : n]), np.frombuffer(curve.y[self._n : n]).copy())
        return True

    def thinned(self, first: float, last: float, width: int) -> tuple[Floats, Floats]:
        """The points between x = first and last (and one beyond on each side): all of them where `width` pixels can
        show them, else the smallest and the largest of each of about `width` groups.
        """
        begin, end = self._span(first, last)
        step = _power_of_two((end - begin) / max(1, width))
        if step <= 2:
            return self._x[begin:end], self._y[begin:end]
        begin -= begin % step  # the same groups at every redraw, or the curve would flicker
        if step < _BLOCK:
            return _min_max(self._x[begin:end], self._y[begin:end], self._y[begin:end], step)
        blocks = slice(begin // _BLOCK, end // _BLOCK)
        starts = self._x[begin:end:_BLOCK][: blocks.stop - blocks.start]
        x, y = _min_max(starts, self._low[blocks], self._high[blocks], step // _BLOCK)
        rest = slice(blocks.stop * _BLOCK, end)
        return np.concatenate([x, self._x[rest]]), np.concatenate([y, self._y[rest]])

    def smoothed(self, first: float, last: float, points: int, window: int) -> tuple[Floats, Floats]:
        """At most `points` moving means over `window` neighbours; NaN where the curve itself has no value."""
        begin, end = self._span(first, last)
        if end <= begin:
            return self._x[:0], self._y[:0]
        at = np.unique(np.linspace(begin, end - 1, min(points, end - begin)).astype(np.int64))
        half = np.minimum(max(0, window // 2), at)  # narrower at the start, which is steep
        low, high = at - half, np.minimum(at + half + 1, self._n)
        count = self._count[high] - self._count[low]
        sums = self._sum[high] - self._sum[low]
        mean = np.full(len(at), np.nan)
        np.divide(sums, count, out=mean, where=(count > 0) & np.isfinite(self._y[at]))
        return self._x[at], mean

    def limits(self) -> tuple[float, float] | None:
        """The smallest and the largest value; None where there is none."""
        y = self.y[np.isfinite(self.y)] if self._n <= _BLOCK else np.concatenate([self._blocks_limits(), self._tail()])
        return (float(y.min()), float(y.max())) if len(y) else None

    def _blocks_limits(self) -> Floats:
        full = self._n // _BLOCK
        both = np.concatenate([self._low[:full], self._high[:full]])
        return np.asarray(both[np.isfinite(both)])

    def _tail(self) -> Floats:
        tail = self._y[self._n // _BLOCK * _BLOCK : self._n]
        return np.asarray(tail[np.isfinite(tail)])

    def _span(self, first: float, last: float) -> tuple[int, int]:
        begin = int(np.searchsorted(self.x, first)) - 1
        end = int(np.searchsorted(self.x, last, side="right")) + 1
        return max(0, begin), min(self._n, end)

    def _restart(self) -> None:
        self._n = 0
        self._x, self._y = np.empty(1024), np.empty(1024)
        self._sum, self._count = np.zeros(1025), np.zeros(1025)  # of the finite values before each point
        self._low, self._high = np.empty(16), np.empty(16)
        self._mark_x: list[float] = []
        self._mark_y: list[float] = []
        self._last_finite, self._ends_finite = 0.0, True

    def _append(self, x: Floats, y: Floats) -> None:
        begin, end = self._n, self._n + len(y)
        self._reserve(end)
        finite = np.isfinite(y)
        self._mark(x, y, finite)
        y[~finite] = np.nan
        self._x[begin:end], self._y[begin:end] = x, y
        self._sum[begin + 1 : end + 1] = self._sum[begin] + np.cumsum(np.where(finite, y, 0.0))
        self._count[begin + 1 : end + 1] = self._count[begin] + np.cumsum(finite)
        self._n = end
        first, stop = begin // _BLOCK, end // _BLOCK
        groups = self._y[first * _BLOCK : stop * _BLOCK].reshape(-1, _BLOCK)
        self._low[first:stop] = np.fmin.reduce(groups, axis=1)
        self._high[first:stop] = np.fmax.reduce(groups, axis=1)

    def _mark(self, x: Floats, y: Floats, finite: NDArray[np.bool_]) -> None:
        if not finite.all():
            before = np.concatenate([[self._ends_finite], finite[:-1]])
            starts = np.flatnonzero(before & ~finite)[: _MARKS_KEPT - len(self._mark_x)]
            self._mark_x += x[starts].tolist()
            self._mark_y += [float(y[at - 1]) if at else self._last_finite for at in starts]
        if finite.any():
            self._last_finite = float(y[finite][-1])
        self._ends_finite = bool(finite[-1])

    def _reserve(self, size: int) -> None:
        capacity = len(self._x)
        if size <= capacity:
            return
        while capacity < size:
            capacity *= 2
        self._x, self._y = _grown(self._x, capacity), _grown(self._y, capacity)
        self._sum, self._count = _grown(self._sum, capacity + 1), _grown(self._count, capacity + 1)
        self._low, self._high = _grown(self._low, capacity // _BLOCK), _grown(self._high, capacity // _BLOCK)


def _grown(column: Floats, capacity: int) -> Floats:
    result = np.empty(capacity)
    result[: len(column)] = column
    return result


def _power_of_two(value: float) -> int:
    result = 1
    while result < value:
        result *= 2
    return result


def _min_max(x: Floats, low: Floats, high: Floats, step: int) -> tuple[Floats, Floats]:
    """Two points for each `step` of them: the smallest at the first one's x, the largest at the middle one's."""
    starts = np.arange(0, len(low), step)
    if not len(starts):
        return x[:0], low[:0]
    result_x, result_y = np.empty(2 * len(starts)), np.empty(2 * len(starts))
    result_x[0::2], result_x[1::2] = x[starts], x[np.minimum(starts + step // 2, len(x) - 1)]
    result_y[0::2] = np.fmin.reduceat(low, starts)
    result_y[1::2] = np.fmax.reduceat(high, starts)
    return result_x, result_y


def nice_top(value: float) -> float:
    """The smallest round number (times a power of ten) that is not below the value; 1 where there is none."""
    if not np.isfinite(value) or value <= 0:
        return 1.0
    power: Any = 10.0 ** np.floor(np.log10(value))
    return float(next(power * step for step in _ROUND if power * step >= value * (1 - 1e-9)))


def nice_ticks(low: float, high: float, most: int = 3) -> list[float]:
    """Round values within low..high, `most` at most where that is possible, at equal distances."""
    span = high - low
    if not np.isfinite(span) or span <= 0:
        return []
    power = 10.0 ** np.floor(np.log10(span / most)) / 2
    for step in (1, 2, 3, 4, 5, 10, 15, 20, 40, 50, 100):
        spacing = power * step
        first = np.ceil(low / spacing - 1e-6)
        count = int(np.floor(high / spacing + 1e-6) - first) + 1
        if count <= most:
            return [float((first + number) * spacing) for number in range(count)]
    return []
