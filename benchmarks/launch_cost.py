"""Host time of one launch of one block, all argument checks included: one element, four arguments."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.cpu_target import simt_call
from benchmarks.kernels import saxpy
from benchmarks.measure import medians, save
from benchmarks.peers import numba_call, opencl_call


def run() -> None:
    a, x, y = np.float32(2.5), np.ones(1, np.float32), np.ones(1, np.float32)
    case = replace(
        saxpy.case(), arguments=(a, x, y, np.zeros(1, np.float32)), expected=a * x + y, grid=(1,), block=(1,),
        sizes=(1,),
    )
    calls = {"simt": simt_call(case, checks=True), "numba": numba_call(case), "pocl": opencl_call(case)}
    times = medians({name: call for name, call in calls.items() if call is not None})
    rows: list[dict[str, object]] = [{"system": name, "us": 1e6 * seconds} for name, seconds in times.items()]
    print(*rows, sep="\n")
    save("launch_cost", rows)


if __name__ == "__main__":
    run()
