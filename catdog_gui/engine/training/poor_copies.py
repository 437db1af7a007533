"""The training photos that are made poor on purpose, and what the network makes of them."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.learning.learner import Learner
from catdog_gui.engine.models import poorness
from catdog_gui.engine.networks.cache import PhotoCache, Stored
from catdog_gui.engine.networks.features import FeatureEngine, make_engine
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Picture, Recipe, decode, digest, from_array
from catdog_gui.engine.photos.reading import default_workers, read_ahead, tells_of_slow
from catdog_gui.engine.preparing.prepared import Prepared
from catdog_gui.engine.preparing.setup import Setup
from catdog_gui.engine.preparing.stores import ArrayStore
from catdog_gui.engine.training.extra import where_possible

Array = np.ndarray[Any, np.dtype[Any]]
Pair = tuple[int, int]  # photo, number of the way in WAYS
_NO_PRINT = np.zeros(0, np.uint8)


def learn_poorness(setup: Setup, learner: Learner, prepared: Prepared, checked: Array) -> poorness.Poorness | None:
    """What poor photos look like to the learned network. checked: features (N, F) of the checked photos.

    None where it cannot be told: too few photos, photos that are gone, a stop, no memory.
    """
    contents = {n: prepared.digests[n] for n in map(int, prepared.train) if n in prepared.digests}
    pairs = list(poorness.chosen(contents))
    if len(pairs) < poorness.FEWEST or len(checked) == 0:
        return None
    copies = _Copies(setup, learner, prepared)
    features = where_possible(setup, lambda: copies.features(pairs))
    if features is None:
        return None
    found = poorness.direction(*features)
    return None if found is None else poorness.scaled(found, checked)


class _Copies:
    """Features of photos and of their poor copies. A frozen network's are kept for the next run, by content."""

    def __init__(self, setup: Setup, learner: Learner, prepared: Prepared) -> None:
        self._setup, self._learner, self._prepared = setup, learner, prepared
        self._recipe = Recipe(setup.config.image_size, setup.config.fit)
        store = prepared.store
        self._stored = store.rows if learner.head_only and isinstance(store, ArrayStore) else None

    def features(self, pairs: Sequence[Pair]) -> tuple[Array, Array]:
        """(M, F) float16 each: of the photos as they are, and made poor. Photos that are gone are left out."""
        poor = self._kept(pairs) if self._stored is not None else {}
        plain: dict[int, Array] = {}
        missing = [pair for pair in pairs if pair not in poor]
        if missing:
            computed = self._computed(missing)
            self._keep({pair: row for pair, row in computed.items() if pair[1] >= 0})
            plain = {number: row for (number, way), row in computed.items() if way < 0}
            poor |= computed
        if self._stored is not None:
            plain = {number: self._stored[number] for number, _ in pairs}
        both = [pair for pair in pairs if pair in poor and pair[0] in plain]
        none = np.zeros((0, 0), np.float16)
        if not both:
            return none, none
        return np.stack([plain[number] for number, _ in both]), np.stack([poor[pair] for pair in both])

    def _computed(self, pairs: Sequence[Pair]) -> dict[Pair, Array]:
        """By pair; (photo, -1) for a photo as it is, where that is asked for."""
        found: dict[int, Array] = {}
        asked: list[Pair] = []
        tell_slow = tells_of_slow(self._setup.report.say)

        def pictures() -> Iterator[tuple[int, Picture]]:
            work = read_ahead(
                pairs,
                self._made,
                workers=self._setup.config.workers or default_workers(),
                should_stop=self._setup.should_stop,
                on_slow=lambda pair: tell_slow(self._setup.scan.path(pair[0])),
            )
            for made in work:
                for pair, picture in made:
                    asked.append(pair)
                    yield len(asked) - 1, picture

        with contextlib.closing(self._engine()) as engine:
            engine.run(pictures(), found.__setitem__)
        return {asked[number]: row.astype(np.float16) for number, row in found.items()}

    def _made(self, pair: Pair) -> list[tuple[Pair, Picture]]:
        """The copy, after the photo itself where its features are not at hand; nothing where it is not what it was."""
        number, way = pair
        try:
            data = read_bytes(self._setup.scan.path(number))
            if digest(data) != self._prepared.digests[number]:
                return []
            square = decode(data, self._recipe)
            copy = from_array(poorness.WAYS[way].spoil(square), self._recipe)
        except PhotoError:
            return []
        return [(pair, copy)] if self._stored is not None else [((number, -1), square), (pair, copy)]

    def _engine(self) -> FeatureEngine:
        if self._stored is not None:
            make = self._learner.rows().engine
            assert make is not None
            return make()
        setup = self._setup
        stages = {n.removeprefix("stages."): v for n, v in self._learner.tensors().items() if n.startswith("stages.")}
        size, device = setup.config.image_size, setup.device.id
        return make_engine(setup.config.model, stages, size, device, setup.precision)

    # -- kept by content ------------------------------------------------------------------------------------------

    def _cache(self) -> PhotoCache | None:
        kind = self._learner.rows().kind if self._stored is not None else None
        if kind is None or self._stored is None:
            return None
        return PhotoCache(f"{kind} made poor {poorness.VERSION}", self._stored.shape[1:], np.float16)

    def _key(self, pair: Pair) -> bytes:
        return poorness.copy_key(self._prepared.digests[pair[0]], pair[1])

    def _kept(self, pairs: Sequence[Pair]) -> dict[Pair, Array]:
        cache = self._cache()
        if cache is None:
            return {}
        with contextlib.closing(cache):
            rows = {stored.digest: stored.row for stored in cache.rows([self._key(pair) for pair in pairs])}
        return {pair: rows[self._key(pair)] for pair in pairs if self._key(pair) in rows}

    def _keep(self, rows: dict[Pair, Array]) -> None:
        cache = self._cache()
        if cache is not None:
            with contextlib.closing(cache):
                cache.add_rows([Stored(self._key(pair), _NO_PRINT, row) for pair, row in rows.items()])
