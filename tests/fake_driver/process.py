"""Programs for the fake GPU in processes of their own, so that the tests' own process has no GPU."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

INSTALL = "from tests.fake_driver import bridge, fake\nbridge.install()\n"
SUITE_ONLY = ("SIMT_TEST_DEVICE", "SIMT_TEST_STATUS", "SIMT_DEVICE", "SIMT_CHECKS")  # for the tests' own process
LOAD = "from tests.fake_driver import fake\nfake.load()\n"


def run_with_fake_gpu(*parts: str, **environment: str) -> str:
    """Run a Python program, given in parts, with the fake driver as its CUDA driver; gives what it prints.

    ``bridge`` and ``fake`` are imported. Keywords are environment variables, such as ``SIMT_FAKE_DEVICES="2"``.

    Raises:
        AssertionError: the program failed; with its traceback.
    """
    return _run(INSTALL, parts, environment)


def run_without_simt(*parts: str, **environment: str) -> str:
    """As ``run_with_fake_gpu``, for programs that call the driver themselves; ``fake`` is imported."""
    return _run(LOAD, parts, environment)


def inherited() -> dict[str, str]:
    """The environment for a process with the fake driver."""
    return {name: value for name, value in os.environ.items() if name not in SUITE_ONLY}


def _run(start: str, parts: tuple[str, ...], environment: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.py")  # a file, since kernels are read from their source
        path.write_text(start + "".join(map(textwrap.dedent, parts)))
        root = str(Path(__file__).parents[2])
        variables = inherited() | environment | {"PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr
    return done.stdout
