"""A case prepared for numba and for POCL: a call that runs it once and waits, checked before it is timed."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyopencl as cl

from benchmarks.case import Array, Case


def numba_call(case: Case) -> Callable[[], None] | None:
    """The njit(parallel=True) function on copies of the arrays; None where numba cannot say it."""
    function = case.numba
    if function is None:
        return None
    arguments = [np.copy(a) if isinstance(a, np.ndarray) else a for a in case.arguments]
    output = arguments[case.output]
    assert isinstance(output, np.ndarray)

    def call() -> None:
        function(*arguments)

    call()
    case.check(output, "numba")
    return call


def opencl_call(case: Case) -> Callable[[], None] | None:
    """The OpenCL kernel on POCL's CPU device, same grid and block; None where OpenCL cannot say it."""
    if case.opencl is None:
        return None
    platform = next(p for p in cl.get_platforms() if p.name == "Portable Computing Language")
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context)
    kernel = cl.Kernel(cl.Program(context, case.opencl).build(), case.name)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    arguments: list[object] = [
        cl.Buffer(context, flags, hostbuf=a) if isinstance(a, np.ndarray) else a for a in case.arguments
    ]
    kernel.set_args(*arguments, *(np.int32(size) for size in case.sizes))
    extent = tuple(grid * block for grid, block in zip(case.grid, case.block, strict=True))

    def call(_keep_alive: list[object] = arguments) -> None:  # set_args holds no reference to the buffers
        cl.enqueue_nd_range_kernel(queue, kernel, extent, case.block)
        queue.finish()

    call()
    source = case.arguments[case.output]
    assert isinstance(source, np.ndarray)
    result: Array = np.empty_like(source)
    cl.enqueue_copy(queue, result, arguments[case.output])
    case.check(result, "POCL")
    return call
