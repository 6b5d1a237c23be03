"""``Launch``: a kernel with a configuration, ready to be called with arguments, as often as wanted.

A call first tries the function generated at the last call (``runtime/fast_path.py``); the general path binds the
arguments, picks or makes the specialisation, runs it and generates that function for the next call.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, ParamSpec, Protocol

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
    from simt.core.runtime.configuration import Three

P = ParamSpec("P")
Run = Callable[[bytes], None]


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


class Launch(Generic[P]):
    """A kernel with grid, block and shared memory chosen: ``launch = kernel[grid, block]; launch(x, out)``.

    A launch on the CPU device returns when its grid has ended, and raises the ``DeviceFault`` of a failed thread
    itself. Threads of Python may call one ``Launch`` at the same time.
    """

    def __init__(self, kernel: Specialiser, configuration: Configuration) -> None:
        self._kernel = kernel
        self._configuration = configuration
        self._complete = kernel.declaration.positional_count  # of arguments that need no completion
        self._prepared: tuple[FastPath, Run] | None = None  # one value, so that threads never see half of a change

    @property
    def grid(self) -> Three:
        """Blocks along x, y, z."""
        return self._configuration.grid

    @property
    def block(self) -> Three:
        """Threads of a block along x, y, z."""
        return self._configuration.block

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a block."""
        return self._configuration.shared_bytes

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Check the arguments and run the kernel on them.

        Raises:
            LaunchError: an argument does not fit; ``argument`` names it.
            CompileError: the kernel cannot be compiled for these arguments.
            DeviceFault: a thread failed.
        """
        arguments = args
        if kwargs or len(args) != self._complete:
            arguments = self._kernel.declaration.complete(args, kwargs)
        prepared = self._prepared
        if prepared is None or not prepared[0](prepared[1], *arguments):
            self._launch(arguments)

    def _launch(self, arguments: tuple[object, ...]) -> None:
        """The general path."""
        declaration, configuration = self._kernel.declaration, self._configuration
        declaration.require_annotations(dict(zip(declaration.names, arguments, strict=True)))
        default_device()
        bound = bind(declaration.parameters, arguments, configuration.threads)
        specialisation = self._kernel.specialisation(bound)
        run = self._runner(specialisation.executable)
        record = specialisation.record
        run(record.pack(*bound.leaves))
        if not specialisation.launched:
            specialisation.launched = True
            specialisation.fast_path = fast_path(
                declaration.names, specialisation.signature, arguments, record, specialisation.changed, constant_key
            )
        fast = specialisation.fast_path
        self._prepared = None if fast is None else (fast, run)

    def _runner(self, executable: Executable) -> Run:
        grid, block, shared_bytes = self.grid, self.block, self.shared_bytes
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

    def __repr__(self) -> str:
        return f"<launch of {self._kernel.declaration.name}, grid {self.grid}, block {self.block}>"


def _nothing(record: bytes) -> None:
    """A grid without blocks."""
