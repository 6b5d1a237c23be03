"""Code made with other options or for another target is never served, in this process or from the disk."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread

PROGRAM = """\
from __future__ import annotations
import sys
import numpy as np
from simt.core import DeviceFault, In, Out, f32, kernel
from simt.cuda_std import thread

@kernel
def read(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    if i == 0:
        out[0] = x[i + 4]

backing = np.arange(8, dtype=np.float32)
try:
    read.with_options(checks=sys.argv[1] == "on")[1, 1](backing[:4], np.zeros(1, np.float32))
    print("ran")
except DeviceFault:
    print("fault")
"""


@kernel
def fused(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = x[i] * x[i] + x[i]


def test_from_the_disk(tmp_path: Path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "SIMT_CACHE_DIR": str(tmp_path / "cache")}
    for checks, expected in (("off", "ran"), ("on", "fault"), ("off", "ran"), ("on", "fault")):
        done = subprocess.run(
            [sys.executable, "program.py", checks], cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False,
        )
        assert done.stdout.strip() == expected, done.stderr


def test_in_one_process():
    arguments = (np.zeros(4, np.float32), np.zeros(4, np.float32))
    with_fma = fused.compile(*arguments, target="sm_80").ptx
    without = fused.with_options(fma=False).compile(*arguments, target="sm_80").ptx
    again = fused.compile(*arguments, target="sm_80").ptx
    assert with_fma is not None and without is not None
    assert "fma.rn.f32" in with_fma and "fma.rn.f32" not in without
    assert again == with_fma


def test_targets_differ():
    arguments = (np.zeros(4, np.float32), np.zeros(4, np.float32))
    texts = {name: fused.compile(*arguments, target=name).ptx or "" for name in ("sm_75", "sm_80", "sm_90")}
    for name, text in texts.items():
        assert f".target {name}" in text
