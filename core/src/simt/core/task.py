"""``Task``: one compilation, with everything that decides its result."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from simt.core.architecture import parse_architecture
from simt.core.cache import key_of
from simt.core.check.signature import Constant, Signature
from simt.core.diagnostics.render import render
from simt.core.errors import LaunchError
from simt.core.frontend.fingerprint import Fingerprint, fingerprint
from simt.core.frontend.installed import installed_digest
from simt.core.kernel_warnings import CompileWarning
from simt.core.stages import Stages
from simt.core.target import Cpu, Gpu, Target
from simt.core.types import ArrayType, ImageType, PointerType, ScalarType, StructType, TupleType, Type, VectorType
from simt.core.values.stored import CLASS_OF_STRUCT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FunctionType

    from simt.core.diagnostics.diagnostic import Diagnostic
    from simt.core.options import Options


class Declaration(Protocol):
    """What compilation needs of a kernel's declaration."""

    @property
    def function(self) -> FunctionType: ...
    @property
    def name(self) -> str: ...
    @property
    def annotations(self) -> dict[str, object]: ...
    @property
    def frame_names(self) -> Mapping[str, object]: ...
    @property
    def max_threads(self) -> int | None: ...
    @property
    def min_blocks(self) -> int | None: ...
    @property
    def cluster(self) -> tuple[int, int, int] | None: ...
    @property
    def block(self) -> tuple[int, int, int] | None: ...


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning as text, for a line of a file: what the disk cache keeps of it."""

    text: str
    filename: str
    line: int


@dataclass(frozen=True)
class Task:
    """One compilation: which kernel, for what. ``stages`` collects what it goes through."""

    declaration: Declaration
    signature: Signature
    target: Target
    options: Options

    @cached_property
    def stages(self) -> Stages:
        """The stages made so far."""
        return Stages(f"{self.declaration.name}{self.signature} for {self.target}")

    @cached_property
    def warnings(self) -> list[Notice]:
        """What there was to warn about."""
        return []

    def warn(self, notices: Iterable[Notice]) -> None:
        """Report what there is to warn about, each at its line of the kernel, and once however often it is met."""
        for notice in notices:
            if notice not in self.warnings:
                self.warnings.append(notice)
                warnings.warn_explicit(notice.text, CompileWarning, notice.filename, notice.line)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What decides the result on the side of the source."""
        declaration = self.declaration
        return fingerprint(declaration.function, extra=declaration.frame_names, values=_compiled_in(self.signature))

    def key(self, *toolchain: str) -> str | None:
        """The key on disk: everything that decides the output. None where the source captures what has no content."""
        if self.fingerprint.problems:
            return None
        declaration = self.declaration
        bounds = f"{declaration.name} {declaration.max_threads} {declaration.min_blocks} {declaration.cluster}"
        bounds += f" {declaration.block}"
        # Compile-time values are in the fingerprint; here they only keep their places.
        types = [None if isinstance(argument, Constant) else argument for argument in self.signature.arguments]
        signature = f"{types!r} {self.signature.small}"
        return key_of(
            self.fingerprint.digest, bounds, signature, repr(self.options), str(self.target), installed_digest(),
            sys.version, *toolchain,
        )


def parse_target(text: object) -> Target:
    """``"cpu"`` (also None), or an architecture such as ``"sm_90a"``.

    Raises:
        LaunchError: neither.
    """
    match text:
        case Cpu() | Gpu():
            return text
        case None | "cpu":
            return Cpu()
        case str() if text.strip().lower() == "cpu":
            raise LaunchError(f"target {text!r} is not a target: did you mean 'cpu'?", argument="target")
        case str() | int() | float() if not isinstance(text, bool):
            try:
                return Gpu(parse_architecture(str(text)))
            except ValueError as error:
                raise LaunchError(f"target {error}; or write cpu", argument="target") from None
        case _:
            raise LaunchError(f"target {text!r} is a {type(text).__name__}; write 'sm_90' or 'cpu'", argument="target")


def notice_of(diagnostic: Diagnostic) -> Notice:
    """A warning of the checker as a notice."""
    span = diagnostic.primary.span
    return Notice(render(diagnostic), span.filename, span.line)


def _compiled_in(signature: Signature) -> Iterable[object]:
    """The values and classes of a signature whose content the code holds: constants, and structs for their methods."""
    for argument in signature.arguments:
        if isinstance(argument, Constant):
            yield argument.value
        else:
            yield from _classes(argument)


def _classes(type: Type) -> Iterable[object]:
    match type:
        case ArrayType(element=element) | PointerType(element=element):
            yield from _classes(element)
        case StructType(fields=members):
            yield CLASS_OF_STRUCT[type]
            for member in members:
                yield from _classes(member.type)
        case TupleType(elements=elements):
            for element in elements:
                yield from _classes(element)
        case ScalarType() | VectorType() | ImageType():
            pass
