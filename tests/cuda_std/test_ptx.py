"""Every operation, in every overload, becomes the instruction that its declaration promises, on every architecture."""
from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simt.core.architecture import NAMES, parse_architecture
from simt.core.intrinsics.declare import Intrinsic
from tests.cuda_std.overloads import Overload, all_intrinsics, overloads_of

pytest.importorskip("cuda.bindings.nvvm", reason="libNVVM is not installed (extra cu12 or cu13)")

OVERLOADS = [overload for intrinsic in all_intrinsics() for overload in overloads_of(intrinsic)]
COMMON = ("sm_75", "sm_90", "sm_100")
ALLOWED_EXTERNALS = ("vprintf", "__assertfail")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("probes")


def load_kernel(folder: Path, overload: Overload) -> Any:
    """Kernels are read from their source file, so each probe gets one."""
    path = folder / f"probe_{re.sub(r'[^a-z0-9]', '_', str(overload))}.py"
    path.write_text(overload.source())
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.probe


def assert_instruction(kernel: Any, intrinsic: Intrinsic[Any, Any], target: str) -> None:
    ptx = kernel.inspect("ptx", target=target)
    externals = re.findall(r"\.extern \.func\s+(?:\([^)]*\)\s*)?([\w.$]+)", ptx)
    assert [name for name in externals if name not in ALLOWED_EXTERNALS] == []
    assert re.search(intrinsic.ptx, ptx), f"{target}: no {intrinsic.ptx} in\n{ptx}"


@pytest.mark.parametrize("overload", OVERLOADS, ids=str)
def test_the_instruction_is_there(overload: Overload, folder: Path) -> None:
    kernel = load_kernel(folder, overload)
    for target in COMMON:
        if parse_architecture(target).has(parse_architecture(str(overload.intrinsic.since))):
            assert_instruction(kernel, overload.intrinsic, target)


def known_targets() -> list[str]:
    """The architectures that the installed libNVVM compiles for, found by asking."""
    from simt.core.nvvm import libnvvm

    return [f"sm_{name}" for name in NAMES if libnvvm.supports(parse_architecture(f"sm_{name}"))]


@pytest.mark.slow
@pytest.mark.parametrize("overload", OVERLOADS, ids=str)
def test_the_instruction_is_there_on_every_architecture(overload: Overload, folder: Path) -> None:
    kernel = load_kernel(folder, overload)
    for target in known_targets():
        if parse_architecture(target).has(parse_architecture(str(overload.intrinsic.since))):
            assert_instruction(kernel, overload.intrinsic, target)
