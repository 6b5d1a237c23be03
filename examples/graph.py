"""Streams and graphs: launches captured once, replayed with other arguments, beside work in a second stream."""
import numpy as np

from simt.core import D2, In, InOut, Out, default_device, f32, i64, kernel
from simt.cuda_std import atomic, thread

STEPS, REPLAYS = 10, 5


@kernel
def smooth(x: In[f32], out: Out[f32], rate: f32):
    """Each inner element moves towards the mean of its neighbours."""
    i = thread.index_1d()
    if i < out.size:
        inside = 0 < i < out.size - 1
        out[i] = x[i] + rate * ((x[i - 1] + x[i + 1]) / 2 - x[i]) if inside else x[i]


@kernel
def count_positive(x: In[f32, D2], out: InOut[i64]):
    col, row = thread.index_2d()
    if row < x.shape[0] and col < x.shape[1] and x[row, col] > 0:
        atomic.add(out, 0, 1)


def smoothed(x: np.ndarray, rate: float, steps: int) -> np.ndarray:
    """What ``smooth`` computes, in double precision."""
    x = x.astype(np.float64)
    for _ in range(steps):
        x[1:-1] += rate * ((x[:-2] + x[2:]) / 2 - x[1:-1])
    return x


rng = np.random.default_rng(0)
line, field = rng.random(10_000, np.float32), rng.standard_normal((300, 400), np.float32)
device = default_device()
first, second = device.stream(), device.stream()
finished: list[str] = []

with first:  # copies, fills and launches of this thread go to this stream
    now, after = device.array(line), device.empty(line.size, f32)
with first.capture() as graph:  # nothing runs in here
    for _ in range(STEPS // 2):
        smooth.for_elements(line.size)(now, after, 0.5)
        smooth.for_elements(line.size)(after, now, 0.5)
replay = graph.instantiate()

start = first.record()
for _ in range(REPLAYS):
    replay.launch(first)  # ten launches for the cost of one
replay.update(smooth, rate=0.25).launch(first)
end = first.record()

with second:  # runs beside the first stream
    values, positive = device.array(field), device.zeros(1, i64)
    count_positive.for_elements(field.shape)(values, positive)
second.call(lambda: finished.append("counted")).synchronize()

first.wait(second)  # what follows in the first stream comes after both
first.call(lambda: finished.append("smoothed"))
end.synchronize()
seconds = start.elapsed(end)
first.synchronize()

expected = smoothed(smoothed(line, 0.5, REPLAYS * STEPS), 0.25, STEPS)
with first:
    error = np.abs(now.numpy() - expected).max()
print(device.name, f"{(REPLAYS + 1) * STEPS} launches in {1e3 * seconds:.2f} ms, largest error {error:.1e}")
assert error < 1e-5
assert positive.numpy()[0] == (field > 0).sum()
assert finished == ["counted", "smoothed"]
