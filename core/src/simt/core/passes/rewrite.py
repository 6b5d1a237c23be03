"""The one traversal that all passes share."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TypeVar, cast

from simt.core.check import tir

N = TypeVar("N", bound=tir.Node)


def map_children(node: N, change: Callable[[tir.Node], tir.Node]) -> N:
    """``node`` with each direct sub-node replaced by what ``change`` makes of it; the same object if nothing changed.

    ``change`` gives expressions for expressions, places for places and statements for statements.
    """
    changes: dict[str, object] = {}
    for field in fields(node):
        before: object = getattr(node, field.name)
        after = _map_value(before, change)
        if after is not before:
            changes[field.name] = after
    return replace(node, **changes) if changes else node


def _map_value(value: object, change: Callable[[tir.Node], tir.Node]) -> object:
    match value:
        case tir.Node():
            return change(value)
        case tir.Message(parts=parts):
            mapped = tuple(part if isinstance(part, str) else (change(part[0]), part[1]) for part in parts)
            return value if _same(mapped, parts) else replace(value, parts=mapped)
        case tir.Meaning(body=body):
            changed = _map_value(body, change)
            return value if changed is body else replace(value, body=changed)
        case tuple():
            items = cast("tuple[object, ...]", value)
            results = tuple(_map_value(item, change) for item in items)
            return items if all(a is b for a, b in zip(results, items, strict=True)) else results
        case _:
            return value


def _same(mapped: tuple[object, ...], parts: tuple[object, ...]) -> bool:
    """Whether a message's parts are unchanged: texts are, values by identity."""
    return all(
        a is b or (isinstance(a, tuple) and isinstance(b, tuple) and a[0] is b[0])
        for a, b in zip(mapped, parts, strict=True)
    )
