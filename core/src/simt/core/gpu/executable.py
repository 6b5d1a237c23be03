"""A kernel loaded on a GPU, and its launches."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simt.core.gpu.context import make_current
from simt.core.gpu.fault_record import take_fault
from simt.core.gpu.launch_limits import check_limits, out_of_resources
from simt.core.nvvm.faults import RECORD_SYMBOL
from simt.core.nvvm.gpu_kernel import GpuKernel
from simt.core.runtime.cuda_driver import cu, driver, refused

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.stream import GpuStream
    from simt.core.runtime.configuration import Configuration

Run = Callable[..., "GpuStream"]  # of a record and, by choice, a stream; gives the stream it used
BYTES_HEADER = bytes.__basicsize__ - 1  # of a bytes object, before its content; it ends in one byte more


class GpuExecutable:
    """Loaded code of one specialisation on one device. ``offsets`` are those of the parameters in the record."""

    def __init__(self, device: GpuDevice, kernel: GpuKernel, image: bytes, offsets: tuple[int, ...]) -> None:
        make_current(device.ordinal)
        self.device = device
        self.kernel = kernel
        self.offsets = offsets
        self.module = cu("cuModuleLoadData", image)
        self.function = cu("cuModuleGetFunction", self.module, kernel.symbol.encode())
        self.record = 0  # address of the fault record, if the kernel has one
        if kernel.has_fault_record:
            self.record = int(cu("cuModuleGetGlobal", self.module, RECORD_SYMBOL.encode())[0])
        self.dynamic_bytes = 0  # the highest dynamic shared memory allowed so far

    def attribute(self, name: str) -> int:
        """A function attribute by its name in the driver API, without the prefix: ``"NUM_REGS"``."""
        return int(cu("cuFuncGetAttribute", getattr(driver().CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}"),
                      self.function))

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return self.attribute("SHARED_SIZE_BYTES")

    def prepare(self, configuration: Configuration) -> Run:
        """A function that launches on a packed record, in a stream given with it, or the configuration's, or this
        thread's; gives the stream.

        Raises:
            LaunchError: the kernel cannot run in this configuration on this device.
        """
        check_limits(self, configuration)
        if configuration.shared_bytes > self.dynamic_bytes:
            name = driver().CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            cu("cuFuncSetAttribute", self.function, name, configuration.shared_bytes)
            self.dynamic_bytes = configuration.shared_bytes
        return self._nothing if 0 in configuration.grid else self._launcher(configuration)

    def note_launch(self) -> None:
        """Have the next wait look for a fault."""
        if self.record:
            self.device.may_have_failed[id(self)] = self

    def raise_fault(self) -> None:
        """Raise what a launch failed with, if one did. All launches must have ended."""
        make_current(self.device.ordinal)
        fault = take_fault(self.kernel, self.record)
        if fault is not None:
            raise fault

    def _launcher(self, configuration: Configuration) -> Run:
        grid, block, shared_bytes = configuration.grid, configuration.block, configuration.shared_bytes
        launch, function, offsets, device = driver().cuLaunchKernel, self.function, self.offsets, self.device
        pointers, addressof = ctypes.c_void_p * len(offsets), ctypes.addressof

        fixed = None if configuration.stream is None else device.adopt(configuration.stream)

        def run(record: bytes, stream: GpuStream | None = None) -> GpuStream:
            stream = stream or fixed or device.stream_in_use()
            make_current(device.ordinal)
            start = id(record) + BYTES_HEADER
            parameters = pointers(*[start + offset for offset in offsets])
            (status,) = launch(function, *grid, *block, shared_bytes, stream.bound, addressof(parameters), 0)
            if status != 0:
                raise self._refused(status, configuration)
            device.launches.append(self.kernel.name)
            self.note_launch()
            return stream

        return run

    def _refused(self, status: Any, configuration: Configuration) -> Exception:  # Any: a status of the bindings
        error = refused("cuLaunchKernel", status)
        if error.result == "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES":
            return out_of_resources(self, configuration)
        return error

    def _nothing(self, record: bytes, stream: GpuStream | None = None) -> GpuStream:
        """A grid without blocks."""
        return stream or self.device.stream_in_use()


