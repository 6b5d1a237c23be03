"""A loaded kernel of the CPU target, and its launches."""
from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from simt.core.cpu import jit, workers
from simt.core.cpu.fault_reading import fault_of
from simt.core.cpu.host_kernel import THREAD_GRANULE, HostKernel
from simt.core.cpu.launch_record import NO_BLOCK, RECORD_BYTES, LaunchField
from simt.core.cpu.pool_fields import ARENA_ALIGNMENT
from simt.core.cpu.printed_text import PRINT_BYTES, printed_text
from simt.core.types.layout import align_up

Three = tuple[int, int, int]


@dataclass(slots=True)
class CpuExecutable:
    """Machine code with its description. ``templates`` keeps the launch record of each configuration used so far."""

    kernel: HostKernel
    code: jit.LoadedObject
    address: int
    templates: dict[tuple[Three, Three, int], ctypes.Array[ctypes.c_char]] = field(
        default_factory=dict[tuple[Three, Three, int], "ctypes.Array[ctypes.c_char]"]
    )

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return self.kernel.shared_bytes

    def launcher(self, grid: Three, block: Three, shared_bytes: int) -> Callable[[bytes], None]:
        """A function that runs the grid on packed arguments and returns when it has ended, without the GIL in between.

        It raises the ``DeviceFault`` of a thread that failed.
        """
        key = grid, block, shared_bytes
        template = self.templates.get(key)
        if template is None:
            template = self.templates[key] = self._template(grid, block, shared_bytes)
        address = ctypes.addressof(template)

        def launch(record: bytes, kept: object = template) -> None:  # ``templates`` may hold another thread's by now
            pool = workers.pool()
            news = pool.launch(pool.address, address, record)
            if news is not None:
                self._report(news, pool.release, grid, block)

        return launch

    def _template(self, grid: Three, block: Three, shared_bytes: int) -> ctypes.Array[ctypes.c_char]:
        native = workers.native_pool()
        threads = align_up(block[0] * block[1] * block[2], THREAD_GRANULE)
        arena, dynamic = self.kernel.arena, align_up(shared_bytes, ARENA_ALIGNMENT)
        template = ctypes.create_string_buffer(RECORD_BYTES)
        fields = {
            LaunchField.KERNEL: self.address, LaunchField.GRID_X: grid[0], LaunchField.GRID_Y: grid[1],
            LaunchField.GRID_Z: grid[2], LaunchField.BLOCK_X: block[0], LaunchField.BLOCK_Y: block[1],
            LaunchField.BLOCK_Z: block[2], LaunchField.SHARED_BYTES: shared_bytes,
            LaunchField.ARENA_BYTES: arena.fixed + arena.per_thread * threads + arena.dynamic * dynamic,
            LaunchField.TOTAL_BLOCKS: grid[0] * grid[1] * grid[2], LaunchField.FAULT_FUNCTION: native.fault,
            LaunchField.PRINT_FUNCTION: native.print, LaunchField.MEET_FUNCTION: native.meet,
            LaunchField.STOP_AFTER: NO_BLOCK, LaunchField.FAULT_BLOCK: NO_BLOCK,
            LaunchField.RACE_FUNCTION: native.race if self.kernel.finds_races else 0,
            LaunchField.PRINT_CAPACITY: PRINT_BYTES if self.kernel.prints else 0,
        }
        for offset, value in fields.items():
            struct.pack_into("<q", template, offset, value)
        return template

    def _report(self, news: int, release: Callable[[int], None], grid: Three, block: Three) -> None:
        """Write what the kernel printed, and raise its fault."""
        record = ctypes.string_at(news, RECORD_BYTES)
        used, buffer, capacity, failures = (
            struct.unpack_from("<q", record, offset)[0]
            for offset in (
                LaunchField.PRINT_USED, LaunchField.PRINT_BUFFER, LaunchField.PRINT_CAPACITY, LaunchField.FAULT_COUNT,
            )
        )
        lines = ctypes.string_at(buffer, min(used, capacity)) if used else b""
        release(news)
        if used:
            sys.stdout.write(printed_text(self.kernel.prints, used, lines))
        if failures:
            raise fault_of(self.kernel, record, grid, block)


def load(kernel: HostKernel, image: bytes) -> CpuExecutable:
    """Bring compiled code into memory."""
    code = jit.load(image)
    return CpuExecutable(kernel, code, code.address(kernel.symbol))
