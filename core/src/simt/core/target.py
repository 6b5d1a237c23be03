"""What code is generated for: the CPU, or one GPU architecture. Hashable, part of every cache key."""
from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from simt.core.architecture import Architecture
from simt.core.options import Options


@dataclass(frozen=True, slots=True)
class Cpu:
    """This machine's processor."""

    def __str__(self) -> str:
        return "cpu"


@dataclass(frozen=True, slots=True)
class Gpu:
    """An NVIDIA architecture such as sm_90a."""

    architecture: Architecture

    def __str__(self) -> str:
        return self.architecture.sm


Target = Cpu | Gpu


def checks_are_on(target: Target, options: Options) -> bool:
    """Whether the code checks what it does: unless told otherwise on the CPU target, where told so on a GPU.

    Race mode, which only the CPU target has, implies checks there.
    """
    match target:
        case Cpu():
            return options.checks is not False or options.race
        case Gpu():
            return bool(options.checks)
        case _:
            assert_never(target)
