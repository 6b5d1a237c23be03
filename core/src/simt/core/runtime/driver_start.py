"""Why the CUDA driver does not start, in words that say what to do."""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/dev")
_REASONS = {
    "CUDA_ERROR_INSUFFICIENT_DRIVER": "the NVIDIA driver is older than the installed cuda.bindings; install a newer "
                                      "driver, or the [cu12] extra",
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": "the kernel module and libcuda are of different driver versions; restart the "
                                         "machine after the driver's update",
    "CUDA_ERROR_SYSTEM_NOT_READY": "the fabric manager of this machine's GPUs is not running; start "
                                   "nvidia-fabricmanager",
    "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE": "the forward-compatibility libcuda does not serve this GPU; take it "
                                                 "out of the search path",
    "CUDA_ERROR_MPS_SERVER_NOT_READY": "the MPS server is not ready; start it, or unset CUDA_MPS_PIPE_DIRECTORY",
}


@dataclass(frozen=True, slots=True)
class DeviceFiles:
    """The files through which the driver reaches GPUs: those that are there, and those that this user may not open."""

    present: tuple[str, ...]
    forbidden: tuple[str, ...]


def device_files(root: Path = ROOT) -> DeviceFiles:
    """``/dev/nvidia0`` and so on, ``/dev/nvidiactl`` and ``/dev/nvidia-uvm``. None on Windows."""
    names = ("nvidia[0-9]*", "nvidiactl", "nvidia-uvm")
    present = tuple(str(path) for name in names for path in sorted(root.glob(name)))
    return DeviceFiles(present, tuple(path for path in present if not os.access(path, os.R_OK | os.W_OK)))


def start_failure(status: str, root: Path = ROOT) -> str:
    """Why ``cuInit`` gave ``status``, and what helps."""
    return _REASONS.get(status) or _no_device(device_files(root))


def _no_device(files: DeviceFiles) -> str:
    """The causes of CUDA_ERROR_NO_DEVICE and of what the operating system refuses, from the surest on."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if files.forbidden:
        return (f"this user may not open {', '.join(files.forbidden)}: join the group that owns them, or pass the GPUs "
                "to the container")
    if not files.present:
        return ("there is no /dev/nvidia*: the machine has no NVIDIA GPU, the driver's kernel module is not loaded, or "
                "the container was started without GPUs (docker run --gpus all)")
    if visible is not None:
        return f"CUDA_VISIBLE_DEVICES={visible} names no GPU of this machine; unset it"
    if not any(path.endswith("nvidia-uvm") for path in files.present):
        return "there is no /dev/nvidia-uvm: run nvidia-modprobe -u, or pass it to the container"
    return "the driver finds no GPU: nvidia-smi says more; where MIG is enabled, an instance must be made first"
