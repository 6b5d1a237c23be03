"""The bits of integers: counts, positions, order, and selections from two words."""
from __future__ import annotations

from typing import Any, cast

from simt.core.intrinsics.declare import Sm, intrinsic
from simt.core.intrinsics.recipe import Body, Expand, LlvmCall
from simt.core.llvm.builder import Emitter, Value
from simt.core.scalars import i32, u32
from simt.core.types import ScalarType, Type
from simt.core.values.literal import default_type
from simt.core.values.operators import holding, operand_of
from simt.core.values.payload import wrap
from simt.cuda_std.generics import Integer


def _counting(name: str, *extra: str) -> Expand:
    """An LLVM intrinsic that counts in the argument's width; the count is an i32."""

    def expand(
        emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
    ) -> Value:
        (x,) = arguments
        operands = [x, *(Value("i1", text) for text in extra)]
        return emitter.cast("trunc", emitter.call(x.type, f"llvm.{name}.{x.type}", operands), "i32")

    return Expand(expand)


def _pattern(x: object) -> tuple[int, ScalarType]:
    """The bits as a non-negative int, and the type; a Python int has the literal's type."""
    operand = operand_of(x)
    assert operand is not None
    kind = operand.type or default_type(operand.payload)
    return int(operand.payload.real) % (1 << kind.bits), kind


@intrinsic(
    gpu=_counting("ctpop"), cpu=_counting("ctpop"), ptx=r"popc\.b(32|64)", since=Sm(50),
    source="PTX ISA, Integer Arithmetic Instructions: popc",
)
def popc(x: Integer) -> i32:
    """Number of ones, from 0 to the width of ``x``."""
    return i32(_pattern(x)[0].bit_count())


@intrinsic(
    gpu=_counting("ctlz", "false"), cpu=_counting("ctlz", "false"), ptx=r"clz\.b(32|64)", since=Sm(50),
    source="PTX ISA, Integer Arithmetic Instructions: clz",
)
def clz(x: Integer) -> i32:
    """Number of zeros above the highest one; the width of ``x`` for 0."""
    pattern, kind = _pattern(x)
    return i32(kind.bits - pattern.bit_length())


def _expand_ctz(
    emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
) -> Value:
    """Leading zeros of the reversed word, as inline PTX, since LLVM makes of both a ``cttz`` of six."""
    (x,) = arguments
    width, register = x.type.replace("i", "b"), "l" if x.type == "i64" else "r"
    text = f"{{ .reg .{width} t; brev.{width} t, $1; clz.{width} $0, t; }}"
    return emitter.let("i32", f'call i32 asm "{text}", "=r,{register}"({x})')


@intrinsic(
    gpu=Expand(_expand_ctz), cpu=_counting("cttz", "false"), ptx=r"clz\.b(32|64)", since=Sm(50),
    source="PTX ISA, Integer Arithmetic Instructions: brev, clz",
)
def ctz(x: Integer) -> i32:
    """Number of zeros below the lowest one; the width of ``x`` for 0."""
    pattern, kind = _pattern(x)
    return i32((pattern & -pattern).bit_length() - 1 if pattern else kind.bits)


def ffs(x: Integer) -> i32:
    """Position of the lowest one, counted from 1; 0 for 0."""
    return ctz(x) + 1 if x != 0 else 0


@intrinsic(
    gpu=LlvmCall("llvm.bitreverse.{0}"), cpu=LlvmCall("llvm.bitreverse.{0}"), ptx=r"brev\.b(32|64)", since=Sm(50),
    source="PTX ISA, Integer Arithmetic Instructions: brev",
)
def brev(x: Integer) -> Integer:
    """The bits in reverse order."""
    pattern, kind = _pattern(x)
    reversed_bits = int(f"{pattern:0{kind.bits}b}"[::-1], 2)
    return cast("Any", holding(wrap(reversed_bits, kind), kind))  # Any: the class follows from the value


@intrinsic(
    gpu=LlvmCall("llvm.nvvm.prmt"), cpu=Body(), ptx=r"prmt\.b32", since=Sm(50),
    source="PTX ISA, Data Movement and Conversion Instructions: prmt",
)
def byte_permute(low: u32, high: u32, selector: u32) -> u32:
    """Four bytes picked from eight: 0 to 3 are the bytes of ``low`` from the lowest, 4 to 7 those of ``high``.

    Each of the lowest four hexadecimal digits of ``selector`` picks one byte of the result, from the lowest: its three
    low bits say which, its top bit asks for the byte's sign in all eight bits instead.
    """
    result = u32(0)
    for place in range(4):
        digit = (u32(selector) >> (4 * place)) & 15
        word = u32(high) if digit & 4 != 0 else u32(low)
        byte = (word >> (8 * (digit & 3))) & 0xFF
        if digit & 8 != 0:
            byte = u32(0xFF) if byte & 0x80 != 0 else u32(0)
        result |= byte << (8 * place)
    return result


def _expand_funnel(left: bool) -> Expand:
    """Inline PTX: LLVM 7 makes a funnel shift of six instructions."""
    direction = "l" if left else "r"

    def expand(
        emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
    ) -> Value:
        low, high, count = arguments
        text = f'call i32 asm "shf.{direction}.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"({low}, {high}, {count})'
        return emitter.let("i32", text)

    return Expand(expand)


def _host_funnel(name: str) -> Expand:
    def expand(
        emitter: Emitter, arguments: tuple[Value, ...], _types: tuple[Type, ...], _result: Type | None
    ) -> Value:
        low, high, count = arguments
        return emitter.call("i32", f"llvm.{name}.i32", [high, low, count])

    return Expand(expand)


@intrinsic(
    gpu=_expand_funnel(True), cpu=_host_funnel("fshl"), ptx=r"shf\.l\.wrap\.b32", since=Sm(50),
    source="PTX ISA, Logic and Shift Instructions: shf",
)
def funnel_shift_left(low: u32, high: u32, count: u32) -> u32:
    """The upper word of ``high:low`` shifted left by ``count`` modulo 32."""
    wide = int(high) << 32 | int(low)
    return u32((wide << (int(count) & 31)) >> 32)


@intrinsic(
    gpu=_expand_funnel(False), cpu=_host_funnel("fshr"), ptx=r"shf\.r\.wrap\.b32", since=Sm(50),
    source="PTX ISA, Logic and Shift Instructions: shf",
)
def funnel_shift_right(low: u32, high: u32, count: u32) -> u32:
    """The lower word of ``high:low`` shifted right by ``count`` modulo 32."""
    wide = int(high) << 32 | int(low)
    return u32(wide >> (int(count) & 31))
