"""Test folders that need the fake driver run in a process each, so that no other test sees a GPU."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fake_driver.process import inherited

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/fake_driver/calls", "tests/fake_driver/kernels", "tests/core/gpu")


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_folder_passes_on_the_fake_driver(folder):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    variables = inherited() | {"SIMT_TEST_FAKE_GPU": "1"}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
