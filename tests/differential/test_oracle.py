"""The oracle itself: what it computes is Python by hand, and what it refuses it names."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, InOut, Out, Ptr, f32, i8, i32, i64, kernel, u8
from simt.core.testing.differential import assert_close, check_same, ulp_distance
from simt.core.testing.host_threads import HostDeadlockError
from simt.core.testing.reference import ReferenceFault, run_reference
from simt.cuda_std import block, shared, thread, warp


def plain(x: In[f32], n: i32, out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = x[i] * n


def typed_loop(out: Out[i64]):
    for k in range(i8(3)):
        out[k] = i64(k << 7) + len((1, 2, 3))
    out[3] = i64(max(u8(250), i8(3)))


def out_of_bounds(out: Out[i32]):
    out[thread.index_1d()] = 1


def backwards(out: Out[i32]):
    out[-1] = 1


def written_input(x: In[i32]):
    x[0] = 1


def narrowing(x: In[i64], out: Out[i32]):
    out[0] = x[0]


def waiting_in_vain():
    if thread.thread_idx.x < 2:
        block.sync()
    else:
        warp.sync(0xF)


def failing_assertion(limit: i32):
    i = thread.index_1d()
    assert i < limit, f"{i} reached"


def own_copy(table: InOut[i32]):
    memory = shared.array(i32, 4)
    t = thread.thread_idx.x
    memory[t] = table[t]
    block.sync()
    table[t] = memory[3 - t] + i32(memory.size)


def through_pointer(p: Ptr[f32]):
    q = p + 2
    q[1] = p[0] + 1


def test_a_plain_kernel():
    x, out = np.arange(6, dtype=np.float32), np.zeros(5, np.float32)
    run_reference(plain, 2, 4, (x, 3, out))
    assert out.tolist() == [0, 3, 6, 9, 12]


def test_a_loop_variable_has_the_type_of_the_bounds():
    out = np.zeros(4, np.int64)
    run_reference(typed_loop, 1, 1, (out,))
    assert out.tolist() == [3, -128 + 3, 3, 250]


@pytest.mark.parametrize("kernel, args, error, text", [
    (out_of_bounds, (np.zeros(3, np.int32),), IndexError, "index 3 of out is out of bounds: axis 0 has size 3"),
    (backwards, (np.zeros(3, np.int32),), IndexError, "index -1 of out"),
    (written_input, (np.zeros(3, np.int32),), TypeError, "declare it Out or InOut"),
    (narrowing, (np.zeros(3, np.int64), np.zeros(3, np.int32)), TypeError, r"write i32\(...\) to convert"),
    (waiting_in_vain, (), HostDeadlockError, "threads wait in vain: 0 "),
    (failing_assertion, (3,), AssertionError, "3 reached"),
    (plain, (np.zeros(3, np.float32), 2**31, np.zeros(3, np.float32)), TypeError, "parameter n holds a i32"),
    ("plain", (), TypeError, "neither a kernel nor a Python function"),
])
def test_refused(kernel, args, error, text):
    with pytest.raises(error, match=text):
        run_reference(kernel, 1, 4, args)


def test_shared_memory_and_pointers():
    table = np.arange(4, dtype=np.int32)
    run_reference(own_copy, 1, 4, (table,))
    assert table.tolist() == [7, 6, 5, 4]
    memory = np.zeros(5, np.float32)
    run_reference(through_pointer, 1, 1, (memory,))
    assert memory.tolist() == [0, 0, 0, 1, 0]


def test_distances_in_units_of_the_last_place():
    one = np.array([1.0, 0.0, np.nan, 1.0, -1.0], np.float32)
    other = np.array([np.nextafter(np.float32(1), np.float32(2)), -0.0, np.nan, np.nan, 1.0], np.float32)
    assert ulp_distance(one, other).tolist()[:4] == [1, 1, 0, np.inf]
    assert_close(one[:1], other[:1], 1, "x")
    with pytest.raises(AssertionError, match="x: 1 of 1 elements differ"):
        assert_close(one[:1], other[:1], 0, "x")


@kernel
def real_parts(x: f32, out: Out[f32]):
    out[0] = x.real * 2


def test_a_real_number_is_its_own_real_part():
    (found,) = check_same(real_parts, 1, 1, (2.5, np.zeros(1, np.float32)))
    assert found.tolist() == [5.0]


def test_a_fault_has_its_message():
    from simt.core import fault

    def faulty(n: i32):
        if n > 2:
            fault("too many")

    with pytest.raises(ReferenceFault, match="too many"):
        run_reference(faulty, 1, 1, (3,))
