"""Frozen dataclasses, enums, tuples and numbers as JSON text, for the disk cache. Reading executes nothing.

Only classes that the reader names come back; anything else in the text is refused.
"""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
Classes = Mapping[str, type[Any]]  # Any: the classes a reader knows, of every kind


def class_table(*classes: type[Any]) -> Classes:
    """The classes a reader knows, by name."""
    return {item.__name__: item for item in classes}


def to_text(value: object) -> bytes:
    """``value`` as JSON: dataclasses and enums are tagged with their class's name, tuples become lists.

    Raises:
        TypeError: a part is none of those.
    """
    return json.dumps(_plain(value), separators=(",", ":")).encode()


def from_text(text: bytes, classes: Classes) -> object:
    """The value that ``to_text`` was given; lists come back as tuples.

    Raises:
        ValueError: the text is not that of ``to_text`` for these classes.
    """
    try:
        return _value(json.loads(text), classes)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not the text of a known record: {error}") from error


def _plain(value: object) -> Plain:
    match value:
        case Enum():
            return {"enum": type(value).__name__, "name": value.name}
        case None | bool() | int() | float() | str():
            return value
        case tuple() | list():
            return [_plain(item) for item in cast("tuple[object, ...]", value)]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {
                "class": type(value).__name__,
                "fields": {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.init},
            }
        case _:
            raise TypeError(f"{type(value).__name__} is no plain data")


def _value(plain: Any, classes: Classes) -> Any:  # Any: JSON in, instances of the named classes out
    match plain:
        case {"enum": name, "name": member}:
            return getattr(classes[name], member)
        case {"class": name, "fields": members}:
            return classes[name](**{key: _value(member, classes) for key, member in members.items()})
        case list():
            return tuple(_value(item, classes) for item in cast("list[Any]", plain))
        case _:
            return plain
