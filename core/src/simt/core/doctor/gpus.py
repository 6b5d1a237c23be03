"""The NVIDIA driver and its GPUs: what is there, whether this user may use it, and whether a kernel runs."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from simt.core.doctor.finding import Finding, State
from simt.core.doctor.toolchain import ptx_version
from simt.core.doctor.trial import try_kernel
from simt.core.errors import SimtError, UnavailableError
from simt.core.gpu.device import GpuDevice, gpu
from simt.core.gpu.launch_extension import extension, reason
from simt.core.gpu.ptx_version import driver_version, version_of_cuda
from simt.core.runtime.cuda_driver import LIBRARY, bindings, cu, driver
from simt.core.runtime.driver_start import device_files

SECTION = "gpu"
VARIABLES = ("SIMT_DEVICE", "SIMT_CHECKS", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MPS_PIPE_DIRECTORY")
MODES = {2: "compute mode prohibited: no process may use it", 3: "exclusive: one process at a time"}
KERNEL_MODULE = Path("/proc/driver/nvidia/version")


def is_expected() -> bool:
    """Whether this machine looks as if it had a GPU, or somebody asks for one."""
    wanted = os.environ.get("SIMT_DEVICE", "").strip().lower()
    return bool(device_files().present) or KERNEL_MODULE.exists() or wanted.startswith(("gpu", "cuda"))


def findings() -> Iterator[Finding]:
    """Everything of this file."""
    for name in VARIABLES:
        if name in os.environ:
            yield Finding("environment", name, State.OK, repr(os.environ[name]))
    yield _device_files()
    try:
        driver()
    except UnavailableError as error:
        yield Finding(SECTION, "driver", State.PROBLEM if is_expected() else State.ABSENT, str(error))
        return
    yield _driver()
    yield _launch_path()
    for ordinal in range(int(cu("cuDeviceGetCount"))):
        yield from _gpu(ordinal)


def _device_files() -> Finding:
    found = device_files()
    if not found.present:
        return Finding(SECTION, "device files", State.ABSENT, "there is no /dev/nvidia*")
    if found.forbidden:
        return Finding(SECTION, "device files", State.PROBLEM, f"this user may not open {', '.join(found.forbidden)}")
    return Finding(SECTION, "device files", State.OK, ", ".join(found.present))


def _driver() -> Finding:
    cuda = driver_version()
    text = f"{LIBRARY} of CUDA {cuda[0]}.{cuda[1]}"
    if KERNEL_MODULE.exists():
        text += f", {KERNEL_MODULE.read_text().splitlines()[0].strip()}"
    of_bindings = int(bindings().CUDA_VERSION) // 1000
    if cuda[0] < of_bindings:
        return Finding(SECTION, "driver", State.PROBLEM,
                       f"{text}, and cuda.bindings are of CUDA {of_bindings}: install a newer driver or "
                       f"simt-core[cu{cuda[0]}]")
    read, written = version_of_cuda(*cuda), ptx_version()
    text += f", reads PTX up to {read[0]}.{read[1]}"
    if written is not None and written > read:
        text += f"; libNVVM writes {written[0]}.{written[1]}, which nvJitLink assembles"
    return Finding(SECTION, "driver", State.OK, text)


def _launch_path() -> Finding:
    if extension is None:
        return Finding(SECTION, "launch path", State.OK,
                       f"plain Python, as the compiled one is not built ({reason}): "
                       "python -m simt.core.gpu.build_extension builds it")
    return Finding(SECTION, "launch path", State.OK, f"compiled, {extension.__file__}")


def _gpu(ordinal: int) -> Iterator[Finding]:
    try:
        device = gpu(ordinal)
        yield Finding(SECTION, f"GPU {ordinal}", State.OK, _described(device))
    except SimtError as error:
        yield Finding(SECTION, f"GPU {ordinal}", State.PROBLEM, str(error))
        return
    yield try_kernel(f"GPU {ordinal}", device)


def _described(device: GpuDevice) -> str:
    major, minor = device.compute_capability
    parts = [
        device.short_name, f"compute capability {major}.{minor}, compiled for as {device.architecture.sm}",
        f"{device.free_memory / 2**30:.1f} of {device.total_memory / 2**30:.1f} GiB free",
        f"{device.attribute('MULTIPROCESSOR_COUNT')} multiprocessors", device.uuid,
    ]
    if "MIG" in device.short_name:
        parts.append("an instance of MIG, of which a process uses one")
    mode = device.attribute("COMPUTE_MODE")
    if mode in MODES:
        parts.append(MODES[mode])
    return ", ".join(parts)
