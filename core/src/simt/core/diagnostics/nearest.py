"""The name that a wrong one is most likely meant to be, and the words that offer it."""
from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from textwrap import fill

WIDTH = 100


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The closest of ``known``, without regard to case, or None where none is close."""
    names = {other.lower(): other for other in known}
    found = get_close_matches(name.lower(), names, n=1)
    return names[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """``did you mean `sin`?``, or None where nothing is close."""
    close = nearest(name, known)
    return None if close is None else f"did you mean `{close}`?"


def offer(name: str, known: Iterable[str]) -> str | None:
    """The closest name, and all that there are, for the help of a report; None where there are none."""
    names = list(known)
    if not names:
        return None
    close = did_you_mean(name, names)
    return fill(f"{close} it has {', '.join(names)}" if close else f"it has {', '.join(names)}", WIDTH)
