"""Code of any origin on a GPU: PTX, cubins, fatbins, LTO-IR; its kernels, launched checked, its variables as arrays.

Source: CUDA Driver API, module management.
"""
from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from simt.core.errors import DriverError, LaunchError
from simt.core.gpu.allocation import Allocation, MemoryKind
from simt.core.gpu.array import GpuArray, empty_array
from simt.core.gpu.context import make_current
from simt.core.gpu.image import ImageKind, is_relocatable, kind_of, read_image
from simt.core.gpu.jit_options import JitOptions
from simt.core.gpu.module_loading import Loaded, load_cubin, load_fatbin, load_linked, load_ptx
from simt.core.gpu.ptx_version import driver_version
from simt.core.gpu.raw_kernel import RawKernel, declare_raw
from simt.core.nvvm.faults import RECORD_SYMBOL
from simt.core.runtime.cuda_driver import cu
from simt.core.runtime.dtypes import as_dtype

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice

Image = bytes | str | Path  # PTX as str; a file as Path
NAMES_SINCE = (12, 4)  # the driver that enumerates the kernels of a module


class Module:
    """Loaded code. ``load_module`` makes one; it stays loaded until ``unload`` or the end of the process.

    ``log`` is what the driver or nvJitLink said while generating code.
    """

    def __init__(self, device: GpuDevice, loaded: Loaded) -> None:
        self.device = device
        self.bound = loaded.bound
        self.log = loaded.log
        self.is_unloaded = False
        self._variables: weakref.WeakSet[Allocation] = weakref.WeakSet()

    def kernel(
        self, name: str, parameters: Sequence[object] | Mapping[str, object], *, extents: bool = False,
        max_threads: int | None = None,
    ) -> RawKernel:
        """A kernel, launched and checked as ours are: ``k[grid, block, shared_bytes, stream](x, out, n)``.

        Args:
            name: its symbol; that of a C++ function is mangled unless it is ``extern "C"``.
            parameters: one annotation a parameter in order, such as ``(In[f32], Out[f32], i32)``; or by name,
                ``{"x": In[f32], "n": i32}``, for errors and keyword arguments.
            extents: whether each array is followed by its extents, as 64-bit integers, as in kernels that this package
                compiled; False for C kernels, where an array is a pointer.
            max_threads: most threads of a block, for kernels that need to be told.

        Raises:
            LaunchError: no such kernel, or its parameters are of other sizes than the declared ones.
        """
        self.require_loaded(name)
        make_current(self.device.ordinal)
        if self._variable(RECORD_SYMBOL) is not None:
            raise LaunchError(
                f"{name} was compiled with a fault record, which only its own kernel object can report; compile it "
                "with checks=False and without assert and fault"
            )
        try:
            cu("cuModuleGetFunction", self.bound, name.encode())
        except DriverError as error:
            if error.result != "CUDA_ERROR_NOT_FOUND":
                raise
            known = ", ".join(self.kernel_names()) if driver_version() >= NAMES_SINCE else ""
            raise LaunchError(f"the module has no kernel {name}" + (f"; it has {known}" if known else "")) from None
        return declare_raw(self, name, parameters, extents, max_threads)

    def kernel_names(self) -> tuple[str, ...]:
        """Symbols of the module's kernels.

        Raises:
            UnavailableError: the driver is older than CUDA 12.4.
        """
        self.require_loaded("kernel_names")
        make_current(self.device.ordinal)
        count = int(cu("cuModuleGetFunctionCount", self.bound))
        if count == 0:
            return ()
        return tuple(cu("cuFuncGetName", function).decode()
                     for function in cu("cuModuleEnumerateFunctions", count, self.bound))

    def global_(self, name: str, dtype: object, shape: int | tuple[int, ...] | None = None) -> GpuArray:
        """A variable in global or constant memory as an array, to read and to write.

        Args:
            dtype: of its elements.
            shape: by default one axis of as many elements as there are; ``()`` for a single one.

        Raises:
            LaunchError: no such variable, or it is of another size.
        """
        self.require_loaded(name)
        make_current(self.device.ordinal)
        found = self._variable(name)
        if found is None:
            raise LaunchError(f"the module has no variable {name} in global or constant memory", argument="name")
        address, nbytes = found
        kind = as_dtype(dtype)
        extents = (nbytes // kind.itemsize,) if shape is None else shape if isinstance(shape, tuple) else (shape,)
        wanted = int(np.prod(extents, dtype=np.int64)) * kind.itemsize
        if wanted != nbytes:
            raise LaunchError(
                f"variable {name} has {nbytes} bytes, and {extents} elements of {kind} are {wanted}", argument="shape"
            )
        home = self.device.stream_in_use()
        variable = Allocation(self.device, MemoryKind.MAPPED, address, nbytes, home)
        self._variables.add(variable)
        return empty_array(variable, kind, extents)

    def unload(self) -> None:
        """Wait for the device and unload the code; its kernels and arrays are refused from then on."""
        if not self.is_unloaded:
            self.device.synchronize()
            self.is_unloaded = True
            for variable in tuple(self._variables):
                variable.free()
            cu("cuModuleUnload", self.bound)

    def require_loaded(self, what: str) -> None:
        """Raises ``LaunchError`` after ``unload``."""
        if self.is_unloaded:
            raise LaunchError(f"{what}: the module was unloaded; load it again")

    def _variable(self, name: str) -> tuple[int, int] | None:
        """Address and bytes."""
        try:
            address, nbytes = cu("cuModuleGetGlobal", self.bound, name.encode())
        except DriverError as error:
            if error.result != "CUDA_ERROR_NOT_FOUND":
                raise
            return None
        return int(address), int(nbytes)

    def __repr__(self) -> str:
        return f"<Module on {self.device.short_name}{', unloaded' if self.is_unloaded else ''}>"


def load_module(
    device: GpuDevice, image: Image | Sequence[Image], *, options: JitOptions | None = None
) -> Module:
    """Load code on a device.

    PTX newer than the driver is read as the driver's own version where it uses nothing newer, else assembled by
    nvJitLink. LTO-IR, object files, libraries, and several images together are linked by nvJitLink first.

    Args:
        image: PTX text, the bytes of a cubin, fatbin or LTO-IR, the path of a file, or several of them.

    Raises:
        LaunchError: the image is none of these, or takes no options.
        UnavailableError: the driver is too old for the image, and nothing that is installed can help.
        DriverError: the driver or nvJitLink refuses it; the message has the log.
    """
    given = image if isinstance(image, Sequence) and not isinstance(image, bytes | str) else (image,)
    parts = [read_image(part) for part in given]
    images = [(kind_of(part), part) for part in parts]
    make_current(device.ordinal)
    return Module(device, _load(device, images, options or JitOptions()))


def _load(device: GpuDevice, images: list[tuple[ImageKind, bytes]], options: JitOptions) -> Loaded:
    match images:
        case [(ImageKind.PTX, data)]:
            return load_ptx(device, data.rstrip(b"\0").decode(), options)
        case [(ImageKind.CUBIN, data)] if not is_relocatable(data):
            return load_cubin(device, data, options)
        case [(ImageKind.FATBIN, data)]:
            return load_fatbin(device, data, options)
        case []:
            raise LaunchError("no image given", argument="image")
        case _:
            return load_linked(device, images, options)


__all__ = ["Image", "JitOptions", "Module", "load_module"]
