"""``value.name``: array properties, struct fields and methods, complex parts, attributes of compile-time objects."""
from __future__ import annotations

import enum
from collections.abc import Iterable
from types import FunctionType, MethodType, ModuleType
from typing import cast

from simt.core.check import tir
from simt.core.check.classes import class_of, is_of_every_struct
from simt.core.check.host_values import host_operand
from simt.core.check.inline import call_function
from simt.core.check.naming import type_name
from simt.core.check.operand import POISON, ArrayMember, Method, Operand, Poison, Runtime, Static, Stored, TupleOperand
from simt.core.check.scope import Scope
from simt.core.check.state import State
from simt.core.check.values import index
from simt.core.diagnostics.nearest import offer
from simt.core.diagnostics.span import Span
from simt.core.forms import Configuration
from simt.core.frontend import hir
from simt.core.intrinsics.declare import Intrinsic
from simt.core.scalars import SCALAR_CLASSES
from simt.core.target import Cpu, Gpu
from simt.core.types import ArrayType, ImageType, ScalarType, StructType, VectorType
from simt.core.types.scalar import I64

VECTOR_PARTS = "xyzw"


def check_attribute(state: State, scope: Scope, node: hir.Attribute) -> Operand:
    """The operand of ``node``."""
    return attribute(state, state.expression(scope, node.value), node.name, node.span)


def attribute(state: State, value: Operand, name: str, span: Span) -> Operand:
    """``value.name``."""
    match value:
        case Poison():
            return POISON
        case Static(value=python):
            return _static_attribute(state, python, name, span)
        case Stored(place=place):
            return _member(state, value, place, name, span)
        case Runtime(expr=expr) if isinstance(expr.type, ArrayType):
            return _array_attribute(state, value, expr, expr.type, name, span)
        case Runtime(expr=expr) if isinstance(expr.type, ImageType):
            return _image_attribute(state, expr.type, name, span)
        case Runtime(expr=expr) if isinstance(expr.type, ScalarType):
            return _scalar_attribute(state, expr, expr.type, name, span)
        case Runtime(expr=expr) if isinstance(expr.type, StructType | VectorType):
            local = state.spill(expr, "value").local
            return attribute(state, Stored(tir.Variable(span=span, type=expr.type, local=local)), name, span)
        case _:
            return _missing(state, type_name(value), name, span)


def _missing(state: State, owner: str, name: str, span: Span, *, known: Iterable[str] = ()) -> Poison:
    return state.error(
        "unknown-attribute", f"{owner} has no attribute `{name}`", span, "not found", help=offer(name, known),
    )


def _public_names(owner: object) -> list[str]:
    """What a user may name of a module, class or object: of a module its ``__all__``, or what is defined there."""
    declared = vars(owner).get("__all__") if isinstance(owner, ModuleType) else None
    if declared is not None:
        return sorted(cast("list[str]", declared))
    if isinstance(owner, enum.EnumMeta):
        return list(owner.__members__)
    names = [name for name in dir(owner) if not name.startswith("_")]
    if isinstance(owner, ModuleType):
        return [name for name in names if _is_of_module(getattr(owner, name), owner.__name__)]
    return names


def _is_of_module(value: object, module: str) -> bool:
    return not isinstance(value, str | ModuleType) and getattr(value, "__module__", module) == module


def extent(state: State, expr: tir.Expr, axis: int, span: Span) -> tir.Expr:
    """Length of an axis; a constant where the type has it."""
    assert isinstance(expr.type, ArrayType)
    known = expr.type.shape[axis]
    return index(span, known) if known is not None else tir.Extent(span=state.at(span), type=I64, array=expr, axis=axis)


def array_size(state: State, expr: tir.Expr, span: Span) -> tir.Expr:
    """Number of elements."""
    assert isinstance(expr.type, ArrayType)
    total = extent(state, expr, 0, span)
    for axis in range(1, expr.type.ndim):
        factor = extent(state, expr, axis, span)
        if isinstance(total, tir.Const) and isinstance(factor, tir.Const):
            total = index(span, cast("int", total.value) * cast("int", factor.value))
        else:
            total = tir.Binary(span=state.at(span), type=I64, op=tir.BinaryOp.MUL, lhs=total, rhs=factor)
    return total


def _extent_operand(expr: tir.Expr) -> Operand:
    return Static(expr.value) if isinstance(expr, tir.Const) else Runtime(expr)


def _array_attribute(
    state: State, value: Operand, expr: tir.Expr, array: ArrayType, name: str, span: Span,
) -> Operand:
    match name:
        case "size":
            return _extent_operand(array_size(state, expr, span))
        case "shape":
            return TupleOperand(tuple(_extent_operand(extent(state, expr, axis, span)) for axis in range(array.ndim)))
        case "ndim":
            return Static(array.ndim)
        case "dtype":
            return Static(class_of(array.element))
        case _:
            return _missing(state, str(array), name, span, known=("size", "shape", "ndim", "dtype"))


def _image_attribute(state: State, image: ImageType, name: str, span: Span) -> Operand:
    match name:
        case "ndim":
            return Static(image.ndim)
        case "channels":
            return Static(image.channels)
        case "dtype":
            return Static(class_of(image.element))
        case "channel_dtype":
            return Static(class_of(image.channel))
        case _:
            known = ("ndim", "channels", "dtype", "channel_dtype")
            return _missing(state, str(image), name, span, known=known)


