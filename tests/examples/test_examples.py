"""Every example, the demo and the programs in the pages run as a user runs them, and check their own results.

Programs that need a GPU, which import ``simt.core.gpu``, run on the fake driver; so do examples of the GPU's host side.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted((ROOT / "docs/guide").rglob("*.md"))]
PROGRAM = re.compile(r"```python\n(.*?)```(?:\s*(?:\n[^`\n]*)?\n```text\n(.*?)```)?", re.DOTALL)
ON_FAKE_GPU = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
from tests.fake_driver import bridge
bridge.install()
runpy.run_path(sys.argv[2], run_name="__main__")
"""


def run(command: list[str | Path], cache: Path, folder: Path = ROOT, device: str = "cpu") -> str:
    """Standard output of a Python that treats warnings as errors."""
    environment = os.environ | {"SIMT_DEVICE": device, "SIMT_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-W", "error", *command], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, cache: Path) -> None:
    assert run([path], cache).strip(), "an example prints what it checked"


def run_on_fake_gpu(path: Path, cache: Path) -> str:
    """Standard output of the program on the fake driver."""
    return run(["-c", ON_FAKE_GPU, ROOT, path], cache, device="gpu")


@pytest.mark.parametrize("name", ["graph", "device_faults"])
def test_example_on_a_gpu(name: str, cache: Path) -> None:
    assert "Fake GPU" in run_on_fake_gpu(ROOT / f"examples/{name}.py", cache)


DEMO = "import sys; sys.path.insert(0, sys.argv[1]); from demo.__main__ import main; main()"


@pytest.mark.parametrize("start", ["", "from tests.fake_driver import bridge; bridge.install(); "], ids=["cpu", "gpu"])
def test_demo(start: str, cache: Path, tmp_path: Path) -> None:
    """In another folder, so that a picture in the clone is left alone. With a GPU it shows both devices."""
    program = DEMO.replace("from demo", f"{start}from demo")
    output = run(["-c", program, ROOT], cache, tmp_path, "gpu" if start else "cpu")
    assert "SSIM map" in output
    assert ("and Fake GPU" in output) == bool(start)
    assert (tmp_path / "out/ssim.png").read_bytes().startswith(b"\x89PNG")


def programs() -> list[object]:
    """Complete programs in the pages: blocks that import simt. A block of text after one is its exact output."""
    found: list[object] = []
    for page in PAGES:
        for number, (program, output) in enumerate(PROGRAM.findall(page.read_text(encoding="utf-8"))):
            if "from simt" in program:
                found.append(pytest.param(program, output, id=f"{page.relative_to(ROOT)}:{number}"))
    return found


@pytest.mark.parametrize(("program", "output"), programs())
def test_program_in_a_page(program: str, output: str, cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    printed = run_on_fake_gpu(path, cache) if "from simt.core.gpu" in program else run([path], cache)
    assert printed.strip()
    if output:
        assert printed == output.replace("/path/to/", f"{tmp_path}/")
