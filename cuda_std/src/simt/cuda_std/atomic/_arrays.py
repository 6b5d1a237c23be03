"""Atomic operations as kernels call them: on an element of an array, or at an offset from a pointer."""
from __future__ import annotations

from simt.core.forms import address_of
from simt.cuda_std.atomic import _pointers as pointers
from simt.cuda_std.generics import Integer, Meeting, Number, Writable

Index = int | tuple[int, ...]


def add(array: Writable[Number], index: Index, value: Meeting[Number]) -> Number:
    """Add ``value``; gives the old value. Integers wrap; float sums depend on the order in which threads arrive."""
    return pointers.add(address_of(array, index), value)


def sub(array: Writable[Number], index: Index, value: Meeting[Number]) -> Number:
    """Subtract ``value``; gives the old value. Integers wrap."""
    return pointers.sub(address_of(array, index), value)


def min(array: Writable[Number], index: Index, value: Meeting[Number]) -> Number:
    """Store ``value`` if it is less than the element; gives the old value.

    A NaN loses: a NaN ``value`` changes nothing, any other replaces a NaN element. -0.0 and 0.0 are equal.
    """
    return pointers.min(address_of(array, index), value)


def max(array: Writable[Number], index: Index, value: Meeting[Number]) -> Number:
    """Store ``value`` if it is greater than the element; gives the old value. NaN and zeros as for ``min``."""
    return pointers.max(address_of(array, index), value)


def and_(array: Writable[Integer], index: Index, value: Meeting[Integer]) -> Integer:
    """Keep the bits that ``value`` has too; gives the old value."""
    return pointers.and_(address_of(array, index), value)


def or_(array: Writable[Integer], index: Index, value: Meeting[Integer]) -> Integer:
    """Set the bits of ``value``; gives the old value."""
    return pointers.or_(address_of(array, index), value)


def xor(array: Writable[Integer], index: Index, value: Meeting[Integer]) -> Integer:
    """Flip the bits of ``value``; gives the old value."""
    return pointers.xor(address_of(array, index), value)


def exchange(array: Writable[Number], index: Index, value: Meeting[Number]) -> Number:
    """Store ``value``; gives the old value."""
    return pointers.exchange(address_of(array, index), value)


def compare_and_swap(
    array: Writable[Number], index: Index, expected: Meeting[Number], desired: Meeting[Number]
) -> Number:
    """Store ``desired`` if the element equals ``expected`` bit for bit; gives the old value.

    It was stored exactly if the old value has the bits of ``expected``. For floats -0.0 is not 0.0, and a NaN equals
    itself.
    """
    return pointers.compare_and_swap(address_of(array, index), expected, desired)


def load(array: Writable[Number], index: Index) -> Number:
    """The element, read in one piece and anew at each call, while other threads may change it."""
    return pointers.load(address_of(array, index))


def store(array: Writable[Number], index: Index, value: Meeting[Number]) -> None:
    """Write the element in one piece, while other threads may read it."""
    pointers.store(address_of(array, index), value)
