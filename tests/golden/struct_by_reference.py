# golden: tir, nvvm
from simt.core import InOut, f32, kernel, struct
from simt.cuda_std import thread


@struct
class Body:
    x: f32
    speed: f32


def advance(body: Body, dt: f32):
    body.x += dt * body.speed


@kernel(checks=False)
def move(bodies: InOut[Body], dt: f32):
    i = thread.index_1d()
    mine = bodies[i]
    advance(mine, dt)
    bodies[i] = mine
    advance(bodies[i + 1], 2 * dt)

# PTX sm_90: fma.rn.f32
