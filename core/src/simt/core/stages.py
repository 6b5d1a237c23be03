"""The stages of one compilation as text: shown when SIMT_DUMP asks, and written to a report when the compiler fails.

``SIMT_DUMP=tir,ptx`` prints those stages to standard error as they are made; ``SIMT_DUMP=all`` prints every one.
"""
from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from simt.core.errors import InternalCompilerError, SimtError

PACKAGES = ("simt-core", "simt-cuda-std", "numpy", "llvmlite", "cuda-bindings", "nvidia-nvvm", "nvidia-nvjitlink")


@dataclass(slots=True)
class Stages:
    """The stages made so far. ``title`` says of what: kernel, signature, target, options."""

    title: str
    texts: dict[str, Callable[[], str]] = field(default_factory=dict[str, Callable[[], str]])

    def keep(self, stage: str, text: Callable[[], str]) -> None:
        """Remember a stage; its text is made only if somebody wants to read it."""
        self.texts[stage] = text
        wanted = dumped_stages()
        if stage in wanted or "all" in wanted:
            print(f"--- {stage} of {self.title}\n{text()}", file=sys.stderr, flush=True)

    @contextmanager
    def reporting(self) -> Generator[None]:
        """Turn any failure inside that is no message to the user into an ``InternalCompilerError`` with a report."""
        try:
            yield
        except InternalCompilerError as error:
            if error.folder is not None:
                raise
            raise InternalCompilerError(str(error), folder=self.write_report(error)) from error
        except SimtError:
            raise
        except Exception as error:
            message = f"the compiler failed on {self.title}: {type(error).__name__}: {error}"
            raise InternalCompilerError(message, folder=self.write_report(error)) from error

    def write_report(self, error: BaseException) -> str:
        """Write every stage, the versions and the traceback to a new folder; gives its path."""
        import tempfile
        import traceback

        folder = Path(tempfile.mkdtemp(prefix="simt-report-"))
        lines = [self.title, "", *versions(), "", *traceback.format_exception(error)]
        (folder / "report.txt").write_text("\n".join(lines), encoding="utf-8")
        for stage, text in self.texts.items():
            try:
                content = text()
            except Exception as failure:  # a report must not fail on what it reports
                content = f"this stage cannot be shown: {failure!r}"
            (folder / f"{stage}.txt").write_text(content, encoding="utf-8")
        return str(folder)


def dumped_stages() -> tuple[str, ...]:
    """The stages that SIMT_DUMP names."""
    return tuple(name.strip() for name in os.environ.get("SIMT_DUMP", "").split(",") if name.strip())


def must_verify() -> bool:
    """Whether SIMT_VERIFY asks for the verifier between stages."""
    return os.environ.get("SIMT_VERIFY", "") not in ("", "0")


def versions() -> list[str]:
    """One line a component that takes part in compilation."""
    from importlib import metadata

    lines = [f"Python {platform.python_version()} on {platform.platform()}"]
    for package in PACKAGES:
        try:
            lines.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{package} is not installed")
    return lines
