"""Flags, libNVVM, the assembler: what they are asked, what they answer, and how their messages come home."""
from __future__ import annotations

import re

import pytest

from simt.core.architecture import parse_architecture
from simt.core.check import tir
from simt.core.diagnostics.span import Span
from simt.core.errors import CompileError, InternalCompilerError, UnavailableError
from simt.core.nvvm import libnvvm, link
from simt.core.nvvm.messages import assembler_rejection, rejection
from simt.core.nvvm.module import NvvmModule, symbol_of
from simt.core.nvvm.options import libnvvm_flags
from simt.core.nvvm.resources import read_resources
from simt.core.nvvm.sass import disassemble
from simt.core.options import Options
from simt.core.target import Gpu
from simt.core.types import Access, AddressSpace
from simt.core.types.scalar import F32, I64
from tests.core.llvm.build import HERE, array, binary, const, element, index, kernel, load, local, ref, store
from tests.core.nvvm.compiled import ARCHITECTURES, compile_for
from tests.core.nvvm.test_memory import allocation

X, OUT = array("x", F32, access=Access.IN), array("out", F32, access=Access.OUT)
SM_90 = Gpu(parse_architecture("sm_90"))


def twice() -> tir.Kernel:
    i = local("i", I64)
    value = load(element(X, ref(i)))
    return kernel((X, OUT, i), store(element(OUT, ref(i)), binary("+", value, value)), name="twice")


def test_flags() -> None:
    assert libnvvm_flags(Gpu(parse_architecture("sm_90a")), Options()) == [
        "-arch=compute_90a", "-opt=3", "-ftz=0", "-prec-div=1", "-prec-sqrt=1", "-fma=1",
    ]
    fast = libnvvm_flags(SM_90, Options(fast_math=True, fma=False, prec_div=True))
    assert fast[2:] == ["-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=1"]
    assert libnvvm_flags(SM_90, Options(debug=True, opt=0))[-1] == "-g"
    with pytest.raises(ValueError, match="opt=0"):
        libnvvm_flags(SM_90, Options(debug=True))


def test_symbols_are_ptx_identifiers() -> None:
    assert symbol_of("total[f32]") == "total_f32_"
    assert symbol_of("2d") == "_2d"
    assert symbol_of("größe") == "gr__e"


@pytest.mark.parametrize("target", [*ARCHITECTURES, "sm_90a", "sm_100a", "sm_121f"])
def test_cubin_with_its_figures(target: str) -> None:
    result = compile_for(twice(), target)
    assert not result.ptx.endswith("\0")
    cubin = result.assemble()
    assert cubin.image[:4] == b"\x7fELF"
    assert 4 <= cubin.resources.registers <= 32
    assert not cubin.resources.spills
    assert cubin.resources.shared_bytes == 0


def test_register_limit_makes_the_kernel_spill() -> None:
    inputs, i = [load(element(X, index(k))) for k in range(80)], local("i", I64)
    products = [binary("*", value, load(element(X, ref(i)))) for value in inputs]
    locals_ = [local("v", F32, k) for k in range(80)]
    body: list[tir.Stmt] = [tir.Assign(span=HERE, local=v, value=p) for v, p in zip(locals_, products, strict=True)]
    barrier = tir.Print(span=HERE, message=tir.Message(parts=("here",)))
    outputs = array("out", F32)
    for k, v in enumerate(reversed(locals_)):
        body += [store(element(outputs, index(k)), ref(v))]
    crowded = kernel((X, outputs, i), *body[:80], barrier, *body[80:], name="crowded")
    assert compile_for(crowded, options=Options(maxrregcount=24)).assemble().resources.spills


def test_lto() -> None:
    result = compile_for(twice())
    data = libnvvm.compile_lto(result.module, result.gpu, result.options)
    assert data[:4] == bytes.fromhex("ED434E7F")
    assert link.link_lto(result.module, data, result.gpu, result.options).image[:4] == b"\x7fELF"


@pytest.mark.parametrize("target", ARCHITECTURES)
def test_line_tables_name_the_python_file(target: str) -> None:
    outer = Span(filename="/home/me/model.py", line=12, col=4, end_line=12, end_col=9)
    inner = Span(filename="/home/me/device.py", line=77, col=8, end_line=77, end_col=20, call_site=outer)
    body = tir.Store(span=outer, place=element(OUT, index(0)), value=tir.Load(
        span=inner, type=F32, place=tir.Element(span=inner, type=F32, array=ref(X), indices=(index(3),))
    ))
    there = tir.Kernel(span=outer, name="there", parameters=(X, OUT), allocations=(), body=(body,))
    ptx = compile_for(there, target).ptx
    assert re.search(r'\.file\s+\d+ "/home/me/model\.py"', ptx)
    assert re.search(r'\.file\s+\d+ "/home/me/device\.py"', ptx)
    assert re.search(r"\.loc\s+\d+ 77 9, function_name \S+(?: \+ \d+)?, inlined_at \d+ 12 5", ptx)
    assert ", debug" not in ptx
    assert ".loc" not in compile_for(there, target, Options(lineinfo=False)).ptx
    assert ", debug" in compile_for(there, target, Options(debug=True, opt=0)).ptx
    compile_for(there, target, Options(debug=True, opt=0)).assemble()


