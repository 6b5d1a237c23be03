"""Structs as arguments, as array elements and in device functions; the layout is C's, on the host and on the device."""
import numpy as np

from simt.core import InOut, default_device, f32, kernel, struct
from simt.cuda_std import thread


@struct
class Body:
    x: f32
    y: f32
    speed_x: f32
    speed_y: f32


@struct
class Box:
    width: f32
    height: f32
    damping: f32


def bounce(position: f32, speed: f32, limit: f32, damping: f32) -> tuple[f32, f32]:
    if position < 0:
        return -position, -speed * damping
    if position > limit:
        return 2 * limit - position, -speed * damping
    return position, speed


@kernel
def move(bodies: InOut[Body], box: Box, dt: f32):
    i = thread.index_1d()
    if i < bodies.size:
        body = bodies[i]
        body.x, body.speed_x = bounce(body.x + dt * body.speed_x, body.speed_x, box.width, box.damping)
        body.y, body.speed_y = bounce(body.y + dt * body.speed_y, body.speed_y, box.height, box.damping)
        bodies[i] = body


rng = np.random.default_rng(5)
start = np.zeros(10_000, dtype=[("x", "f4"), ("y", "f4"), ("speed_x", "f4"), ("speed_y", "f4")])
for field, low, high in (("x", 0, 4), ("y", 0, 3), ("speed_x", -1, 1), ("speed_y", -1, 1)):
    start[field] = rng.uniform(low, high, start.size)

device = default_device()
bodies = device.array(start)
for _ in range(100):
    move.for_elements(start.size)(bodies, Box(4.0, 3.0, 0.5), 0.1)

after = bodies.numpy()
inside = (after["x"] >= 0) & (after["x"] <= 4) & (after["y"] >= 0) & (after["y"] <= 3)
free = (after["speed_x"] == start["speed_x"]) & inside
drift = np.abs(after["x"] - start["x"] - 10 * start["speed_x"])[free].max()
print(device.name, f"{inside.mean():.0%} inside the box, largest drift of a free body {drift:.1e}")
assert inside.all() and drift < 1e-4
