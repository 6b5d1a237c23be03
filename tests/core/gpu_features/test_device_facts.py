"""Attributes, limits, advice and peers of devices, on the fake driver."""
from __future__ import annotations

from tests.fake_driver.process import run_with_fake_gpu

START = '''
import numpy as np
import pytest
from simt.core import In, LaunchError, Out, UnavailableError, f32, i32, kernel
from simt.core.gpu import cache_config, managed, peer
from simt.core.gpu.device import gpu
from simt.core.gpu.occupancy import executable_for

device = gpu()
'''


def test_attributes_and_limits():
    run_with_fake_gpu(START, '''
        found = device.attributes()
        assert found["MULTIPROCESSOR_COUNT"] == device.attribute("multiprocessor_count")
        assert found["COMPUTE_CAPABILITY_MAJOR"] == 9 and "MAX" not in found
        assert device.set_limit("stack_size", 4096) == 4096 == device.limit("stack_size")
        with pytest.raises(ValueError, match="'stack' is no limit of a context; the limits are .*malloc_heap_size"):
            device.limit("stack")

        @kernel
        def one(out: Out[i32]):
            out[0] = 1

        code = executable_for(one, device, device.zeros(1, i32))
        for preference in cache_config.CachePreference:
            cache_config.prefer(code, preference)
        cache_config.set_carveout(code, 50)
        assert code.attribute("PREFERRED_SHARED_MEMORY_CARVEOUT") == 50
        with pytest.raises(LaunchError, match="percent 101 is outside -1 to 100"):
            cache_config.set_carveout(code, 101)
    ''')


def test_managed_arrays_are_advised_and_prefetched():
    run_with_fake_gpu(START, '''
        x = device.managed((4, 8), f32)
        managed.read_mostly(x)
        managed.preferred_location(x, device)
        managed.preferred_location(x, None)
        managed.accessed_by(x, "host", on=False)
        managed.prefetch(x, device)
        with device.stream() as stream:
            managed.prefetch(x[1:], "host")
            managed.prefetch(x, "host", device.default_stream)
        assert stream in x.allocation.users
        assert fake.calls("cuMemAdvise") == 4 and fake.calls("cuMemPrefetchAsync") == 3
        managed.prefetch(device.managed(0, f32), device)
        assert fake.calls("cuMemPrefetchAsync") == 3
        with pytest.raises(LaunchError, match="not contiguous"):
            managed.prefetch(x[:, 1:], device)
        with pytest.raises(LaunchError, match="is device memory; make a managed one with device.managed"):
            managed.read_mostly(device.zeros(3, f32))
        x.free()
        with pytest.raises(LaunchError, match="freed"):
            managed.read_mostly(x)
    ''')


def test_peers():
    run_with_fake_gpu(START, '''
        other = gpu(1)

        @kernel
        def copy(x: In[f32], out: Out[f32]):
            for i in range(out.size):
                out[i] = x[i]

        x = other.array(np.arange(4, dtype=np.float32))
        out = device.zeros(4, f32)
        assert peer.can_access(device, other) and peer.link(device, other).access
        with pytest.raises(LaunchError, match="may not reach the memory of .*GPU 1.*; call simt.core.gpu.peer.enable"):
            peer.view(x, device)
        for _ in range(2):
            peer.enable(device, other)
        seen = peer.view(x[1:], device)
        other.synchronize()
        copy[1, 1](seen, out[:3])
        assert (out.numpy() == [1, 2, 3, 0]).all()
        x.free()
        with pytest.raises(LaunchError, match="freed"):
            copy[1, 1](seen, out[:3])
        for _ in range(2):
            peer.disable(device, other)
        with pytest.raises(LaunchError, match="same device"):
            peer.enable(device, device)
        y = other.zeros(4, f32)
        peer.enable(device, other)
        kept = peer.view(y, device)
        del y
        assert len(other.live_allocations()) == 1
        del kept
        assert len(other.live_allocations()) == 0
    ''', SIMT_FAKE_DEVICES="2")


def test_devices_that_do_not_reach_each_other():
    run_with_fake_gpu(START, '''
        with pytest.raises(UnavailableError, match="does not reach the memory of Fake GPU .GPU 1.: .*NVLink"):
            peer.enable(device, gpu(1))
    ''', SIMT_FAKE_DEVICES="2", SIMT_FAKE_PEERS="0")
