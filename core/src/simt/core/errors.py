"""Every exception of the suite, sorted by who must act.

::

    SimtError
    ├── CompileError           the kernel's text must change               .diagnostics
    ├── LaunchError            this call must change                       .argument
    ├── UnavailableError       something must be installed or upgraded
    ├── DriverError            CUDA refused a call                         .result .call
    ├── DeviceFault            the kernel failed while running             .kernel .block .thread .count .source_line
    └── InternalCompilerError  our bug; never catch it                     .folder
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt.core.diagnostics.diagnostic import Diagnostic
    from simt.core.diagnostics.span import Span


class SimtError(Exception):
    """Base of all errors raised on purpose."""


class CompileError(SimtError):
    """The kernel cannot be compiled as written. ``diagnostics`` holds everything found, in source order."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        from simt.core.diagnostics.render import render

        self.diagnostics = diagnostics
        super().__init__("\n\n".join(render(diagnostic) for diagnostic in diagnostics))


class LaunchError(SimtError, TypeError):
    """This launch cannot run. ``argument`` names the argument at fault, or is None for the configuration."""

    def __init__(self, message: str, *, argument: str | None = None) -> None:
        self.argument = argument
        super().__init__(message)


class UnavailableError(SimtError):
    """Something this call needs is absent or too old; the message says what to install."""


class DriverError(SimtError):
    """A call of the CUDA driver or a CUDA library failed. ``result`` is its status name, ``call`` the function."""

    def __init__(self, message: str, *, result: str, call: str) -> None:
        self.result = result
        self.call = call
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Index3:
    """Block or thread coordinates."""

    x: int
    y: int
    z: int

    def __str__(self) -> str:
        return f"({self.x}, {self.y}, {self.z})"


class DeviceFault(SimtError):
    """A thread failed: assertion, bounds, alignment, uninitialised read, divergent barrier, deadlock or race.

    ``block`` and ``thread`` are those of the first report, ``count`` the number of threads that failed before the
    grid stopped, ``values`` the named values at the failure, ``source_line`` the line of Python.
    """

    def __init__(
        self, message: str, *, kernel: str, block: Index3, thread: Index3, span: Span, source_line: str,
        values: dict[str, int | float | bool], count: int,
    ) -> None:
        self.kernel = kernel
        self.block = block
        self.thread = thread
        self.span = span
        self.source_line = source_line
        self.values = values
        self.count = count
        super().__init__(message)


class InternalCompilerError(SimtError):
    """A bug of the compiler. ``folder`` holds a report: source, signature, every stage, versions."""

    def __init__(self, message: str, *, folder: str | None = None) -> None:
        self.folder = folder
        super().__init__(message if folder is None else f"{message}\nA report for the maintainers is in {folder}")
