"""How much a JPEG copy differs from its photograph: every step a kernel, every result held against NumPy or SciPy.

Run it with ``make demo``. Where there is a GPU, everything runs on the CPU and on the GPU, side by side;
``SIMT_DEVICE=cpu`` leaves the GPU alone. It writes out/ssim.png.
"""
from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from demo import oracle, pictures
from demo.comparison import Comparison
from simt.core import CpuDevice, Device, default_device

REPEATS = 20
OUTPUT = Path("out/ssim.png")


@dataclass(frozen=True)
class Row:
    """One line of the table. ``allowed`` bounds ``error``, both in the unit of the quantity."""

    what: str
    first_ms: float
    median_ms: float
    against: str
    error: float
    allowed: float


def measured(compared: Comparison, original: NDArray[np.uint8], copy: NDArray[np.uint8]) -> Iterator[Row]:
    """Runs each step, times it, and computes its result again in double precision on the host."""
    x, y = oracle.grey(original), oracle.grey(copy)

    def timed(work: Callable[[], object]) -> tuple[float, float]:
        """Milliseconds of the first run, which compiles or loads, and the median of the next ``REPEATS``."""
        times: list[float] = []
        for _ in range(REPEATS + 1):
            start = time.perf_counter()
            work()
            compared.device.synchronize()
            times.append(1e3 * (time.perf_counter() - start))
        return times[0], statistics.median(times[1:])

    def largest_difference(ours: NDArray[np.float32], expected: NDArray[np.float64]) -> float:
        return float(np.abs(ours - expected).max())

    times = timed(compared.to_grey)
    error = max(largest_difference(compared.grey[0].numpy(), x), largest_difference(compared.grey[1].numpy(), y))
    yield Row("grey values of both", *times, "NumPy", error, 1e-4)

    times = timed(compared.blur_original)
    error = largest_difference(compared.means[0].numpy(), oracle.blur(x))
    yield Row("Gaussian blur, 11 x 11", *times, "SciPy", error, 2e-4)

    times = timed(compared.similarity)
    expected = oracle.similarity(x, y)
    yield Row("SSIM map", *times, "SciPy", largest_difference(compared.map.numpy(), expected), 2e-3)

    times = timed(compared.peak_ratio)
    expected_ratio = oracle.peak_ratio(float(((x - y) ** 2).sum()), x.size)
    yield Row("PSNR by reduction", *times, "NumPy", abs(compared.peak_ratio() - expected_ratio), 1e-5)

    times = timed(compared.mean_similarity)
    yield Row("mean SSIM by reduction", *times, "SciPy", abs(compared.mean_similarity() - float(expected.mean())), 1e-5)


def table_of(rows: list[Row], target: str, title: str) -> Table:
    """The rows under ``title``, narrow enough for a terminal of 80 columns."""
    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for heading in ("what", "target", "checked\nagainst"):
        table.add_column(heading, no_wrap=True)
    for heading in ("largest\nerror", "allowed", "first run", "median"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row.what, target, row.against, f"{row.error:.1e}", f"{row.allowed:.0e}", f"{row.first_ms:.1f} ms",
            f"{row.median_ms:.2f} ms",
        )
    return table


def table_of_both(cpu: list[Row], gpu: list[Row], title: str) -> Table:
    """The medians and errors of two devices beside each other, for a terminal of 80 columns."""
    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for heading in ("what", "checked\nagainst"):
        table.add_column(heading, no_wrap=True)
    for heading in ("allowed\nerror", "CPU\nerror", "GPU\nerror", "CPU\nmedian", "GPU\nmedian"):
        table.add_column(heading, justify="right", no_wrap=True)
    for on_cpu, on_gpu in zip(cpu, gpu, strict=True):
        table.add_row(
            on_cpu.what, on_cpu.against, f"{on_cpu.allowed:.0e}", f"{on_cpu.error:.1e}", f"{on_gpu.error:.1e}",
            f"{on_cpu.median_ms:.2f} ms", f"{on_gpu.median_ms:.3f} ms",
        )
    return table


def devices() -> list[Device]:
    """The default device; a GPU comes second, after the CPU."""
    chosen = default_device()
    return [chosen] if isinstance(chosen, CpuDevice) else [CpuDevice(), chosen]


def main() -> None:
    console = Console()
    original = pictures.photograph()
    copy, file_bytes = pictures.recompressed(original)
    comparisons = [Comparison(device, original, copy) for device in devices()]
    tables: list[list[Row]] = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for compared in comparisons:
            steps = progress.track(measured(compared, original, copy), total=5, description="compile, run, check")
            tables.append(list(steps))

    compared = comparisons[-1]
    title = f"A photograph of {compared.width} x {compared.height} and its JPEG copy of {file_bytes // 1024} KiB"
    target, shown = compared.device.name.partition(" ")[0], (tables[0], tables[-1])
    console.print(table_of_both(*shown, title) if len(tables) == 2 else table_of(tables[0], target, title))
    console.print(f"on {' and '.join(each.device.name for each in comparisons)}")
    figures = f"PSNR {compared.peak_ratio():.2f} dB, mean SSIM {compared.mean_similarity():.4f}"
    pictures.save_comparison(OUTPUT, original, copy, compared.map.numpy(), figures)
    console.print(f"{figures}; the map is in {OUTPUT}")
    wrong = [
        f"{row.what} on {each.device.name}"
        for each, rows in zip(comparisons, tables, strict=True) for row in rows if not row.error <= row.allowed
    ]
    if wrong:
        raise SystemExit(f"farther from the host's result than allowed: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
