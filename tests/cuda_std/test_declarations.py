"""What every declaration of an operation must say, beyond what the decorator checks at import."""
from __future__ import annotations

import importlib
import re
from typing import Any, TypeVar, get_args, get_origin

import pytest

from simt.core.annotations import PointerAnnotation
from simt.core.intrinsics.declare import Behavior, Intrinsic
from simt.core.intrinsics.recipe import Body, Libdevice, SpecialRegister
from tests.cuda_std.overloads import Overload, all_intrinsics, overloads_of

EVERY = all_intrinsics()
SAMPLES = {"x": 0.5, "y": 0.25, "z": 2.0, "exponent": 3, "low": 3, "high": 5, "selector": 0x3210, "count": 1}


def by_name(intrinsic: Intrinsic[Any, Any]) -> str:
    return intrinsic.name


@pytest.mark.parametrize("intrinsic", EVERY, ids=by_name)
def test_it_is_documented_sourced_and_testable(intrinsic: Intrinsic[Any, Any]) -> None:
    first = intrinsic.documentation.splitlines()[0]
    assert first[0].isupper() or first.startswith(("``", "(", "e*"))
    assert intrinsic.documentation.rstrip().endswith(".")
    assert any(document in intrinsic.source for document in ("PTX ISA", "libdevice User's Guide"))
    re.compile(intrinsic.ptx)
    assert 50 <= intrinsic.since.number <= 121


@pytest.mark.parametrize("intrinsic", EVERY, ids=by_name)
def test_it_is_found_under_its_name(intrinsic: Intrinsic[Any, Any]) -> None:
    module, _, name = intrinsic.name.rpartition(".")
    assert callable(getattr(importlib.import_module(f"simt.{module}"), name))


@pytest.mark.parametrize("intrinsic", [i for i in EVERY if i.behavior is Behavior.WARP], ids=by_name)
def test_warp_collectives_end_with_their_members(intrinsic: Intrinsic[Any, Any]) -> None:
    last = intrinsic.parameters[-1]
    assert last.name == "members"
    assert last.default == 0xFFFFFFFF


@pytest.mark.parametrize("intrinsic", [i for i in EVERY if isinstance(i.gpu, Libdevice)], ids=by_name)
def test_libdevice_names_follow_the_function(intrinsic: Intrinsic[Any, Any]) -> None:
    assert isinstance(intrinsic.gpu, Libdevice)
    name = {"gamma": "tgamma"}.get(intrinsic.reference.__name__, intrinsic.reference.__name__)
    assert (intrinsic.gpu.f32, intrinsic.gpu.f64) == (f"__nv_{name}f", f"__nv_{name}")


def pure_overloads() -> list[Overload]:
    return [
        overload for intrinsic in EVERY if intrinsic.behavior is Behavior.PURE
        if not isinstance(intrinsic.cpu, SpecialRegister)
        if not intrinsic.name.startswith(("cuda_std.warp.", "cuda_std.texture.", "cuda_std.surface."))
        for overload in overloads_of(intrinsic)
    ]


@pytest.mark.parametrize("overload", pure_overloads(), ids=str)
def test_the_reference_gives_the_declared_type(overload: Overload) -> None:
    arguments: list[object] = []
    for parameter in overload.intrinsic.parameters:
        scalar = overload.scalar(parameter.annotation)
        integral = isinstance(parameter.annotation, TypeVar) and parameter.annotation.__name__ == "Integer"
        arguments.append(scalar(6 if integral else SAMPLES[parameter.name]))
    assert type(overload.intrinsic(*arguments)).__name__ in overload.results()


def test_the_same_python_body_serves_host_and_cpu_target() -> None:
    compiled_bodies = [intrinsic.name for intrinsic in EVERY if isinstance(intrinsic.cpu, Body)]
    assert "cuda_std.bits.byte_permute" in compiled_bodies
    assert "cuda_std.math.exp10" in compiled_bodies


def test_pointer_operations_are_tried_in_both_memories() -> None:
    add = next(intrinsic for intrinsic in EVERY if intrinsic.name == "cuda_std.atomic.add")
    assert isinstance(add.parameters[0].annotation, PointerAnnotation)
    assert {overload.space for overload in overloads_of(add)} == {"global", "shared"}
    assert len(overloads_of(add)) == 12


def test_tuple_results_are_told_apart() -> None:
    flagged = next(intrinsic for intrinsic in EVERY if intrinsic.name == "cuda_std.warp.shuffle_up_with_flag")
    assert get_origin(flagged.result) is tuple
    assert len(get_args(flagged.result)) == 2
