"""Each kernel file here, stage by stage, against the golden file of its name. ``pytest --bless tests/golden`` rewrites.

A kernel file says in comments what is compared: ``# golden: tir, llvm, nvvm`` the stages shown, ``# signature: ...``
the types of a generic kernel, ``# PTX sm_90: text`` what the PTX holds, and ``# PTX-NOT: text`` what it does not.
"""
from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from simt.core.errors import UnavailableError
from simt.core.kernel import Kernel
from simt.core.testing.golden import check_golden

FILES = sorted(path for path in Path(__file__).parent.glob("*.py") if not path.name.startswith(("test_", "conftest")))
ARCHITECTURE = "sm_90"


def setting(text: str, name: str) -> list[str]:
    return re.findall(rf"^# {name}: (.+)$", text, re.M)


def load(path: Path) -> tuple[Kernel[Any], dict[str, object]]:  # Any: kernels of every signature
    namespace: dict[str, Any] = runpy.run_path(str(path))
    [found] = [value for value in namespace.values() if isinstance(value, Kernel)]
    signature = setting(path.read_text(), "signature")
    return found, {"signature": eval(f"({signature[0]},)", namespace)} if signature else {}


def plain(text: str) -> str:
    """Emitted LLVM text without line tables, metadata, target lines, and names that depend on paths."""
    lines = [line for line in text.splitlines() if not re.match(r"!|target |@llvm\.used", line)]
    text = re.sub(r",? !(dbg|range|invariant\.load) !\d+", "", "\n".join(lines))
    return re.sub(r"simt_kernel_[0-9a-f]{16}", "simt_kernel", text)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_stages(path: Path, bless: bool) -> None:
    kernel, arguments = load(path)
    stages: dict[str, str] = {}
    for stage in setting(path.read_text(), "golden")[0].split(", "):
        target = ARCHITECTURE if stage == "nvvm" else "cpu"
        text = kernel.inspect(stage, target=target, **arguments)  # type: ignore[arg-type]
        stages[stage] = text if stage == "tir" else plain(text)
    command = f"pytest {os.path.relpath(__file__)} -k {path.stem} --bless"
    check_golden(path.with_suffix(".golden"), stages, bless=bless, command=command)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_instructions(path: Path) -> None:
    kernel, arguments = load(path)
    try:
        ptx = kernel.inspect("ptx", target=ARCHITECTURE, **arguments)  # type: ignore[arg-type]
    except UnavailableError as error:
        pytest.skip(str(error))
    text = path.read_text()
    missing = [fragment for fragment in setting(text, f"PTX {ARCHITECTURE}") if fragment not in ptx]
    present = [fragment for fragment in setting(text, "PTX-NOT") if fragment in ptx]
    assert not missing and not present, f"missing {missing}, present {present}:\n{ptx}"
