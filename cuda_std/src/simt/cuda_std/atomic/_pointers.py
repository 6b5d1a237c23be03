"""The atomic instructions, each on the address of one element."""
from __future__ import annotations

from typing import Any

import numpy as np

from simt.core.annotations import Ptr
from simt.core.intrinsics.declare import Behavior, Sm, Uniformity, intrinsic
from simt.core.intrinsics.host_pointer import HostPointer
from simt.core.intrinsics.recipe import Expand
from simt.cuda_std.atomic import _lowering as lowering
from simt.cuda_std.generics import Integer, Number

SOURCE = "PTX ISA, Parallel Synchronization and Communication Instructions: atom"


def _on_host(pointer: object) -> HostPointer[Any]:
    """The reference's pointer; Any, since ``Ptr[T]`` is another class to the type checker."""
    if not isinstance(pointer, HostPointer):
        raise TypeError(f"an atomic operation outside a kernel needs a HostPointer, not {type(pointer).__name__}")
    return pointer  # pyright: ignore[reportUnknownVariableType] -- the element type is known to the array alone


@intrinsic(
    gpu=Expand(lowering.add), cpu=Expand(lowering.add), ptx=r"atom\.\S*add\.", since=Sm(60), source=SOURCE,
    behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def add(pointer: Ptr[Number], value: Number) -> Number:
    """Add ``value``; gives the old value."""
    return _on_host(pointer).update(lambda old: old + value)


@intrinsic(
    gpu=Expand(lowering.subtract), cpu=Expand(lowering.subtract), ptx=r"atom\.\S*add\.", since=Sm(60), source=SOURCE,
    behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def sub(pointer: Ptr[Number], value: Number) -> Number:
    """Subtract ``value``; gives the old value."""
    return _on_host(pointer).update(lambda old: old - value)


@intrinsic(
    gpu=Expand(lowering.minimum), cpu=Expand(lowering.minimum), ptx=r"atom\.\S*(min\.|cas\.b)", since=Sm(50),
    source=SOURCE, behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def min(pointer: Ptr[Number], value: Number) -> Number:
    """Store ``value`` if it is less than what is there, or if NaN is there; gives the old value."""
    return _on_host(pointer).update(lambda old: value if value < old or (old != old and value == value) else old)


@intrinsic(
    gpu=Expand(lowering.maximum), cpu=Expand(lowering.maximum), ptx=r"atom\.\S*(max\.|cas\.b)", since=Sm(50),
    source=SOURCE, behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def max(pointer: Ptr[Number], value: Number) -> Number:
    """Store ``value`` if it is greater than what is there, or if NaN is there; gives the old value."""
    return _on_host(pointer).update(lambda old: value if value > old or (old != old and value == value) else old)


@intrinsic(
    gpu=Expand(lowering.bitwise_and), cpu=Expand(lowering.bitwise_and), ptx=r"atom\.\S*and\.b", since=Sm(50),
    source=SOURCE, behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def and_(pointer: Ptr[Integer], value: Integer) -> Integer:
    """Keep the bits that ``value`` has too; gives the old value."""
    return _on_host(pointer).update(lambda old: old & value)


@intrinsic(
    gpu=Expand(lowering.bitwise_or), cpu=Expand(lowering.bitwise_or), ptx=r"atom\.\S*\bor\.b", since=Sm(50),
    source=SOURCE, behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def or_(pointer: Ptr[Integer], value: Integer) -> Integer:
    """Set the bits of ``value``; gives the old value."""
    return _on_host(pointer).update(lambda old: old | value)


@intrinsic(
    gpu=Expand(lowering.bitwise_xor), cpu=Expand(lowering.bitwise_xor), ptx=r"atom\.\S*xor\.b", since=Sm(50),
    source=SOURCE, behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def xor(pointer: Ptr[Integer], value: Integer) -> Integer:
    """Flip the bits of ``value``; gives the old value."""
    return _on_host(pointer).update(lambda old: old ^ value)


@intrinsic(
    gpu=Expand(lowering.exchange), cpu=Expand(lowering.exchange), ptx=r"atom\.\S*exch\.b", since=Sm(50), source=SOURCE,
    behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def exchange(pointer: Ptr[Number], value: Number) -> Number:
    """Store ``value``; gives the old value."""
    return _on_host(pointer).update(lambda _old: value)


@intrinsic(
    gpu=Expand(lowering.compare_and_swap), cpu=Expand(lowering.compare_and_swap), ptx=r"atom\.\S*cas\.b", since=Sm(50),
    source=SOURCE, behavior=Behavior.EFFECT, uniformity=Uniformity.LANE,
)
def compare_and_swap(pointer: Ptr[Number], expected: Number, desired: Number) -> Number:
    """Store ``desired`` if what is there equals ``expected`` bit for bit; gives the old value."""
    return _on_host(pointer).update(lambda old: desired if _same_bits(old, expected) else old)


@intrinsic(
    gpu=Expand(lowering.load), cpu=Expand(lowering.load), ptx=r"ld\.volatile\.", since=Sm(50),
    source="PTX ISA, Data Movement and Conversion Instructions: ld.volatile", behavior=Behavior.OBSERVE,
    uniformity=Uniformity.LANE,
)
def load(pointer: Ptr[Number]) -> Number:
    """What is there now, read in one piece."""
    return _on_host(pointer)[0]


@intrinsic(
    gpu=Expand(lowering.store), cpu=Expand(lowering.store), ptx=r"st\.volatile\.", since=Sm(50),
    source="PTX ISA, Data Movement and Conversion Instructions: st.volatile", behavior=Behavior.EFFECT,
)
def store(pointer: Ptr[Number], value: Number) -> None:
    """Write ``value`` in one piece."""
    _on_host(pointer).update(lambda _old: value)


def _same_bits(old: object, expected: object) -> bool:
    """Compare in the type of what memory holds, sign of zero and NaN included."""
    held = np.asarray(old)
    return held.tobytes() == np.asarray(expected).astype(held.dtype).tobytes()
