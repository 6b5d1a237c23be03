"""Old code is never served: not within a process, and not from the disk cache of another one."""
from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from simt.core import CompileWarning, In, Out, f32, f64, kernel
from simt.core.cache import decode
from simt.cuda_std import thread
from tests.core.compile import kernels

f4 = np.float32


def run_scaled(launch):
    out = np.zeros(4, f4)
    launch(np.ones(4, f4), out)
    return out[0]


def test_a_changed_global_is_seen_by_the_next_launch(monkeypatch):
    launch = kernels.scaled[1, 4]
    for value in (2.0, 5.0, 7, 5.0):
        monkeypatch.setattr(kernels, "SCALE", value)
        assert run_scaled(launch) == value
        assert run_scaled(launch) == value


def test_a_changed_closure_cell_is_seen():
    factor = 2.0

    @kernel
    def scale(x: In[f32], out: Out[f32]):
        i = thread.index_1d()
        out[i] = factor * x[i]

    launch = scale[1, 4]
    assert run_scaled(launch) == 2
    factor = 3.0
    assert run_scaled(launch) == 3


def helper(x: f32) -> f32:
    return x + 1


def other_helper(x: f32) -> f32:
    return x + 10


@kernel
def through_helper(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = helper(x[i])


def test_a_replaced_device_function_is_seen(monkeypatch):
    launch = through_helper[1, 4]
    assert run_scaled(launch) == 2
    monkeypatch.setitem(globals(), "helper", other_helper)
    assert run_scaled(launch) == 11


PROGRAM = """
import sys
import numpy as np
from simt.core import In, Out, f32, kernel
from simt.cuda_std import thread
import callee
LIMIT = 3.0
@kernel
def k(x: In[f32], out: Out[f32]):
    i = thread.index_1d()
    out[i] = min(callee.change(x[i]), LIMIT)
out = np.zeros(4, np.float32)
k[1, 4](np.ones(4, np.float32), out)
print(out[0], "simt.core.compile" in sys.modules)
"""
CALLEE = """
from simt.core import f32
STEP = 1.0
def change(x: f32) -> f32:
    return x + STEP
"""


class Programs:
    """A folder of a program and the module it calls, run in fresh processes that share one cache."""

    def __init__(self, folder):
        self.folder = folder
        self.write("program.py", PROGRAM)
        self.write("callee.py", CALLEE)

    def write(self, name, text):
        (self.folder / name).write_text(textwrap.dedent(text))

    def replace(self, name, old, new):
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def run(self, **environment):
        """What it prints, and whether it had to compile."""
        done = subprocess.run(
            [sys.executable, "-B", "program.py"], cwd=self.folder, capture_output=True, text=True, check=False,
            env=os.environ | {"SIMT_CACHE_DIR": str(self.folder / "cache"),} | environment,
        )
        assert done.returncode == 0, done.stderr
        value, compiled = done.stdout.split()
        return float(value), compiled == "True"

    @property
    def entries(self):
        """Those of kernels; the code of the thread pool is kept too."""
        found = sorted((self.folder / "cache").glob("*.simt"))
        return [path for path in found if "kernel" in (decode(path.read_bytes()) or {})]


@pytest.fixture
def programs(tmp_path):
    return Programs(tmp_path)


def test_a_second_process_compiles_only_what_changed(programs):
    assert programs.run() == (2.0, True)
    assert programs.run() == (2.0, False)
    programs.replace("callee.py", "x + STEP", "x * 4 - STEP")
    assert programs.run() == (3.0, True)
    programs.replace("callee.py", "STEP = 1.0", "STEP = 1.5")
    assert programs.run() == (2.5, True)
    programs.replace("program.py", "@kernel", "@kernel(checks=False)")
    assert programs.run() == (2.5, True)
    assert len(programs.entries) == 4


def test_a_damaged_entry_is_compiled_again(programs):
    assert programs.run() == (2.0, True)
    (entry,) = programs.entries
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 0xFF
    entry.write_bytes(data)
    assert programs.run() == (2.0, True)
    assert programs.run() == (2.0, False)


def test_a_cache_that_cannot_be_written_only_warns(programs):
    (programs.folder / "file").write_text("")
    assert programs.run(SIMT_CACHE_DIR=str(programs.folder / "file" / "cache")) == (2.0, True)
    assert programs.run(SIMT_CACHE_DIR="") == (2.0, True)


def test_stages_are_shown_whatever_the_cache_holds(programs):
    assert programs.run() == (2.0, True)
    assert programs.run(SIMT_DUMP="tir") == (2.0, True)


def test_warnings_come_back_from_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMT_CACHE_DIR", str(tmp_path))

    @kernel
    def precise(x: In[f32], out: Out[f32]):
        i = thread.index_1d()
        out[i] = f32(f64(x[i]) * 3)

    for _ in range(2):
        with pytest.warns(CompileWarning, match="f64") as caught:
            precise.compile()
        assert caught[0].filename == __file__ and caught[0].lineno == precise.function.__code__.co_firstlineno + 3
    assert len(list(tmp_path.glob("*.simt"))) == 1


def test_processes_that_compile_at_the_same_time(programs):
    environment = os.environ | {"SIMT_CACHE_DIR": str(programs.folder / "cache")}
    running = [
        subprocess.Popen(
            [sys.executable, "-B", "program.py"], cwd=programs.folder, stdout=subprocess.PIPE, env=environment
        )
        for _ in range(2)
    ]
    assert [process.communicate()[0] for process in running] == [b"2.0 True\n"] * 2
    assert len(programs.entries) == 1
    assert programs.run() == (2.0, False)
