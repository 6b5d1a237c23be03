"""The fault record of a loaded kernel: read when the host waits, reset when it is reported. Layout: nvvm/faults.py."""
from __future__ import annotations

import ctypes
import struct

from simt.core.errors import DeviceFault, Index3
from simt.core.fault_report import Fault, report
from simt.core.nvvm.faults import RECORD_BYTES
from simt.core.nvvm.gpu_kernel import GpuKernel
from simt.core.runtime.cuda_driver import cu

WRITTEN = 2
WORDS = struct.Struct("<4I6I8q")


def is_written(address: int) -> bool:
    """Whether a thread has written the record at ``address``; its kernel may still run."""
    state = ctypes.c_uint32()
    cu("cuMemcpyDtoH", ctypes.addressof(state), address, ctypes.sizeof(state))
    return state.value == WRITTEN


def take_fault(kernel: GpuKernel, address: int) -> DeviceFault | None:
    """The fault in the record at ``address``, which is zero again afterwards; None where no thread failed.

    The device must have nothing queued that uses the kernel.
    """
    buffer = ctypes.create_string_buffer(RECORD_BYTES)
    cu("cuMemcpyDtoH", ctypes.addressof(buffer), address, RECORD_BYTES)
    state, count, site, _, *rest = WORDS.unpack(buffer.raw)
    if state != WRITTEN:
        return None
    cu("cuMemsetD8", address, 0, RECORD_BYTES)
    block, thread, values = Index3(*rest[:3]), Index3(*rest[3:6]), tuple(rest[6:])
    return report(kernel.name, kernel.sites, Fault(site, block, thread, values, count))
