"""The general path of a launch: bind the arguments, pick or make the specialisation, run it.

It judges every launch that the generated function of ``runtime/fast_path.py`` does not take, and makes that function.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from simt.core.constant_key import constant_key
from simt.core.device import device_at
from simt.core.recorded_launch import RecordedLaunch
from simt.core.required_values import check_requirements
from simt.core.runtime.configuration import Configuration
from simt.core.runtime.fast_path import FastPath, fast_path
from simt.core.runtime.place import HOST
from simt.core.specialize import Bound, bind

if TYPE_CHECKING:
    from struct import Struct

    from simt.core.check.signature import Signature
    from simt.core.declaration import Declaration
    from simt.core.device import Device, Run
    from simt.core.frontend.watch import Watch
    from simt.core.gpu.raw_declaration import RawDeclaration


class Prepared(NamedTuple):
    """What makes the next launch quick: ``fast(run, *arguments)`` launches, or gives False where the general path must
    judge. ``configuration`` is what was launched; ``launcher`` the compiled path's, which a ``Launch`` can call itself.
    """

    fast: FastPath
    run: Run
    configuration: Configuration
    launcher: object = None


class Executable(Protocol):
    """Loaded code of one specialisation."""

    def chosen(self, configuration: Configuration) -> Configuration:
        """What a launch of ``configuration`` uses, which may leave the block to the device."""
        ...

    def prepare(self, configuration: Configuration) -> Run:
        """A function that launches the grid on a packed argument record.

        Raises:
            LaunchError: the code cannot run in this configuration.
        """
        ...

    def compiled_path(
        self, configuration: Configuration, signature: Signature, arguments: tuple[object, ...], watch: Watch, /
    ) -> Any:  # Any: of the compiled path
        """What checks and launches arguments like these in one pass, or None."""
        ...


class Specialisation(Protocol):
    """One signature's code, and whether it is still that of the kernel's source.

    ``fast_path`` is made at the first launch, for the kind of arguments it had, and serves every configuration.
    """

    fast_path: FastPath | None
    launched: bool

    @property
    def executable(self) -> Executable: ...
    @property
    def signature(self) -> Signature: ...
    @property
    def record(self) -> Struct:
        """Packer of the argument record."""
        ...

    @property
    def watch(self) -> Watch:
        """What the code was made from besides the signature."""
        ...

    def changed(self) -> bool:
        """Whether a captured value is no longer what the code was made with."""
        ...


class Specialiser(Protocol):
    """What a launch needs of its kernel."""

    @property
    def declaration(self) -> Declaration | RawDeclaration: ...
    @property
    def only_device(self) -> Device | None:
        """The one device that it runs on, if there is only one."""
        ...

    def specialisation(self, bound: Bound, device: Device) -> Specialisation:
        """The code for a signature on a device, made if need be."""
        ...


def launch_generally(
    kernel: Specialiser, configuration: Configuration, arguments: tuple[object, ...],
    without_arrays: Device | None = None,
) -> Prepared:
    """Launch where the arrays lie, as ``record_launch`` says, and give what makes the next such launch quick."""
    launch = record_launch(kernel, configuration, arguments, without_arrays)
    specialisation, executable = launch.specialisation, launch.specialisation.executable
    run = executable.prepare(configuration)
    launch.device.start(run, launch, launch.located)
    used = executable.chosen(configuration)
    launcher = None
    if not kernel.declaration.relations:  # the compiled path knows none
        launcher = executable.compiled_path(configuration, specialisation.signature, arguments, specialisation.watch)
    if launcher is not None:
        return Prepared(launcher.launch, run, used, launcher)
    if not specialisation.launched:
        specialisation.launched = True
        specialisation.fast_path = fast_path(
            kernel.declaration.names, specialisation.signature, arguments, specialisation.record,
            specialisation.watch.changed, constant_key, launch.device.place == HOST, kernel.declaration.relations,
        )
    return Prepared(specialisation.fast_path or _never, run, used)


def record_launch(
    kernel: Specialiser, configuration: Configuration, arguments: tuple[object, ...],
    without_arrays: Device | None = None,
) -> RecordedLaunch:
    """A launch of ``arguments``, one for each parameter, where the arrays lie: checked, compiled, not started.

    ``without_arrays`` is the device for a launch that has none: the kernel's only one or the default device if None.

    Raises:
        LaunchError, CompileError: as a launch.
    """
    declaration = kernel.declaration
    without_arrays = without_arrays or kernel.only_device
    declaration.require_annotations(dict(zip(declaration.names, arguments, strict=True)))
    bound = bind(declaration.parameters, arguments, configuration.threads)
    check_requirements(declaration.name, declaration.relations, declaration.names, arguments, bound)
    device = without_arrays if bound.place is None and without_arrays is not None else device_at(bound.place)
    specialisation = kernel.specialisation(bound, device)
    record = specialisation.record.pack(*bound.leaves)
    return RecordedLaunch(kernel, configuration, arguments, device, specialisation, record, bound.located)


def _never(*arguments: object) -> bool:
    """The fast path of arguments that have none."""
    return False
