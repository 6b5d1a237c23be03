"""``dump FILE:KERNEL --stage STAGE [--target TARGET]``: one stage of one kernel to the terminal.

The file is run, so its kernels must be at the top level; what it prints goes to standard error. A file that fails after
it has declared the kernel is no obstacle.
"""
from __future__ import annotations

import argparse
import contextlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from simt.core import CompileError, Kernel

STAGES = ("hir", "tir", "llvm", "nvvm", "ptx", "sass", "asm")


def names_of(path: Path) -> dict[str, object]:
    """The names at the top level of a Python file, as far as it runs; a failure is printed to standard error."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    try:
        with contextlib.redirect_stdout(sys.stderr):
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    except Exception:
        traceback.print_exc()
    return dict(vars(module))


def main(arguments: list[str]) -> int:
    """Exit status 1 when the kernel is refused, 2 when the file has no such kernel."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev dump")
    parser.add_argument("kernel", help="FILE:KERNEL, such as examples/saxpy.py:saxpy")
    parser.add_argument("--stage", choices=STAGES, default="tir")
    parser.add_argument("--target", help="cpu or an architecture such as sm_90; by default the stage's own")
    options = parser.parse_args(arguments)
    path, _, name = options.kernel.rpartition(":")
    kernels = {key: value for key, value in names_of(Path(path)).items() if isinstance(value, Kernel)}
    if name not in kernels:
        print(f"{path} has no kernel {name!r}; it has {', '.join(kernels) or 'none'}", file=sys.stderr)
        return 2
    try:
        print(kernels[name].inspect(options.stage, target=options.target))
    except CompileError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
