"""benchmarks/README.md from the results: a table a file of results, with the machine and the versions."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from benchmarks.measure import RESULTS

PAGE = Path(__file__).parent / "README.md"
Row = dict[str, Any]  # Any: what JSON holds; each table knows its own columns
HEAD = """<!-- Written by `make bench` from the files in results/. -->

# Benchmarks

`make bench` measures simt beside its peers in one run and writes this page; `python -m benchmarks gpu_codegen` does so
for what needs a GPU and nvcc. Figures are medians; the systems take turns, so that a change of the machine's speed
meets all of them. Every result is compared with NumPy's before it is timed. The kernels are in `benchmarks/kernels/`
and, for GPUs, `benchmarks/gpu_kernels/`, each file with all its versions side by side.
"""


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    lines = ["| " + " | ".join(headings) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def cpu_target(rows: list[Row]) -> str:
    """Times of all systems and the ratio to the faster peer."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        peers = [row[f"{name}_ms"] for name in ("numba", "pocl") if f"{name}_ms" in row]
        ratio = f"{min(peers) / row['simt_ms']:.2f} x" if peers else ""
        shown = [
            f"{row[f'{name}_ms']:.3f}" if f"{name}_ms" in row else row.get(f"{name}_why_not", "")
            for name in ("simt", "simt_checked", "numba", "pocl")
        ]
        lines.append((f"{row['kernel']} ({row['work']})", *shown, ratio))
    return (
        "## The CPU target\n\nMilliseconds a launch. *Faster than the best peer*: above 1 when simt without checks is "
        "faster. numba is `njit(parallel=True)`, without bounds checks; POCL runs OpenCL with the same grid and "
        "block.\n\n"
        + table(("kernel", "simt", "simt, checks on", "numba", "POCL", "faster than the best peer"), lines)
    )


def launch_cost(rows: list[Row]) -> str:
    text = "## A launch\n\nMicroseconds for one block of one thread, four arguments, simt with all its checks.\n\n"
    return text + table(("system", "us"), [(row["system"], f"{row['us']:.1f}") for row in rows])


def compile_times(rows: list[Row]) -> str:
    return "## Compilation of saxpy\n\nMilliseconds.\n\n" + table(
        ("step", "ms"), [(row["step"], f"{row['ms']:.2f}") for row in rows]
    )


def import_time(rows: list[Row]) -> str:
    return "## Import\n\nMilliseconds in a fresh interpreter; simt.core includes NumPy.\n\n" + table(
        ("import", "ms"), [(f"`{row['import']}`", f"{row['ms']:.0f}") for row in rows]
    )


def ptx_counts(rows: list[Row]) -> str:
    mean = geometric_mean([row["ratio"] for row in rows])
    lines = [(row["kernel"], str(row["simt"]), str(row["nvrtc"]), f"{row['ratio']:.2f}") for row in rows]
    lines.append(("geometric mean", "", "", f"{mean:.2f}"))
    return (
        "## PTX instructions\n\nFor sm_90: simt through libNVVM, and nvrtc from the same kernel in CUDA C++ with "
        "64-bit indices.\n\n" + table(("kernel", "simt", "nvrtc", "ratio"), lines)
    )


def gpu_launch(rows: list[Row]) -> str:
    """A column a number of arguments, a row a system, with the ratio to the floor."""
    counts = sorted({row["arguments"] for row in rows})
    found = {(row["system"], row["arguments"]): row for row in rows if "us" in row}
    lines: list[tuple[str, ...]] = []
    for system in dict.fromkeys(row["system"] for row in rows if "us" in row):
        cells = [found.get((system, count)) for count in counts]
        lines.append((system, *("" if row is None else f"{row['us']:.1f}" + (
            f" ({row['ratio']:.2f} x)" if "ratio" in row else "") for row in cells)))
    return (
        "## A launch on a GPU\n\nMicroseconds of host time for one launch of a kernel with that many arrays, simt with "
        "all its checks, and the ratio to a C loop over cuLaunchKernel in the same process.\n\n"
        + table(("system", *(f"{count} arguments" for count in counts)), lines)
    )


