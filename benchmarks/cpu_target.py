"""The CPU target against numba's parallel njit and POCL on the benchmark kernels, checks off and on."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.case import Case
from benchmarks.kernels import all_cases
from benchmarks.measure import medians, save
from benchmarks.peers import numba_call, opencl_call


def simt_call(case: Case, *, checks: bool) -> Callable[[], None]:
    """One launch on the CPU target, on copies of the arrays."""
    arguments = [np.copy(a) if isinstance(a, np.ndarray) else a for a in case.arguments]
    output = arguments[case.output]
    assert isinstance(output, np.ndarray)
    launch = case.kernel.with_options(checks=checks)[case.grid, case.block]

    def call() -> None:
        launch(*arguments)

    call()
    case.check(output, f"simt, checks={checks}")
    return call


def run() -> None:
    rows: list[dict[str, object]] = []
    for case in all_cases():
        calls = {
            "simt": simt_call(case, checks=False),
            "simt_checked": simt_call(case, checks=True),
            "numba": numba_call(case),
            "pocl": opencl_call(case),
        }
        times = medians({name: call for name, call in calls.items() if call is not None})
        row: dict[str, object] = {"kernel": case.name, "work": case.work}
        row |= {f"{name}_ms": 1e3 * seconds for name, seconds in times.items()}
        row |= {"numba_why_not": case.numba_why_not, "pocl_why_not": case.opencl_why_not}
        rows.append(row)
        print(case.name, {name: f"{1e3 * seconds:.3f} ms" for name, seconds in times.items()})
    save("cpu_target", rows)


if __name__ == "__main__":
    run()
