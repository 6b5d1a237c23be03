"""What importing and using simt loads: nothing of CUDA, and no compiler, before it is needed."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNEL = """
import numpy as np
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

@kernel
def double(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i < out.size:
        out[i] = 2 * x[i]

x, out = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
double.for_elements(5)(x, out)
assert (out == 2 * x).all()
"""


def run(folder: Path, text: str) -> str:
    """Standard output of a fresh interpreter that runs ``text`` as a file."""
    program = folder / "program.py"
    program.write_text(text)
    done = subprocess.run([sys.executable, "-W", "error", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_no_compiler(tmp_path: Path) -> None:
    text = "import sys\nimport simt.core, simt.cuda_std\nprint(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = run(tmp_path, text).split()
    assert not {"llvmlite", "cuda", "scipy", "rich"} & set(loaded)


def test_a_kernel_on_the_cpu_needs_nothing_of_cuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``None`` in ``sys.modules`` makes an import fail as if the package were absent."""
    monkeypatch.setenv("SIMT_CACHE_DIR", str(tmp_path / "cache"))
    absent = "import sys\nsys.modules['cuda'] = sys.modules['cuda.bindings'] = None\n"
    run(tmp_path, absent + KERNEL)


def test_only_the_bindings_import_cuda() -> None:
    """They do so by name when they are first used, which import contracts cannot see."""
    bindings = {"libnvvm.py", "link.py", "sass.py", "cuda_driver.py"}
    for path in [*(ROOT / "core/src").rglob("*.py"), *(ROOT / "cuda_std/src").rglob("*.py")]:
        if path.name not in bindings:
            assert 'import_module("cuda' not in path.read_text(encoding="utf-8"), path


def test_import_loads_nothing_that_only_compiling_or_reporting_needs(tmp_path: Path) -> None:
    text = "import sys\nimport simt.core\nprint(*sys.modules)\nassert simt.core.Compiled and simt.core.Resources"
    loaded = set(run(tmp_path, text).split())
    late = {
        "compiled", "target", "check.signature", "diagnostics.render", "runtime.pattern", "runtime.memory",
        "runtime.cpu_stream", "frontend", "llvm", "cpu",
    }
    assert not loaded & {f"simt.core.{name}" for name in late}
