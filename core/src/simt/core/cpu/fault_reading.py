"""From a launch record to the fault in it."""
from __future__ import annotations

import struct

from simt.core.cpu.host_kernel import HostKernel
from simt.core.cpu.launch_record import LaunchField
from simt.core.errors import DeviceFault, Index3
from simt.core.fault_report import Fault, Other, report

Three = tuple[int, int, int]


def fault_of(kernel: HostKernel, record: bytes, grid: Three, block: Three) -> DeviceFault:
    """The exception for the fault in ``record``."""
    words: tuple[int, ...] = struct.unpack(f"<{len(record) // 8}q", record)
    other_site, other_thread = words[LaunchField.FAULT_OTHER_SITE // 8], words[LaunchField.FAULT_OTHER_THREAD // 8]
    other = None
    if other_site >= 0:  # the thread has its block in the upper half
        other = Other(other_site, _index(other_thread >> 32, grid), _index(other_thread & 0xFFFFFFFF, block))
    return report(kernel.name, kernel.sites, Fault(
        words[LaunchField.FAULT_SITE // 8], _index(words[LaunchField.FAULT_BLOCK // 8], grid),
        _index(words[LaunchField.FAULT_THREAD // 8], block), words[LaunchField.FAULT_VALUES // 8 :],
        words[LaunchField.FAULT_COUNT // 8], other,
    ))


def _index(linear: int, extent: Three) -> Index3:
    row, x = divmod(linear, extent[0])
    z, y = divmod(row, extent[1])
    return Index3(x, y, z)
