"""Host values as bytes, so that equal content gives equal bytes in every process, and other content other bytes."""
from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import (
    BuiltinFunctionType,
    FunctionType,
    GenericAlias,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    UnionType,
)
from typing import Any, ParamSpec, TypeVar, cast, get_args, get_origin

import numpy as np

from simt.core.frontend.installed import installed_digest
from simt.core.frontend.watch import Watch
from simt.core.introspection import PRESENTED

SUITE = "simt."


class Content:
    """Encodes values through ``update``. Functions are handed to ``enter_function``, once each.

    What cannot be encoded is put by its type only and named in ``problems``. What can change in place is watched.
    """

    def __init__(
        self, update: Callable[[bytes], object], watch: Watch, enter_function: Callable[[FunctionType, str], None]
    ) -> None:
        self.update = update
        self.watch = watch
        self.enter_function = enter_function
        self.problems: list[str] = []
        self.seen: dict[int, int] = {}
        self.kept: list[object] = []  # what ``seen`` knows by identity must stay alive

    def put(self, tag: str, content: str | bytes) -> None:
        """One tagged piece; its length in front keeps neighbours apart."""
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        self.update(f"{tag}:{len(data)}:".encode() + data)

    def function(self, function: FunctionType, where: str) -> None:
        """A function with all that it reaches, or the number it had when first met."""
        if self._first(function):
            self.enter_function(function, where)

    def value(self, value: object, where: str) -> None:
        """Any value; ``where`` says in a few words where it was found."""
        match value:
            case None | bool() | str() | int() | float() | complex() | bytes() if type(value) in _PLAIN:
                self.put(type(value).__name__, _plain(value))
            case Enum():
                self.put("member", value.name)
                self.value(type(value), where)
            case np.ndarray():
                self._array(cast("np.ndarray[Any, np.dtype[Any]]", value), where)  # Any: of any shape and dtype
            case np.generic():
                scalar = cast("np.generic[Any]", value)  # Any: of any dtype
                self.put("numpy scalar", scalar.dtype.str)
                self.put("bytes", scalar.tobytes())
            case tuple():
                items = cast("tuple[object, ...]", value)
                self._items(type(items).__name__, items, where)
            case range() | np.dtype():
                self.put(type(value).__name__, repr(value))
            case type():
                self._class(cast("type[object]", value), where)
            case FunctionType():
                self.function(value, where)
            case MethodType():
                self._items("method", (value.__func__, value.__self__), where)
            case functools.partial():
                partial = cast("functools.partial[object]", value)
                self._items("partial", (partial.func, partial.args, dict(partial.keywords)), where)
            case dict():
                entries = cast("dict[object, object]", value)
                self._items("dict", [part for entry in entries.items() for part in entry], where)
            case staticmethod() | classmethod():
                method = cast("staticmethod[..., object]", value)
                self._items(type(method).__name__, [method.__func__], where)
            case property():
                self._items("property", [value.fget, value.fset], where)
            case ModuleType():
                self.put("module", value.__name__)
            case BuiltinFunctionType() | np.ufunc():
                self.put("builtin", f"{getattr(value, '__module__', '')}.{value.__name__}")
            case _:
                self._object(value, where)

    def _first(self, value: object) -> bool:
        """Whether a value is met for the first time; otherwise its number is put, which also ends cycles."""
        number = self.seen.setdefault(id(value), len(self.seen))
        if number == len(self.kept):
            self.kept.append(value)
            return True
        self.put("again", str(number))
        return False

    def _items(self, tag: str, items: Iterable[object], where: str) -> None:
        items = tuple(items)
        self.put(tag, str(len(items)))
        for item in items:
            self.value(item, where)

    def _array(self, array: np.ndarray[Any, np.dtype[Any]], where: str) -> None:  # Any: of any shape and dtype
        if array.dtype.hasobject:
            self.problems.append(f"{where} is a NumPy array of objects")
        self.put("array", f"{array.dtype.descr!r}{array.shape}")
        content = array.tobytes()
        self.put("bytes", content)
        if _writable(array):
            self.watch.arrays.append((array, content))

    def _class(self, cls: type[object], where: str) -> None:
        """A class by name; an enum with its members, a struct with fields, constants and methods."""
        self.put("class", f"{cls.__module__}.{cls.__qualname__}")
        kind = getattr(cls, "struct_type", None)
        if not self._first(cls):
            return
        if issubclass(cls, Enum):
            self._items("enum", [part for member in cls for part in (member.name, cast("object", member.value))], where)
        elif kind is not None:
            self._object(kind, where)
            for base in cls.__mro__:
                if base is not object and not base.__module__.startswith(SUITE):
                    self._members(base, where)
        elif cls.__module__.startswith(SUITE):
            self.put("suite", installed_digest())
        elif cls.__module__ not in ("builtins", "typing", "numpy", "types", "enum", "ctypes", "inspect"):
            self.problems.append(f"{where} is the class {cls.__qualname__}, whose content is not known")

    def _members(self, cls: type[object], where: str) -> None:
        """What the body of a struct class defines, but for what its decorator has made."""
        for name, member in sorted(vars(cls).items()):
            function = getattr(member, "__func__", getattr(member, "fget", member))
            if isinstance(function, FunctionType) and function.__globals__.get("__name__", "").startswith(SUITE):
                continue
            if isinstance(function, FunctionType) or (not name.startswith("__") and type(member) in _CONSTANTS):
                self.put("member", name)
                self.value(member, f"{where}.{name}")
                self.watch.lookups.append((vars(cls), name, member))

    def _object(self, value: object, where: str) -> None:
        cls = type(value)
        struct_type = getattr(cls, "struct_type", None)
        origin = get_origin(value)
        own = getattr(value, "__simt_fingerprint__", None)
        if callable(own):
            self.put("object", f"{cls.__module__}.{cls.__qualname__}")
            self.value(own(), where)
        elif struct_type is not None:
            names = [field.name for field in struct_type.fields]
            self._items("struct", [cls, *(getattr(value, name) for name in names)], where)
            self.watch.attributes += [(value, name, getattr(value, name)) for name in names]
        elif hasattr(cls, "scalar_type"):
            scalar = cast("Any", value)  # Any: what has a scalar type is a Scalar, in a package above this one
            self._items("scalar", [str(scalar.scalar_type), scalar.payload], where)
        elif origin is not None or isinstance(value, GenericAlias | UnionType):
            self._items("alias", [origin, *get_args(value)], where)
        elif isinstance(value, TypeVar):
            self._items("TypeVar", [value.__name__, value.__bound__, value.__constraints__], where)
        elif isinstance(value, ParamSpec):
            self.put("ParamSpec", value.__name__)
        elif isinstance(value, list):
            items = cast("list[object]", value)
            self._items("list", items, where)
            self.watch.lists.append((items, tuple(items)))
        elif cls.__module__.startswith(SUITE) or (is_dataclass(value) and not isinstance(value, type)):
            if self._first(value):
                self.put("object", f"{cls.__module__}.{cls.__qualname__}")
                self.put("suite", installed_digest() if cls.__module__.startswith(SUITE) else "")
                for name, part in sorted(_state(value).items()):
                    self.put("attribute", name)
                    self.value(part, f"{where}.{name}")
        elif cls.__module__ in ("typing", "typing_extensions", "builtins"):
            self.put(cls.__name__, repr(value) if cls.__module__ != "builtins" else "")
            if cls.__module__ == "builtins" and value is not NotImplemented and value is not ...:
                self.problems.append(f"{where} is a {cls.__name__}, whose content is not known")
        else:
            self.put("unknown", f"{cls.__module__}.{cls.__qualname__}")
            self.problems.append(f"{where} is a {cls.__qualname__}, whose content is not known")


