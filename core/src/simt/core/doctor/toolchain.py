"""What compiles for GPUs: libNVVM, libdevice, nvJitLink, tools; and what marks timelines."""
from __future__ import annotations

from collections.abc import Iterator

from simt.core.architecture import NAMES, parse_architecture
from simt.core.doctor.finding import Finding, State
from simt.core.errors import UnavailableError
from simt.core.gpu import nvtx
from simt.core.gpu.ptx_version import Version, version_of
from simt.core.nvvm import libnvvm, link

SECTION = "toolchain"


def findings(needed: bool) -> Iterator[Finding]:
    """Everything of this file; ``needed``: there is a GPU, so that what is missing is a problem."""
    lacking = State.PROBLEM if needed else State.ABSENT
    yield _libnvvm(lacking)
    yield _libdevice(lacking)
    yield _assembler(lacking)
    uses = {
        "ptxas": "assembles; without it nvJitLink does, into code with more registers",
        "nvdisasm": "shows machine instructions",
    }
    for name, use in uses.items():
        path = link.find_tool(name)
        yield Finding(SECTION, name, State.OK if path else State.ABSENT, path or f"not found; it {use}")
    try:
        yield Finding(SECTION, "NVTX", State.OK, nvtx.library_path())
    except UnavailableError as error:
        yield Finding(SECTION, "NVTX", State.ABSENT, str(error))


def ptx_version() -> Version | None:
    """The version that the installed libNVVM writes; None without one."""
    try:
        texts = [libnvvm.empty_ptx(parse_architecture(f"sm_{name}")) for name in NAMES]
    except UnavailableError:
        return None
    return max((version_of(text) for text in texts if text is not None), default=None)


def _libnvvm(lacking: State) -> Finding:
    try:
        major, minor = libnvvm.bindings().version()
        known = [name for name in NAMES if libnvvm.supports(parse_architecture(f"sm_{name}"))]
    except UnavailableError as error:
        return Finding(SECTION, "libNVVM", lacking, str(error))
    written = ptx_version()
    ptx = "" if written is None else f", writes PTX {written[0]}.{written[1]}"
    return Finding(SECTION, "libNVVM", State.OK,
                   f"{major}.{minor} in {libnvvm.library_path()}{ptx}, for sm_{known[0]} to sm_{known[-1]}")


def _libdevice(lacking: State) -> Finding:
    try:
        return Finding(SECTION, "libdevice", State.OK, str(libnvvm.libdevice_path()))
    except UnavailableError as error:
        return Finding(SECTION, "libdevice", lacking, str(error))


def _assembler(lacking: State) -> Finding:
    try:
        where = f" in {libnvvm.library_path('nvJitLink')}" if link.nvjitlink() is not None else ""
        return Finding(SECTION, "assembler", State.OK, f"{link.assembler_names()}{where}")
    except UnavailableError as error:
        return Finding(SECTION, "assembler", lacking, str(error))
