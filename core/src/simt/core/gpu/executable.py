"""A kernel loaded on a GPU, and its launches."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simt.core.gpu.chosen_block import choose_block
from simt.core.gpu.compiled_arguments import describe
from simt.core.gpu.context import make_current
from simt.core.gpu.fault_record import is_written, take_fault
from simt.core.gpu.launch_extension import extension
from simt.core.gpu.launch_limits import check_limits
from simt.core.gpu.launchable import Launch, launch_function, new_launcher
from simt.core.nvvm.faults import RECORD_SYMBOL
from simt.core.nvvm.gpu_kernel import GpuKernel
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.check.signature import Signature
    from simt.core.errors import DeviceFault
    from simt.core.frontend.watch import Watch
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.stream import GpuStream
    from simt.core.runtime.configuration import Configuration, Elements

Run = Callable[..., "GpuStream"]  # of a record and, by choice, a stream; gives the stream it used


class GpuExecutable:
    """Loaded code of one specialisation on one device. ``module`` is the driver's handle of the loaded image,
    ``offsets`` are those of the parameters in the record."""

    def __init__(
        self, device: GpuDevice, kernel: GpuKernel, module: Any, offsets: tuple[int, ...]  # Any: of the bindings
    ) -> None:
        make_current(device.ordinal)
        self.device = device
        self.kernel = kernel
        self.offsets = offsets
        self.module = module
        self.function = cu("cuModuleGetFunction", self.module, kernel.symbol.encode())
        self.record = 0  # address of the fault record, if the kernel has one
        if kernel.has_fault_record:
            self.record = int(cu("cuModuleGetGlobal", self.module, RECORD_SYMBOL.encode())[0])
        self.launch_functions: dict[object, Launch] = {}
        self.dynamic_bytes = 0  # the highest dynamic shared memory allowed so far
        self.chosen_blocks: dict[Elements, Configuration] = {}
        self.resident_blocks: dict[int, int] = {}  # of a multiprocessor, by threads of a block

    def attribute(self, name: str) -> int:
        """A function attribute by its name in the driver API, without the prefix: ``"NUM_REGS"``."""
        make_current(self.device.ordinal)
        attribute = getattr(driver().CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")
        return int(cu("cuFuncGetAttribute", attribute, self.function))

    def set_attribute(self, name: str, value: int) -> None:
        """Set a function attribute, named as in ``attribute``."""
        make_current(self.device.ordinal)
        cu("cuFuncSetAttribute", self.function,
           getattr(driver().CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}"), value)

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return self.attribute("SHARED_SIZE_BYTES")

    def chosen(self, configuration: Configuration) -> Configuration:
        """The configuration with this device's choice of a block where the launch leaves it open."""
        elements = configuration.elements
        if elements is None or 0 in configuration.grid:
            return configuration
        found = self.chosen_blocks.get(elements)
        if found is None:
            most = self.attribute("MAX_THREADS_PER_BLOCK")
            processors = self.device.attribute("MULTIPROCESSOR_COUNT")
            found = choose_block(configuration, elements, most, processors, self._resident)
            self.chosen_blocks[elements] = found
        return found

    def _resident(self, threads: int) -> int:
        """Blocks of so many threads that a multiprocessor holds."""
        found = self.resident_blocks.get(threads)
        if found is None:
            make_current(self.device.ordinal)
            found = int(cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", self.function, threads, 0))
            self.resident_blocks[threads] = found
        return found

    def prepare(self, configuration: Configuration) -> Run:
        """A function that launches on a packed record, in a stream given with it, or the configuration's, or this
        thread's; gives the stream.

        Raises:
            LaunchError: the kernel cannot run in this configuration on this device.
        """
        launch = self._launch_function(self.chosen(configuration))
        device, noted = self.device, self.record != 0
        fixed = None if configuration.stream is None else device.adopt(configuration.stream)

        def run(record: bytes, stream: GpuStream | None = None) -> GpuStream:
            stream = stream or fixed or device.stream_in_use()
            launch(record, stream.handle)
            if noted:
                self.note_launch()
            return stream

        return run

    def compiled_path(
        self, configuration: Configuration, signature: Signature, arguments: tuple[object, ...], watch: Watch
    ) -> Any:  # Any: of the compiled path
        """A launcher that checks and launches arguments like these in one pass; None without such a path."""
        if extension is None or 0 in configuration.grid or configuration.attributes is not None:
            return None
        fixed = 0 if configuration.stream is None else self.device.adopt(configuration.stream).handle
        launcher = new_launcher(self, self.chosen(configuration))
        finish = self.note_launch if self.record else None
        known = describe(launcher, signature, arguments, watch, self.device.ordinal, fixed, finish)
        return launcher if known else None

    def _launch_function(self, configuration: Configuration) -> Launch:
        """Checked once for each configuration."""
        key = configuration.grid, configuration.block, configuration.shared_bytes, configuration.attributes
        found = self.launch_functions.get(key)
        if found is None:
            check_limits(self, configuration)
            self.allow_shared_bytes(configuration.shared_bytes)
            found = _nothing if 0 in configuration.grid else launch_function(self, configuration)
            self.launch_functions[key] = found
        return found

    def allow_shared_bytes(self, nbytes: int) -> None:
        """Have the driver accept so much dynamic shared memory of a block."""
        if nbytes > self.dynamic_bytes:
            self.set_attribute("MAX_DYNAMIC_SHARED_SIZE_BYTES", nbytes)
            self.dynamic_bytes = nbytes

    def note_launch(self) -> None:
        """Have the next wait look for a fault."""
        if self.record:
            self.device.may_have_failed[id(self)] = self

    def has_failed(self) -> bool:
        """Whether a launch has failed so far; some may not have ended."""
        make_current(self.device.ordinal)
        return is_written(self.record)

    def take_fault(self) -> DeviceFault | None:
        """What a launch failed with, once; None where none did. All launches must have ended."""
        make_current(self.device.ordinal)
        return take_fault(self.kernel, self.record)


def _nothing(record: bytes, stream: int) -> None:
    """A grid without blocks."""
