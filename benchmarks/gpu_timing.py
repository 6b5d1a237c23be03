"""GPU time by events of one stream, systems in turns."""
from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise

from simt.core.gpu.stream import GpuStream

ROUNDS = 40
WARM_UP = 10  # rounds before those, in which caches fill and clocks rise


def gpu_medians(
    stream: GpuStream, systems: dict[str, Callable[[], object]], *, rounds: int = ROUNDS
) -> dict[str, float]:
    """Median seconds of GPU time of one call of each system, which starts work in ``stream`` and does not wait for it.

    All calls are queued before the first wait, so that the GPU never waits for the host where its work takes longer
    than a launch. The order changes from round to round, so that no system always follows the same one, and what one
    leaves in the caches is not always found by the same.
    """
    names = list(systems)
    order = [names[(place + turn) % len(names)] for turn in range(WARM_UP + rounds) for place in range(len(names))]
    events = [stream.record()]
    for name in order:
        systems[name]()
        events.append(stream.record())
    stream.synchronize()
    samples: dict[str, list[float]] = {name: [] for name in names}
    for name, (start, end) in zip(order, pairwise(events), strict=True):
        samples[name].append(start.elapsed(end))
    return {name: statistics.median(times[WARM_UP:]) for name, times in samples.items()}
