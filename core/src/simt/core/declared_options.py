"""What ``@kernel(...)`` and ``with_options`` take, checked."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from math import prod
from types import FunctionType
from typing import Any, Literal, TypedDict

from simt.core.diagnostics.nearest import nearest
from simt.core.options import Options
from simt.core.runtime.configuration import BLOCK_LIMITS, BLOCK_THREADS

NUMBERS = ("opt", "maxrregcount")
"""The options that are numbers; all others are switches."""


class OptionFields(TypedDict, total=False):
    """The fields of ``Options``, as keywords."""

    opt: Literal[0, 3]
    checks: bool | None
    race: bool
    debug: bool
    lineinfo: bool
    ftz: bool
    prec_div: bool
    prec_sqrt: bool
    fma: bool
    fast_math: bool
    maxrregcount: int | None


def named_in_annotations(function: FunctionType, names: Mapping[str, object]) -> dict[str, object]:
    """The frame's values that annotations written as text name; only those, so that nothing else is kept alive."""
    texts = " ".join(text for text in function.__annotations__.values() if isinstance(text, str))
    return {name: names[name] for name in re.findall(r"\w+", texts) if name in names}


def known_fields(options: OptionFields) -> dict[str, Any]:  # Any: fields of different types
    """The options as a dictionary.

    Raises:
        TypeError: one of them is no field of ``Options``, or not of its type.
    """
    names = [field.name for field in fields(Options)]
    unknown = [option for option in options if option not in names]
    if unknown:
        close = nearest(unknown[0], names)
        offer = "" if close is None else f": did you mean {close}?"
        raise TypeError(f"no option is called {unknown[0]}{offer or ';'} the options are {', '.join(names)}")
    for name, value in options.items():
        _require_switch(name, value)
    return dict(options)


def _require_switch(name: str, value: object) -> None:
    """An option that is on or off is a bool; ``checks`` may be left to the target."""
    if name in NUMBERS or isinstance(value, bool) or (name == "checks" and value is None):
        return
    expected = "True, False or None" if name == "checks" else "True or False"
    raise TypeError(f"{name}={value!r} is no switch; write {expected}")


def consistent(options: Options) -> Options:
    """The options, if they can be had together.

    Raises:
        TypeError: they cannot, or one is out of its range.
    """
    if type(options.opt) is not int or options.opt not in (0, 3):
        raise TypeError(f"opt={options.opt!r} is not 0 or 3")
    positive("maxrregcount", options.maxrregcount, 255)
    if options.debug and options.opt != 0:
        raise TypeError("debug=True needs opt=0: only unoptimised code can be described to a debugger")
    return options


def name_of(given: object, function: FunctionType) -> str:
    """A kernel's name: the one that is given, or its function's.

    Raises:
        TypeError: not an identifier.
    """
    if given is None:
        return function.__name__.strip("<>")
    if not isinstance(given, str) or not given.isidentifier():
        raise TypeError(f"name={given!r} is no name; write letters, digits and _ as in name='saxpy'")
    return given


def positive(what: str, value: int | None, limit: int) -> int | None:
    """A bound of a declaration.

    Raises:
        TypeError: not an integer from 1 to ``limit``.
    """
    if value is not None and not (type(value) is int and 1 <= value <= limit):
        raise TypeError(f"{what}={value!r} is not an integer from 1 to {limit}")
    return value


def block_of(value: int | tuple[int, ...] | None, max_threads: int | None) -> tuple[int, int, int] | None:
    """The threads along x, y, z of the only block that a kernel is launched with.

    Raises:
        TypeError: not one to three positive integers, more than a block has, or a bound beside it.
    """
    block = _three_of("block", value)
    if block is None:
        return None
    if prod(block) > BLOCK_THREADS or any(side > limit for side, limit in zip(block, BLOCK_LIMITS, strict=True)):
        raise TypeError(f"block={value!r} has {prod(block)} threads; a block has at most {BLOCK_THREADS}, "
                        f"and along x, y, z {BLOCK_LIMITS}")
    if max_threads is not None:
        raise TypeError(f"block={value!r} is exact; leave max_threads={max_threads} out")
    return block


def cluster_of(value: int | tuple[int, ...] | None) -> tuple[int, int, int] | None:
    """Blocks of a cluster along x, y, z.

    Raises:
        TypeError: not one to three positive integers.
    """
    return _three_of("cluster", value)


def _three_of(what: str, value: int | tuple[int, ...] | None) -> tuple[int, int, int] | None:
    if value is None:
        return None
    sizes = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(sizes) <= 3 or any(type(size) is not int or size < 1 for size in sizes):
        raise TypeError(f"{what}={value!r} is not one to three positive integers")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