def test_an_architecture_that_cuda_13_dropped() -> None:
    if libnvvm.supports(parse_architecture("sm_70")):
        return  # libNVVM 12 compiles for it
    with pytest.raises(UnavailableError, match=r"sm_70.*simt-core\[cu12\].*12\.x"):
        compile_for(twice(), "sm_70")


def test_too_much_shared_memory_is_the_kernels_fault() -> None:
    tile = allocation("tile", F32, (1 << 16,), AddressSpace.SHARED)
    i = local("i", I64)
    place = element(tile.local, ref(i))
    body = (store(place, const(F32, 1)), store(element(OUT, index(0)), load(element(tile.local, index(3)))))
    big = tir.Kernel(span=HERE, name="big", parameters=(OUT, i), allocations=(tile,), body=body)
    with pytest.raises(CompileError, match=r"big.*too much shared") as caught:
        compile_for(big).assemble()
    assert caught.value.diagnostics[0].primary.span == HERE


def module_with(*lines: tuple[str, Span | None]) -> NvvmModule:
    return NvvmModule(
        symbol="k", kernel_name="k", kernel_span=HERE, lines=lines, sites=(), has_fault_record=False,
        waits_for_launch=False, needs_libdevice=False,
    )


def test_messages_come_home() -> None:
    there = Span(filename="<there>", line=9, col=2, end_line=9, end_col=8)
    module = module_with(("define void @k() {", None), ("  %v1 = frobnicate i32 1", there), ("}", None))
    parse = rejection(module, "kernel (2, 9): parse expected instruction opcode", "ERROR_INVALID_IR (6)")
    assert isinstance(parse, CompileError)
    assert parse.diagnostics[0].primary.span == there
    verify = rejection(module, "error: Error: :\n  context:   %v1 = frobnicate i32 1\n  Illegal instruction", "6")
    assert isinstance(verify, CompileError)
    assert verify.diagnostics[0].primary.span == there
    assert isinstance(rejection(module, "kernel (1, 3): parse expected", "6"), InternalCompilerError)
    assert isinstance(rejection(module, "out of memory", "1"), InternalCompilerError)
    ptx = ".entry k()\n{\n\t.loc\t1 9 3\n\tfrobnicate.u32 %r1;\n}\n"
    assembly = assembler_rejection(module, ptx, "ptxas k, line 4; error   : Not a name of any known instruction")
    assert isinstance(assembly, CompileError)
    assert assembly.diagnostics[0].primary.span == there


def test_figures_are_read_for_the_kernel_asked_for() -> None:
    log = """\
ptxas info    : 24 bytes gmem
ptxas info    : Compiling entry function 'other' for 'sm_90'
ptxas info    : Used 99 registers, used 0 barriers
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
ptxas         .     48 bytes stack frame, 20 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 48 bytes cumulative stack size, 4096 bytes smem, 400 bytes cmem[0]
"""
    resources = read_resources(log, "k")
    assert (resources.registers, resources.stack_bytes, resources.shared_bytes) == (32, 48, 4096)
    assert (resources.spill_store_bytes, resources.spill_load_bytes, resources.constant_bytes) == (20, 28, 400)
    assert resources.barriers == 1
    with pytest.raises(InternalCompilerError, match="absent"):
        read_resources(log, "absent")


def test_figures_in_the_wording_of_nvjitlink_13_0() -> None:
    log = """\
info    : 0 bytes gmem
info    : Function properties for 'k':
info    : used 15 registers, used 1 barriers, 16 stack, 1056 bytes smem, 560 bytes cmem[0], 0 bytes lmem
"""
    resources = read_resources(log, "k")
    assert (resources.registers, resources.barriers, resources.stack_bytes) == (15, 1, 16)
    assert (resources.shared_bytes, resources.constant_bytes) == (1056, 560)


def test_sass_needs_its_tool() -> None:
    image = compile_for(twice()).assemble().image
    if link.find_tool("nvdisasm") is None and link.find_tool("cuobjdump") is None:
        with pytest.raises(UnavailableError, match="nvidia-cuda-nvdisasm"):
            disassemble(image)
    else:
        assert "FADD" in disassemble(image)
