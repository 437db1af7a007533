"""Errors that a person can do something about: a code and fields, never a sentence.

`engine.messages` makes the sentence out of the code; the exit code is what `catdog` ends with.
"""

from collections.abc import Mapping
from typing import ClassVar

FieldValue = str | int | float | bool | None
Fields = Mapping[str, FieldValue]


class CatDogError(Exception):
    """Something went wrong while working. `code` names the sentence, `fields` fill it in."""

    exit_code: ClassVar[int] = 1

    def __init__(self, code: str, **fields: FieldValue) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields: dict[str, FieldValue] = fields

    def __str__(self) -> str:
        from catdog_gui.engine.messages import sentence

        return sentence(self.code, self.fields)


class UsageError(CatDogError):
    """The command or a setting is wrong; nothing was started."""

    exit_code = 2


class ConfigError(UsageError):
    """One setting cannot be used; `field` is its name in TrainConfig."""

    def __init__(self, code: str, field: str, **fields: FieldValue) -> None:
        super().__init__(code, field=field, **fields)
        self.field = field


class InputError(CatDogError):
    """What was given cannot be used: no classes, too few photos, not a model of ours, an archive, ..."""

    exit_code = 3


class PhotoError(InputError):
    """One file cannot be used as a photo. Codes: `messages.photos`."""


class Stopped(Exception):
    """The user asked to stop. Not an error: `fit` turns it into its normal end."""