def gpu_codegen(rows: list[Row]) -> str:
    """Times, the ratio of times, and instructions and registers as simt / nvcc."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        share = f"{row['simt_share_of_copy']:.0%}" if "simt_share_of_copy" in row else ""
        pairs = [f"{row[f'simt_{name}']} / {row[f'nvcc_{name}']}" if f"simt_{name}" in row else ""
                 for name in ("ptx", "sass", "registers")]
        lines.append((
            f"{row['kernel']} ({row['work']})", f"{row['simt_ms']:.3f}", f"{row['nvcc_ms']:.3f}",
            f"{row['ratio']:.3f}", share, f"{row['checked_ratio']:.2f}", *pairs,
        ))
    for label, of in (("geometric mean", geometric_mean), ("worst", max)):
        ratio, checked = of([row["ratio"] for row in rows]), of([row["checked_ratio"] for row in rows])
        lines.append((label, "", "", f"{ratio:.3f}", "", f"{checked:.2f}", "", "", ""))
    return (
        "## Generated code on a GPU\n\nMilliseconds of GPU time, of simt without checks and of `nvcc -O3` from the "
        "same algorithm in CUDA C++ with the same grid and block (`benchmarks/gpu_kernels/`). *Share of a copy*: bytes "
        "that the work must move a second, against the driver's copy from device to device. *Checked*: with "
        "`checks=True` against without. The last three columns are simt / nvcc.\n\n"
        + table(("kernel", "simt", "nvcc", "simt / nvcc", "share of a copy", "checked", "PTX instructions",
                 "machine instructions", "registers"), lines)
    )


def bars(found: dict[str, list[Row]]) -> str:
    """What simt wants to reach, and where it stands."""
    lines: list[tuple[str, ...]] = []
    steps = {row["step"]: row["ms"] for row in found.get("compile_times", [])}
    if steps:
        cold = sum(steps[step] for step in COLD_STEPS)
        lines.append(("saxpy from Python to loaded machine code", "60 ms", f"{cold:.0f} ms"))
    imports = {row["import"]: row["ms"] for row in found.get("import_time", [])}
    if imports:
        lines.append(("`import simt.core`", "150 ms", f"{imports['simt.core']:.0f} ms"))
    launches = {row["system"]: row["us"] for row in found.get("launch_cost", [])}
    if launches:
        lines.append(("a launch on the CPU target", "10 us", f"{launches['simt']:.1f} us"))
    kernels = {row["kernel"]: row for row in found.get("cpu_target", [])}
    if kernels:
        reduce_ns = kernels["block_reduce"]["simt_ms"] * 1e6 / 2**20
        lines.append(("block reduce with 9 barriers, a thread", "2 ns", f"{reduce_ns:.1f} ns"))
    ratios = [row["ratio"] for row in found.get("ptx_counts", [])]
    if ratios:
        lines.append(("PTX instructions against nvrtc", "1.2 x", f"{geometric_mean(ratios):.2f} x"))
    gpu = found.get("gpu_codegen", [])
    if gpu:
        times = [row["ratio"] for row in gpu]
        lines.append(("GPU time against nvcc, geometric mean", "1.02 x", f"{geometric_mean(times):.3f} x"))
        lines.append(("GPU time against nvcc, the worst kernel", "1.10 x", f"{max(times):.3f} x"))
        checked = {row["kernel"]: row["checked_ratio"] for row in gpu}["naive_matmul"]
        lines.append(("GPU time of naive matmul with checks, against without", "1.25 x", f"{checked:.2f} x"))
    return "## Bars\n\n" + table(("what", "at most", "measured"), lines)


COLD_STEPS = (
    "read: Python to HIR", "check: HIR to TIR", "emit: TIR to LLVM IR", "LLVM: to machine code",
    "load: machine code into memory",
)
TABLES: dict[str, Callable[[list[Row]], str]] = {
    "cpu_target": cpu_target, "launch_cost": launch_cost, "compile_times": compile_times, "import_time": import_time,
    "ptx_counts": ptx_counts, "gpu_launch": gpu_launch, "gpu_codegen": gpu_codegen,
}


def write() -> None:
    """The page from every file of results that is there."""
    results = {
        name: json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
        for name in TABLES
        if (RESULTS / f"{name}.json").exists()
    }
    rows = {name: result["rows"] for name, result in results.items()}
    parts = [HEAD, bars(rows), *(TABLES[name](found) for name, found in rows.items())]
    machine: dict[str, str] = {}
    for result in results.values():
        machine |= result["machine"]
    parts.append("## Measured on\n\n" + "\n".join(f"- {key}: {value}" for key, value in machine.items()) + "\n")
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    write()
