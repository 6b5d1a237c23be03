"""The general path of a launch: bind the arguments, pick or make the specialisation, run it.

It judges every launch that the generated function of ``runtime/fast_path.py`` does not take, and makes that function.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from simt.core.constant_key import constant_key
from simt.core.device import default_device
from simt.core.errors import LaunchError
from simt.core.runtime.configuration import SHARED_BYTES, Configuration
from simt.core.runtime.fast_path import FastPath, fast_path
from simt.core.specialize import Bound, bind

if TYPE_CHECKING:
    from struct import Struct

    from simt.core.check.signature import Signature
    from simt.core.declaration import Declaration
    from simt.core.launch import Prepared, Run
    from simt.core.runtime.configuration import Three


class Executable(Protocol):
    """Loaded code of one specialisation."""

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        ...

    def launch(self, grid: Three, block: Three, shared_bytes: int, record: bytes) -> None:
        """Run the grid on the packed arguments; returns when it has ended.

        Raises:
            DeviceFault: a thread failed.
        """
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

    def changed(self) -> bool:
        """Whether a captured value is no longer what the code was made with."""
        ...


class Specialiser(Protocol):
    """What a launch needs of its kernel."""

    @property
    def declaration(self) -> Declaration: ...
    def specialisation(self, bound: Bound) -> Specialisation:
        """The code for a signature, made if need be."""
        ...


def launch_generally(
    kernel: Specialiser, configuration: Configuration, arguments: tuple[object, ...]
) -> Prepared | None:
    """Launch, and give what makes the next launch of such arguments quick."""
    declaration = kernel.declaration
    declaration.require_annotations(dict(zip(declaration.names, arguments, strict=True)))
    default_device()
    bound = bind(declaration.parameters, arguments, configuration.threads)
    specialisation = kernel.specialisation(bound)
    run = _runner(configuration, specialisation.executable)
    record = specialisation.record
    run(record.pack(*bound.leaves))
    if not specialisation.launched:
        specialisation.launched = True
        specialisation.fast_path = fast_path(
            declaration.names, specialisation.signature, arguments, record, specialisation.changed, constant_key
        )
    fast = specialisation.fast_path
    return None if fast is None else (fast, run)


def _runner(configuration: Configuration, executable: Executable) -> Run:
    grid, block, shared_bytes = configuration.grid, configuration.block, configuration.shared_bytes
    if executable.shared_bytes + shared_bytes > SHARED_BYTES:
        raise LaunchError(
            f"shared_bytes {shared_bytes} and the kernel's own {executable.shared_bytes} bytes of shared memory "
            f"are over the {SHARED_BYTES} bytes of a block"
        )
    if 0 in grid:
        return _nothing
    launch = executable.launch

    def run(record: bytes) -> None:
        launch(grid, block, shared_bytes, record)

    return run


def _nothing(record: bytes) -> None:
    """A grid without blocks."""
