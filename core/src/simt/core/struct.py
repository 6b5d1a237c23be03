"""``@struct``: classes with typed fields and C layout, the same on the host, the CPU target and the GPU.

::

    @struct
    class Particle:
        position: Point          # another struct
        mass: f32 = 1.0
        alive: bool = True

        def kinetic_energy(self) -> f32: ...     # also callable in kernels

Instances are mutable, compare by value and copy where they are stored. Every assignment to a field follows the
language's store rule. The class carries ``struct_type``, ``field_defaults``, ``numpy_dtype``, ``from_buffer``;
instances ``copy``, ``parts``, ``to_bytes``.
"""
from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform, get_origin

from simt.core.runtime.dtypes import dtype_of
from simt.core.types import Field, StructType
from simt.core.types.layout import offsets_of, size_of
from simt.core.values.annotation_type import declared_type, type_of_annotation
from simt.core.values.memory import read, write
from simt.core.values.numpy_types import NumpyType
from simt.core.values.stored import CLASS_OF_STRUCT, stored

if TYPE_CHECKING:
    from typing_extensions import Buffer

T = TypeVar("T")
_GENERATED = ("__init__", "__setattr__", "__getattr__", "__new__")


@dataclass_transform(eq_default=True)
def struct(cls: type[T], /) -> type[T]:
    """Make a struct of a class: its annotated names are the fields, in order, those of base structs first.

    Raises:
        TypeError: a field has no annotation or an unsupported type, or the class defines what is generated.
    """
    for name in _GENERATED:
        if name in cls.__dict__:
            raise TypeError(f"struct {cls.__name__}: {name} is generated; write a function that makes the value")
    frame = inspect.currentframe()
    caller = None if frame is None else frame.f_back  # structs defined in a function see its names
    annotations = _annotations(cls, {} if caller is None else caller.f_locals)
    _refuse_untyped(cls, annotations)
    fields = {field.name: field for base in reversed(cls.__mro__[1:]) for field in _fields_of(base)}
    defaults: dict[str, object] = dict(cast("dict[str, object]", getattr(cls, "field_defaults", {})))
    for name, annotation in annotations.items():
        fields[name] = Field(name, _field_type(cls, name, annotation))
        if name in cls.__dict__:
            defaults[name] = cls.__dict__[name]
            stored(defaults[name], fields[name].type, f"the default of {cls.__name__}.{name}")  # refuses a wrong one
            delattr(cls, name)
    kind = StructType(cls.__name__, f"{cls.__module__}.{cls.__qualname__}", tuple(fields.values()))
    members: dict[str, object] = {
        "struct_type": kind, "field_defaults": defaults, "__match_args__": tuple(fields), "__init__": _Struct.__init__,
        "__setattr__": _Struct.__setattr__, "copy": _Struct.copy, "parts": _Struct.parts, "to_bytes": _Struct.to_bytes,
        "from_buffer": classmethod(_Struct.from_buffer.__func__), "numpy_dtype": _NumpyDtype(),
        "__repr__": _Struct.__repr__, "__eq__": _Struct.__eq__, "__hash__": None,
    }
    for name, member in members.items():
        if name not in ("__repr__", "__eq__", "__hash__") or name not in cls.__dict__:
            setattr(cls, name, member)
    CLASS_OF_STRUCT[kind] = cls
    return cls


class _NumpyDtype:
    """The dtype of an array of these structs; computed when asked for, as structs with views have none."""

    def __get__(self, instance: object, owner: type[Any]) -> NumpyType:  # Any: any struct class
        return dtype_of(owner.struct_type)


