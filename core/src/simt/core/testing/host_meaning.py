"""A kernel's Python on the host: its functions rebuilt so that every name means what it means on a device.

A function is rebuilt over a copy of its globals and captured variables, in which builtins count in scalar types,
language forms have a host meaning, intrinsics and device functions convert their arguments as a compiled call does,
and modules give such objects too. Nothing outside the copies changes.
"""
from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable, Iterable
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from simt.core.forms import Form
from simt.core.frontend.names import annotations_of
from simt.core.intrinsics.declare import Behavior, Intrinsic
from simt.core.intrinsics.host_pointer import HostPointer
from simt.core.intrinsics.recipe import Body
from simt.core.testing.host_array import HostArray
from simt.core.testing.host_builtins import BUILTINS
from simt.core.testing.host_declarations import CONVERTER, code_with_declarations
from simt.core.testing.host_table import host_table
from simt.core.types import ScalarType, Type
from simt.core.values.annotation_type import type_of_annotation
from simt.core.values.literal import default_type, fit
from simt.core.values.numpy_types import scalar_type_of_dtype
from simt.core.values.operators import holding, operand_of
from simt.core.values.payload import convert
from simt.core.values.stored import stored

AnyCallable = Callable[..., Any]  # Any: functions of every signature


class HostMeaning:
    """Rebuilds functions. ``forms`` gives the meaning of language forms by name, for the thread being played."""

    def __init__(self, forms: dict[str, AnyCallable]) -> None:
        self._forms = forms
        self._made: dict[int, tuple[object, object]] = {}  # by identity; the original is kept alive

    def of(self, value: object) -> object:
        """What ``value``, found under a name, means in a kernel's Python."""
        known = self._made.get(id(value))
        if known is not None:
            return known[1]
        made = self._make(value)
        if made is not value:
            self._made[id(value)] = (value, made)
        return made

    def function(self, python: FunctionType) -> FunctionType:
        """The rebuilt function, without conversions at its boundary."""
        code = code_with_declarations(python)
        names = _global_names(code)
        scope = {name: self.of(python.__globals__[name]) for name in names if name in python.__globals__}
        scope["__builtins__"] = {**vars(builtins), **BUILTINS, CONVERTER: _declared}
        scope["__name__"] = python.__globals__.get("__name__", "")
        closure = tuple(self._cell(cell) for cell in python.__closure__ or ())
        rebuilt = FunctionType(code, scope, python.__name__, python.__defaults__, closure or None)
        rebuilt.__kwdefaults__ = python.__kwdefaults__
        return rebuilt

    def _make(self, value: object) -> object:
        if isinstance(value, Form):
            form = cast("Form[Any, Any]", value)  # Any: forms of every signature
            return self._forms.get(form.name, form)
        if isinstance(value, Intrinsic):
            callee = cast("Intrinsic[Any, Any]", value)  # Any: as above
            body = self.function(inspect.unwrap(callee.reference)) if isinstance(callee.cpu, Body) else callee.reference
            return _typed_intrinsic(callee, body)
        if isinstance(value, FunctionType):
            return self._device_function(value)
        if isinstance(value, ModuleType):
            return _ModuleView(value, self)
        if isinstance(value, np.ndarray):
            return _constant_array(cast("np.ndarray[Any, Any]", value))  # Any: arrays of every dtype
        if type(value) is tuple or isinstance(value, list):
            return host_table(cast("Iterable[object]", value)) or cast("object", value)
        for name, meaning in BUILTINS.items():
            if value is getattr(builtins, name):
                return meaning
        return value

    def _device_function(self, python: FunctionType) -> object:
        if python.__module__ == "simt.core.testing.host_builtins":
            return python
        made: list[AnyCallable] = []

        @functools.wraps(python)
        def call(*args: Any, **kwargs: Any) -> Any:  # Any: device functions of every signature
            if not made:  # not before the call: a function may be captured before the names it uses exist
                made.append(_converting(python, self.function(python)))
            return made[0](*args, **kwargs)

        return call

    def _cell(self, cell: CellType) -> CellType:
        try:
            return CellType(self.of(cell.cell_contents))
        except ValueError:  # a name that is not assigned yet
            return cell


class _ModuleView:
    """A module whose attributes are given their meaning."""

    def __init__(self, module: ModuleType, meaning: HostMeaning) -> None:
        self._module, self._meaning = module, meaning

    def __getattr__(self, name: str) -> object:
        return self._meaning.of(getattr(self._module, name))


def _global_names(code: CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*(_global_names(part) for part in inner))


