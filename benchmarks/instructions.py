"""Instructions in generated code, counted in its text."""
from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from benchmarks.nvcc import toolkit_program
from simt.core.errors import UnavailableError

PTX_STATEMENT = re.compile(r"^\s*(?:@!?%p\d+\s+)?[a-z][\w.:]*(?:\s[^;]*)?;", re.MULTILINE)
SASS_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?!\s|NOP)[^;]*;", re.MULTILINE)


def ptx_count(ptx: str) -> int:
    """Lines inside a body that are neither labels, directives, braces nor comments."""
    return len(PTX_STATEMENT.findall(re.sub(r"//[^\n]*", "", ptx)))


def sass_count(cubin: bytes) -> int:
    """Machine instructions of all functions in a cubin, without the padding at their ends.

    Raises:
        UnavailableError: neither cuobjdump nor nvdisasm is installed.
    """
    programs = {"cuobjdump": "-sass", "nvdisasm": "-c"}
    found = next(((path, flag) for name, flag in programs.items() if (path := toolkit_program(name))), None)
    if found is None:
        raise UnavailableError("SASS needs cuobjdump or nvdisasm, of the CUDA toolkit or of nvidia-cuda-nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        text = subprocess.run([*found, path], capture_output=True, text=True, check=True).stdout
    return len(SASS_INSTRUCTION.findall(text))
