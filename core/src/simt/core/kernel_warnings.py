"""Every warning of the compiler, for ``warnings.filterwarnings``."""
from __future__ import annotations


class CompileWarning(UserWarning):
    """A kernel compiles, and a line of it deserves a look."""


class SpillWarning(UserWarning):
    """A kernel keeps values in memory for want of registers."""


class CacheWarning(UserWarning):
    """The disk cache cannot be used; kernels are compiled anew in each process."""
