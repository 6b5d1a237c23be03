"""The compiler under test for the Markdown pages: modules are run, their kernels checked for the types they declare.

A parameter of a TypeVar gets f32, or the variable's first type. Comments in the text decide the rest::

    # target: sm_80        compile for that architecture instead of the CPU
    # launch: n=8          values of compile-time parameters
"""
from __future__ import annotations

import ctypes
import re
from typing import Any, TypeVar

import pytest

from simt.core.annotations import ArrayAnnotation, ConstAnnotation, PointerAnnotation
from simt.core.check.kernel import check_kernel
from simt.core.check.signature import Constant, Signature
from simt.core.check.verify import verify
from simt.core.diagnostics.code import PRELUDE
from simt.core.diagnostics.diagnostic import Diagnostic
from simt.core.errors import CompileError
from simt.core.frontend.read import read_with_refusals
from simt.core.kernel import Kernel
from simt.core.runtime.pattern import concrete_type, pattern_of
from simt.core.scalars import f32
from simt.core.task import parse_target
from simt.core.testing.markdown import CompileResult, CompileText
from simt.core.types import Type

NAMES = f"{PRELUDE}\nimport enum\nfrom typing import Callable, TypeVar, reveal_type\nimport numpy as np\n"


def _setting(text: str, name: str) -> str | None:
    found = re.search(rf"^# {name}: (.+)$", text, re.M)
    return None if found is None else found[1]


def _concrete(annotation: object) -> object:
    """An annotation with a class in place of each type variable."""
    match annotation:
        case TypeVar():
            allowed = annotation.__constraints__ or (f32,)
            return f32 if f32 in allowed else allowed[0]
        case ArrayAnnotation(access=access, element=element, ndim=ndim, strided=strided):
            return ArrayAnnotation(access, _concrete(element), ndim, strided)
        case PointerAnnotation(element=element):
            return PointerAnnotation(_concrete(element))
        case _:
            return annotation


def _argument(name: str, annotation: object, values: dict[str, object]) -> Type | Constant:
    if isinstance(annotation, ConstAnnotation) or name in values:
        return Constant(values[name])
    kind = concrete_type(pattern_of(_concrete(annotation)), {})
    assert kind is not None, f"`# launch: {name}=...` is missing"
    return kind


def _check(kernel: Kernel[...], text: str, values: dict[str, object]) -> tuple[Diagnostic, ...]:
    declaration = kernel.declaration
    try:
        function = read_with_refusals(declaration.function)
        declaration.require_annotations({})
        annotations = {parameter.name: parameter.annotation for parameter in declaration.parameters}
        arguments = tuple(_argument(name, annotations[name], values) for name in declaration.names)
        checked = check_kernel(
            declaration.function, function, annotations, Signature(arguments),
            parse_target(_setting(text, "target") or "cpu"), kernel.options,
        )
    except CompileError as error:
        return error.diagnostics
    verify(checked.kernel, "check")
    return checked.warnings


@pytest.fixture
def compile_text(capfd: pytest.CaptureFixture[str]) -> CompileText:
    """Runs a text as a module and checks its kernels. What it prints is taken from the file: a GPU prints there."""

    def compile_it(text: str, filename: str) -> CompileResult:
        namespace: dict[str, Any] = {"__name__": "example"}  # Any: what a module holds
        exec(NAMES, namespace)
        found: list[Diagnostic] = []
        capfd.readouterr()
        try:
            exec(compile(text, filename, "exec", dont_inherit=True), namespace)
        except CompileError as error:
            found += error.diagnostics
        ctypes.CDLL(None).fflush(None)
        output = capfd.readouterr().out
        values = eval(f"dict({_setting(text, 'launch') or ''})", namespace)
        for value in list(namespace.values()):
            if isinstance(value, Kernel):
                found += [d for d in _check(value, text, values) if d not in found]
        return CompileResult(tuple(found), output)

    return compile_it
