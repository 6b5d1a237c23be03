"""``Launch``: a kernel with a configuration, ready to be called with arguments, as often as wanted.

A call first tries what the last call has prepared: the compiled path's launcher on a GPU, the generated function of
``runtime/fast_path.py`` on the CPU. Then it takes the general path.
"""
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Generic, ParamSpec

from simt.core.current_stream import captures
from simt.core.gpu.launch_extension import CallableLaunch, extension

if TYPE_CHECKING:
    from simt.core.copying_launch import CopyingLaunch
    from simt.core.device import Device
    from simt.core.general_launch import Prepared, Specialiser
    from simt.core.prepared_launch import PreparedLaunch
    from simt.core.runtime.configuration import Configuration, Three

P = ParamSpec("P")


class Launch(CallableLaunch, Generic[P]):
    """A kernel with grid, block and shared memory chosen: ``launch = kernel[grid, block]; launch(x, out)``.

    It runs where its arrays lie: on the CPU for NumPy's, on a GPU for arrays of that GPU, whichever library made them.
    On the CPU it returns when its grid has ended, and raises the ``DeviceFault`` of a failed thread itself; on a GPU it
    returns at once, and waiting for it raises. Threads of Python may call one ``Launch`` at the same time.
    """

    def __init__(self, kernel: Specialiser, configuration: Configuration) -> None:
        self._kernel = kernel
        self._configuration = configuration
        self._complete = kernel.declaration.positional_count  # of arguments that need no completion
        self._prepared: Prepared | None = None  # one value, so that threads never see half of a change

    @property
    def kernel(self) -> Specialiser:
        """What it launches."""
        return self._kernel

    @property
    def configuration(self) -> Configuration:
        """Grid, block, shared memory and stream."""
        return self._configuration

    def on(self, device: Device) -> CopyingLaunch[P]:
        """The same launch on ``device`` for arrays in host memory: they are copied there, and results back."""
        from simt.core.copying_launch import CopyingLaunch

        return CopyingLaunch(self, device)

    def prepare(self, *args: P.args, **kwargs: P.kwargs) -> PreparedLaunch:
        """The launch with these arguments, checked and compiled now, not started: ``run()`` launches it, as often as
        wanted, and ``replace(name=value)`` gives one with other arguments.

        Raises:
            LaunchError, CompileError: as a launch.
        """
        from simt.core.general_launch import record_launch
        from simt.core.prepared_launch import PreparedLaunch

        arguments = self._kernel.declaration.complete(args, kwargs)
        return PreparedLaunch(record_launch(self._kernel, self._configuration, arguments))

    def with_attributes(
        self, *, cooperative: bool = False, programmatic: bool = False,
        cluster: int | tuple[int, ...] | None = None, priority: int | None = None,
    ) -> Launch[P]:
        """The same launch, asking more of the device; see ``simt.core.runtime.launch_attributes``.

        Args:
            cooperative: all blocks run at the same time, so that they may wait for each other.
            programmatic: it may start before the launch before it has ended, for which the kernel must wait itself.
            cluster: blocks of a cluster along x, y, z.
            priority: as that of a stream.

        Raises:
            LaunchError: the grid and the cluster do not fit. What the device cannot do is refused by the launch.
        """
        from simt.core.runtime.launch_attributes import attributes_for

        bounds = self._kernel.declaration.bounds
        attributes = attributes_for(self._configuration, bounds, cooperative, programmatic, cluster, priority)
        return Launch(self._kernel, replace(self._configuration, attributes=attributes, elements=None))

    @property
    def grid(self) -> Three:
        """Blocks along x, y, z: of ``for_elements`` those of the last launch, and before it those of the CPU."""
        return self._used.grid

    @property
    def block(self) -> Three:
        """Threads of a block along x, y, z: of ``for_elements`` as ``grid``, since a GPU chooses them by occupancy."""
        return self._used.block

    @property
    def _used(self) -> Configuration:
        return self._configuration if self._prepared is None else self._prepared.configuration

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a block."""
        return self._configuration.shared_bytes

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
            """Check the arguments and run the kernel on them. Raises as ``call_generally``."""

    def call_generally(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Check the arguments and run the kernel on them: what a call does that the compiled path does not take.

        Raises:
            LaunchError: an argument does not fit; ``argument`` names it.
            CompileError: the kernel cannot be compiled for these arguments.
            DeviceFault: a thread failed.
        """
        arguments = args
        if kwargs or len(args) != self._complete:
            arguments = self._kernel.declaration.complete(args, kwargs)
        prepared = self._prepared
        if captures or prepared is None or not prepared[0](prepared[1], *arguments):
            from simt.core.general_launch import launch_generally

            self._prepared = prepared = launch_generally(self._kernel, self._configuration, arguments)
            if prepared.launcher is not None:
                self.use_launcher(prepared.launcher, captures)

    if extension is None:
        __call__ = call_generally

    def __repr__(self) -> str:
        return f"<launch of {self._kernel.declaration.name}, grid {self.grid}, block {self.block}>"
