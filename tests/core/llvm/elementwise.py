"""One operation over arrays of operands: compiled once, run on as many values as a test has."""
from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import numpy as np

from simt.core.check import tir
from simt.core.types import Kind, ScalarType, Type
from simt.core.types.layout import size_of
from simt.core.types.scalar import I64
from simt.core.values.rounding import bits_of_float, float_of_bits
from tests.core.llvm import build
from tests.core.llvm.host import Compiled, compile_on_host

Number = int | float | complex | bool


def elementwise(make: Callable[..., tir.Expr], operands: Sequence[ScalarType], result: ScalarType) -> Compiled:
    """``out[i] = make(a0[i], a1[i], ...)`` for all ``i``."""
    inputs = [build.array(f"a{k}", t) for k, t in enumerate(operands)]
    out, i, n = build.array("out", result), build.local("i", I64), build.local("n", I64)
    value = make(*(build.load(build.element(array, build.ref(i))) for array in inputs))
    body = build.loop(
        i, build.index(0), build.ref(n), build.index(1), build.store(build.element(out, build.ref(i)), value)
    )
    return compile_on_host(build.kernel((*inputs, out, n), body))


def run(code: Compiled, columns: Sequence[tuple[ScalarType, Sequence[Number]]], result: ScalarType) -> list[Number]:
    """The results for columns of operand values."""
    count = len(columns[0][1])
    memory = [np.frombuffer(b"".join(encode(value, t) for value in values), np.uint8) for t, values in columns]
    out = np.zeros(count * size_of(result) + 16, np.uint8)
    packed = b"".join(struct.pack("<qq", part.ctypes.data, count) for part in [*memory, out])
    assert code.run(packed + struct.pack("<q", count)) is None
    step, data = size_of(result), out.tobytes()
    return [decode(data[k * step : (k + 1) * step], result) for k in range(count)]


def encode(value: Number, t: ScalarType) -> bytes:
    """A value that ``t`` holds, as its bytes in memory."""
    if t.is_complex:
        value = complex(value)
        return encode(value.real, t.component) + encode(value.imag, t.component)
    if t.is_float:
        return bits_of_float(float(value), t).to_bytes(size_of(t), "little")
    return int(value).to_bytes(size_of(t), "little", signed=t.kind is Kind.SIGNED)


def decode(data: bytes, t: ScalarType) -> Number:
    """The value that ``data`` holds."""
    if t.is_complex:
        half = size_of(t.component)
        return complex(decode(data[:half], t.component), decode(data[half:], t.component))
    if t.is_float:
        return float_of_bits(int.from_bytes(data, "little"), t)
    value = int.from_bytes(data, "little", signed=t.kind is Kind.SIGNED)
    return bool(value) if t.kind is Kind.BOOL else value


def wrap(value: int, t: Type) -> int:
    """``value`` modulo 2**bits, in the type's range."""
    assert isinstance(t, ScalarType)
    value &= (1 << t.bits) - 1
    return value - (1 << t.bits) if t.kind is Kind.SIGNED and value >> (t.bits - 1) else value
