"""Each package installs alone, from its wheel, into a fresh environment, and runs on the CPU without CUDA."""
from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def run(*command: str | Path, folder: Path) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(list(command), cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels of the packages and of the meta-package, by distribution name."""
    folder = tmp_path_factory.mktemp("wheels")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder)
    run(*pip, ROOT / "core", ROOT / "cuda_std", ROOT, folder=folder)
    return {path.name.split("-")[0]: path for path in folder.glob("*.whl")}


@pytest.mark.parametrize(("name", "module"), [("simt_core", "core"), ("simt_cuda_std", "cuda_std")])
def test_wheel_holds_one_typed_package(wheels: dict[str, Path], name: str, module: str) -> None:
    names = [entry for entry in zipfile.ZipFile(wheels[name]).namelist() if ".dist-info" not in entry]
    assert f"simt/{module}/py.typed" in names
    assert all(entry.startswith(f"simt/{module}/") for entry in names), "simt/ belongs to no package"


def test_the_meta_package_holds_no_module(wheels: dict[str, Path]) -> None:
    assert all(".dist-info" in entry for entry in zipfile.ZipFile(wheels["simt"]).namelist())


def test_packages_install_alone_and_run_without_cuda(wheels: dict[str, Path], tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "fresh", folder=tmp_path)
    python = tmp_path / "fresh/bin/python"
    run(python, "-m", "pip", "install", "--quiet", wheels["simt_core"], folder=tmp_path)
    run(python, "-c", "import simt.core; print(simt.core.default_device().name)", folder=tmp_path)
    installed = run(python, "-m", "pip", "list", "--format=freeze", folder=tmp_path).lower()
    assert "nvidia" not in installed and "cuda-bindings" not in installed
    run(python, "-m", "pip", "install", "--quiet", wheels["simt_cuda_std"], wheels["simt"], folder=tmp_path)
    assert "saxpy of" in run(python, ROOT / "examples/saxpy.py", folder=tmp_path)
