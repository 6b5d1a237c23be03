"""The public names of simt.core.gpu: each is there, and none loads anything before it is used."""
from __future__ import annotations

import subprocess
import sys

import pytest

import simt.core.gpu


@pytest.mark.parametrize("name", simt.core.gpu.__all__)
def test_every_name_is_there(name):
    assert getattr(simt.core.gpu, name).__name__ == name


def test_unknown_names_are_told():
    with pytest.raises(AttributeError, match=r"module 'simt.core.gpu' has no attribute 'modul'"):
        simt.core.gpu.modul


def test_nothing_is_loaded_before_it_is_named():
    text = "import sys, simt.core, simt.core.gpu\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    modules = {"array", "device", "external_memory", "jit_options", "module", "raw_kernel", "stream", "virtual_memory"}
    assert not {f"simt.core.gpu.{name}" for name in modules} & set(done.stdout.split())
