"""Builds the fake driver: ``library()`` gives the path of a ``libcuda.so.1`` made from the C files of this folder."""
from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
FLAGS = (
    "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread",
    "-Wall", "-Wextra", "-Werror", "-Wl,-soname,libcuda.so.1",
)


@functools.cache
def library() -> Path:
    """The built library, in a folder of its own under the temporary folder; kept for as long as the sources are equal.

    Raises:
        RuntimeError: gcc is not installed, or refuses the sources.
    """
    sources = sorted(FOLDER.glob("*.c"))
    digest = hashlib.sha256(repr(FLAGS).encode())
    for path in sorted(FOLDER.glob("*.[ch]")):
        digest.update(path.read_bytes())
    folder = Path(tempfile.gettempdir(), f"simt-fake-driver-{os.getuid()}", digest.hexdigest()[:16])
    built = folder / "libcuda.so.1"
    if not built.exists():
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"draft-{os.getpid()}.so"
        command = ["gcc", *FLAGS, "-o", str(draft), *map(str, sources), "-ldl"]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except FileNotFoundError:
            raise RuntimeError("the fake CUDA driver needs gcc: install it") from None
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"gcc refuses the fake CUDA driver:\n{error.stderr}") from None
        draft.replace(built)
    return built
