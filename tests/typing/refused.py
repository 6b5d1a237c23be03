"""Mistakes that pyright must see. A line ends in the rule it breaks."""
import numpy as np

from simt.core import D2, In, Out, f32, i32, kernel
from simt.cuda_std import thread


@kernel
def saxpy(a: f32, x: In[f32], y: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = a * x[i] + y[i]


@kernel
def scale(n: i32, m: In[f32, D2], out: Out[f32]):
    i = thread.index_1d()
    if i < n:
        out[i] = m[i, 0] * 2


@kernel  # error: reportArgumentType
def returns(n: i32) -> i32:
    return n


a = np.ones(8, np.float32)
saxpy[1, 8](2.0, a, a)  # error: reportCallIssue
saxpy[1, 8](2.0, a, a, a, a)  # error: reportCallIssue
saxpy[1, 8](2.0, a, a, nope=a)  # error: reportCallIssue
saxpy[1, 8]("x", a, a, a)  # error: reportArgumentType
saxpy[1, 8](2.0, [1.0], a, a)  # error: reportArgumentType
saxpy[1, 8](a, 2.0, a, a)  # error: reportArgumentType
scale[1, 8](2.5, a, a)  # error: reportArgumentType
saxpy(2.0, a, a, a)  # error: reportCallIssue
saxpy[1](2.0, a, a, a)  # error: reportArgumentType, reportCallIssue
saxpy["1", 8](2.0, a, a, a)  # error: reportArgumentType, reportCallIssue
saxpy[1.5, 8](2.0, a, a, a)  # error: reportArgumentType, reportCallIssue
saxpy.for_elements(1.5)(2.0, a, a, a)  # error: reportArgumentType
saxpy.for_elements(8)(2.0, a, a)  # error: reportCallIssue
saxpy.with_options(cheks=True)  # error: reportCallIssue
saxpy.with_options(checks="yes")  # error: reportArgumentType
saxpy.inspect("pxt")  # error: reportArgumentType
