"""`to_device` and `auto_device`: what is moved, what stays, and that functions keep their faces.

The device "meta" stands for a card: tensors really change device there.
"""

import asyncio
import collections
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from catdog_gui.engine import devices
from catdog_gui.engine.devices import auto_device, to_device


class Pair(NamedTuple):
    photos: Tensor
    labels: Tensor


@dataclass(frozen=True)
class Batch:
    photos: Tensor
    name: str
    more: list[Tensor] = field(default_factory=list)
    count: int = field(init=False, default=0)


class Rows(list[Any]):
    """A list with something of its own."""

    title = ""


def _devices(value: object) -> set[str]:
    if isinstance(value, Tensor):
        return {value.device.type}
    if isinstance(value, dict):
        return _devices(list(value.values()))
    if isinstance(value, Batch):
        return _devices([value.photos, value.more])
    return set().union(*map(_devices, value)) if isinstance(value, list | tuple) else set()


def _t() -> Tensor:
    return torch.zeros(2)


@pytest.mark.parametrize(
    "value",
    [
        _t(),
        [_t(), [_t()]],
        (_t(), (_t(), 3)),
        Pair(_t(), _t()),
        {"a": _t(), "b": {"c": [_t()]}},
        collections.OrderedDict(a=_t()),
        collections.defaultdict(list, a=[_t()]),
        Batch(_t(), "x", [_t()]),
        Rows([_t()]),
        torch.max(torch.zeros(2, 2), dim=0),  # torch's own named tuples
    ],
    ids=lambda value: type(value).__name__,
)
def test_tensors_move_through_every_container_which_keeps_its_kind(value: object) -> None:
    moved = to_device(value, "meta")

    assert type(moved) is type(value)
    assert _devices(moved) == {"meta"}
    assert _devices(value) == {"cpu"}  # the original is not written to


def test_containers_keep_what_else_is_in_them() -> None:
    rows = Rows([_t(), "text", 3])
    rows.title = "mine"
    batch = Batch(_t(), "name")
    object.__setattr__(batch, "count", 7)

    moved, moved_batch = to_device((rows, batch), "meta")

    assert (moved.title, moved[1:]) == ("mine", ["text", 3])
    assert (moved_batch.name, moved_batch.count) == ("name", 7)


def test_what_needs_no_move_comes_back_as_the_same_object() -> None:
    value = [_t(), {"a": (_t(), "x")}, Batch(_t(), "x"), None, 3]

    assert to_device(value, "cpu") is value


def test_a_tensor_that_occurs_twice_stays_one_tensor() -> None:
    shared = _t()

    first, (second,) = to_device((shared, [shared]), "meta")

    assert first is second


def test_a_list_that_contains_itself_ends() -> None:
    rows: list[Any] = [_t()]
    rows.append(rows)

    assert to_device(rows, "meta")[0].device.type == "meta"


def test_modules_move_in_place_and_packed_sequences_too() -> None:
    layer = nn.Linear(2, 2)
    packed = nn.utils.rnn.pack_sequence([torch.zeros(2, 1), torch.zeros(1, 1)])

    assert to_device(layer, "meta") is layer
    assert layer.weight.device.type == "meta"
    assert to_device(packed, "meta").data.device.type == "meta"


def test_a_function_gets_positional_nested_and_keyword_arguments_on_the_device() -> None:
    @auto_device(device="meta")
    def seen(photos: list[Tensor], *rest: Tensor, labels: Tensor, **named: Tensor) -> set[str]:
        return _devices([photos, list(rest), labels, named])

    assert seen([_t()], _t(), labels=_t(), extra=_t()) == {"meta"}


def test_a_method_gets_its_arguments_on_its_own_device_and_itself_as_it_is() -> None:
    class Worker:
        device = torch.device("meta")

        def __init__(self) -> None:
            self.layer = nn.Linear(2, 2)

        @auto_device
        def seen(self, photos: Tensor, labels: Tensor | None = None) -> tuple["Worker", set[str]]:
            return self, _devices([photos, labels])

    worker = Worker()

    assert worker.seen(_t(), labels=_t()) == (worker, {"meta"})
    assert worker.layer.weight.device.type == "cpu"


def test_a_device_given_to_the_decorator_goes_before_the_objects_own() -> None:
    class Worker:
        device = "cpu"

        @auto_device(device="meta")
        def seen(self, photos: Tensor) -> set[str]:
            return _devices(photos)

    assert Worker().seen(_t()) == {"meta"}


def test_class_and_static_methods_work_too() -> None:
    class Worker:
        device = "meta"

        @classmethod
        @auto_device
        def of_class(cls, photos: Tensor) -> set[str]:
            return _devices(photos)

        @staticmethod
        @auto_device(device="meta")
        def static(photos: Tensor) -> set[str]:
            return _devices(photos)

    assert Worker.of_class(_t()) == Worker.static(_t()) == {"meta"}


def test_without_a_device_the_optimal_one_is_taken_and_looked_up_again_after_a_new_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = ["meta"]
    monkeypatch.setattr("catdog_gui.engine.devices.choice.get_optimal_device", lambda: torch.device(found[0]))
    monkeypatch.setattr("catdog_gui.engine.devices.listing._cuda_devices", lambda _: [])

    @auto_device
    def seen(photos: Tensor) -> set[str]:
        return _devices(photos)

    devices.list_devices(probe=False)
    first = seen(_t())
    found[0] = "cpu"
    devices.list_devices(probe=False)

    assert (first, seen(_t())) == ({"meta"}, {"cpu"})
    devices.list_devices(probe=False)  # forget the fake


def test_coroutines_and_generators_stay_what_they_are() -> None:
    @auto_device(device="meta")
    async def later(photos: Tensor) -> set[str]:
        return _devices(photos)

    @auto_device(device="meta")
    def several(photos: list[Tensor]) -> Iterator[str]:
        for photo in photos:
            yield photo.device.type

    assert inspect.iscoroutinefunction(later)
    assert inspect.isgeneratorfunction(several)
    assert asyncio.run(later(_t())) == {"meta"}
    assert list(several([_t(), _t()])) == ["meta", "meta"]


def test_name_docstring_and_signature_are_kept() -> None:
    def original(photos: Tensor, *, scale: float = 1.0) -> Tensor:
        """Scale them."""
        return photos * scale

    decorated = auto_device(device="cpu")(original)

    assert (decorated.__name__, decorated.__doc__) == ("original", "Scale them.")
    assert inspect.signature(decorated) == inspect.signature(original)


def test_gradients_flow_back_through_a_move() -> None:
    weights = torch.ones(2, dtype=torch.float64, requires_grad=True)

    @auto_device(device="cpu")
    def total(values: Tensor) -> Tensor:
        return (values * 3).sum()

    total(weights).backward()

    assert weights.grad is not None
    assert weights.grad.tolist() == [3, 3]


@pytest.mark.gpu
def test_pinned_tensors_arrive_on_a_real_card() -> None:
    pinned = torch.arange(1000).pin_memory()

    assert torch.equal(to_device([pinned], "cuda")[0].cpu(), pinned)
