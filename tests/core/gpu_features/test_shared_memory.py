"""Memory that others own, or that grows: other processes' arrays and events, virtual and external memory.

On the fake driver, whose handles are opened in the process that exported them.
"""
from __future__ import annotations

from tests.fake_driver.process import run_with_fake_gpu

START = '''
import gc, os, pickle, tempfile
from dataclasses import replace
import numpy as np
import pytest
from simt.core import DriverError, InOut, LaunchError, UnavailableError, f32, kernel
from simt.core.gpu import ipc
from simt.core.gpu.device import gpu
from simt.core.gpu.external_memory import ExternalMemory, ExternalSemaphore
from simt.core.gpu.virtual_memory import VirtualMemory

device = gpu()

@kernel
def double(x: InOut[f32]):
    for i in range(x.size):
        x[i] = 2 * x[i]
'''


def test_arrays_and_events_for_other_processes():
    run_with_fake_gpu(START, '''
        x = ipc.shareable(device, (4, 2), f32)
        x.copy_from(np.arange(8, dtype=np.float32).reshape(4, 2))
        handle = pickle.loads(pickle.dumps(ipc.export_array(x[1:])))
        assert (handle.offset, handle.shape, handle.nbytes) == (8, (3, 2), 24)
        with pytest.raises(LaunchError, match="this process exported it itself"):
            ipc.open_array(handle)
        theirs = replace(handle, process=0)
        seen = ipc.open_array(theirs)
        assert (seen.numpy() == [[2, 3], [4, 5], [6, 7]]).all()
        double[1, 1](seen.reshape(6))
        assert x.numpy()[3, 1] == 14
        seen.free()
        assert fake.calls("cuIpcCloseMemHandle") == 1
        with pytest.raises(UnavailableError, match="handle is of GPU-0, and this process sees GPU-fafa.*VISIBLE"):
            ipc.open_array(replace(theirs, uuid="GPU-0"))
        with pytest.raises(LaunchError, match="which is this process's own; make it with simt.core.gpu.ipc"):
            ipc.export_array(device.zeros(3, f32))
        with pytest.raises(LaunchError, match="ndarray given, an array on a GPU expected"):
            ipc.export_array(np.zeros(3))

        class Foreign:
            """Another library's array over a pool's memory."""
            kept = device.zeros(3, f32)
            __cuda_array_interface__ = kept.__cuda_array_interface__

        with pytest.raises(LaunchError, match="memory of this Foreign cannot be shared"):
            ipc.export_array(Foreign())
        event = device.stream().record(timing=False, interprocess=True)
        handle = replace(pickle.loads(pickle.dumps(ipc.export_event(event))), process=0)
        opened = ipc.open_event(handle)
        device.stream().wait(opened)
        assert opened.synchronize().is_done()
        with pytest.raises(LaunchError, match="make it by stream.record.timing=False, interprocess=True"):
            ipc.export_event(device.stream().record())
        x.free()
        del opened, event
        gc.collect()
        assert fake.live(fake.Kind.EVENT) == 0 and fake.allocations(fake.Memory.DEVICE) == 0
    ''')


def test_memory_that_grows_in_place():
    run_with_fake_gpu(START, '''
        free = device.free_memory
        memory = VirtualMemory(device, 100 << 20)
        assert device.free_memory == free and memory.nbytes == 0
        with pytest.raises(LaunchError, match=r"shape .5,. needs 20 bytes of 0; call grow.20. first"):
            memory.array(5, f32)
        memory.grow(20)
        assert memory.nbytes == memory.granularity == free - device.free_memory
        first = memory.array(5, f32)
        first.copy_from(np.arange(5, dtype=np.float32))
        memory.grow(3 * memory.granularity)
        larger = memory.array(3 * memory.granularity // 4, f32)
        assert larger.address == first.address and (larger[:5].numpy() == np.arange(5)).all()
        double[1, 1](first)
        assert (larger[:5].numpy() == 2 * np.arange(5)).all()
        memory.grow(1)  # smaller than it is: nothing happens
        assert memory.nbytes == 3 * memory.granularity
        with pytest.raises(LaunchError, match="only 104857600 bytes were reserved"):
            memory.grow((100 << 20) + 1)
        memory.close()
        memory.close()
        assert device.free_memory == free
        for use in (first.numpy, lambda: double[1, 1](larger), lambda: memory.grow(9), lambda: memory.array(1, f32)):
            with pytest.raises(LaunchError, match="freed|closed"):
                use()
        with pytest.raises(LaunchError, match="capacity 0 is no positive"):
            VirtualMemory(device, 0)

        kept = VirtualMemory(device, 1)
        kept.grow(4)
        array = kept.array(1, f32)
        del kept
        array.fill(3)  # an array keeps the memory
        assert array.numpy() == [3]
        del array
        gc.collect()
        assert device.free_memory == free
    ''')


def test_growing_out_of_memory_leaves_what_is_there():
    run_with_fake_gpu(START, '''
        memory = VirtualMemory(device, 2 << 30)
        memory.grow(4)
        with pytest.raises(DriverError, match="OUT_OF_MEMORY"):
            memory.grow(2 << 30)
        assert memory.nbytes == memory.granularity
        memory.array(1, f32).fill(1)
    ''')


def test_external_memory_is_that_of_the_file():
    run_with_fake_gpu(START, '''
        file = tempfile.TemporaryFile()
        file.write(np.arange(2048, dtype=np.float32).tobytes())
        file.flush()
        memory = ExternalMemory(device, os.dup(file.fileno()), 8192)
        x = memory.array((2, 4), f32, offset=4096)
        assert (x.numpy() == np.arange(1024, 1032).reshape(2, 4)).all()
        double[1, 1](x.reshape(8))
        device.synchronize()
        file.seek(4096)
        assert (np.frombuffer(file.read(32), np.float32) == 2 * np.arange(1024, 1032)).all()
        with pytest.raises(LaunchError, match="takes bytes 8184 to 8196, and there are 8192"):
            memory.array(3, f32, offset=8184)
        with pytest.raises(DriverError, match="cuImportExternalMemory: CUDA_ERROR_INVALID_VALUE"):
            ExternalMemory(device, os.dup(file.fileno()), 1 << 20)
        del memory
        gc.collect()
        assert fake.live(fake.Kind.EXTERNAL_MEMORY) == 1  # the array keeps it
        del x
        gc.collect()
        assert fake.live(fake.Kind.EXTERNAL_MEMORY) == 0 and fake.allocations(fake.Memory.REGISTERED) == 0
    ''')


def test_external_semaphores():
    run_with_fake_gpu(START, '''
        file = tempfile.TemporaryFile()
        semaphore = ExternalSemaphore(device, os.dup(file.fileno()), timeline=True)
        stream = device.stream()
        semaphore.signal(stream, 5)
        semaphore.wait(stream, 5)
        with pytest.raises(DriverError, match="NOT_READY"):  # the fake driver's answer to a wait without end
            semaphore.wait(stream, 6)
        binary = ExternalSemaphore(device, os.dup(file.fileno()))
        binary.signal(stream)
        binary.wait(stream)
        with pytest.raises(LaunchError, match="a binary semaphore has no value; import it with timeline=True"):
            binary.signal(stream, 1)
        del semaphore, binary
        gc.collect()
        assert fake.live(fake.Kind.EXTERNAL_SEMAPHORE) == 0
    ''')
