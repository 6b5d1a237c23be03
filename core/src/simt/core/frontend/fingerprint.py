"""What decides the compiled form of a kernel on the side of its source: texts and captured values, all the way down.

The text of the kernel with its place in the file (line tables name it), every captured name's value, and the same for
each function reached from there: captured, in a closure, a default, a tuple, a method of a struct. Two equal digests
mean equal HIR and equal constants; types, options, target and toolchain are the caller's to add.
"""
from __future__ import annotations

import builtins
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import cast

import numpy as np

from simt.core.errors import CompileError
from simt.core.frontend.content import Content
from simt.core.frontend.installed import installed_digest
from simt.core.frontend.names import NOTHING, annotations_of, closure_cell
from simt.core.frontend.read import read_function, source_of
from simt.core.frontend.watch import MISSING, Watch, cell_value


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """``digest`` is hexadecimal. ``problems`` names captured values whose content cannot be told: with any, the digest
    must not serve as a key on disk. ``watch`` tells at each launch whether the digest still holds.
    """

    digest: str
    problems: tuple[str, ...]
    watch: Watch


def fingerprint(
    function: FunctionType, *, extra: Mapping[str, object] = NOTHING, values: Iterable[object] = ()
) -> Fingerprint:
    """The fingerprint of a kernel.

    Args:
        function: the kernel's Python function.
        extra: names for annotations, as for ``annotations_of``.
        values: what else is compiled in: compile-time arguments, and the struct classes of the signature, whose
            methods the kernel may call.
    """
    walk = _Walk(extra)
    walk.content.function(function, function.__name__)
    for number, value in enumerate(values):
        walk.content.value(value, f"value {number}")
    return Fingerprint(walk.digest.hexdigest(), tuple(walk.content.problems), walk.watch)


class _Walk:
    """Follows functions; ``Content`` encodes the values found and calls back for functions in them."""

    def __init__(self, extra: Mapping[str, object]) -> None:
        self.extra = extra
        self.digest = hashlib.sha256()
        self.watch = Watch()
        self.watched: set[tuple[int, str]] = set()
        self.content = Content(self.digest.update, self.watch, self.enter_function)

    def enter_function(self, function: FunctionType, where: str) -> None:
        """All that a function contributes. Those of the suite itself are covered by the digest of its files."""
        content = self.content
        content.put("function", f"{function.__module__}.{function.__qualname__}")
        content.value(function.__defaults__, f"the defaults of {where}")
        content.value(function.__kwdefaults__, f"the defaults of {where}")
        if str(function.__globals__.get("__name__")).startswith("simt."):
            content.put("suite", installed_digest())
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                content.value(cell_value(cell), f"{where}, {name}")
            return
        code = function.__code__
        self.watch.functions.append((function, code, function.__defaults__, function.__kwdefaults__))
        content.put("place", f"{code.co_filename}:{code.co_firstlineno}")
        try:
            lowered = read_function(function)
            annotations = annotations_of(function, self.extra)
        except CompileError:
            # Not the language of kernels: compiling it says why. If it is not compiled, its code is a sure key as well.
            self.enter_code(code)
            return
        content.put("text", source_of(function))
        content.value(annotations, f"the annotations of {where}")
        for dotted in lowered.captured:
            content.put("captured", dotted)
            self.enter_captured(function, dotted)

    def enter_code(self, code: CodeType) -> None:
        """A function by its instructions and constants."""
        self.content.put("code", repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars)))
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.enter_code(constant)
            else:
                self.content.put("constant", repr(constant))

    def enter_captured(self, function: FunctionType, dotted: str) -> None:
        """The value of a captured name; of a chain, the longest part that has a value on the host."""
        base, *attributes = dotted.split(".")
        value = self.base_value(function, base)
        for attribute in attributes:
            self.watch_attribute(value, attribute)
            try:
                value = getattr(value, attribute)
            except Exception as error:
                self.content.put("no attribute", f"{attribute} {type(error).__name__}")
                break
        self.content.value(value, f"`{dotted}`")

    def base_value(self, function: FunctionType, name: str) -> object:
        """The value of a name from outside, or ``MISSING``; the places that decide it are watched."""
        cell = closure_cell(function, name)
        if cell is not None:
            value = cell_value(cell)
            self.watch.cells.append((cell, value))
            return value
        namespaces: list[Mapping[str, object]] = [function.__globals__, vars(builtins)]
        for namespace in namespaces:
            self.watch_lookup(namespace, name)
            if name in namespace:
                return namespace[name]
        return self.extra.get(name, MISSING)

    def watch_lookup(self, namespace: Mapping[str, object], name: str) -> None:
        key = (id(namespace), name)
        if key not in self.watched:
            self.watched.add(key)
            self.watch.lookups.append((namespace, name, namespace.get(name, MISSING)))

    def watch_attribute(self, owner: object, name: str) -> None:
        """Watch where an attribute comes from: a module, an instance's own values, a class and its bases."""
        if owner is MISSING or isinstance(owner, np.ndarray | np.generic):
            return  # an array is watched whole
        if isinstance(owner, ModuleType):
            self.watch_lookup(vars(owner), name)
            return
        own: Mapping[str, object] = getattr(owner, "__dict__", {})
        if not isinstance(owner, type) and name in own:
            self.watch_lookup(own, name)
            return
        for parent in owner.__mro__ if isinstance(owner, type) else type(owner).__mro__:
            # The dictionaries of classes are read through a new proxy each time, so the class is the key.
            if name in vars(parent):
                if (id(parent), name) not in self.watched:
                    self.watched.add((id(parent), name))
                    self.watch.lookups.append((vars(parent), name, vars(parent)[name]))
                found = cast("object", vars(parent)[name])
                if not isinstance(owner, type) and hasattr(found, "__set__") and not isinstance(found, property):
                    self.watch.attributes.append((owner, name, getattr(owner, name, MISSING)))
                return