class _Struct:
    """The members that ``@struct`` gives a class."""

    struct_type: ClassVar[StructType]
    field_defaults: ClassVar[dict[str, object]]

    def __init__(self, *args: object, **kwargs: object) -> None:
        name, fields = type(self).__name__, self.struct_type.fields
        if len(args) > len(fields):
            raise TypeError(f"{name} has {len(fields)} fields; {len(args)} values given")
        values = {field.name: value for field, value in zip(fields, args, strict=False)}
        for key, value in kwargs.items():
            if self.struct_type.index_of(key) is None:
                raise TypeError(f"{name} has no field {key}; it has {', '.join(field.name for field in fields)}")
            if key in values:
                raise TypeError(f"{name}: {key} is given twice")
            values[key] = value
        values = {**self.field_defaults, **values}
        missing = [field.name for field in fields if field.name not in values]
        if missing:
            raise TypeError(f"{name}: no value for {', '.join(missing)}")
        for field in fields:
            setattr(self, field.name, values[field.name])

    def __setattr__(self, key: str, value: object) -> None:
        index = self.struct_type.index_of(key)
        if index is None:
            names = ", ".join(field.name for field in self.struct_type.fields)
            raise AttributeError(f"{type(self).__name__} has no field {key}; it has {names}")
        field = self.struct_type.fields[index]
        held = stored(value, field.type, f"{type(self).__name__}.{key}")
        self.__dict__[key] = held
        bound: tuple[memoryview, int] | None = self.__dict__.get("_memory")
        if bound is not None:
            memory, offset = bound
            offset += offsets_of(tuple(f.type for f in self.struct_type.fields))[index]
            write(memory, offset, field.type, held)
            bind(held, memory, offset)

    def copy(self) -> _Struct:
        """An independent struct of equal value."""
        return type(self)(*self.parts())

    def parts(self) -> tuple[object, ...]:
        """The values of the fields, in order."""
        return tuple(self.__dict__[field.name] for field in self.struct_type.fields)

    def to_bytes(self) -> bytes:
        """The bytes that a kernel sees, padding zero."""
        data = bytearray(size_of(self.struct_type))
        write(memoryview(data), 0, self.struct_type, self)
        return bytes(data)

    @classmethod
    def from_buffer(cls, buffer: Buffer, offset: int = 0) -> object:
        """A struct from the bytes at ``offset``, copied."""
        return read(memoryview(buffer).cast("B"), offset, cls.struct_type)

    def __repr__(self) -> str:
        pairs = zip(self.struct_type.fields, self.parts(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{field.name}={value!r}' for field, value in pairs)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.parts() == other.parts()


def bind(value: object, memory: memoryview, offset: int) -> object:
    """Make a struct the one that lies in ``memory`` at ``offset``: assignments to its fields are written there."""
    kind = getattr(type(value), "struct_type", None)
    if isinstance(kind, StructType):
        members = cast("_Struct", value)
        members.__dict__["_memory"] = (memory, offset)
        for place, part in zip(offsets_of(tuple(f.type for f in kind.fields)), members.parts(), strict=True):
            bind(part, memory, offset + place)
    return value


def _annotations(cls: type, local_names: Mapping[str, object]) -> dict[str, object]:
    module = sys.modules.get(cls.__module__)
    names = {**(vars(module) if module is not None else {}), **local_names}
    resolved: dict[str, object] = {}
    for name, annotation in inspect.get_annotations(cls).items():
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, names)
            except NameError as error:
                raise TypeError(f"struct {cls.__name__}: the annotation of {name} is unknown here: {error}") from None
        if annotation is not ClassVar and get_origin(annotation) is not ClassVar:
            resolved[name] = annotation
    return resolved


def _refuse_untyped(cls: type, annotations: dict[str, object]) -> None:
    declared = inspect.get_annotations(cls)
    for name, value in cast("dict[str, object]", dict(cls.__dict__)).items():
        if name in declared or name in annotations or name.startswith("__"):
            continue
        if declared_type(value) is not None or value is bool:
            raise TypeError(f"struct {cls.__name__}: write `{name}: {cast('type', value).__name__}`, with a colon")
        if isinstance(value, int | float | complex | tuple) or declared_type(type(value)) is not None:
            raise TypeError(
                f"struct {cls.__name__}: {name} has no type; write `{name}: f32 = {value!r}` for a field, "
                f"`{name}: ClassVar[...] = {value!r}` for a constant of the class"
            )


def _field_type(cls: type, name: str, annotation: object) -> Any:  # Any: the union Type, which Field spells out
    try:
        return type_of_annotation(annotation)
    except TypeError as error:
        raise TypeError(f"struct {cls.__name__}, field {name}: {error}") from None


def _fields_of(base: type) -> tuple[Field, ...]:
    kind = base.__dict__.get("struct_type")
    return kind.fields if isinstance(kind, StructType) else ()
