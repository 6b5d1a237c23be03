"""Where a pointer points. The numbers are those of NVVM IR; the CPU target ignores them."""
from enum import IntEnum


class AddressSpace(IntEnum):
    """Address spaces of the NVVM IR specification, section Address Spaces."""

    GENERIC = 0
    GLOBAL = 1
    SHARED = 3
    CONSTANT = 4
    LOCAL = 5

    def __str__(self) -> str:
        return self.name.lower()
