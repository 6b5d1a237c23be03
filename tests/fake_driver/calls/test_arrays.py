"""CUDA arrays, copies of boxes, texture and surface objects."""
from __future__ import annotations

import numpy as np
import pytest
from cuda.bindings import driver

from tests.fake_driver import fake
from tests.fake_driver.calls.checked import cu, status

TYPE = driver.CUmemorytype
FLOAT = driver.CUarray_format.CU_AD_FORMAT_FLOAT


@pytest.fixture
def array():
    """5 wide, 4 high, 3 deep, floats."""
    given = driver.CUDA_ARRAY3D_DESCRIPTOR()
    given.Width, given.Height, given.Depth, given.Format, given.NumChannels = 5, 4, 3, FLOAT, 1
    made = cu("cuArray3DCreate", given)
    yield made
    cu("cuArrayDestroy", made)


def box(host, array, into_array, shape=(3, 4, 5), at=(0, 0, 0)):
    copy = driver.CUDA_MEMCPY3D()
    ends = ("dst", "src") if into_array else ("src", "dst")
    setattr(copy, f"{ends[0]}MemoryType", TYPE.CU_MEMORYTYPE_ARRAY)
    setattr(copy, f"{ends[0]}Array", array)
    setattr(copy, f"{ends[0]}Z", at[0])
    setattr(copy, f"{ends[0]}Y", at[1])
    setattr(copy, f"{ends[0]}XInBytes", 4 * at[2])
    setattr(copy, f"{ends[1]}MemoryType", TYPE.CU_MEMORYTYPE_HOST)
    setattr(copy, f"{ends[1]}Host", host.ctypes.data)
    setattr(copy, f"{ends[1]}Pitch", host.strides[1])
    setattr(copy, f"{ends[1]}Height", host.shape[1])
    copy.Depth, copy.Height, copy.WidthInBytes = shape[0], shape[1], 4 * shape[2]
    return copy


def test_boxes_go_in_and_come_out(array):
    given = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    cu("cuMemcpy3D", box(given, array, True))
    out = np.zeros((2, 2, 3), np.float32)
    cu("cuMemcpy3D", box(out, array, False, (2, 2, 3), (1, 2, 1)))
    assert (out == given[1:3, 2:4, 1:4]).all()


def test_boxes_outside_are_refused(array):
    out = np.zeros((3, 4, 5), np.float32)
    assert status("cuMemcpy3D", box(out, array, False, (3, 4, 5), (0, 0, 1))) == "INVALID_VALUE"
    assert status("cuMemcpy3D", box(out, array, False, (3, 4, 5), (1, 0, 0))) == "INVALID_VALUE"


def test_an_array_says_what_it_is(array):
    held = cu("cuArray3DGetDescriptor", array)
    assert (held.Width, held.Height, held.Depth, held.NumChannels, held.Format) == (5, 4, 3, 1, FLOAT)


def test_planes_between_pitched_memory_and_the_host():
    pointer, pitch = cu("cuMemAllocPitch", 8, 3, 4)
    given, out = np.arange(6, dtype=np.float32).reshape(3, 2), np.zeros((3, 2), np.float32)
    for host, to_device in ((given, True), (out, False)):
        copy = driver.CUDA_MEMCPY2D()
        ends = ("dst", "src") if to_device else ("src", "dst")
        setattr(copy, f"{ends[0]}MemoryType", TYPE.CU_MEMORYTYPE_DEVICE)
        setattr(copy, f"{ends[0]}Device", pointer)
        setattr(copy, f"{ends[0]}Pitch", pitch)
        setattr(copy, f"{ends[1]}MemoryType", TYPE.CU_MEMORYTYPE_HOST)
        setattr(copy, f"{ends[1]}Host", host.ctypes.data)
        setattr(copy, f"{ends[1]}Pitch", 8)
        copy.WidthInBytes, copy.Height = 8, 3
        cu("cuMemcpy2D", copy)
    assert (out == given).all()
    copy.Height = 4
    assert status("cuMemcpy2D", copy) == "INVALID_VALUE"
    cu("cuMemFree", pointer)


def test_textures_and_surfaces_keep_their_descriptors(array):
    resource, sampling = driver.CUDA_RESOURCE_DESC(), driver.CUDA_TEXTURE_DESC()
    resource.resType = driver.CUresourcetype.CU_RESOURCE_TYPE_ARRAY
    resource.res.array.hArray = array
    sampling.filterMode = driver.CUfilter_mode.CU_TR_FILTER_MODE_LINEAR
    texture = cu("cuTexObjectCreate", resource, sampling, None)
    assert int(cu("cuTexObjectGetResourceDesc", texture).res.array.hArray) == int(array)
    assert cu("cuTexObjectGetTextureDesc", texture).filterMode == driver.CUfilter_mode.CU_TR_FILTER_MODE_LINEAR
    surface = cu("cuSurfObjectCreate", resource)
    assert fake.live(fake.Kind.TEXTURE) == fake.live(fake.Kind.SURFACE) == 1
    cu("cuTexObjectDestroy", texture)
    cu("cuSurfObjectDestroy", surface)
    assert status("cuTexObjectDestroy", texture) == "INVALID_VALUE"
