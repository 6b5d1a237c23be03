"""Shuffles on a GPU: one ``shfl.sync`` for each 32-bit word of the value."""
from __future__ import annotations

from enum import Enum

from simt.core.intrinsics.recipe import Expand
from simt.core.llvm.builder import Emitter, Value
from simt.core.types import Type
from simt.cuda_std.warp._words import map_words

CLAMP_TO_SEGMENT_END = 0x1F
FLAGGED = "{ i32, i1 }"


class Mode(Enum):
    """The modes of ``shfl.sync``; ``number`` is that of ``llvm.nvvm.shfl.sync.i32`` (NVVM IR Specification)."""

    IDX = 0
    UP = 1
    DOWN = 2
    BFLY = 3

    @property
    def number(self) -> Value:
        """The mode as an operand."""
        return Value("i32", str(self.value))


def shuffle_recipe(mode: Mode, *, with_flag: bool = False) -> Expand:
    """The lowering of a shuffle of arguments (value, selector, width, members)."""

    def expand(
        emitter: Emitter, arguments: tuple[Value, ...], types: tuple[Type, ...], _result: Type | None
    ) -> Value:
        value, selector, width, members = arguments
        control = _control(emitter, mode, width)
        if with_flag:
            return _expand_with_flag(emitter, mode, (value, selector, control, members), types[0])
        name = f"llvm.nvvm.shfl.sync.{mode.name.lower()}.i32"

        def move(word: Value) -> Value:
            return emitter.call("i32", name, [members, word, selector, control], "convergent nounwind")

        return map_words(emitter, value, types[0], move)

    return Expand(expand)


def _expand_with_flag(emitter: Emitter, mode: Mode, arguments: tuple[Value, ...], kind: Type) -> Value:
    """(value, in range): the flag is the same for all words."""
    value, selector, control, members = arguments
    flags: list[Value] = []

    def move(word: Value) -> Value:
        operands = [members, mode.number, word, selector, control]
        pair = emitter.call(FLAGGED, "llvm.nvvm.shfl.sync.i32", operands, "convergent nounwind")
        flags.append(emitter.extract(pair, 1, "i1"))
        return emitter.extract(pair, 0, "i32")

    moved = map_words(emitter, value, kind, move)
    pair = Value(f"{{ {moved.type}, i1 }}", "undef")
    return emitter.insert(emitter.insert(pair, moved, 0), flags[0], 1)


def _control(emitter: Emitter, mode: Mode, width: Value) -> Value:
    """``shfl``'s operand c: the segment mask in bits 8 to 12, the clamp in bits 0 to 4."""
    segment = emitter.binary("shl", emitter.binary("sub", Value("i32", "32"), width), Value("i32", "8"))
    clamp = 0 if mode is Mode.UP else CLAMP_TO_SEGMENT_END
    return emitter.binary("or", segment, Value("i32", str(clamp)))
