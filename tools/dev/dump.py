"""``dump FILE:KERNEL --stage STAGE [--target TARGET]``: one stage of one kernel to the terminal.

The file is run as a module, so its kernels must be at the top level; what it prints goes to standard error.
"""
from __future__ import annotations

import argparse
import contextlib
import runpy
import sys

from simt.core import Kernel

STAGES = ("hir", "tir", "llvm", "nvvm", "ptx", "sass", "asm")


def main(arguments: list[str]) -> int:
    """Exit status 2 when the file has no such kernel."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev dump")
    parser.add_argument("kernel", help="FILE:KERNEL, such as examples/saxpy.py:saxpy")
    parser.add_argument("--stage", choices=STAGES, default="tir")
    parser.add_argument("--target", help="cpu or an architecture such as sm_90; by default the stage's own")
    options = parser.parse_args(arguments)
    path, _, name = options.kernel.rpartition(":")
    with contextlib.redirect_stdout(sys.stderr):
        found = runpy.run_path(path)
    kernels = {key: value for key, value in found.items() if isinstance(value, Kernel)}
    if name not in kernels:
        print(f"{path} has no kernel {name!r}; it has {', '.join(kernels) or 'none'}", file=sys.stderr)
        return 2
    target = {} if options.target is None else {"target": options.target}
    print(kernels[name].inspect(options.stage, **target))
    return 0
