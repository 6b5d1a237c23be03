"""Where a launch runs: where its arrays lie."""
from __future__ import annotations

from typing import TYPE_CHECKING

from simt.core.errors import LaunchError

if TYPE_CHECKING:
    from simt.core.runtime.memory import Located, Memory

HOST = -1  # the place of the CPU target; a GPU's place is its number


def common_place(located: list[Located]) -> int | None:
    """The place from which all arrays can be addressed; None where there are none.

    Pinned and managed memory goes with the others, and by itself to its GPU.

    Raises:
        LaunchError: no place reaches all; names an argument that lies elsewhere than the first.
    """
    fixed = [(name, memory, _only_place(memory)) for name, memory in located]
    found = [item for item in fixed if item[2] is not None]
    if not found:
        return next((memory.gpu for _, memory in located if memory.gpu is not None), None)
    first, first_memory, place = found[0]
    for name, memory, other in found[1:]:
        if other != place:
            on_host = name if other == HOST else first if place == HOST else None
            advice = f"write device.array({on_host})" if on_host else "copy one to the other's device"
            raise LaunchError(
                f"argument {name}: {memory.kind} lies {_where(other)}, and argument {first}, {first_memory.kind}, lies "
                f"{_where(place)}; a launch runs where all its arrays are: {advice}", argument=name,
            )
    return place


def _only_place(memory: Memory) -> int | None:
    """The one place that reaches the memory, or None where the host and GPUs do."""
    if memory.gpu is None:
        return HOST
    return None if memory.on_host else memory.gpu


def _where(place: int | None) -> str:
    return "in host memory" if place == HOST else f"on GPU {place}"
