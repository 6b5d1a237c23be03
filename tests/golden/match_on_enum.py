# golden: tir
import enum

from simt.core import In, Out, f32, i32, kernel
from simt.cuda_std import thread


class Operation(enum.IntEnum):
    NEGATE = 0
    DOUBLE = 1
    SQUARE = 2


@kernel(checks=False)
def apply(operation: i32, x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    match operation:
        case Operation.NEGATE:
            out[i] = -x[i]
        case Operation.DOUBLE if x[i] > 0:
            out[i] = 2 * x[i]
        case Operation.DOUBLE | Operation.SQUARE:
            out[i] = x[i] ** 2
        case _:
            pass
