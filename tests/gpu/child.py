"""What another process does with the handles that it is sent."""
from __future__ import annotations

from simt.core.gpu import ipc
from simt.core.gpu.device import gpu


def add_one(handle: ipc.ArrayHandle, event: ipc.EventHandle) -> float:
    """Wait for the event, add one to every element in place; the sum afterwards."""
    array = ipc.open_array(handle)
    gpu().default_stream.wait(ipc.open_event(event))
    array.copy_from(array.numpy() + 1)
    total = float(array.numpy().sum())
    array.free()
    return total
