"""Loaded modules on the fake driver: images, checked launches of declared kernels, variables, versions of PTX."""
from __future__ import annotations

from tests.fake_driver.process import run_with_fake_gpu

START = '''
import struct
import numpy as np
import pytest
from simt.core import DriverError, In, LaunchError, Out, UnavailableError, f32, i32, u8
from simt.core.gpu import module_loading
from simt.core.gpu.device import gpu
from simt.core.gpu.linking import Linked
from simt.core.gpu.module import JitOptions, load_module

device = gpu()
x, out = device.array(np.arange(4, dtype=np.float32)), device.zeros(4, f32)

def ptx(parameters, version="8.0", more=""):
    """A text that the fake driver reads as a kernel k with parameters at offset:bytes."""
    first = f"SIMT-FAKE 0 k 32 {len(parameters.split())} {parameters}"
    return f".version {version}\\n.target sm_90\\n.address_size 64\\n// {more}\\n{first}\\nglobal table 16\\n"

records = []
fake.set_launch(lambda image, entry, module, sizes, shared, record: records.append((sizes, shared, record)) or 0)
'''


def test_a_c_kernel_gets_a_pointer_for_each_array_and_every_check():
    run_with_fake_gpu(START, '''
        module = load_module(device, ptx("0:8 8:8 16:4"))
        assert module.kernel_names() == ("k",)
        k = module.kernel("k", {"x": In[f32], "out": Out[f32], "n": i32})
        for _ in range(2):  # the second launch takes the quick path
            k[2, 32](x, out, 4)
        k[2, 32](x, n=4, out=out)
        device.synchronize()
        packed = struct.pack("<QQi", x.address, out.address, 4)
        assert records == [((2, 1, 1, 32, 1, 1), 0, packed)] * 3, records
        for arguments, words in (
            ((x, out), "k is missing n"), ((x, out, 2**31), "argument n"), ((x, x, 4), "shares memory"),
            ((device.zeros(4, u8), out, 4), "uint8 given, f32 expected"),
            ((np.zeros(4, np.float32), np.zeros(4, np.float32), 4), "device.array"),
        ):
            with pytest.raises(LaunchError, match=words):
                k[2, 32](*arguments)
        with pytest.raises(LaunchError, match="over the limit"):
            k[2, (1, 2048)](x, out, 4)
        with pytest.raises(LaunchError, match="64 threads; k was declared with max_threads=32"):
            module.kernel("k", (In[f32], Out[f32], i32), max_threads=32)[1, 64]
        host, result = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
        k.for_elements(4).on(device)(host, result, 4)
        assert len(records) == 4
    ''')


def test_extents_follow_their_arrays_where_the_declaration_says_so():
    run_with_fake_gpu(START, '''
        image = ptx("0:8 8:8 16:8 24:8 32:4")
        with pytest.raises(LaunchError, match=r"takes 5 parameters of .8, 8, 8, 8, 4. bytes.*extents=True"):
            load_module(device, image).kernel("k", (In[f32], Out[f32], i32))
        load_module(device, image).kernel("k", (In[f32], Out[f32], i32), extents=True)[1, 1](x, out, 7)
        device.synchronize()
        assert records[0][2] == struct.pack("<QqQqi", x.address, 4, out.address, 4, 7)
    ''')


def test_kernels_and_variables_that_are_not_there_or_have_other_sizes():
    run_with_fake_gpu(START, '''
        module = load_module(device, ptx("0:8"))
        with pytest.raises(LaunchError, match="no kernel j; it has k"):
            module.kernel("j", (In[f32],))
        with pytest.raises(LaunchError, match="takes 1 parameters of .8. bytes"):
            module.kernel("k", (i32,))
        with pytest.raises(LaunchError, match="no variable chair"):
            module.global_("chair", f32)
        with pytest.raises(LaunchError, match="has 16 bytes, and .5,. elements"):
            module.global_("table", f32, 5)
        with pytest.raises(LaunchError, match="parameter argument_0 of k: "):
            module.kernel("k", ("float*",))
        table = module.global_("table", f32)
        table.copy_from(np.arange(4, dtype=np.float32))
        assert (module.global_("table", f32, (2, 2)).numpy() == [[0, 1], [2, 3]]).all()
        k = module.kernel("k", (In[f32],))
        k[1, 1](table)
        module.unload()
        for use in (lambda: k[1, 1](x), lambda: module.global_("table", f32), table.numpy):
            with pytest.raises(LaunchError, match="unloaded|freed"):
                use()
        assert fake.live(fake.Kind.MODULE) == 0
    ''')


def test_ptx_newer_than_the_driver_is_lowered_or_linked():
    run_with_fake_gpu(START, '''
        load_module(device, ptx("0:8", "9.5")).kernel("k", (In[f32],))
        asked = []
        def link(images, architecture, options):
            asked.append(architecture.sm)
            return Linked(ptx("0:8").encode() + b"\\0", "linked")
        module_loading.link = link
        assert load_module(device, ptx("0:8", "9.5", "NEEDS 9.1")).log == "linked"
        assert asked == ["sm_90a"]
        def absent(images, architecture, options):
            raise UnavailableError("nvJitLink was not found")
        module_loading.link = absent
        words = ("(?s)version 9.5, and the driver, of CUDA 13.0, reads PTX up to 9.0.*requires PTX ISA .version 9.1.*"
                 "nvJitLink was not found")
        with pytest.raises(UnavailableError, match=words):
            load_module(device, ptx("0:8", "9.5", "NEEDS 9.1"))
        with pytest.raises(DriverError, match="INVALID_PTX") as caught:  # not too new: wrong
            load_module(device, ptx("0:8", "8.0", "NEEDS 8.1"))
        assert "ptxas: feature requires" in str(caught.value)
    ''', SIMT_FAKE_DRIVER="13000")


def test_options_reach_the_driver_and_images_are_told_apart():
    run_with_fake_gpu(START, '''
        options = JitOptions(opt=0, maxrregcount=32, lineinfo=True, target="sm_90a")
        load_module(device, ptx("0:8"), options=options).kernel("k", (In[f32],))
        with pytest.raises(LaunchError, match="'sm_9' is not an architecture"):
            load_module(device, ptx("0:8"), options=JitOptions(target="sm_9"))
        with pytest.raises(LaunchError, match="is no PTX, cubin"):
            load_module(device, b"hello")
        cubin = b"\\x7fELF" + bytes(12) + b"\\2\\0" + b"\\xbe\\0" + bytes(40)
        with pytest.raises(LaunchError, match="a cubin is finished code"):
            load_module(device, cubin, options=options)
        fake.fail("cuModuleLoadData", 209)
        with pytest.raises(LaunchError, match="for another architecture than Fake GPU"):
            load_module(device, cubin)
    ''')
