"""CUDA C++ through nvcc, whose code ours is compared with."""
from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from simt.core.errors import UnavailableError
from simt.core.nvvm.link import find_tool

FOLDER = "/usr/local/cuda/bin"  # where toolkits are installed, often without being on the search path


@dataclass(frozen=True)
class Built:
    """One source file, compiled for one architecture."""

    ptx: str
    cubin: bytes


def toolkit_program(name: str) -> str | None:
    """The path of a program of the CUDA toolkit, or None."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), FOLDER])) or find_tool(name)


@functools.cache
def nvcc() -> str:
    """The path of nvcc.

    Raises:
        UnavailableError: it is not installed.
    """
    found = toolkit_program("nvcc")
    if found is None:
        raise UnavailableError(f"nvcc is neither on the search path nor in {FOLDER}; install the CUDA toolkit")
    return found


def nvcc_version() -> str:
    """Such as ``13.0.88``."""
    text = subprocess.run([nvcc(), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\bV([\d.]+)", text)
    assert found is not None, text
    return found[1]


def build(source: str, architecture: str) -> Built:
    """Compile CUDA C++ with ``nvcc -O3`` for an architecture such as ``"sm_90"``.

    Raises:
        AssertionError: nvcc refuses it; with its messages.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cu")
        path.write_text(source)
        for kind in ("ptx", "cubin"):
            command = [nvcc(), "-O3", f"-arch={architecture}", f"-{kind}", "-o", f"{folder}/kernel.{kind}", str(path)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        return Built(Path(folder, "kernel.ptx").read_text(), Path(folder, "kernel.cubin").read_bytes())
