"""The arguments of one call in the order of the parameters: given by position, by keyword, or the default."""
from __future__ import annotations

from collections.abc import Mapping

from simt.core.errors import LaunchError


def completed(
    callee: str, names: tuple[str, ...], positional: int, defaults: Mapping[str, object], args: tuple[object, ...],
    kwargs: Mapping[str, object],
) -> tuple[object, ...]:
    """One argument for each of ``names``, of which the first ``positional`` may be given by position.

    Raises:
        LaunchError: names or counts do not fit; the message begins with ``callee``.
    """
    shape = f"({', '.join(names)})"
    if len(args) > positional:
        raise LaunchError(f"{callee} takes {_wanted(names, positional)}, {len(args)} given: {shape}")
    given = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in names:
            raise LaunchError(f"{callee} has no parameter {name}; its parameters are {shape}", argument=name)
        if name in given:
            raise LaunchError(f"argument {name} of {callee} is given twice", argument=name)
        given[name] = value
    missing = [name for name in names if name not in given and name not in defaults]
    if missing:
        raise LaunchError(
            f"{callee} is missing {', '.join(missing)}; its parameters are {shape}", argument=missing[0]
        )
    return tuple(given[name] if name in given else defaults[name] for name in names)


def _wanted(names: tuple[str, ...], count: int) -> str:
    what = "positional argument" if len(names) > count else "argument"
    return f"{count} {what}{'' if count == 1 else 's'}"
