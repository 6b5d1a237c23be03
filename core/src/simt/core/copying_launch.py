"""Launches of host arrays on another device: copied there before, and what the kernel may write copied back after."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, ParamSpec, cast

import numpy as np

from simt.core.general_launch import launch_generally
from simt.core.required_values import check_requirements
from simt.core.runtime.image import HostImage
from simt.core.runtime.memory import memory_of
from simt.core.runtime.pattern import ArrayPattern, ImagePattern, Pattern, PointerPattern, TuplePattern
from simt.core.specialize import bind
from simt.core.types import ImageKind

if TYPE_CHECKING:
    from simt.core.device import Device, DeviceArray
    from simt.core.general_launch import Specialiser
    from simt.core.launch import Launch
    from simt.core.runtime.configuration import Configuration

P = ParamSpec("P")


class CopyingLaunch(Generic[P]):
    """What ``launch.on(device)`` gives. Calling it returns when results are back in the host arrays."""

    def __init__(self, launch: Launch[P], device: Device) -> None:
        self._launch = launch
        self._device = device

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Copy host arrays to the device, run, and copy the written ones back. Other arguments pass as they are.

        Raises:
            LaunchError, CompileError, DeviceFault: as a launch; after a fault the host arrays are as before.
        """
        given = self._launch.kernel.declaration.complete(args, kwargs)
        run_on(self._device, self._launch.kernel, self._launch.configuration, given)


def run_on(
    device: Device, kernel: Specialiser, configuration: Configuration, arguments: tuple[object, ...]
) -> None:
    """Launch on ``device``, with copies of the host arrays among ``arguments``, one for each parameter."""
    declaration = kernel.declaration
    declaration.require_annotations(dict(zip(declaration.names, arguments, strict=True)))
    # Copies would hide aliases and read-only arrays.
    bound = bind(declaration.parameters, arguments, configuration.threads)
    check_requirements(declaration.name, declaration.relations, declaration.names, arguments, bound)
    back: list[tuple[object, DeviceArray]] = []
    images: list[tuple[HostImage, HostImage]] = []
    there = tuple(
        _there(device, parameter.name, value, parameter.pattern, back, images)
        for parameter, value in zip(declaration.parameters, arguments, strict=True)
    )
    launch_generally(kernel, configuration, there, device)
    device.synchronize()
    for host, copy in back:
        memory = memory_of(host, "")
        assert memory is not None, "it was an array before"
        if memory.size:
            memory.as_numpy()[...] = copy.numpy().reshape(memory.shape)
    for image, copied in images:
        image.copy_from(copied.numpy())


def _there(
    device: Device, name: str, value: object, pattern: Pattern, back: list[tuple[object, DeviceArray]],
    images: list[tuple[HostImage, HostImage]],
) -> object:
    """``value`` with its host arrays and the CPU device's images copied to the device; those that may be written are
    noted in ``back`` and ``images``."""
    match pattern:
        case TuplePattern() if isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            return tuple(
                _there(device, f"{name}[{index}]", part, element, back, images)
                for index, (part, element) in enumerate(zip(parts, pattern.elements, strict=False))
            )
        case ArrayPattern() | PointerPattern():
            memory = None if isinstance(value, int) else memory_of(value, name)
            if memory is None or memory.gpu is not None:
                return value
            host: np.ndarray[Any, Any] = memory.as_numpy() if memory.size else np.empty(memory.shape, memory.dtype)
            copy = device.array(host)
            if isinstance(pattern, PointerPattern) or pattern.access.writable:
                back.append((value, copy))
            return copy
        case ImagePattern(kind=kind) if isinstance(value, HostImage):
            copied = device.image(value)
            if kind is ImageKind.SURFACE and copied is not value:
                images.append((value, copied))
            return copied
        case _:
            return value
