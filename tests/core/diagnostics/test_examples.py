"""The kernels that stand in the table of codes, compiled: the failing ones report their code, the others nothing."""
from __future__ import annotations

import linecache
import sys
import warnings
from typing import Any

import pytest

from simt.core.architecture import parse_architecture
from simt.core.diagnostics.code import PRELUDE, Code
from simt.core.diagnostics.codes import CODES
from simt.core.errors import CompileError
from simt.core.kernel import Kernel
from simt.core.nvvm import libnvvm

NEEDS = {"type-parameters": (3, 12), "type-statement": (3, 12), "template-string": (3, 14)}


GPU_ONLY = {"needs-newer-architecture": "sm_60", "unsupported-format": "sm_90", "toolchain-rejects": "sm_90"}


def reported(text: str, name: str, architecture: str | None = None) -> set[str]:
    """Codes that compiling the module's kernels reports, errors and warnings: for the CPU, or for a GPU."""
    whole = f"{PRELUDE}\n\n{text}"
    if text.startswith("from __future__"):
        future, rest = text.split("\n", 1)
        whole = f"{future}\n{PRELUDE}\n\n{rest}"
    linecache.cache[name] = (len(whole), None, whole.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": name}
    found: set[str] = set()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(whole, name, "exec", dont_inherit=True), namespace)
            for value in list(namespace.values()):
                if isinstance(value, Kernel):
                    value.compile() if architecture is None else compile_for(value, architecture)
        except CompileError as error:
            found = {diagnostic.code for diagnostic in error.diagnostics}
    return found | {str(warning.message).split("[", 1)[-1].split("]", 1)[0] for warning in caught}


def compile_for(kernel: Kernel[Any], architecture: str) -> None:
    """As far as NVVM IR for architectures that the installed libNVVM may not know, else to machine code."""
    if libnvvm.supports(parse_architecture(architecture)):
        kernel.compile(target=architecture)
    else:
        kernel.inspect("nvvm", target=architecture)


@pytest.mark.parametrize("code", CODES.values(), ids=list(CODES))
def test_examples_of_each_code(code: Code) -> None:
    target = GPU_ONLY.get(code.code)
    if sys.version_info >= NEEDS.get(code.code, (3, 11)):
        assert reported(code.failing, f"<failing {code.code}>", target) == {code.code}
    assert reported(code.corrected, f"<corrected {code.code}>", target) == set()
