"""A kernel of loaded code whose parameters somebody declared: launched and checked as kernels of the language are."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from simt.core.errors import DriverError, LaunchError
from simt.core.frontend.watch import Watch
from simt.core.gpu.context import make_current
from simt.core.gpu.executable import GpuExecutable
from simt.core.gpu.ptx_version import driver_version
from simt.core.gpu.raw_declaration import RawDeclaration
from simt.core.launch import Launch
from simt.core.nvvm.gpu_kernel import GpuKernel
from simt.core.runtime.configuration import Bounds, Dimensions, Three, configure, cover
from simt.core.runtime.cuda_driver import cu
from simt.core.runtime.packing import piece_offsets, record_of
from simt.core.runtime.pattern import Parameter, concrete_type, pattern_of, variables_of
from simt.core.specialisation import Specialisation
from simt.core.types import ArrayType, Type
from simt.core.types.layout import align_of, align_up, size_of

if TYPE_CHECKING:
    from simt.core.device import Device
    from simt.core.gpu.module import Module
    from simt.core.specialize import Bound

SIZES_SINCE = (12, 4)  # the driver that tells the sizes of a kernel's parameters


class RawKernel:
    """``kernel[grid, block](...)`` launches it, ``kernel.for_elements(n)(...)`` with a thread an element."""

    def __init__(self, module: Module, declaration: RawDeclaration, executable: GpuExecutable) -> None:
        self.module = module
        self.declaration = declaration
        self.executable = executable
        self._specialisations: dict[object, Specialisation] = {}

    @property
    def name(self) -> str:
        """Its symbol in the module."""
        return self.declaration.name

    @property
    def only_device(self) -> Device:
        """Where it is loaded."""
        return self.module.device

    def __getitem__(self, configuration: tuple[Dimensions, Dimensions] | tuple[object, ...], /) -> Launch[...]:
        """``kernel[grid, block]`` or ``kernel[grid, block, shared_bytes, stream]``, each dimension up to 3 integers.

        Raises:
            LaunchError: outside the limits of the hardware or of the declaration.
        """
        return Launch(self, configure(configuration, self.declaration.bounds))

    def for_elements(self, shape: int | tuple[int, ...], /) -> Launch[...]:
        """A launch of at least one thread an element: x runs over the last axis, y and z over those before."""
        return Launch(self, cover(shape, self.declaration.bounds))

    def specialisation(self, bound: Bound, device: Device) -> Specialisation:
        """The code, which is the same for all arguments.

        Raises:
            LaunchError: another device, or the module was unloaded.
        """
        self.module.require_loaded(self.name)
        if device is not self.module.device:
            raise LaunchError(
                f"{self.name} is loaded on {self.module.device.name}, and its arguments lie on {device.name}; pass "
                "arrays of that GPU, device.array(x), or write launch.on(device)(...), which copies"
            )
        found = self._specialisations.get(bound.key)
        if found is None:
            record = record_of(tuple(cast("tuple[Type, ...]", bound.signature.arguments)))
            watch = Watch(lookups=[(vars(self.module), "is_unloaded", False)])
            found = Specialisation(bound.signature, self.executable, record, watch)
            self._specialisations[bound.key] = found
        return found

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(self.declaration.names)}) of {self.module!r}>"


def declare_raw(
    module: Module, name: str, parameters: Sequence[object] | Mapping[str, object], extents: bool,
    max_threads: int | None,
) -> RawKernel:
    """The kernel ``name`` of a module.

    Raises:
        LaunchError: an annotation is none, or the kernel's parameters are of other sizes.
    """
    if isinstance(parameters, Mapping):
        named = dict(parameters)
    else:
        named = {f"argument_{index}": annotation for index, annotation in enumerate(parameters)}
    declared = tuple(_parameter(name, *item) for item in named.items())
    types = tuple(_type_of(parameter) for parameter in declared)
    offsets = piece_offsets(types) if extents else _first_offsets(types)
    # Whether the code waits for earlier launches is its author's to know.
    kernel = GpuKernel(name=name, symbol=name, sites=(), has_fault_record=False, waits_for_launch=True)
    executable = GpuExecutable(module.device, kernel, module.bound, offsets)
    if driver_version() >= SIZES_SINCE:
        _check_sizes(executable, declared, types, extents)
    bounds = Bounds(name, max_threads, _cluster(executable))
    return RawKernel(module, RawDeclaration(name, declared, bounds), executable)


def _parameter(kernel: str, name: str, annotation: object) -> Parameter:
    try:
        parameter = Parameter(name, pattern_of(annotation), annotation)
    except TypeError as error:
        raise LaunchError(f"parameter {name} of {kernel}: {error}", argument=name) from None
    if variables_of(parameter.pattern) or concrete_type(parameter.pattern, {}) is None:
        raise LaunchError(
            f"parameter {name} of {kernel}: loaded code has one type for each parameter, and {annotation} stands for "
            "several or is compile-time", argument=name,
        )
    return parameter


def _type_of(parameter: Parameter) -> Type:
    type = concrete_type(parameter.pattern, {})
    assert type is not None, "_parameter refuses compile-time values"
    return type


def _first_offsets(types: tuple[Type, ...]) -> tuple[int, ...]:
    """Where each parameter begins in the record: of an array only the pointer is passed."""
    offsets: list[int] = []
    end = 0
    for type in types:
        offsets.append(align_up(end, align_of(type)))
        end = offsets[-1] + size_of(type)
    return tuple(offsets)


def _check_sizes(executable: GpuExecutable, declared: tuple[Parameter, ...], types: tuple[Type, ...],
                 extents: bool) -> None:
    """Compare what the image says of its parameters with what was declared.

    Raises:
        LaunchError: they differ.
    """
    wanted: list[int] = []
    for type in types:
        pieces = size_of(type) // 8 if isinstance(type, ArrayType) and extents else 1
        wanted += [8] * pieces if isinstance(type, ArrayType) else [size_of(type)]
    found = _sizes(executable)
    if found == wanted:
        return
    listed = ", ".join(f"{parameter.name}: {type}" for parameter, type in zip(declared, types, strict=True))
    advice = "; arrays are followed by their extents: extents=True" if not extents and len(found) > len(wanted) else ""
    raise LaunchError(
        f"kernel {executable.kernel.name} takes {len(found)} parameters of {found} bytes, and the declared ({listed}) "
        f"are {len(wanted)} of {wanted}{advice}"
    )


def _sizes(executable: GpuExecutable) -> list[int]:
    make_current(executable.device.ordinal)
    sizes: list[int] = []
    while True:
        try:
            sizes.append(int(cu("cuFuncGetParamInfo", executable.function, len(sizes))[1]))
        except DriverError as error:
            if error.result != "CUDA_ERROR_INVALID_VALUE":  # which says that there are no more
                raise
            return sizes


def _cluster(executable: GpuExecutable) -> Three | None:
    """The cluster that the code requires of its launches."""
    x, y, z = (executable.attribute(f"REQUIRED_CLUSTER_{side}") for side in ("WIDTH", "HEIGHT", "DEPTH"))
    return (x, max(y, 1), max(z, 1)) if x else None
