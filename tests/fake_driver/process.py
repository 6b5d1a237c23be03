"""Programs for the fake GPU in processes of their own, so that the tests' own process has no GPU."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

INSTALL = "from tests.fake_driver import bridge, fake\nbridge.install()\n"


def run_with_fake_gpu(*parts: str, **environment: str) -> str:
    """Run a Python program, given in parts, with the fake driver as its CUDA driver; gives what it prints.

    ``bridge`` and ``fake`` are imported. Keywords are environment variables, such as ``SIMT_FAKE_DEVICES="2"``.

    Raises:
        AssertionError: the program failed; with its traceback.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.py")  # a file, since kernels are read from their source
        path.write_text(INSTALL + "".join(map(textwrap.dedent, parts)))
        root = str(Path(__file__).parents[2])
        variables = os.environ | environment | {"PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr
    return done.stdout
