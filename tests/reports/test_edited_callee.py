"""A kernel that calls a function of another file runs new code once that file, or a global it uses, has changed."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MAIN = """\
from __future__ import annotations
import numpy as np
from simt.core import Out, f32, kernel
import callee
from callee import value

@kernel
def run(out: Out[f32]):
    out[0] = value(f32(3))
    out[1] = callee.OFFSET

out = np.zeros(2, np.float32)
run[1, 1](out)
print(*out)
"""
CALLEE = """\
from __future__ import annotations
from simt.core import f32
from inner import FACTOR

OFFSET = {offset}

def value(x: f32) -> f32:
    return x * FACTOR + {constant}
"""


def run(folder: Path, *, offset: float, constant: float, factor: float) -> list[float]:
    (folder / "main.py").write_text(MAIN)
    (folder / "callee.py").write_text(CALLEE.format(offset=offset, constant=constant))
    (folder / "inner.py").write_text(f"FACTOR = {factor}\n")
    environment = {**os.environ, "SIMT_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stderr
    return [float(number) for number in done.stdout.split()]


def test_no_stale_code(tmp_path: Path):
    assert run(tmp_path, offset=1.0, constant=0.5, factor=2.0) == [6.5, 1.0]
    assert run(tmp_path, offset=1.0, constant=0.5, factor=2.0) == [6.5, 1.0]
    assert list((tmp_path / "cache").rglob("*")), "nothing was kept, so this would prove nothing"
    assert run(tmp_path, offset=1.0, constant=1.5, factor=2.0) == [7.5, 1.0]
    assert run(tmp_path, offset=1.0, constant=1.5, factor=3.0) == [10.5, 1.0]
    assert run(tmp_path, offset=4.0, constant=1.5, factor=3.0) == [10.5, 4.0]
