"""Versions of PTX: which one a text is written in, and which ones a driver reads.

Source: PTX ISA, ``.version`` and its release notes, table of versions by CUDA release.
"""
from __future__ import annotations

import re

from simt.core.errors import LaunchError
from simt.core.runtime.cuda_driver import cu

Version = tuple[int, int]
_DIRECTIVE = re.compile(r"^([ \t]*\.version[ \t]+)(\d+)\.(\d+)", re.MULTILINE)
# Where the minor version does not simply follow the release's: CUDA 12.6 brought no new version.
_OF_CUDA_12 = {6: (8, 5), 7: (8, 6), 8: (8, 7), 9: (8, 8)}


def version_of(ptx: str) -> Version:
    """The version that a text says it is written in.

    Raises:
        LaunchError: it does not say.
    """
    found = _DIRECTIVE.search(ptx)
    if found is None:
        raise LaunchError("the PTX has no .version directive, with which every PTX text begins", argument="image")
    return int(found[2]), int(found[3])


def with_version(ptx: str, version: Version) -> str:
    """The text with another version; whoever reads it says whether it uses anything newer."""
    return _DIRECTIVE.sub(lambda found: f"{found[1]}{version[0]}.{version[1]}", ptx, count=1)


def version_of_cuda(major: int, minor: int) -> Version:
    """The newest PTX that a driver of a CUDA release reads."""
    if major == 12:
        return _OF_CUDA_12.get(minor, (8, min(minor, 8)))
    return major - 4, minor


def driver_version() -> Version:
    """The CUDA release of the driver, such as (13, 0)."""
    version = int(cu("cuDriverGetVersion"))
    return version // 1000, version % 1000 // 10
