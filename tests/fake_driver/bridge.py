"""simt on the fake driver: images that name the kernel, launches that run it on the CPU target.

``install()`` replaces the cubin in what ``simt.core.code.gpu_code`` gives; everything before it, libNVVM and the
assembler included, is the real path, so that registers, fault sites and errors are those of the GPU.
"""
from __future__ import annotations

import ctypes
import dataclasses
import functools
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass

from simt.core import code
from simt.core.compiled import GpuCode
from simt.core.cpu import executable
from simt.core.cpu.launch_record import RECORD_BYTES as RECORD_BYTES_OF_CPU
from simt.core.cpu.launch_record import LaunchField
from simt.core.errors import DeviceFault
from simt.core.gpu.callback import callback
from simt.core.llvm.faults import MAXIMUM_VALUES, FaultKind, Site
from simt.core.nvvm.faults import RECORD_BYTES, RECORD_SYMBOL
from simt.core.runtime.packing import piece_offsets
from simt.core.specialize import record_types
from simt.core.target import Cpu
from simt.core.task import Task
from simt.core.types import ArrayType
from simt.core.types.layout import size_of
from tests.fake_driver import fake
from tests.fake_driver.described_images import images_described

# What the hardware makes of a fault that the GPU's code does not check.
HARDWARE = {FaultKind.OUT_OF_BOUNDS: 700, FaultKind.DEADLOCK: 702, FaultKind.MISALIGNED: 716}
LAUNCH_FAILED = 719
RECORD, WRITTEN = struct.Struct(f"<4I6I{MAXIMUM_VALUES}q"), 2  # the layout of nvvm/faults.py
Three = tuple[int, int, int]
real_gpu_code = code.gpu_code


class Failed(Exception):
    """A fault of the CPU target before it is put in words: the exception, its site and the recorded 64-bit values."""

    def __init__(self, fault: DeviceFault, site: Site, words: tuple[int, ...]) -> None:
        self.fault, self.site, self.words = fault, site, words
        super().__init__(str(fault))


class Loaded(executable.CpuExecutable):
    """A kernel of the CPU target that raises ``Failed`` where others raise ``DeviceFault``."""

    def _report(self, news: int, release: Callable[[int], None], grid: Three, block: Three) -> None:
        record = ctypes.string_at(news, RECORD_BYTES_OF_CPU)
        try:
            super()._report(news, release, grid, block)
        except DeviceFault as fault:
            words: tuple[int, ...] = struct.unpack(f"<{len(record) // 8}q", record)
            first = LaunchField.FAULT_VALUES // 8
            site = self.kernel.sites[words[LaunchField.FAULT_SITE // 8]]
            raise Failed(fault, site, words[first : first + MAXIMUM_VALUES]) from None


@dataclass
class Image:
    """A kernel that has a fake image. ``loaded`` is made at the first launch."""

    task: Task
    sites: tuple[Site, ...]

    @functools.cached_property
    def loaded(self) -> Loaded:
        """The same kernel for the CPU."""
        options = dataclasses.replace(self.task.options, race=False)  # no GPU looks for races
        host = code.host_code(Task(self.task.declaration, self.task.signature, Cpu(), options))
        ready = executable.load(host.kernel, host.image)
        return Loaded(ready.kernel, ready.code, ready.address)


images: list[Image] = []


def install() -> None:
    """Load the fake driver into this process and lead simt's GPU path to it."""
    fake.load()
    code.gpu_code = gpu_code
    try:
        from simt.core.gpu import loading
    except ImportError:
        pass
    else:
        loading.gpu_code = gpu_code
    fake.set_launch(launch)


def gpu_code(task: Task) -> GpuCode:
    """The code of a task with a fake image in place of the cubin."""
    real = real_gpu_code(task)
    images.append(Image(task, real.kernel.sites))
    return dataclasses.replace(real, cubin=image_of(task, real, len(images) - 1))


def image_of(task: Task, real: GpuCode, number: int) -> bytes:
    """The text of a fake image, see images.c; ends in a zero byte, as the driver reads it."""
    types = record_types(task.signature)
    sizes = [size for type in types for size in ([8] * (size_of(type) // 8) if isinstance(type, ArrayType)
                                                 else [size_of(type)])]
    pieces = zip(piece_offsets(types), sizes, strict=True)
    described = "".join(f" {offset}:{size}" for offset, size in pieces)
    lines = [f"SIMT-FAKE {number} {real.kernel.symbol} {real.resources.registers} {len(sizes)}{described}"]
    lines.append(f"shared {real.resources.shared_bytes}")
    if task.declaration.max_threads is not None:
        lines.append(f"max_threads {task.declaration.max_threads}")
    if real.kernel.has_fault_record:
        lines.append(f"global {RECORD_SYMBOL} {RECORD_BYTES}")
    return "\n".join([*lines, ""]).encode() + b"\0"


def launch(number: int, entry: bytes, module: int, sizes: tuple[int, ...], shared_bytes: int, record: bytes) -> int:
    """Run a launch on the CPU. Gives the status that ends the context, or 0."""
    image = images[number]
    address = fake.global_address(module, RECORD_SYMBOL)
    if address is not None and image.task.options.checks and ctypes.c_uint.from_address(address).value:
        return 0  # threads of a checked kernel end at once while a fault waits to be reported
    grid, block = (sizes[0], sizes[1], sizes[2]), (sizes[3], sizes[4], sizes[5])
    try:
        with callback(), images_described(record, record_types(image.task.signature)) as described:
            image.loaded.launcher(grid, block, shared_bytes)(described)
    except Failed as failed:
        return record_fault(image, failed, address)
    return 0


def record_fault(image: Image, failed: Failed, address: int | None) -> int:
    """Write a fault where the GPU's code would.

    One that the GPU's code does not check is printed, and gives the hardware's status.
    """
    fault, site = failed.fault, failed.site
    for number, other in enumerate(image.sites):
        is_same = (other.kind, other.span, other.expression) == (site.kind, site.span, site.expression)
        if address is not None and is_same:
            block, thread = fault.block, fault.thread
            where = (block.x, block.y, block.z, thread.x, thread.y, thread.z)
            written = RECORD.pack(WRITTEN, fault.count, number, 0, *where, *failed.words)
            ctypes.memmove(address, written, RECORD_BYTES)
            return 0
    sys.stderr.write(f"the fake GPU loses its context, since this is not checked there: {fault}\n")
    return HARDWARE.get(site.kind, LAUNCH_FAILED)
