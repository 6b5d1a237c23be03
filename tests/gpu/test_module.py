"""Loaded modules on a GPU: code of every kind of image gives the same numbers; logs, variables, versions of PTX."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import DriverError, In, LaunchError, Out, f32, i32, kernel
from simt.cuda_std import thread

pytestmark = pytest.mark.gpu

# out[i] = scale[0] * x[i] + offset[0] for i < n, as nvcc would say it.
PTX = """
.version 8.0
.target sm_75
.address_size 64
.visible .const .align 4 .b8 scale[4] = {0, 0, 0, 64};
.visible .global .align 4 .b8 offset[4];
.visible .entry affine(.param .u64 x, .param .u64 out, .param .u32 n)
{
    .reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<5>; .reg .b64 %d<6>;
    ld.param.u64 %d1, [x]; ld.param.u64 %d2, [out]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r2, %r2, %r3, %r4;
    setp.ge.s32 %p, %r2, %r1; @%p bra END;
    mul.wide.s32 %d3, %r2, 4; add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;
    ld.global.f32 %f1, [%d4]; ld.const.f32 %f2, [scale]; ld.global.f32 %f3, [offset];
    fma.rn.f32 %f1, %f1, %f2, %f3; st.global.f32 [%d5], %f1;
END: ret;
}
"""
N = 1000
X = np.arange(N, dtype=np.float32)
PARAMETERS = {"x": In[f32], "out": Out[f32], "n": i32}


def run(device, module) -> np.ndarray:
    out = device.zeros(N, f32)
    module.kernel("affine", PARAMETERS).for_elements(N)(device.array(X), out, N)
    return out.numpy()


def linked(device, text: str) -> bytes:
    from simt.core.gpu.image import ImageKind
    from simt.core.gpu.jit_options import JitOptions
    from simt.core.gpu.linking import link

    return link([(ImageKind.PTX, text.encode())], device.architecture, JitOptions()).cubin


def test_ptx_and_its_cubin_give_the_same(device):
    from simt.core.gpu.module import JitOptions, load_module

    for options in (JitOptions(), JitOptions(opt=0, maxrregcount=32, lineinfo=True)):
        assert (run(device, load_module(device, PTX, options=options)) == 2 * X).all()
    assert (run(device, load_module(device, linked(device, PTX))) == 2 * X).all()
    assert load_module(device, PTX).kernel_names() == ("affine",)


def test_global_and_constant_variables_are_read_and_written(device):
    from simt.core.gpu.module import load_module

    module = load_module(device, PTX)
    scale, offset = module.global_("scale", f32), module.global_("offset", f32, ())
    assert scale.numpy() == [2] and offset.numpy() == 0
    scale.copy_from(np.array([3], np.float32))
    offset.fill(1)
    assert (run(device, module) == 3 * X + 1).all()
    module.unload()
    with pytest.raises(LaunchError, match="freed"):
        scale.numpy()


def test_ptx_of_a_version_that_the_driver_does_not_read(device):
    from simt.core.gpu.module import load_module
    from simt.core.gpu.ptx_version import driver_version, version_of_cuda, with_version

    major, minor = version_of_cuda(*driver_version())
    assert (run(device, load_module(device, with_version(PTX, (major, minor + 1)))) == 2 * X).all()


def test_wrong_ptx_is_refused_with_the_drivers_log(device):
    from simt.core.gpu.module import load_module

    with pytest.raises(DriverError, match=r"(?s)INVALID_PTX.*nonsense"):
        load_module(device, PTX.replace("ret;", "nonsense;"))


def test_declared_parameters_must_have_the_sizes_of_the_kernels(device):
    from simt.core.gpu.module import load_module

    module = load_module(device, PTX)
    with pytest.raises(LaunchError, match=r"takes 3 parameters of \[8, 8, 4\] bytes"):
        module.kernel("affine", (In[f32], Out[f32]))
    with pytest.raises(LaunchError, match="no kernel affin; it has affine"):
        module.kernel("affin", PARAMETERS)


def test_lto_ir_is_linked(device):
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC's binding is not installed")
    source = b'extern "C" __global__ void affine(const float* x, float* out, int n)' \
             b"{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * x[i]; }"
    try:
        _, program = nvrtc.nvrtcCreateProgram(source, b"k.cu", 0, [], [])
    except RuntimeError as error:
        pytest.skip(f"the library NVRTC is not installed: {error}")
    options = [f"-arch={device.architecture.sm}".encode(), b"-dlto"]
    assert nvrtc.nvrtcCompileProgram(program, len(options), options)[0] == 0
    _, size = nvrtc.nvrtcGetLTOIRSize(program)
    image = b" " * size
    nvrtc.nvrtcGetLTOIR(program, image)
    from simt.core.gpu.module import load_module

    assert (run(device, load_module(device, image)) == 2 * X).all()


@kernel(checks=False)
def double(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 2 * x[i]


def test_a_kernel_of_ours_is_launched_with_extents(device):
    from simt.core.gpu.module import load_module

    compiled = double.compile(device.array(X), device.array(X), target=device.architecture.sm)
    out = device.zeros(N, f32)
    loaded = load_module(device, compiled.ptx).kernel("double", (In[f32], Out[f32]), extents=True)
    loaded.for_elements(N)(device.array(X), out)
    assert (out.numpy() == 2 * X).all()