_PLAIN = (type(None), bool, str, int, float, complex, bytes)
_CONSTANTS = (bool, int, float, complex, str, tuple)


def _plain(value: object) -> bytes:
    match value:
        case float():
            return struct.pack("<d", value)
        case complex():
            return struct.pack("<dd", value.real, value.imag)
        case bytes():
            return value
        case int():
            return hex(value).encode()  # decimal digits of long integers are refused
        case _:
            return str(value).encode("utf-8", "surrogatepass")


def _writable(array: np.ndarray[Any, np.dtype[Any]]) -> bool:  # Any: of any shape and dtype
    """Whether the memory may change: through this array or the one that it is a view of."""
    base: object = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return True
        base = cast("object", base.base)
    return base is not None and not isinstance(base, bytes)


def _state(value: object) -> Mapping[str, object]:
    """What an instance holds: its dictionary, its slots, its fields; not how it presents itself."""
    state = {name: part for name, part in getattr(value, "__dict__", {}).items() if name not in PRESENTED}
    if is_dataclass(value):
        state.update({field.name: getattr(value, field.name) for field in fields(value)})
    for cls in type(value).__mro__:
        for name, member in vars(cls).items():
            if isinstance(member, MemberDescriptorType) and hasattr(value, name):
                state[name] = getattr(value, name)
    return state


