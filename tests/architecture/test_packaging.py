"""Each package installs alone, from its wheel, into a fresh environment, and runs on the CPU without CUDA."""
from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
THIRD_PARTIES = {"numpy", "llvmlite", "cuda-pathfinder"}
FRESH = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
# Only what simt-core has by itself: without the device library a kernel has no index, and needs one thread.
CORE_ALONE = """
import numpy as np
from simt.core import In, InOut, default_device, f32, kernel
from simt.core.gpu.launch_extension import extension, reason

@kernel
def total(x: In[f32], out: InOut[f32]):
    for i in range(x.size):
        out[0] += x[i]

out = np.zeros(1, np.float32)
total[1, 1](np.arange(100, dtype=np.float32), out)
assert out[0] == 4950, out
assert extension is not None, reason
print("total on", default_device().name)
"""
WITHOUT_CUDA = """
import runpy, sys
runpy.run_path(sys.argv[1], run_name="__main__")
found = sorted(name for name in sys.modules if name.split(".")[0] in ("cuda", "nvidia"))
assert not found, found
"""


def run(*command: str | Path, folder: Path) -> str:
    """Standard output of a command that must succeed, outside of this source tree."""
    done = subprocess.run(list(command), cwd=folder, env=FRESH, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``make wheels`` makes."""
    folder = tmp_path_factory.mktemp("dist")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "core/src", ROOT / "cuda_std/src")))}
    command = [sys.executable, "-m", "tools.dev", "wheels", folder]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def wheel_of(built: Path, name: str) -> Path:
    (wheel,) = built.glob(f"{name}-*.whl")
    return wheel


def environment_with(wheel: Path, python: str | Path, folder: Path) -> Path:
    """The Python of a fresh environment with a wheel. The requirements that are not ours come from an index; what the
    environment gets is then chosen without it, so that no other package of our names can be."""
    run(python, "-m", "venv", "fresh", folder=folder)
    fresh = folder / "fresh/bin/python"
    run(fresh, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", "others", *THIRD_PARTIES,
        folder=folder)
    run(fresh, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", "others", "--find-links", wheel.parent,
        wheel, folder=folder)
    run(fresh, "-m", "pip", "check", folder=folder)
    return fresh


def program_in(wheel: Path) -> str:
    """The first program in a package's description, as its users read it."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (entry for entry in archive.namelist() if entry.endswith(".dist-info/METADATA"))
        found = re.search(r"```python\n(.*?)```", archive.read(name).decode(), re.DOTALL)
    assert found is not None, "a package's README has a program"
    return found[1]


def run_without_cuda(python: Path, program: str, folder: Path) -> str:
    (folder / "program.py").write_text(program, encoding="utf-8")
    return run(python, "-W", "error", "-c", WITHOUT_CUDA, "program.py", folder=folder)


@pytest.mark.parametrize(("name", "ours", "program"), [
    ("simt_core", {"simt-core"}, CORE_ALONE),
    ("simt_cuda_std", {"simt-core", "simt-cuda-std"}, None),
    ("simt", {"simt-core", "simt-cuda-std", "simt"}, None),
])
def test_a_package_installs_alone_with_what_it_declares_and_runs_without_cuda(
    built: Path, tmp_path: Path, name: str, ours: set[str], program: str | None
) -> None:
    wheel = wheel_of(built, name)
    fresh = environment_with(wheel, sys.executable, tmp_path)
    listed = run(fresh, "-m", "pip", "list", "--format=freeze", folder=tmp_path)
    assert {line.split("==")[0] for line in listed.split()} - {"pip", "setuptools"} == THIRD_PARTIES | ours
    assert run_without_cuda(fresh, program or program_in(wheel), tmp_path).strip()
    assert "simt" in run(fresh, "-m", "simt.core.doctor", folder=tmp_path)


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14"])
def test_the_wheel_with_machine_code_serves_later_versions_of_python(built: Path, tmp_path: Path, version: str) -> None:
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True).returncode != 0:
        pytest.skip(f"no python{version} on PATH")
    fresh = environment_with(wheel_of(built, "simt"), python, tmp_path)
    assert "total on" in run_without_cuda(fresh, CORE_ALONE, tmp_path)
    assert run_without_cuda(fresh, program_in(wheel_of(built, "simt")), tmp_path).strip()


def test_wheel_holds_one_typed_package(built: Path) -> None:
    wheel = wheel_of(built, "simt_core")
    with zipfile.ZipFile(wheel) as archive:
        names = [entry for entry in archive.namelist() if not entry.endswith("/")]
    modules = [name for name in names if ".dist-info" not in name]
    assert {"simt/core/py.typed", "simt/core/gpu/_launch.abi3.so"} <= set(modules)
    assert all(entry.startswith("simt/core/") for entry in modules), "simt/ belongs to no package"
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert "-cp311-abi3-manylinux" in wheel.name


def test_the_same_sources_give_the_same_bytes(built: Path, tmp_path: Path) -> None:
    """The second time from the sdists, unpacked elsewhere."""
    environment = FRESH | {"SOURCE_DATE_EPOCH": "1580601600", "SIMT_REQUIRE_EXTENSION": "1"}
    for name in ("simt_core", "simt_cuda_std", "simt"):
        (sdist,) = built.glob(f"{name}-*.tar.gz")
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", sdist]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=300)
        (again,) = tmp_path.glob(f"{name}-*.whl")
        assert contents(again) == contents(wheel_of(built, name))


def contents(wheel: Path) -> dict[str, str]:
    """A digest of each file, but for those that repeat the name of the platform."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            name: hashlib.sha256(archive.read(name)).hexdigest()
            for name in archive.namelist() if not name.endswith(("/", ".dist-info/RECORD", ".dist-info/WHEEL"))
        }
