"""Ranges and marks: through a library that records, and refused without one."""
from __future__ import annotations

import ctypes

import pytest

from simt.core import UnavailableError
from simt.core.gpu import nvtx


class Recorder:
    """Stands for the C library."""

    def __init__(self):
        self.calls = []
        for name in ("RangePushA", "RangePop", "RangeStartA", "RangeEnd", "MarkA"):
            setattr(self, f"nvtx{name}", lambda *arguments, name=name: self.calls.append((name, *arguments)) or 7)


def test_ranges_nest_and_end_after_errors(monkeypatch):
    recorder = Recorder()
    monkeypatch.setattr(nvtx, "library", lambda: recorder)
    with pytest.raises(ZeroDivisionError), nvtx.annotate("outer"), nvtx.annotate("é"):
        raise ZeroDivisionError
    nvtx.mark("moment")
    nvtx.end(nvtx.start("any thread"))
    assert recorder.calls == [
        ("RangePushA", b"outer"), ("RangePushA", "é".encode()), ("RangePop",), ("RangePop",), ("MarkA", b"moment"),
        ("RangeStartA", b"any thread"), ("RangeEnd", 7),
    ]


def test_nothing_is_recorded_silently(monkeypatch):
    def absent(name):
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", absent)
    nvtx.library.cache_clear()
    with pytest.raises(UnavailableError, match=r"libnvtx3interop.*pip install nvidia-nvtx"):
        nvtx.mark("moment")


def test_the_installed_library_takes_the_calls():
    nvtx.library.cache_clear()
    try:
        nvtx.library()
    except UnavailableError as error:
        pytest.skip(str(error))
    with nvtx.annotate("range"):
        nvtx.mark("moment")
        nvtx.end(nvtx.start("any thread"))
