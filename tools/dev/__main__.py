"""``python -m tools.dev COMMAND``: what developers of simt run; one file a command.

    dump FILE:KERNEL --stage STAGE [--target TARGET]    any stage of any kernel
    docs [--check]                                      write docs/reference, or check that it is up to date
    sizes                                               files over 400 lines, functions over 60
    version [NEW]                                       the version of all packages, shown or set; 1 where they differ
    wheels [FOLDER]                                     wheels and sdists of all packages, checked, in dist/
    gpu-test [PYTEST ARGUMENTS]                         the suite on a GPU; writes docs/status
"""
from __future__ import annotations

import sys
from collections.abc import Callable

from tools.dev import docs, dump, gpu_test, sizes, versions, wheels

COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "dump": dump.main, "docs": docs.main, "sizes": sizes.main, "gpu-test": gpu_test.main,
    "version": versions.main, "wheels": wheels.main,
}


def main(arguments: list[str]) -> int:
    """Exit status of the command, or 2 with the list of commands."""
    if not arguments or arguments[0] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    return COMMANDS[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
