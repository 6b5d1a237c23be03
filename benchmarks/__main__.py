"""``make bench``, or ``python -m benchmarks [NAME ...]`` for some: measures, then writes benchmarks/README.md.

Those that need a GPU run only when they are named; their results stay in the page.
"""
from __future__ import annotations

import importlib
import sys

from benchmarks import report

PROGRAMS = ("import_time", "compile_times", "launch_cost", "cpu_target", "ptx_counts")
GPU_PROGRAMS = ("gpu_launch", "gpu_codegen")


def main(names: list[str]) -> None:
    if unknown := set(names) - {*PROGRAMS, *GPU_PROGRAMS}:
        sys.exit(f"no program {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS + GPU_PROGRAMS)}")
    for name in names or PROGRAMS:
        print(f"-- {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").run()  # only now: each needs packages that others do not
    report.write()


if __name__ == "__main__":
    main(sys.argv[1:])
