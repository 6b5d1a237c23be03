"""Builds the compiled launch path: ``python -m simt.core.gpu.build_extension``, or at installation.

It uses the stable ABI of Python 3.11, so that one build serves every later version. The C files are in ``native/``.
Nothing of the package is imported, since the installation loads this file by its path.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

FOLDER = Path(__file__).parent
NAME = "_launch.pyd" if sys.platform == "win32" else "_launch.abi3.so"
FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden")


def build(digest: str, into: Path = FOLDER) -> Path:
    """Compile the extension into a folder; gives its path. ``digest`` is that of the sources.

    Raises:
        RuntimeError: no compiler, no headers of Python, or the compiler refuses; the message says which.
    """
    compiler = os.environ.get("CC") or next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise RuntimeError("no C compiler found: install gcc or clang, or name one in CC")
    include = sysconfig.get_paths()["include"]
    if not Path(include, "Python.h").exists():
        raise RuntimeError(f"Python's headers are not in {include}: install them (python3-dev)")
    sources = sorted(map(str, (FOLDER / "native").glob("*.c")))
    made = into / NAME
    partial = made.with_suffix(f".{os.getpid()}")
    flags = [*FLAGS, f'-DSIMT_SOURCES="{digest}"', f"-I{include}"]
    command = [*compiler.split(), *flags, *sources, "-o", str(partial), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{compiler} failed:\n{done.stderr}")
    partial.replace(made)  # a process that has the old one loaded keeps it
    return made


if __name__ == "__main__":
    from simt.core.gpu.native_sources import sources_digest

    try:
        print(build(sources_digest()))
    except RuntimeError as error:
        sys.exit(f"the compiled launch path was not built, launches take the Python path: {error}")
