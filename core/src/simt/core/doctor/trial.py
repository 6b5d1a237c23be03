"""Compiles a small kernel anew and launches it, to see whether that works on a device."""
from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

from simt.core.annotations import In, Out
from simt.core.device import Device
from simt.core.doctor.finding import Finding, State
from simt.core.errors import SimtError
from simt.core.kernel import kernel
from simt.core.scalars import i32


@kernel
def trial(x: In[i32], out: Out[i32]) -> None:
    """One thread copies an array, each element plus one."""
    for i in range(out.size):
        out[i] = x[i] + 1


def try_kernel(section: str, device: Device) -> Finding:
    """Whether a kernel compiles for ``device``, runs there, and gives the right numbers."""
    host = np.arange(100, dtype=np.int32)
    start = time.perf_counter()
    try:
        with _without_cache():
            out = device.zeros(100, i32)
            trial.with_options(opt=0)[1, 1](device.array(host), out)
            result = out.numpy()
    except SimtError as error:
        return Finding(section, "kernel", State.PROBLEM, f"does not run on {device.name}: {error}")
    spent = (time.perf_counter() - start) * 1e3
    if (result != host + 1).any():
        return Finding(section, "kernel", State.PROBLEM, f"gave wrong numbers on {device.name}")
    return Finding(section, "kernel", State.OK, f"compiled and ran on {device.name} in {spent:.0f} ms")


@contextmanager
def _without_cache() -> Generator[None]:
    """What the disk cache holds says nothing about the compiler."""
    before = os.environ.get("SIMT_CACHE_DIR")
    os.environ["SIMT_CACHE_DIR"] = ""
    try:
        yield
    finally:
        if before is None:
            del os.environ["SIMT_CACHE_DIR"]
        else:
            os.environ["SIMT_CACHE_DIR"] = before
