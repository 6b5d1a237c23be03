"""The CUDA runtime: devices, streams, memory, loaded code and launches, over the driver API.

The names below are imported from their modules at their first use; nothing here is imported before the first use of a
GPU.
"""
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt.core.gpu.array import GpuArray
    from simt.core.gpu.device import GpuDevice, gpu
    from simt.core.gpu.external_memory import ExternalMemory, ExternalSemaphore
    from simt.core.gpu.jit_options import JitOptions
    from simt.core.gpu.module import Module, load_module
    from simt.core.gpu.raw_kernel import RawKernel
    from simt.core.gpu.stream import GpuEvent, GpuStream
    from simt.core.gpu.virtual_memory import VirtualMemory
else:
    _MODULES = {
        "gpu": "device", "GpuDevice": "device", "GpuArray": "array", "GpuStream": "stream", "GpuEvent": "stream",
        "load_module": "module", "Module": "module", "JitOptions": "jit_options", "RawKernel": "raw_kernel",
        "VirtualMemory": "virtual_memory", "ExternalMemory": "external_memory",
        "ExternalSemaphore": "external_memory",
    }

    def __getattr__(name: str) -> object:
        """A public name, whose module is imported by those who name it only."""
        if name not in _MODULES:
            raise AttributeError(f"module 'simt.core.gpu' has no attribute {name!r}")
        return getattr(import_module(f"simt.core.gpu.{_MODULES[name]}"), name)


__all__ = [
    "gpu", "GpuDevice", "GpuArray", "GpuStream", "GpuEvent", "load_module", "Module", "JitOptions", "RawKernel",
    "VirtualMemory", "ExternalMemory", "ExternalSemaphore",
]
