"""Arrays of other libraries as arguments, and ours in theirs."""
from __future__ import annotations

import numpy as np
import pytest

from simt.core import LaunchError
from tests.core.gpu.kernels import add, increment, transpose

f4 = np.float32


@pytest.fixture
def torch(real_device):
    return pytest.importorskip("torch", reason="needs torch")


@pytest.fixture
def cupy(real_device):
    return pytest.importorskip("cupy", reason="needs CuPy")


def test_torch_tensors(torch):
    a, b = torch.rand(1000, device="cuda"), torch.rand(1000, device="cuda")
    out, launch = torch.empty_like(a), add.for_elements(1000)
    for scale in (1.0, 2.0, 3.0):
        launch(a, b, out, scale)
        assert torch.allclose(out, (a + b) * scale)


def test_torch_streams_are_followed(torch):
    side = torch.cuda.Stream()
    x = torch.zeros(1 << 20, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        for _ in range(20):
            x += 1
            increment[4096, 256](x, 1.0)
    side.synchronize()
    assert (x == 40).all()


def test_what_torch_holds_back_is_refused(torch):
    x = torch.zeros(10, device="cuda", requires_grad=True)
    y = torch.zeros(10, device="cuda")
    launch = increment.for_elements(10)
    launch(y, 1.0)
    for _ in range(2):
        with pytest.raises(LaunchError, match=r"argument x: .*requires_grad|argument x: .*detach"):
            launch(x, 1.0)
    with pytest.raises(LaunchError, match="argument x: the array is not C-contiguous"):
        launch(torch.zeros(20, device="cuda")[::2], 1.0)
    with pytest.raises(LaunchError, match="argument x: int32 given, f32 expected"):
        launch(torch.zeros(10, device="cuda", dtype=torch.int32), 1.0)


def test_torch_and_host_arrays_do_not_mix(torch):
    x = torch.zeros(10, device="cuda")
    with pytest.raises(LaunchError, match=r"lies in host memory, .* lies on GPU 0.*write device.array\(b\)"):
        add.for_elements(10)(x, np.zeros(10, f4), torch.zeros(10, device="cuda"))


def test_strided_torch_tensors(torch):
    x, out = torch.rand(20, 30, device="cuda"), torch.zeros(10, 10, device="cuda")
    transpose[(1, 1), (32, 32)](x[::2, ::3], out)
    assert torch.equal(out, x[::2, ::3].T)


def test_ours_in_torch(torch, device):
    x = device.array(np.arange(12, dtype=f4).reshape(3, 4))
    tensor = torch.from_dlpack(x)
    assert tensor.shape == (3, 4) and tensor.is_cuda
    tensor *= 2
    torch.cuda.synchronize()
    np.testing.assert_array_equal(x.numpy(), 2 * np.arange(12).reshape(3, 4))
    assert torch.as_tensor(x, device="cuda").data_ptr() == x.address
    del x
    assert tensor.sum().item() == 132


def test_cupy_arrays(cupy, device):
    a, b = cupy.arange(1000, dtype=f4), cupy.ones(1000, f4)
    out, launch = cupy.zeros(1000, f4), add.for_elements(1000)
    for _ in range(3):
        launch(a, b, out)
    np.testing.assert_array_equal(out.get(), np.arange(1000) + 1)
    ours = device.array(np.ones(10, f4))
    assert cupy.asarray(ours).sum() == 10 and cupy.from_dlpack(ours).data.ptr == ours.address


def test_cuda_array_interface_alone(real_device):
    class Exporter:
        def __init__(self, array):
            self.array = array

        @property
        def __cuda_array_interface__(self):
            return self.array.__cuda_array_interface__

    x = real_device.zeros(100, f4)
    increment.for_elements(100)(Exporter(x), 2.0)
    assert (x.numpy() == 2).all()


def test_jax_arrays(real_device):
    jax = pytest.importorskip("jax", reason="needs JAX")
    a = jax.numpy.arange(1000, dtype=f4)
    out = real_device.zeros(1000, f4)
    add.for_elements(1000)(a, a, out)
    np.testing.assert_array_equal(out.numpy(), 2 * np.arange(1000))
