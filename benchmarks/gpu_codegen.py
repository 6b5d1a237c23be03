"""GPU time of generated code against nvcc -O3 on the same kernels, with and without checks.

Needs a GPU and the CUDA toolkit.
"""
from __future__ import annotations

import datetime
import platform
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.gpu_case import GpuCase
from benchmarks.gpu_kernels import MODULES, gpu_case
from benchmarks.gpu_timing import gpu_medians
from benchmarks.instructions import ptx_count, sass_count
from benchmarks.measure import save, versions
from benchmarks.nvcc import Built, build, nvcc_version
from simt.core import i32
from simt.core.errors import UnavailableError
from simt.core.gpu.array import GpuArray
from simt.core.gpu.device import GpuDevice, gpu
from simt.core.gpu.module import load_module
from simt.core.gpu.ptx_version import driver_version

Call = Callable[[], object]


@dataclass(frozen=True)
class OnGpu:
    """The arguments of a case, arrays on the GPU."""

    arguments: tuple[object, ...]
    output: GpuArray


def placed(case: GpuCase, device: GpuDevice) -> OnGpu:
    """The arguments copied to a device."""
    arguments = tuple(device.array(each) if isinstance(each, np.ndarray) else each for each in case.arguments)
    output = arguments[case.output]
    assert isinstance(output, GpuArray)
    return OnGpu(arguments, output)


def simt_calls(case: GpuCase, data: OnGpu) -> dict[str, Call]:
    """The kernel of the language, without checks and with them."""
    plain = case.kernel.with_options(checks=False)[case.grid, case.block]
    checked = case.kernel.with_options(checks=True)[case.grid, case.block]
    return {"simt": lambda: plain(*data.arguments), "simt_checked": lambda: checked(*data.arguments)}


def nvcc_call(case: GpuCase, data: OnGpu, device: GpuDevice, built: Built) -> tuple[Call, int]:
    """The kernel in CUDA C++, and its registers."""
    declared = [parameter.annotation for parameter in case.kernel.declaration.parameters]
    kernel = load_module(device, built.cubin).kernel(case.name, (*declared, *(i32 for _ in case.sizes)))
    launch = kernel[case.grid, case.block]
    return lambda: launch(*data.arguments, *case.sizes), kernel.executable.attribute("NUM_REGS")


def checked_times(case: GpuCase, data: OnGpu, device: GpuDevice, calls: dict[str, Call]) -> dict[str, float]:
    """Median milliseconds of each, after its result was compared with NumPy's.

    Raises:
        AssertionError: a result is wrong.
    """
    for name, call in calls.items():
        data.output.fill(0)
        call()
        case.check(data.output.numpy(), name)
    return {name: 1000 * time for name, time in gpu_medians(device.default_stream, calls).items()}


def code_figures(case: GpuCase, built: Built, architecture: str) -> dict[str, object]:
    """Instructions and registers of both compilers."""
    compiled = case.kernel.with_options(checks=False).compile(*case.arguments, target=architecture)
    assert compiled.ptx is not None and compiled.cubin is not None
    figures: dict[str, object] = {
        "simt_ptx": ptx_count(compiled.ptx), "nvcc_ptx": ptx_count(built.ptx),
        "simt_registers": compiled.resources.registers,
    }
    try:
        return figures | {"simt_sass": sass_count(compiled.cubin), "nvcc_sass": sass_count(built.cubin)}
    except UnavailableError as error:
        return figures | {"sass_why_not": str(error)}


def copy_rate(device: GpuDevice) -> float:
    """Bytes read and written in a millisecond by the driver's own copy of 128 MiB."""
    source, target = device.zeros(1 << 25, np.float32), device.empty(1 << 25, np.float32)
    time = gpu_medians(device.default_stream, {"copy": lambda: target.copy_from(source)})["copy"]
    return 2 * 4 * (1 << 25) / (1000 * time)


def measured(case: GpuCase, device: GpuDevice, rate: float) -> dict[str, object]:
    """A row of results. ``rate``: of a copy, bytes a millisecond."""
    architecture = str(device.target)
    built, data = build(case.cuda, architecture), placed(case, device)
    nvcc, registers = nvcc_call(case, data, device, built)
    times = checked_times(case, data, device, simt_calls(case, data) | {"nvcc": nvcc})
    row: dict[str, object] = {"kernel": case.name, "work": case.work}
    row |= {f"{name}_ms": time for name, time in times.items()}
    row |= {"ratio": times["simt"] / times["nvcc"], "checked_ratio": times["simt_checked"] / times["simt"]}
    if case.moved_bytes:
        row |= {f"{name}_share_of_copy": case.moved_bytes / times[name] / rate for name in ("simt", "nvcc")}
    return row | code_figures(case, built, architecture) | {"nvcc_registers": registers}


def machine(device: GpuDevice) -> dict[str, str]:
    """Keys differ from those of the figures taken without a GPU, which may come from another machine."""
    return {
        "GPU": f"{device.short_name}, {device.target}",
        "GPU's driver": "CUDA {}.{}".format(*driver_version()),
        "GPU's compilers": ", ".join([f"nvcc {nvcc_version()}", *(f"{k} {v}" for k, v in versions().items())]),
        "GPU's Python": platform.python_version(),
        "GPU's date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
    }


def run() -> None:
    device = gpu()
    rate = copy_rate(device)
    print(f"{device.name}: a copy moves {rate / 1e9:.2f} TB/s", flush=True)
    rows: list[dict[str, object]] = []
    for name in MODULES:
        row = measured(gpu_case(name), device, rate)
        rows.append(row)
        print(name, *(f"{key}={value:.3f}" for key, value in row.items() if isinstance(value, float)), flush=True)
    save("gpu_codegen", rows, machine(device))


if __name__ == "__main__":
    run()
