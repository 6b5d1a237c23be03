"""What a spawned process of test_processes.py runs."""
from __future__ import annotations

import numpy as np

from simt.core.gpu.device import gpu
from tests.core.gpu.kernels import increment


def work(by):
    """The sum of a thousand elements of ``by``."""
    x = gpu().zeros(1000, np.float32)
    increment.for_elements(1000)(x, by)
    return float(x.numpy().sum())
