"""Race mode of the CPU target: two threads that touch the same shared element without a barrier are both named."""
import numpy as np

from simt.core import CpuDevice, DeviceFault, Out, i32, kernel
from simt.cuda_std import block, shared, thread


@kernel
def reverse(out: Out[i32], careful: bool):
    line = shared.array(i32, 64)
    mine = thread.thread_idx.x
    line[mine] = mine
    if careful:
        block.sync()
    out[mine] = line[63 - mine]


device = CpuDevice()  # races are found on the CPU target only
numbers = device.zeros(64, np.int32)
watched = reverse.with_options(race=True)
try:
    watched[1, 64](numbers, False)
    device.synchronize()
    raise SystemExit("the race was missed")
except DeviceFault as fault:
    print(fault)

watched[1, 64](numbers, True)
print(device.name, "with the barrier:", numbers.numpy()[:4], "...")
assert np.array_equal(numbers.numpy(), np.arange(64)[::-1])
