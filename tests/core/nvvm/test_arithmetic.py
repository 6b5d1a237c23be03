"""Every operator and conversion of every scalar type compiles and assembles, for both dialects of libNVVM.

What the results are is tested where the shared emission runs, on the host; here stands what only a GPU's code has.
"""
from __future__ import annotations

import pytest

from simt.core.check import tir
from simt.core.options import Options
from simt.core.types import Access, Kind, ScalarType
from simt.core.types.scalar import BF16, BOOL, F16, F32, F64, FLOATS, I8, I32, I64, I128, SCALARS, U32, U64
from tests.core.llvm import build
from tests.core.nvvm.compiled import ARCHITECTURES, compile_for


def everything(t: ScalarType) -> tir.Kernel:
    """A kernel that applies each operator of ``t``, and converts to each type it can become."""
    a, b = build.local("a", t), build.local("b", t)
    out, flags = build.array("out", t), build.array("flags", BOOL)
    if t.kind is Kind.BOOL:
        operators, comparisons = ["&", "|", "^"], ["==", "<"]
    elif t.is_complex:
        operators, comparisons = ["+", "-", "*", "/"], ["==", "!="]
    elif t.is_float:
        operators, comparisons = ["+", "-", "*", "/", "//", "%", "min", "max"], ["==", "<", ">="]
    else:
        operators = ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "min", "max"]
        comparisons = ["==", "<", ">="]
    body: list[tir.Stmt] = []
    for position, op in enumerate(operators):
        value = build.binary(op, build.ref(a), build.ref(b))
        body.append(build.store(build.element(out, build.index(position)), value))
    for position, op in enumerate(comparisons):
        value = build.compare(op, build.ref(a), build.ref(b))
        body.append(build.store(build.element(flags, build.index(position)), value))
    arrays = []
    for target in SCALARS:
        if t.is_complex and not target.is_complex and target != BOOL:
            continue
        array = build.array(f"as_{target}", target)
        arrays.append(array)
        body.append(build.store(build.element(array, build.index(0)), build.convert(build.ref(a), target)))
    return build.kernel((a, b, out, flags, *arrays), *body, name=f"all_{t}")


@pytest.mark.parametrize("target", ARCHITECTURES)
@pytest.mark.parametrize("t", SCALARS, ids=str)
def test_everything_compiles(t: ScalarType, target: str) -> None:
    result = compile_for(everything(t), target)
    externals = [line for line in result.ptx.splitlines() if line.startswith(".extern")]
    assert externals == []
    result.assemble()


def one(t: ScalarType, result: ScalarType, make, options: Options | None = None, target: str = "sm_90") -> list[str]:
    """The instructions of ``out[0] = make(a[0], b[0])``."""
    a, b = (build.array(name, t, access=Access.IN) for name in "ab")
    out = build.array("out", result, access=Access.OUT)
    value = make(*(build.load(build.element(array, build.index(0))) for array in (a, b)))
    kernel = build.kernel((a, b, out), build.store(build.element(out, build.index(0)), value))
    return compile_for(kernel, target, options).instructions


def has(instructions: list[str], start: str) -> bool:
    return any(line.startswith(start) for line in instructions)


def multiply_add(a: tir.Expr, b: tir.Expr) -> tir.Expr:
    return build.binary("+", build.binary("*", a, b), b)


@pytest.mark.parametrize("target", ARCHITECTURES)
@pytest.mark.parametrize(("t", "suffix"), [(F16, "f16"), (F32, "f32"), (F64, "f64")], ids=str)
def test_products_and_sums_fuse_unless_told_otherwise(t: ScalarType, suffix: str, target: str) -> None:
    assert has(one(t, t, multiply_add, target=target), f"fma.rn.{suffix}")
    assert not has(one(t, t, multiply_add, Options(fma=False), target=target), "fma")


def test_precision_options() -> None:
    def divide(a: tir.Expr, b: tir.Expr) -> tir.Expr:
        return build.binary("/", a, b)

    assert has(one(F32, F32, divide), "div.rn.f32")
    assert has(one(F32, F32, divide, Options(prec_div=False)), "div.full.f32")
    assert has(one(F32, F32, divide, Options(ftz=True)), "div.rn.ftz.f32")
    assert has(one(F32, F32, divide, Options(fast_math=True)), "div.full.ftz.f32")


@pytest.mark.parametrize("t", FLOATS, ids=str)
@pytest.mark.parametrize("integer", [I32, U32, I64, U64], ids=str)
def test_floats_to_integers_by_the_saturating_instruction(t: ScalarType, integer: ScalarType) -> None:
    code = one(t, integer, lambda a, b: build.convert(a, integer))
    assert has(code, f"cvt.rzi.{integer.name.replace('i', 's')}")
    # The hardware's NaN gives 0 only from 32 bits to 32 bits; elsewhere a selection says so.
    assert has(code, "setp.nan") or has(code, "setp.num") or (t != F64 and integer.bits == 32)


def test_narrow_floats_widen_and_round() -> None:
    assert has(one(F16, F16, lambda a, b: build.binary("+", a, b)), "add.f16") or has(
        one(F16, F16, lambda a, b: build.binary("+", a, b)), "add.rn.f16"
    )
    code = one(BF16, BF16, lambda a, b: build.binary("+", a, b))
    assert has(code, "add.f32") or has(code, "add.rn.f32")


def test_floor_division_by_a_power_of_two_is_a_shift() -> None:
    for t in (I8, I32, I64, I128):
        code = one(t, t, lambda a, b, t=t: build.binary("//", a, build.const(t, 8)))
        assert not has(code, "div")
        assert has(code, "shr.")
