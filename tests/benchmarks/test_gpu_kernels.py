"""The kernels that are measured on a GPU, on small inputs: both languages' versions, and how they are measured."""
from __future__ import annotations

import importlib.metadata

import numpy as np
import pytest

from benchmarks.gpu_kernels import MODULES, gpu_case
from benchmarks.instructions import PTX_STATEMENT, SASS_INSTRUCTION, ptx_count
from tests.fake_driver.process import run_with_fake_gpu


@pytest.mark.parametrize("name", MODULES)
def test_the_cpu_target_gives_what_numpy_gives(name):
    case = gpu_case(name, small=True)
    arguments = [np.copy(each) if isinstance(each, np.ndarray) else each for each in case.arguments]
    case.kernel[case.grid, case.block](*arguments)
    case.check(arguments[case.output], "the CPU target")


@pytest.mark.parametrize("name", MODULES)
def test_a_result_that_is_all_zero_is_refused(name):
    case = gpu_case(name, small=True)
    with pytest.raises(AssertionError, match=f"{name} by nobody"):
        case.check(np.zeros_like(case.expected), "nobody")


@pytest.mark.parametrize("name", MODULES)
def test_nvrtc_compiles_the_cuda_kernel_to_about_as_many_instructions(name):
    if not any(importlib.metadata.distributions(name="nvidia-cuda-nvrtc")):
        pytest.skip("needs nvrtc: install nvidia-cuda-nvrtc")
    from benchmarks.nvrtc import nvrtc_ptx

    case = gpu_case(name, small=True)
    theirs, ours = nvrtc_ptx(case.cuda), case.kernel.inspect("ptx", *case.arguments, target="sm_90")
    assert f".entry {name}(" in theirs
    assert theirs.count(f"{name}_param_") >= len(case.arguments) + len(case.sizes)
    assert ptx_count(ours) <= 1.5 * ptx_count(theirs)


def test_cases_are_timed_on_a_gpu_after_their_results_were_compared():
    printed = run_with_fake_gpu(
        """
        from benchmarks.gpu_codegen import checked_times, copy_rate, placed, simt_calls
        from benchmarks.gpu_kernels import gpu_case
        from simt.core.gpu.device import gpu

        device = gpu()
        for name in ("saxpy", "histogram"):
            case = gpu_case(name, small=True)
            data = placed(case, device)
            times = checked_times(case, data, device, simt_calls(case, data))
            print(name, *times, all(time > 0 for time in times.values()))
        case = gpu_case("saxpy", small=True)
        data = placed(case, device)
        try:
            checked_times(case, data, device, {"nothing": lambda: None})
        except AssertionError as error:
            print(error)
        """
    )
    lines = printed.splitlines()
    assert lines[:2] == ["saxpy simt simt_checked True", "histogram simt simt_checked True"]
    assert lines[2].startswith("saxpy by nothing: relative error 1.0e+00")


def test_instructions_are_told_from_labels_directives_and_padding():
    ptx = (
        "{\n\t.reg .pred \t%p<2>;\n\tld.param.u64 \t%rd1, [a]; // ld.x y;\n$L__BB0_1:\n\t@!%p1 bra \t$L__BB0_1;\n"
        "\tret;\n}\n"
    )
    sass = (
        ".text.k:\n        /*0000*/                   LDC R1, c[0x0][0x28] ;\n.L_x_1:\n"
        "        /*0010*/              @!P0 BRA `(.L_x_1) ;\n        /*0020*/                   NOP;\n"
        "        /*0030*/                   EXIT ;                  /* 0x000000000000794d */\n"
        "                                                           /* 0x000fea0003800000 */\n"
    )
    assert [each.split()[0] for each in PTX_STATEMENT.findall(ptx.replace("// ld.x y;", ""))] == [
        "ld.param.u64", "@!%p1", "ret;"
    ]
    assert ptx_count(ptx) == 3
    assert [each.split()[1] for each in SASS_INSTRUCTION.findall(sass)] == ["LDC", "@!P0", "EXIT"]
