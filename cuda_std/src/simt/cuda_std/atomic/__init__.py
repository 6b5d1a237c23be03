"""Read-modify-write of one element that no other thread's access can split.

``add(array, index, value)`` and the like take a writable array in global or shared memory with an index (a tuple for
more than one axis), or a pointer with an offset, and give the element's old value. Elements are i32, u32, i64, u64,
f32 or f64. Updates of one element are in one order for all threads of the device; they order no other memory access
(relaxed order, device scope): use ``fence`` or a barrier for that.
"""
from simt.cuda_std.atomic._arrays import (
    add,
    and_,
    compare_and_swap,
    exchange,
    load,
    max,
    min,
    or_,
    store,
    sub,
    xor,
)

__all__ = ["add", "and_", "compare_and_swap", "exchange", "load", "max", "min", "or_", "store", "sub", "xor"]
