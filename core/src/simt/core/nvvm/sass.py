"""Machine instructions of a cubin as text."""
from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from simt.core.errors import InternalCompilerError, UnavailableError
from simt.core.nvvm.link import find_tool


def disassemble(image: bytes) -> str:
    """The SASS of a cubin.

    Raises:
        UnavailableError: neither nvdisasm nor cuobjdump is installed.
    """
    tools = {"nvdisasm": ["-c"], "cuobjdump": ["-sass"]}
    found = next(((path, flags) for name, flags in tools.items() if (path := find_tool(name)) is not None), None)
    if found is None:
        raise UnavailableError("SASS needs nvdisasm: install nvidia-cuda-nvdisasm, which simt-core[cu13] brings")
    path, flags = found
    with tempfile.TemporaryDirectory(prefix="simt-sass-") as folder:
        cubin = Path(folder, "kernel.cubin")
        cubin.write_bytes(image)
        done = subprocess.run([path, *flags, cubin], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InternalCompilerError(f"{path} does not read the cubin: {done.stderr.strip()}")
    return done.stdout
