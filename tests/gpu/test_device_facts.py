"""Attributes, limits, advice on managed memory and peers, on real GPUs."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import In, Out, UnavailableError, f32, kernel
from simt.cuda_std import thread

pytestmark = pytest.mark.gpu


@kernel
def double(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 2 * x[i]


def test_attributes_agree_with_each_other(device):
    found = device.attributes()
    assert len(found) > 80
    assert (found["COMPUTE_CAPABILITY_MAJOR"], found["COMPUTE_CAPABILITY_MINOR"]) == device.compute_capability
    assert found["WARP_SIZE"] == 32


def test_limits_are_set_and_read(device):
    # Those of printf and malloc can only be set before the first kernel that uses them.
    before = device.limit("stack_size")
    try:
        assert device.set_limit("stack_size", before + 2048) >= before + 2048
    finally:
        assert device.set_limit("stack_size", before) == before
    assert device.limit("printf_fifo_size") > 0


def test_cache_configuration_of_a_kernel(device):
    from simt.core.gpu import cache_config
    from simt.core.gpu.occupancy import executable_for

    code = executable_for(double, device, device.zeros(1, f32), device.zeros(1, f32))
    for preference in cache_config.CachePreference:
        cache_config.prefer(code, preference)
    cache_config.set_carveout(code, 25)
    assert code.attribute("PREFERRED_SHARED_MEMORY_CARVEOUT") == 25


def test_advice_and_prefetch_of_managed_arrays(device):
    from simt.core.gpu import managed

    x = device.managed(1 << 20, f32)
    out = device.zeros(1 << 20, f32)
    x.host_view()[...] = np.arange(1 << 20)
    try:
        managed.read_mostly(x)
    except UnavailableError as error:
        pytest.skip(str(error))
    managed.preferred_location(x, device)
    managed.accessed_by(x, "host")
    managed.prefetch(x, device)
    double.for_elements(x.size)(x, out)
    assert (out.numpy() == 2 * np.arange(1 << 20, dtype=np.float32)).all()
    found = managed.advice(x)
    assert found.read_mostly
    assert found.preferred_location is device
    assert found.last_prefetch is device
    assert "host" in found.accessed_by
    managed.read_mostly(x, on=False)
    managed.preferred_location(x, None)
    assert not managed.advice(x).read_mostly
    assert managed.advice(x).preferred_location is None
    managed.prefetch(x, "host")
    device.synchronize()
    assert x.host_view()[3] == 3


def test_a_kernel_reads_the_memory_of_a_peer(device):
    from simt.core.gpu import peer
    from simt.core.gpu.device import gpu
    from simt.core.runtime.cuda_driver import cu

    if cu("cuDeviceGetCount") < 2:
        pytest.skip("needs two GPUs")
    other = gpu(1)
    if not peer.can_access(device, other):
        pytest.skip("needs two GPUs that reach each other")
    x = other.array(np.arange(1000, dtype=np.float32))
    out = device.zeros(1000, f32)
    peer.enable(device, other)
    assert peer.link(device, other).access
    other.synchronize()
    double.for_elements(1000)(peer.view(x, device), out)
    assert (out.numpy() == 2 * np.arange(1000)).all()
    peer.disable(device, other)
