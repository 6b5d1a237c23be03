"""What a kernel uses of a multiprocessor, as its assembler reports it."""
from __future__ import annotations

import re
from dataclasses import dataclass

from simt.core.errors import InternalCompilerError


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Figures of one kernel. ``registers`` a thread; the others in bytes.

    ``stack_bytes`` a thread, and of those ``spill_store_bytes`` and ``spill_load_bytes`` are moved by spill code;
    ``shared_bytes`` of static shared memory a block; ``constant_bytes`` hold arguments and constants; ``barriers``
    counts hardware barriers.
    """

    registers: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    shared_bytes: int
    constant_bytes: int
    barriers: int

    @property
    def spills(self) -> bool:
        """Whether values are kept in memory because registers ran out."""
        return self.spill_store_bytes + self.spill_load_bytes > 0


def read_resources(log: str, symbol: str) -> Resources:
    """The figures of the kernel ``symbol`` in an assembler's verbose log.

    Raises:
        InternalCompilerError: the log does not name the kernel.
    """
    start = re.search(rf"(Compiling entry function|Function properties for)\s+'?{re.escape(symbol)}\b", log)
    used = re.compile(r"[Uu]sed (\d+) registers")
    if start is None or used.search(log, start.start()) is None:
        raise InternalCompilerError(f"the assembler's log does not report kernel {symbol}:\n{log}")
    part = log[start.start() :]
    return Resources(
        registers=_figure(part, r"[Uu]sed (\d+) registers"),
        stack_bytes=_figure(part, r"(\d+) (?:bytes stack frame|stack)"),
        spill_store_bytes=_figure(part, r"(\d+) bytes spill stores"),
        spill_load_bytes=_figure(part, r"(\d+) bytes spill loads"),
        shared_bytes=_figure(part, r"(\d+) bytes smem"),
        constant_bytes=sum(map(int, re.findall(r"(\d+) bytes cmem\[\d+\]", part))),
        barriers=_figure(part, r"used (\d+) barriers"),
    )


def _figure(text: str, pattern: str) -> int:
    """The first number that matches; the assembler leaves out zeros."""
    found = re.search(pattern, text)
    return 0 if found is None else int(found[1])
