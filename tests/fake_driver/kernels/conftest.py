"""Tests of simt's kernels on the fake driver. They need a process in which it is the driver."""
from __future__ import annotations

import os

if os.environ.get("SIMT_TEST_FAKE_GPU") != "1":
    collect_ignore_glob = ["test_*.py"]  # tests/fake_driver/test_processes.py runs them
