"""``make bench``, or ``python -m benchmarks [NAME ...]`` for some: measures, then writes benchmarks/README.md."""
from __future__ import annotations

import sys

from benchmarks import compile_times, cpu_target, import_time, launch_cost, ptx_counts, report

PROGRAMS = {
    "import_time": import_time.run, "compile_times": compile_times.run, "launch_cost": launch_cost.run,
    "cpu_target": cpu_target.run, "ptx_counts": ptx_counts.run,
}


def main(names: list[str]) -> None:
    for name in names or PROGRAMS:
        print(f"-- {name}", flush=True)
        PROGRAMS[name]()
    report.write()


if __name__ == "__main__":
    main(sys.argv[1:])
