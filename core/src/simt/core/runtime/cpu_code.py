"""Loaded code of the CPU target under the interface that launches use."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from simt.core.cpu.executable import CpuExecutable
from simt.core.errors import LaunchError
from simt.core.runtime.configuration import SHARED_BYTES, Configuration


@dataclass(frozen=True, slots=True)
class CpuCode:
    """A kernel loaded for the CPU."""

    executable: CpuExecutable

    def chosen(self, configuration: Configuration) -> Configuration:
        """The configuration itself: its blocks suit the CPU."""
        return configuration

    def prepare(self, configuration: Configuration) -> Callable[[bytes], None]:
        """A function that runs the grid on a packed argument record and returns when it has ended.

        Raises:
            LaunchError: too much shared memory, or a cooperative launch of several blocks.
        """
        grid, block, shared_bytes = configuration.grid, configuration.block, configuration.shared_bytes
        static = self.executable.shared_bytes
        if static + shared_bytes > SHARED_BYTES:
            raise LaunchError(
                f"shared_bytes {shared_bytes} and the kernel's own {static} bytes of shared memory are over the "
                f"{SHARED_BYTES} bytes of a block"
            )
        attributes = configuration.attributes
        if attributes is not None and attributes.cooperative and prod(grid) > 1:
            raise LaunchError(
                f"a cooperative launch of {prod(grid)} blocks on the CPU target: its blocks run one after another on "
                "each of its threads, so that blocks that wait for each other would never end; launch one block, or "
                "use a GPU"
            )
        if 0 in grid:
            return _nothing
        return self.executable.launcher(grid, block, shared_bytes)

    def compiled_path(self, *arguments: object) -> None:
        """None: the generated Python function of ``runtime/fast_path.py`` is as quick as the CPU target needs."""


def _nothing(record: bytes) -> None:
    """A grid without blocks."""