def _constant_array(array: np.ndarray[Any, Any]) -> HostArray:  # Any: arrays of every dtype
    element = scalar_type_of_dtype(array.dtype)
    if element is None:
        raise TypeError(f"a captured array of dtype {array.dtype} has no meaning in a kernel")
    return HostArray(array, element, "captured array", writable=False)


def _converting(original: FunctionType, rebuilt: FunctionType) -> AnyCallable:
    """``rebuilt`` with the conversions of a call: arguments and result as the annotations of ``original`` say."""
    signature = inspect.signature(original)
    hints = annotations_of(original)

    def call(*args: Any, **kwargs: Any) -> Any:  # Any: device functions of every signature
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        bound: dict[TypeVar, ScalarType] = {}
        for name in sorted(given.arguments, key=lambda name: _is_literal(given.arguments[name])):
            if name in hints:
                given.arguments[name] = adapt(given.arguments[name], hints[name], bound, f"parameter {name}")
        result = rebuilt(*given.args, **given.kwargs)
        return adapt(result, hints["return"], bound, "the result") if "return" in hints else result

    return call


def _is_literal(value: object) -> bool:
    """Whether a value takes the type that the others bind a type variable to."""
    operand = operand_of(value)
    return operand is not None and operand.type is None


def adapt(value: object, annotation: object, bound: dict[TypeVar, ScalarType], where: str) -> object:
    """A scalar as an annotated parameter takes it; everything else is passed on. Type variables bind on the way."""
    operand = operand_of(value)
    if operand is None:
        if isinstance(value, HostArray | HostPointer):
            element = getattr(annotation, "element", None)
            scalar = getattr(value.dtype, "scalar_type", None)
            if isinstance(element, TypeVar) and isinstance(scalar, ScalarType):
                bound.setdefault(element, scalar)
        return cast("object", value)
    if isinstance(annotation, TypeVar):
        return stored(value, _bind(annotation, value, bound), where)
    target = _scalar_of(annotation)
    return value if target is None else stored(value, target, where)


def _declared(value: object, annotation: object) -> object:
    """What a local with a declared type holds."""
    return adapt(value, annotation, {}, "a local with a declared type")


def _bind(variable: TypeVar, value: object, bound: dict[TypeVar, ScalarType]) -> ScalarType:
    operand = operand_of(value)
    assert operand is not None
    if variable in bound:
        return bound[variable]
    target = operand.type
    if target is None:
        target = default_type(operand.payload)
        allowed = [kind for kind in map(_scalar_of, variable.__constraints__) if kind is not None]
        if allowed and target not in allowed:
            target = next(kind for kind in allowed if kind.is_float or kind.is_complex)
    bound[variable] = target
    return target


def _scalar_of(annotation: object) -> ScalarType | None:
    try:
        found: Type = type_of_annotation(annotation)
    except TypeError:  # a callable, a class without a device type, Any: not converted at a call
        return None
    return found if isinstance(found, ScalarType) else None


def _typed_intrinsic(callee: Intrinsic[Any, Any], body: AnyCallable) -> AnyCallable:
    """``body``, the reference of an intrinsic, its arguments and result converted as in a compiled call."""
    names = [parameter.name for parameter in callee.parameters]
    generic = any(isinstance(parameter.annotation, TypeVar) for parameter in callee.parameters)

    @functools.wraps(callee.reference)
    def call(*args: Any, **kwargs: Any) -> Any:  # Any: intrinsics of every signature
        given = {parameter.name: parameter.default for parameter in callee.parameters}
        given.update(zip(names, args, strict=False), **kwargs)
        operands = [operand_of(value) for value in given.values()]
        weak = [operand is not None and operand.type is None for operand in operands]
        if callee.behavior is Behavior.PURE and generic and all(weak):
            return callee.reference(*given.values())  # a literal stays a literal, at full precision
        bound: dict[TypeVar, ScalarType] = {}
        typed: dict[str, object] = {}
        for parameter, is_weak in sorted(zip(callee.parameters, weak, strict=True), key=lambda pair: pair[1]):
            typed[parameter.name] = adapt(given[parameter.name], parameter.annotation, bound, parameter.name)
            _ = is_weak  # typed arguments first: they bind the type variables
        result = body(*(typed[name] for name in names))
        return _as_declared(result, callee.result, bound)

    return call


def _as_declared(result: object, annotation: object, bound: dict[TypeVar, ScalarType]) -> object:
    operand = operand_of(result)
    target = bound.get(annotation) if isinstance(annotation, TypeVar) else _scalar_of(annotation)
    if operand is None or target is None:
        return result
    if operand.type is None and not target.is_float:
        return holding(fit(operand.payload, target), target)
    return holding(convert(operand.payload, target), target)
