"""Which locals agree between threads."""
from __future__ import annotations

import numpy as np

from simt.core import In, InOut, i32, kernel
from simt.core.passes.uniformity import Level, analyse
from simt.cuda_std import block, shared, thread, warp
from tests.core.cpu.checked import checked


@kernel
def levels(x: In[i32], out: InOut[i32], n: i32):
    s = shared.array(i32, 32)
    mine = thread.thread_idx.x
    my_block = thread.block_idx.x * 2
    my_warp = warp.warp_id() + n
    from_input = x[my_block]
    from_output = out[my_block]
    from_shared = s[3]
    under_divergence = 0
    if mine > 3:
        under_divergence = 1
    counted = 0
    for _ in range(mine):
        counted += 1
    together = 0
    for _ in range(n):
        together += 2
    members = warp.ballot(mine > 2)
    total = block.sync_count(mine > 2)
    out[mine] = (
        my_warp + from_input + from_output + from_shared + under_divergence + counted + together + i32(members) + total
    )


def test_levels():
    x = np.zeros(4, np.int32)
    kernel = checked(levels, x, x.copy(), 3)
    facts = analyse(kernel)
    found = {local.name: level for local, level in facts.local_levels.items() if local.number == 0}
    expected = {
        "mine": Level.DIVERGENT, "my_block": Level.BLOCK, "my_warp": Level.WARP, "from_input": Level.BLOCK,
        "from_output": Level.DIVERGENT, "from_shared": Level.BLOCK, "under_divergence": Level.DIVERGENT,
        "counted": Level.DIVERGENT, "together": Level.BLOCK, "ballot": Level.WARP, "sync_count": Level.BLOCK,
    }
    assert {name: found[name] for name in expected} == expected
