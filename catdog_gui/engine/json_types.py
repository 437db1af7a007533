"""Whether values that came out of JSON are of the types that a dataclass annotates. No other imports of ours."""

import dataclasses
import functools
import types
import typing
from collections.abc import Hashable, Mapping
from typing import Any, Literal, TypeGuard, Union, cast

_NAMES = {float: {int, float}, type(None): {type(None)}}
_MOST = 2**63  # JSON's whole numbers have no end; larger ones fit no float, no counter and no file


def fields_fit(cls: type[object], values: Mapping[str, Any]) -> bool:
    """Whether each value that the dataclass has a field for is of its annotated type; a whole number is a float too."""
    hints: dict[str, tuple[Any, frozenset[type] | None]] = _hints(cast("Hashable", cls))
    for name, value in values.items():
        hint, plain = hints.get(name, (Any, None))
        if plain is not None and type(value) in plain and (type(value) is not int or -_MOST < value < _MOST):
            continue  # the quick way: lines are read by the hundred thousand
        if not _fits(value, hint):
            return False
    return True


@functools.cache
def _hints(cls: Any) -> dict[str, tuple[Any, frozenset[type] | None]]:  # noqa: ANN401 -- a dataclass
    """Field -> its annotation, and the types that fit it where those decide alone."""
    hints = typing.get_type_hints(cls)
    return {item.name: (hints[item.name], _plain(hints[item.name])) for item in dataclasses.fields(cls)}


def _plain(hint: Any) -> frozenset[type] | None:  # noqa: ANN401 -- any annotation
    choices = typing.get_args(hint) if typing.get_origin(hint) in (Union, types.UnionType) else (hint,)
    if not all(choice in (str, int, float, bool, type(None)) for choice in choices):
        return None
    return frozenset().union(*(_NAMES.get(choice, {choice}) for choice in choices))


def _fits(value: object, hint: Any) -> bool:  # noqa: ANN401 -- any annotation
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if origin is Literal:
        return value in inner
    if origin in (Union, types.UnionType):
        return any(_fits(value, choice) for choice in inner)
    if origin is list:
        return isinstance(value, list) and all(_fits(item, inner[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(_fits(item, inner[1]) for item in value.values())
    if hint in (int, float):
        return is_number(value) and (hint is float or isinstance(value, int))
    return isinstance(value, origin or hint)


def is_number(value: object) -> TypeGuard[int | float]:
    """A number that fits a float; true and false are none."""
    return isinstance(value, float) or (type(value) is int and -_MOST < value < _MOST)
