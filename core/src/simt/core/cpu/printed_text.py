"""What a kernel printed, as text: the recorded values formatted as Python does.

Apart from ``prints``, so that a process which only launches loads nothing of the compiler.
"""
from __future__ import annotations

import struct

from simt.core.cpu.host_kernel import PrintedValue, PrintSite
from simt.core.types import Kind, ScalarType
from simt.core.values.operators import SCALAR_CLASSES

PRINT_BYTES = 1 << 20
"""Size of the buffer that holds one launch's lines."""
HEADER = struct.Struct("<qqqq")  # bytes of the line's record, site, linear block, linear thread


def printed_text(sites: tuple[PrintSite, ...], used: int, buffer: bytes) -> str:
    """All lines of a launch, block by block in the order of their indices, each block's in the order it printed them.

    ``used`` counts the bytes that the kernel wanted; where ``buffer`` was too small, a last line says so.
    """
    lines: list[tuple[int, str]] = []
    position = 0
    while position + HEADER.size <= min(used, len(buffer)):
        header: tuple[int, int, int, int] = HEADER.unpack_from(buffer, position)
        size, number, block, _ = header
        if size == 0:
            break
        site = sites[number]
        words: tuple[int, ...] = struct.unpack_from(f"<{site.words}Q", buffer, position + HEADER.size)
        parts = [part if isinstance(part, str) else _formatted(part, words) for part in site.parts]
        lines.append((block, "".join(parts)))
        position += size
    lines.sort(key=lambda line: line[0])
    text = "".join(f"{line}\n" for _, line in lines)
    if used > len(buffer):
        text += f"(the launch printed {used} bytes of lines; {len(buffer)} are kept, the rest is lost)\n"
    return text


def _formatted(value: PrintedValue, words: tuple[int, ...]) -> str:
    t = value.type
    number = _number(t, words[value.word : value.word + 2])
    if t.kind is Kind.BOOL:
        return format(bool(number), value.format)
    return format(SCALAR_CLASSES[t](number), value.format)


def _number(t: ScalarType, words: tuple[int, ...]) -> int | float | complex:
    match t.kind:
        case Kind.BOOL:
            return words[0] & 1
        case Kind.SIGNED | Kind.UNSIGNED:
            whole = words[0] | (words[1] << 64 if t.bits == 128 else 0)
            whole &= (1 << t.bits) - 1
            return whole - (1 << t.bits) if whole > t.maximum else whole
        case Kind.FLOAT:
            return _double(words[0])
        case Kind.COMPLEX:
            return complex(_double(words[0]), _double(words[1]))


def _double(word: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", word))[0]


