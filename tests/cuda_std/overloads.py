"""Every declared operation with every choice of its type variables, and a kernel that calls it."""
from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, get_origin

import simt.cuda_std
from simt.core import f32, u8x4
from simt.core.annotations import ConstAnnotation, ImageAnnotation, PointerAnnotation
from simt.core.intrinsics.declare import REGISTRY, Intrinsic
from simt.core.vectors import VECTOR_NAMES

GENERIC_NAMES = {
    "bool", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f16", "bf16", "f32", "f64", "c64",
    "c128",
}


def all_intrinsics() -> list[Intrinsic[Any, Any]]:
    """The operations of every module of cuda_std, in order of declaration."""
    for module in pkgutil.walk_packages(simt.cuda_std.__path__, "simt.cuda_std."):
        importlib.import_module(module.name)
    return [entry for name, entry in REGISTRY.items() if name.startswith("cuda_std.")]


@dataclass(frozen=True)
class Overload:
    """One typing of an operation. ``types`` maps its type variables; ``space`` is where its pointer points."""

    intrinsic: Intrinsic[Any, Any]
    types: tuple[tuple[str, type], ...]
    space: str

    def __str__(self) -> str:
        choice = "-".join(scalar.__name__ for _, scalar in self.types)
        return "-".join(part for part in (self.intrinsic.name.removeprefix("cuda_std."), choice, self.space) if part)

    def scalar(self, annotation: object) -> type:
        """The class that an annotation means in this overload."""
        if isinstance(annotation, TypeVar):
            return dict(self.types)[annotation.__name__]
        assert isinstance(annotation, type)
        return annotation

    def parameters(self) -> list[tuple[str, str, str]]:
        """(name, annotation text in a kernel, argument text in the call) of each parameter of the operation."""
        out: list[tuple[str, str, str]] = []
        for parameter in self.intrinsic.parameters:
            if isinstance(parameter.annotation, ImageAnnotation):
                image = parameter.annotation
                text = f"{image.kind}[{self.scalar(image.element).__name__}, D{image.ndim or 2}]"
                out.append((parameter.name, text, parameter.name))
            elif isinstance(parameter.annotation, ConstAnnotation):
                out.append((parameter.name, "", "0"))
            elif isinstance(parameter.annotation, PointerAnnotation):
                element = self.scalar(parameter.annotation.element).__name__
                text = parameter.name if self.space == "global" else f"address_of(shared.array({element}, 4), 0)"
                out.append((parameter.name, f"Ptr[{element}]", text))
            else:
                element = self.scalar(parameter.annotation).__name__
                out.append((parameter.name, f"In[{element}]", f"{parameter.name}[0]"))
        return out

    def results(self) -> list[str]:
        """The scalars of the result: none, one, or those of a tuple."""
        result = self.intrinsic.result
        if result is type(None):
            return []
        parts = get_args(result) if get_origin(result) is tuple else (result,)
        return [self.scalar(part).__name__ for part in parts]

    def source(self) -> str:
        """A module with a kernel ``probe`` that loads the arguments, calls, and stores the results."""
        parameters, results = self.parameters(), self.results()
        signature = [f"{name}: {text}" for name, text, _ in parameters if text]
        signature += [f"out{number}: Out[{scalar}]" for number, scalar in enumerate(results)]
        call = f"operation({', '.join(argument for _, _, argument in parameters)})"
        match len(results):
            case 0:
                body = [call, "done[0] = 1"]
                signature.append("done: Out[i32]")
            case 1:
                body = [f"out0[0] = {call}"]
            case _:
                body = [f"result = {call}", *(f"out{number}[0] = result[{number}]" for number in range(len(results)))]
        reference = inspect.unwrap(self.intrinsic.reference)
        names = ", ".join(sorted(GENERIC_NAMES - {"bool"}))
        return "\n".join([
            f"from simt.core import D1, D2, D3, In, Out, Ptr, Surface, Texture, kernel, {names}",
            f"from simt.core.vectors import {', '.join(VECTOR_NAMES)}",
            "from simt.core.forms import address_of",
            "from simt.cuda_std import shared",
            f"from {reference.__module__} import {reference.__name__} as operation",
            "",
            "@kernel",
            f"def probe({', '.join(signature)}):",
            *(f"    {line}" for line in body),
            "",
        ])


def overloads_of(intrinsic: Intrinsic[Any, Any]) -> list[Overload]:
    """Every overload; operations on pointers once for global and once for shared memory."""
    variables: dict[str, TypeVar] = {}
    pointers = False
    for parameter in intrinsic.parameters:
        annotation = parameter.annotation
        if isinstance(annotation, PointerAnnotation):
            pointers = True
        if isinstance(annotation, PointerAnnotation | ImageAnnotation):
            annotation = annotation.element
        if isinstance(annotation, TypeVar):
            variables.setdefault(annotation.__name__, annotation)
    choices = list(itertools.product(*(variable.__constraints__ for variable in variables.values())))
    images = [p.annotation for p in intrinsic.parameters if isinstance(p.annotation, ImageAnnotation)]
    if images and (images[0].ndim != 2 or len(intrinsic.parameters) == 1):
        choices = [(f32,), (u8x4,)]  # the number of axes changes nothing of the types, which are all tried with two
    spaces = ("global", "shared") if pointers else ("",)
    return [
        Overload(intrinsic, tuple(zip(variables, choice, strict=True)), space) for choice in choices for space in spaces
    ]
