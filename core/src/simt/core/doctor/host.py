"""This process and machine apart from its GPUs: Python, packages, the CPU target, the cache of compiled kernels."""
from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from simt.core.cache import DEFAULT_LIMIT, SUFFIX, disk_cache
from simt.core.doctor.finding import Finding, State
from simt.core.doctor.trial import try_kernel
from simt.core.errors import SimtError
from simt.core.runtime.cpu_device import CpuDevice, available_threads

REQUIRED = ("simt-core", "numpy", "llvmlite", "cuda-pathfinder")
OPTIONAL = (
    "simt-cuda-std", "cuda-bindings", "nvidia-nvvm", "nvidia-nvjitlink", "nvidia-cuda-nvdisasm",
    "nvidia-cuda-nvcc-cu12", "nvidia-nvjitlink-cu12", "nvidia-nvtx", "torch", "cupy-cuda13x", "cupy-cuda12x", "jax",
)


def findings() -> Iterator[Finding]:
    """Everything of this file."""
    yield Finding("python", "version", State.OK, f"{platform.python_implementation()} {platform.python_version()}, "
                  f"{platform.platform()}, {sys.executable}")
    yield from _packages()
    yield from _cpu_target()
    yield _cache()


def _packages() -> Iterator[Finding]:
    for name in (*REQUIRED, *OPTIONAL):
        try:
            yield Finding("packages", name, State.OK, version(name))
        except PackageNotFoundError:
            if name == "simt-core":
                yield Finding("packages", name, State.OK, f"from its source, {Path(__file__).parents[3]}")
            elif name in REQUIRED:
                yield Finding("packages", name, State.PROBLEM, f"not installed: pip install {name}")


def _cpu_target() -> Iterator[Finding]:
    try:
        from simt.core.cpu.jit import compiler_name
    except ImportError as error:
        yield Finding("cpu target", "compiler", State.PROBLEM, f"llvmlite does not load: {error}")
        return
    yield Finding("cpu target", "compiler", State.OK, f"{compiler_name()}, {available_threads()} threads")
    yield try_kernel("cpu target", CpuDevice())


def _cache() -> Finding:
    """The folder of compiled kernels."""
    try:
        cache = disk_cache()
    except SimtError as error:
        return Finding("cache", "folder", State.PROBLEM, str(error))
    if cache is None:
        return Finding("cache", "folder", State.ABSENT, "SIMT_CACHE_DIR is set and empty: nothing is kept on disk")
    folder = cache.folder
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not os.access(existing, os.W_OK | os.X_OK):
        return Finding("cache", "folder", State.PROBLEM,
                       f"{folder} cannot be written by this user; SIMT_CACHE_DIR names another folder")
    if existing != folder:
        return Finding("cache", "folder", State.OK, f"{folder}, made when the first kernel is compiled")
    sizes = [item.stat().st_size for item in os.scandir(folder) if item.name.endswith(SUFFIX)]
    limit = f"{cache.limit / 1e6:.0f} MB" + ("" if cache.limit == DEFAULT_LIMIT else " as SIMT_CACHE_BYTES says")
    held = f"{len(sizes)} kernels in {sum(sizes) / 1e6:.1f} MB of at most {limit}"
    return Finding("cache", "folder", State.OK, f"{folder}, {held}")
