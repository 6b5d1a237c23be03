"""The kernels that stand in the table of codes, compiled: the failing ones report their code, the others nothing."""
from __future__ import annotations

import linecache
import re
import sys
import warnings
from typing import Any

import pytest

from simt.core.architecture import parse_architecture
from simt.core.diagnostics.code import PRELUDE, Code, FaultCode
from simt.core.diagnostics.codes import CODES
from simt.core.diagnostics.codes_faults import FAULT_CODES
from simt.core.errors import CompileError, DeviceFault, LaunchError
from simt.core.kernel import Kernel
from simt.core.llvm.faults import FaultKind
from simt.core.nvvm import libnvvm

NEEDS = {"type-parameters": (3, 12), "type-statement": (3, 12), "template-string": (3, 14)}


GPU_ONLY = {"needs-newer-architecture": "sm_60", "unsupported-format": "sm_90", "toolchain-rejects": "sm_90"}


def reported(text: str, name: str, architecture: str | None = None) -> set[str]:
    """Codes that the module's kernels report, errors and warnings, for the CPU or for a GPU; and its launch's fault."""
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
        except LaunchError as error:
            found = {"misaligned"} if "is not aligned" in str(error) else {str(error)}
        except DeviceFault as fault:
            found = {str(fault).split("[", 1)[1].split("]", 1)[0]}
    return found | {str(warning.message).split("[", 1)[-1].split("]", 1)[0] for warning in caught}


def reported_fault(code: FaultCode) -> None:
    """Run the failing example."""
    name = f"<fault {code.code}>"
    text = f"{PRELUDE}\n\n{code.failing}"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec", dont_inherit=True), {"__name__": name})


def compile_for(kernel: Kernel[Any], architecture: str) -> None:
    """As far as NVVM IR for architectures that the installed libNVVM may not know, else to machine code."""
    if libnvvm.supports(parse_architecture(architecture)):
        kernel.compile(target=architecture)
    else:
        kernel.inspect("nvvm", target=architecture)


def test_every_kind_of_fault_is_in_the_table() -> None:
    assert {kind.value for kind in FaultKind} == set(FAULT_CODES)


NO_HELP = ("assertion", "misaligned")  # the kernel's own words; and launches refuse what it takes to see the other


@pytest.mark.parametrize("name", [name for name in FAULT_CODES if name not in NO_HELP])
def test_every_fault_says_what_to_write_instead(name: str) -> None:
    code = FAULT_CODES[name]
    with pytest.raises(DeviceFault) as caught:
        reported_fault(code)
    assert code.help is not None
    pattern = ".*".join(map(re.escape, re.split(r"\{\w+\}", code.help)))
    assert re.search(f"= help: {pattern}\n", str(caught.value)), str(caught.value)
    assert "{" not in str(caught.value).split("= help: ")[1]


@pytest.mark.parametrize("code", CODES.values(), ids=list(CODES))
def test_examples_of_each_code(code: Code) -> None:
    target = GPU_ONLY.get(code.code)
    if sys.version_info >= NEEDS.get(code.code, (3, 11)):
        assert reported(code.failing, f"<failing {code.code}>", target) == {code.code}
    assert reported(code.corrected, f"<corrected {code.code}>", target) == set()
