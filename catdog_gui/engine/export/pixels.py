"""Steps 3 to 5 of the pixel recipe (ARCHITECTURE.md) as part of a graph: to the last grey level what the program makes.

Not by ONNX's own antialiased Resize: with `sizes` computed in the graph 0.2 % of the grey levels are still 1 off (it
places its filter in 32-bit floats), and that moved a probability by 0.012 on real photos. So the filter is written down
as Pillow has it: places in 64-bit floats from a box in 32-bit ones, weights as whole numbers of 22 bits, across first,
rounded to 8 bits after each direction. Each direction is a product of matrices, 16 new pixels at a time with the part
of the photo that they see; the weights are split in two halves, so that all sums are whole numbers a float32 holds.
"""

import numpy as np

from catdog_gui.engine.export.graph import DOUBLE, FLOAT, INT32, INT64, UINT8, Array, Graph
from catdog_gui.engine.photos.recipe import Recipe

_BITS = 22  # of a weight: Pillow's PRECISION_BITS
_HALF = 1 << (_BITS // 2)
_BLOCK = 16  # new pixels in one product
_CHANNELS = 3


def add_square(graph: Graph, photo: str, recipe: Recipe) -> str:
    """uint8 (H, W, 3) of any size -> the square that the network sees, uint8 (S, S, 3)."""
    places = _Places(graph, photo, recipe)
    down, across = places.filters(0), places.filters(1)
    return _down(graph, down, _across(graph, across, places.cut(photo, down), recipe.size), recipe.size)


def add_normalized(graph: Graph, square: str, mean: Array, std: Array) -> str:
    """uint8 (S, S, 3) -> float32 (1, 3, S, S): (v / 255 - mean) / std. mean, std: (3,)."""
    x = graph.add("Transpose", graph.add("Cast", square, to=FLOAT), perm=[2, 0, 1])
    x = graph.add("Unsqueeze", x, graph.whole(0))
    scale = (1.0 / (255.0 * std)).astype(np.float32).reshape(1, 3, 1, 1)
    shift = (-mean / std).astype(np.float32).reshape(1, 3, 1, 1)
    return graph.add("Add", graph.add("Mul", x, graph.constant(scale)), graph.constant(shift))


class _Filters:
    """One direction. B blocks of 16 new pixels, each seeing L old ones.

    pixels: int64 (B, L), which; weights: high and low halves, float32 (B, 16, L); first, last: int64 (1,), the range of
    all that is seen (last exclusive).
    """

    def __init__(self, pixels: str, weights: tuple[str, str], first: str, last: str) -> None:
        self.pixels, self.weights, self.first, self.last = pixels, weights, first, last


class _Places:
    """Where the filter of each new pixel lies in the photo: down (0) and across (1) as vectors of two."""

    def __init__(self, graph: Graph, photo: str, recipe: Recipe) -> None:
        self._graph = graph
        self._size = recipe.size
        self._sides = graph.add("Shape", photo, start=0, end=2)
        self._start, self._step, self._number = (
            self._squashed() if recipe.fit == "squash" else self._cropped(recipe.margin_size)
        )

    def filters(self, axis: int) -> _Filters:
        graph = self._graph
        start, step, number, side = (
            graph.pick(pair, axis) for pair in (self._start, self._step, self._number, self._sides)
        )
        blocks = -(-self._size // _BLOCK)
        numbers = np.minimum(np.arange(blocks * _BLOCK), self._size - 1) + 0.5  # the last block is filled up
        centres = graph.add("Mul", graph.add("Add", graph.constant(numbers.reshape(blocks, _BLOCK)), number), step)
        centres = graph.add("Add", centres, start)  # float64 (B, 16)
        reach = graph.add("Max", step, graph.double(1.0))
        low = self._whole("Floor", graph.add("Sub", self._column(centres, 0), reach))  # (B, 1)
        high = self._whole("Ceil", graph.add("Add", self._column(centres, _BLOCK - 1), reach))
        length = graph.add("ReduceMax", graph.add("Sub", high, low), keepdims=0)
        steps = graph.add("Range", graph.int64(0), length, graph.int64(1))
        seen = graph.add("Add", low, steps)  # (B, L), over the edges too
        inside = graph.add("Min", graph.add("Max", seen, graph.whole(0)), graph.add("Sub", side, graph.whole(1)))
        weights = self._weights(centres, reach, seen, graph.add("Equal", seen, inside))
        first = graph.add("Unsqueeze", graph.add("ReduceMin", inside, keepdims=0), graph.whole(0))
        last = graph.add("Unsqueeze", graph.add("ReduceMax", inside, keepdims=0), graph.whole(0))
        return _Filters(inside, weights, first, graph.add("Add", last, graph.whole(1)))

    def cut(self, photo: str, down: _Filters) -> str:
        """The photo without the rows that no filter sees; `down` counts from the first that is left."""
        graph = self._graph
        rows = graph.add("Slice", photo, down.first, down.last, graph.whole(0))
        down.pixels = graph.add("Sub", down.pixels, down.first)
        return rows

    def _weights(self, centres: str, reach: str, seen: str, exists: str) -> tuple[str, str]:
        """High and low halves of whole-number weights, float32 (B, 16, L)."""
        graph = self._graph
        middles = graph.add("Add", graph.add("Cast", seen, to=DOUBLE), graph.double(0.5))
        middles, centres = (
            graph.add("Unsqueeze", middles, graph.whole(1)),
            graph.add("Unsqueeze", centres, graph.whole(2)),
        )
        away = graph.add("Sub", middles, centres)
        heights = graph.add("Sub", graph.double(1.0), graph.add("Div", graph.add("Abs", away), reach))
        kept = graph.add("Unsqueeze", graph.add("Cast", exists, to=DOUBLE), graph.whole(1))
        heights = graph.add("Mul", graph.add("Max", heights, graph.double(0.0)), kept)
        shares = graph.add("Div", heights, graph.add("ReduceSum", heights, graph.whole(2), keepdims=1))
        rounded = graph.add("Add", graph.add("Mul", shares, graph.double(float(1 << _BITS))), graph.double(0.5))
        whole = graph.add("Cast", rounded, to=INT32)  # towards 0
        high = graph.add("Div", whole, graph.int32(_HALF))
        low = graph.add("Sub", whole, graph.add("Mul", high, graph.int32(_HALF)))
        return graph.add("Cast", high, to=FLOAT), graph.add("Cast", low, to=FLOAT)

    def _squashed(self) -> tuple[str, str, str]:
        graph = self._graph
        step = graph.add("Div", self._double(self._sides), graph.double(float(self._size)))
        none = graph.constant(np.zeros(2))
        return none, step, none

    def _cropped(self, margin_size: int) -> tuple[str, str, str]:
        """Where the first filter begins, the distance of two filters, and the number of the first one: (2,) each.

        Reducing, Pillow is given the box of the kept part, in 32-bit floats. Enlarging, it is given the whole, and the
        middle is kept.
        """
        graph = self._graph
        short = graph.add("ReduceMin", self._sides, keepdims=1)
        # (side * M + short // 2) // short: M for the short side, rounded to the nearest for the long one
        enlarged = graph.add("Mul", self._sides, graph.whole(margin_size))
        new = graph.add("Div", graph.add("Add", enlarged, graph.add("Div", short, graph.whole(2))), short)
        first = graph.add("Div", graph.add("Sub", new, graph.whole(self._size)), graph.whole(2))
        step = graph.add("Div", self._double(self._sides), self._double(new))
        reduces = graph.add("Greater", short, graph.whole(margin_size))
        left = graph.add("Mul", self._double(first), step)
        last = self._double(graph.add("Add", first, graph.whole(self._size)))
        right = graph.add("Min", graph.add("Mul", last, step), self._double(self._sides))
        left, right = (graph.add("Cast", x, to=FLOAT) for x in (left, right))
        between = graph.add("Div", self._double(graph.add("Sub", right, left)), graph.double(float(self._size)))
        none = graph.constant(np.zeros(2))
        return (
            graph.add("Where", reduces, self._double(left), none),
            graph.add("Where", reduces, between, step),
            graph.add("Where", reduces, none, self._double(first)),
        )

    def _double(self, x: str) -> str:
        return self._graph.add("Cast", x, to=DOUBLE)

    def _whole(self, how: str, x: str) -> str:
        return self._graph.add("Cast", self._graph.add(how, x), to=INT64)

    def _column(self, x: str, number: int) -> str:
        return self._graph.add("Gather", x, self._graph.whole(number), axis=1)


def _across(graph: Graph, filters: _Filters, photo: str, size: int) -> str:
    """uint8 (H, W, 3) -> (H, S, 3).

    The three channels lie beside each other, so each weight becomes a 3 x 3 matrix with it on the diagonal: moving the
    channels away first would take longer than the sums.
    """
    parts = graph.add("Gather", photo, filters.pixels, axis=1)  # (H, B, L, 3)
    parts = graph.add("Cast", graph.add("Transpose", parts, perm=[1, 0, 2, 3]), to=FLOAT)
    blocks = -(-size // _BLOCK)
    parts = graph.add("Reshape", parts, graph.whole(0, 0, -1))  # (B, H, L * 3)
    diagonal = graph.constant(np.eye(_CHANNELS, dtype=np.float32).reshape(1, 1, _CHANNELS, 1, _CHANNELS))
    sums = []
    for half in filters.weights:
        turned = graph.add("Transpose", half, perm=[0, 2, 1])
        spread = graph.add("Mul", graph.add("Unsqueeze", turned, graph.whole(2, 4)), diagonal)  # (B, L, 3, 16, 3)
        factors = graph.add("Reshape", spread, graph.whole(blocks, -1, _BLOCK * _CHANNELS))
        sums.append(graph.add("MatMul", parts, factors))
    x = graph.add("Transpose", _rounded(graph, *sums), perm=[1, 0, 2])  # (H, B, 16 * 3)
    x = graph.add("Reshape", x, graph.whole(0, blocks * _BLOCK, _CHANNELS))
    return graph.add("Slice", x, graph.whole(0), graph.whole(size), graph.whole(1))


def _down(graph: Graph, filters: _Filters, x: str, size: int) -> str:
    """uint8 (H, S, 3) -> (S, S, 3)."""
    rows = graph.add("Cast", graph.add("Flatten", x, axis=1), to=FLOAT)
    parts = graph.add("Gather", rows, filters.pixels, axis=0)  # (B, L, S * 3)
    x = _rounded(graph, *(graph.add("MatMul", half, parts) for half in filters.weights))  # (B, 16, S * 3)
    x = graph.add("Reshape", x, graph.whole(-1, size, _CHANNELS))
    return graph.add("Slice", x, graph.whole(0), graph.whole(size), graph.whole(0))


def _rounded(graph: Graph, high: str, low: str) -> str:
    """The sums of both halves, divided by 2^22 and rounded half up, uint8."""
    total = graph.add("Mul", graph.add("Cast", high, to=INT32), graph.int32(_HALF))
    total = graph.add("Add", graph.add("Add", total, graph.add("Cast", low, to=INT32)), graph.int32(1 << (_BITS - 1)))
    return graph.add("Cast", graph.add("Div", total, graph.int32(1 << _BITS)), to=UINT8)
