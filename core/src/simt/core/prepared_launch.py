"""``PreparedLaunch``: a launch with its arguments, checked and packed once, to be repeated."""
from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from simt.core.runtime.memory import memory_of

if TYPE_CHECKING:
    from simt.core.device import Device, Run
    from simt.core.recorded_launch import RecordedLaunch
    from simt.core.runtime.configuration import Three


class PreparedLaunch:
    """What ``launch.prepare(...)`` gives. ``run()``, or a call, launches it again, in the stream then current.

    It keeps its arrays alive and reads their contents at each run. Whether an array was freed, and whether a captured
    value of the kernel has changed, is looked at in every run; everything else was checked once. Threads may share it.
    """

    def __init__(self, recorded: RecordedLaunch) -> None:
        self._ready = _ready(recorded)  # one value, so that threads never see half of a change
        self._freeable = tuple((name, item.owner) for name, item in recorded.located if hasattr(item.owner, "is_freed"))

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments by parameter, those left to their defaults included."""
        recorded = self._ready[0]
        return dict(zip(recorded.kernel.declaration.names, recorded.arguments, strict=True))

    @property
    def device(self) -> Device:
        """Where it runs."""
        return self._ready[0].device

    @property
    def grid(self) -> Three:
        """Blocks along x, y, z."""
        recorded = self._ready[0]
        return recorded.specialisation.executable.chosen(recorded.configuration).grid

    @property
    def block(self) -> Three:
        """Threads of a block along x, y, z."""
        recorded = self._ready[0]
        return recorded.specialisation.executable.chosen(recorded.configuration).block

    def run(self) -> None:
        """Launch: on a GPU it returns at once, on the CPU when the grid has ended.

        Raises:
            LaunchError: one of the arrays was freed.
            CompileError: a captured value has changed, and the kernel cannot be compiled with it.
            DeviceFault: a thread failed, on the CPU.
        """
        for name, owner in self._freeable:
            if cast("_Freeable", owner).is_freed:
                memory_of(owner, name)  # raises, and says how it was freed
        recorded, run = self._ready
        if recorded.specialisation.changed():
            recorded, run = self._ready = _ready(recorded.replaced({}))
        recorded.device.start(run, recorded, recorded.located)

    __call__ = run

    def replace(self, **arguments: object) -> PreparedLaunch:
        """The same launch with other values for the named arguments, checked as a launch; this one stays as it is.

        Raises:
            LaunchError: no such parameter, or a value does not fit.
        """
        return PreparedLaunch(self._ready[0].replaced(arguments))

    def __repr__(self) -> str:
        return f"<prepared launch of {self._ready[0].kernel.declaration.name}, grid {self.grid}, block {self.block}>"


class _Freeable(Protocol):
    """An array or image of a GPU."""

    @property
    def is_freed(self) -> bool: ...


def _ready(recorded: RecordedLaunch) -> tuple[RecordedLaunch, Run]:
    return recorded, recorded.specialisation.executable.prepare(recorded.configuration)
