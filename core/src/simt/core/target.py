"""What code is generated for: the CPU, or one GPU architecture. Hashable, part of every cache key."""
from __future__ import annotations

from dataclasses import dataclass

from simt.core.architecture import Architecture


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
