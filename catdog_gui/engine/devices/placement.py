"""Moving values to a device: nested containers, modules, the arguments of a function."""

import copy
import dataclasses
import functools
import inspect
from collections.abc import Callable, Generator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar, Union, cast, overload

if TYPE_CHECKING:
    import torch

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
DeviceLike: TypeAlias = Union[str, "torch.device"]


def to_device(value: T, device: DeviceLike, *, non_blocking: bool | None = None) -> T:
    """The value with every tensor and module in it on `device`: also in lists, tuples, mappings and dataclasses.

    Containers that change are copied, never written to; what needs no move comes back as the same object, and an
    object that occurs twice is moved once. Modules move in place, as torch does. non_blocking None: do not wait for
    tensors in page-locked memory.
    """
    import torch

    return cast("T", _Mover(torch.device(device), non_blocking).move(value))


class _Mover:
    """One walk. memo: id of a value -> (the value, kept alive; its outcome), so that ties and cycles survive."""

    def __init__(self, device: "torch.device", non_blocking: bool | None) -> None:
        self.device = device
        self.non_blocking = non_blocking
        self.memo: dict[int, tuple[object, object]] = {}

    def move(self, value: object) -> object:
        known = self.memo.get(id(value))
        if known is not None:
            return known[1]
        self.memo[id(value)] = (value, value)  # a cycle meets the original
        moved = self._moved(value)
        self.memo[id(value)] = (value, moved)
        return moved

    def _moved(self, value: object) -> object:
        import torch

        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, torch.nn.Module):
            return value.to(self.device)
        if isinstance(value, torch.nn.utils.rnn.PackedSequence):
            return value.to(self.device)  # type: ignore[arg-type]  # torch's annotation knows dtypes only
        if isinstance(value, tuple):
            return self._tuple(value)
        if isinstance(value, list):
            return self._list(value)
        if isinstance(value, Mapping):
            return self._mapping(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        return value

    def _tensor(self, value: "torch.Tensor") -> "torch.Tensor":
        import torch

        if self.device.type == "mps" and value.dtype == torch.float64:  # MPS has no float64
            value = value.to(torch.float32)
        leaves = value.device.type == "cpu" and self.device.type == "cuda"
        ahead = (leaves and value.is_pinned()) if self.non_blocking is None else self.non_blocking
        return value.to(self.device, non_blocking=ahead)

    def _tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        items = [self.move(item) for item in value]
        if _same(items, value):
            return value
        kind: Callable[..., tuple[Any, ...]] = type(value)
        return kind(*items) if hasattr(value, "_fields") else kind(items)  # a named tuple takes them one by one

    def _list(self, value: list[Any]) -> list[Any]:
        items = [self.move(item) for item in value]
        if _same(items, value):
            return value
        copied = copy.copy(value)
        copied[:] = items
        return copied

    def _mapping(self, value: Mapping[Any, Any]) -> Mapping[Any, Any]:
        items = {key: self.move(item) for key, item in value.items()}
        if _same(items.values(), value.values()):
            return value
        if not isinstance(value, MutableMapping):
            return items
        copied = copy.copy(value)
        copied.update(items)
        return copied

    def _dataclass(self, value: Any) -> object:  # noqa: ANN401 -- any dataclass
        names = [item.name for item in dataclasses.fields(value) if hasattr(value, item.name)]
        items = {name: self.move(getattr(value, name)) for name in names}
        if all(items[name] is getattr(value, name) for name in names):
            return value
        copied = copy.copy(value)  # not `replace`: fields may be init=False
        for name, item in items.items():
            object.__setattr__(copied, name, item)  # also of frozen ones
        return copied


def _same(items: Any, originals: Any) -> bool:  # noqa: ANN401 -- any two collections of equal length
    return all(new is old for new, old in zip(items, originals, strict=True))


@overload
def auto_device(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def auto_device(
    *, device: DeviceLike | None = None, non_blocking: bool | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def auto_device(
    function: Callable[P, R] | None = None, /, *, device: DeviceLike | None = None, non_blocking: bool | None = None
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function so that tensors and modules among its arguments, nested or by keyword, are on the device.

    The device: `device` where given; in a method `self.device` where there is one; else `get_optimal_device()`, looked
    up at the first call and remembered until the next `list_devices`. `self` and `cls` are passed as they are.
    Coroutines and generators move when they start.
    """

    def decorate(inner: Callable[P, R]) -> Callable[P, R]:
        return _wrap(inner, _Target(inner, device), non_blocking)

    return decorate if function is None else decorate(function)


class _Target:
    """Which device one decorated function's arguments go to, and how many leading arguments are its owner."""

    def __init__(self, function: Callable[..., Any], device: DeviceLike | None) -> None:
        first = next(iter(inspect.signature(function).parameters), None)
        self.owners = 1 if first in ("self", "cls") else 0
        self.device = device

    def of(self, args: tuple[Any, ...]) -> DeviceLike:
        if self.device is not None:
            return self.device
        own = getattr(args[0], "device", None) if self.owners and args else None
        return own if own is not None else _optimal()


@functools.cache
def _optimal() -> "torch.device":
    from catdog_gui.engine.devices.choice import get_optimal_device

    return get_optimal_device()


def forget_optimal() -> None:
    """Look for the best device again at the next call; `list_devices` says so after each look."""
    _optimal.cache_clear()


def _wrap(function: Callable[P, R], target: _Target, non_blocking: bool | None) -> Callable[P, R]:
    def moved(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        kept = target.owners
        rest, named = to_device((args[kept:], kwargs), target.of(args), non_blocking=non_blocking)
        return args[:kept] + rest, named

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            args, kwargs = moved(args, kwargs)
            return await function(*args, **kwargs)

        return cast("Callable[P, R]", coroutine)
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:  # noqa: ANN401
            args, kwargs = moved(args, kwargs)
            return (yield from function(*args, **kwargs))

        return cast("Callable[P, R]", generator)

    @functools.wraps(function)
    def plain(*args: P.args, **kwargs: P.kwargs) -> R:
        new_args, new_kwargs = moved(args, kwargs)
        return function(*new_args, **new_kwargs)

    return plain