def _scalar_attribute(state: State, expr: tir.Expr, scalar: ScalarType, name: str, span: Span) -> Operand:
    if scalar.is_complex and name in ("real", "imag"):
        part = 0 if name == "real" else 1
        return Runtime(tir.Extract(span=state.at(span), type=scalar.component, value=expr, index=part))
    if scalar.is_complex and name == "conjugate":
        return ArrayMember(Runtime(expr), name)
    if not scalar.is_complex and name == "real":
        return Runtime(expr)
    if name == "dtype":
        return Static(SCALAR_CLASSES[scalar])
    known = ("real", "imag", "conjugate", "dtype") if scalar.is_complex else ("real", "dtype")
    return _missing(state, str(scalar), name, span, known=known)


def _member(state: State, value: Operand, place: tir.Place, name: str, span: Span) -> Operand:
    match place.type:
        case StructType():
            return _struct_member(state, value, place, place.type, name, span)
        case VectorType(element=element, lanes=lanes):
            position = VECTOR_PARTS.find(name)
            if len(name) != 1 or not 0 <= position < lanes:
                return _missing(state, str(place.type), name, span, known=VECTOR_PARTS[:lanes])
            member = tir.Member(span=state.at(span), type=element, place=place, index=position)
            return Runtime(tir.Load(span=state.at(span), type=element, place=member))
        case _:
            return _missing(state, str(place.type), name, span)


def _struct_member(
    state: State, value: Operand, place: tir.Place, struct: StructType, name: str, span: Span,
) -> Operand:
    position = struct.index_of(name)
    if position is not None:
        kind = struct.fields[position].type
        return load_or_refer(state, tir.Member(span=state.at(span), type=kind, place=place, index=position), span)
    owner = class_of(struct)
    found = getattr(owner, name, None)
    if name == "copy":
        return ArrayMember(value, name)
    if isinstance(found, FunctionType) and is_of_every_struct(found):
        return _missing(
            state, f"struct {struct} in a kernel", name, span, known=[field.name for field in struct.fields],
        )
    if isinstance(found, property) and isinstance(found.fget, FunctionType):
        return call_function(state, found.fget, (value,), (), span)
    if isinstance(found, FunctionType):
        static = isinstance(vars(owner).get(name), staticmethod)
        return Static(found) if static else Method(value, found)
    if isinstance(found, MethodType) and isinstance(found.__func__, FunctionType):
        return Method(Static(owner), found.__func__)
    if found is not None and not name.startswith("__"):
        return host_operand(found, span)
    methods = [method for method, value in vars(owner).items() if not method.startswith("_") and _is_own(value)]
    return _missing(
        state, f"struct {struct}", name, span, known=[*(field.name for field in struct.fields), *methods],
    )


def _is_own(member: object) -> bool:
    """Whether a member of a struct's class is a function or property that its author wrote."""
    function = cast("object", getattr(member, "__func__", member))
    return isinstance(member, property) or (isinstance(function, FunctionType) and not is_of_every_struct(function))


def load_or_refer(state: State, place: tir.Place, span: Span) -> Operand:
    """A place's value: scalars are loaded, structs, tuples and vectors stay where they are."""
    if isinstance(place.type, ScalarType) or not isinstance(place.type, StructType | VectorType) \
            and type(place.type).__name__ != "TupleType":
        return Runtime(tir.Load(span=state.at(span), type=place.type, place=place))
    return Stored(place)


def _static_attribute(state: State, python: object, name: str, span: Span) -> Operand:
    if isinstance(python, Configuration):
        return _configuration(state, name, span)
    if type(python) is tuple:
        return _missing(state, "a tuple", name, span)
    found = cast("object", getattr(cast("type", type(python)), name, None))
    if isinstance(found, property) and not isinstance(python, type | ModuleType | enum.Enum):
        getter = cast("object", found.fget)
        if isinstance(getter, Intrinsic | FunctionType):
            receiver: tuple[Operand, ...] = () if isinstance(getter, Intrinsic) else (Static(python),)
            return state.call(Static(cast("object", getter)), receiver, (), span)
        return _missing(state, type(python).__name__, name, span)
    if isinstance(python, type) and isinstance(vars(python).get(name), classmethod):
        function = cast("classmethod[object, ..., object]", vars(python)[name]).__func__
        if isinstance(function, FunctionType) and not is_of_every_struct(function):
            return Method(Static(python), function)
    try:
        value = cast("object", getattr(python, name))
    except AttributeError:
        owner = f"module `{python.__name__}`" if isinstance(python, ModuleType) else type_name(Static(python))
        return _missing(state, owner, name, span, known=_public_names(python))
    return host_operand(value, span)


def _configuration(state: State, name: str, span: Span) -> Operand:
    match name, state.target:
        case "is_cpu", target:
            return Static(isinstance(target, Cpu))
        case "compute_capability", Gpu(architecture=architecture):
            return Static(architecture.number)
        case "compute_capability", Cpu():
            return Static(0)
        case "has", _:
            return ArrayMember(Static(Configuration()), "has")
        case _:
            return _missing(state, "cfg", name, span, known=("is_cpu", "compute_capability", "has"))
