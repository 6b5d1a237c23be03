"""Images without a GPU: their kinds, versions of PTX, and linking by nvJitLink."""
from __future__ import annotations

import subprocess

import pytest

from simt.core import DriverError, LaunchError, UnavailableError
from simt.core.architecture import parse_architecture
from simt.core.gpu.image import ImageKind, is_relocatable, kind_of, read_image
from simt.core.gpu.jit_options import JitOptions
from simt.core.gpu.linking import link
from simt.core.gpu.ptx_version import version_of, version_of_cuda, with_version
from simt.core.nvvm.link import find_tool, nvjitlink

PTX = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"
SM_90 = parse_architecture("sm_90")
needs_nvjitlink = pytest.mark.skipif(nvjitlink() is None, reason="nvJitLink is not installed (extra cu12 or cu13)")


def ptx(text: str) -> list[tuple[ImageKind, bytes]]:
    return [(ImageKind.PTX, text.encode())]


@pytest.mark.parametrize(("start", "kind"), [
    (b"\x7fELF" + bytes(14) + b"\xbe\0", ImageKind.CUBIN), (b"\x7fELF" + bytes(14) + b"\x3e\0", ImageKind.OBJECT),
    (b"\x50\xed\x55\xba\x01\0", ImageKind.FATBIN), (b"\xed\x43\x4e\x7f\x01", ImageKind.LTO_IR),
    (b"!<arch>\n", ImageKind.LIBRARY), (b"// a comment\n.version 8.0\n", ImageKind.PTX),
    (b".version 8.0\0", ImageKind.PTX),
])
def test_kinds(start, kind):
    assert kind_of(start + bytes(4)) is kind


def test_relocatable_cubins_are_told_from_finished_ones():
    header = b"\x7fELF" + bytes(12)
    assert is_relocatable(header + b"\x01\0\xbe\0")
    assert not is_relocatable(header + b"\x02\0\xbe\0")


@needs_nvjitlink
def test_a_relocatable_cubin_is_linked(tmp_path):
    ptxas = find_tool("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed")
    (tmp_path / "k.ptx").write_text(PTX)
    made = tmp_path / "k.cubin"
    subprocess.run([ptxas, "-c", "-arch=sm_90", "-o", made, tmp_path / "k.ptx"], check=True)
    cubin = made.read_bytes()
    assert is_relocatable(cubin)
    assert not is_relocatable(link([(kind_of(cubin), cubin)], SM_90, JitOptions()).cubin)


def test_a_file_is_read_by_its_path(tmp_path):
    (tmp_path / "k.ptx").write_text(PTX)
    assert read_image(tmp_path / "k.ptx") == PTX.encode() == read_image(PTX)
    with pytest.raises(LaunchError, match=r"is no PTX, cubin.*pathlib\.Path"):
        kind_of(read_image("k.ptx"))


def test_versions_of_ptx():
    text = "// .version 9.9 in a comment\n  .version 8.4\n.target sm_90 // .version 1.0\n"
    assert version_of(text) == (8, 4)
    assert with_version(text, (8, 0)) == text.replace("8.4", "8.0")
    with pytest.raises(LaunchError, match=r"no \.version"):
        version_of("ret;")
    # PTX ISA 9.0, release notes: the version that each CUDA release brought.
    known = {(12, 0): (8, 0), (12, 4): (8, 4), (12, 5): (8, 5), (12, 6): (8, 5), (12, 8): (8, 7), (12, 9): (8, 8),
             (13, 0): (9, 0), (11, 8): (7, 8)}
    assert {release: version_of_cuda(*release) for release in known} == known


@needs_nvjitlink
def test_linking_gives_a_cubin_of_several_images():
    caller = PTX.replace(".visible", ".extern .func f();\n.visible").replace("ret;", "call.uni f, (); ret;")
    callee = PTX.replace(".visible .entry k()", ".visible .func f()")
    linked = link(ptx(caller) + ptx(callee), SM_90, JitOptions(maxrregcount=32, lineinfo=True))
    assert kind_of(linked.cubin) is ImageKind.CUBIN
    with pytest.raises(DriverError, match=r"nvJitLink refuses the image(.|\n)*f"):
        link(ptx(caller), SM_90, JitOptions())


@needs_nvjitlink
def test_what_the_linker_refuses_is_told_with_its_log():
    with pytest.raises(DriverError, match="'nonsense'"):
        link(ptx(PTX.replace("ret;", "nonsense;")), SM_90, JitOptions())
    with pytest.raises(UnavailableError, match=r"older than the image(.|\n)*99\.0"):
        link(ptx(with_version(PTX, (99, 0))), SM_90, JitOptions())
    with pytest.raises(UnavailableError, match="does not know the architecture"):
        link(ptx(PTX), SM_90, JitOptions(target="sm_50"))
