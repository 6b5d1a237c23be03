"""The disk cache: whole entries or none, whatever other processes, disks and files do."""
from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from simt.core.cache import DiskCache, decode, disk_cache, encode, key_of
from simt.core.errors import UnavailableError
from simt.core.kernel_warnings import CacheWarning

SECTIONS = {"object": bytes(range(256)) * 20, "kernel": b'{"class":"Site"}', "empty": b""}


@pytest.fixture
def disk(tmp_path):
    return DiskCache(tmp_path / "cache")


def test_what_was_stored_is_loaded(disk):
    assert disk.load("a") is None
    disk.store("a", SECTIONS)
    assert disk.load("a") == SECTIONS
    disk.store("a", {"object": b"new"})
    assert disk.load("a") == {"object": b"new"}
    assert [path.name for path in disk.folder.iterdir()] == ["a.simt"]


@pytest.mark.parametrize("damage", [
    lambda data: data[:-1], lambda data: data + b"x", lambda data: b"", lambda data: data[:20],
    lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:], lambda data: b"other" + data[5:],
    lambda data: data[:8] + bytes(32) + data[40:],
])
def test_a_damaged_entry_is_noticed_and_removed(disk, damage):
    disk.store("a", SECTIONS)
    path = disk.folder / "a.simt"
    path.write_bytes(damage(path.read_bytes()))
    assert disk.load("a") is None
    assert not path.exists()


def test_every_flipped_bit_is_noticed():
    data = encode({"s": b"12"})
    for position in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[position // 8] ^= 1 << position % 8
        assert decode(bytes(flipped)) is None


def test_the_least_recently_used_entries_leave_first(tmp_path):
    disk = DiskCache(tmp_path, limit=10_000)
    now = time.time()
    for number in range(8):
        disk.store(f"k{number}", {"object": bytes(2000)})
        os.utime(tmp_path / f"k{number}.simt", (now - 100 + number, now - 100 + number))
    assert disk.load("k0") is not None  # used now, so it stays
    disk.evict()
    kept = {path.stem for path in tmp_path.iterdir()}
    assert kept == {"k0", "k6", "k7"}  # three entries of 2080 bytes are below 80 % of the limit, four are not


def test_what_a_dead_writer_left_is_removed(disk):
    disk.store("a", SECTIONS)
    old, new = disk.folder / "write-old", disk.folder / "write-new"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    disk.evict()
    assert not old.exists() and new.exists() and disk.load("a") == SECTIONS


def test_a_folder_that_cannot_be_written_gives_one_warning(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    disk = DiskCache(tmp_path / "file" / "cache")
    with pytest.warns(CacheWarning, match="cannot be used .* SIMT_CACHE_DIR names another folder") as caught:
        disk.store("a", SECTIONS)
        disk.store("b", SECTIONS)
    assert len(caught) == 1


def test_a_full_disk_leaves_nothing_behind(disk, monkeypatch):
    disk.store("a", SECTIONS)

    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(CacheWarning, match="No space left"):
        disk.store("b", SECTIONS)
    assert [path.name for path in disk.folder.iterdir()] == ["a.simt"]
    assert disk.load("a") == SECTIONS


def test_entries_of_a_read_only_folder_are_used(disk, monkeypatch):
    disk.store("a", SECTIONS)

    def refused(path):
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(os, "utime", refused)
    assert disk.load("a") == SECTIONS


WRITER = """
import sys
from pathlib import Path
from simt.core.cache import DiskCache
disk = DiskCache(Path(sys.argv[1]))
for round in range(60):
    disk.store("shared", {"object": bytes([round]) * 50_000})
    found = disk.load("shared")
    assert found is not None and len(set(found["object"])) == 1 and len(found["object"]) == 50_000
"""


def test_processes_share_a_folder(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)]) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["shared.simt"]


def test_keys_keep_their_parts_apart():
    keys = {key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("abc", ""), key_of("ab", "c", "")}
    assert len(keys) == 5


@pytest.mark.parametrize("limit", ["1G", "-5", "many"])
def test_a_limit_that_is_no_number_of_bytes(tmp_path, monkeypatch, limit: str):
    monkeypatch.setenv("SIMT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("SIMT_CACHE_BYTES", limit)
    with pytest.raises(UnavailableError, match="SIMT_CACHE_BYTES"):
        disk_cache()


def test_the_environment_chooses_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMT_CACHE_DIR", str(tmp_path / "mine"))
    monkeypatch.setenv("SIMT_CACHE_BYTES", "12345")
    disk = disk_cache()
    assert disk is not None and disk.folder == tmp_path / "mine" and disk.limit == 12345
    monkeypatch.setenv("SIMT_CACHE_DIR", "")
    assert disk_cache() is None
    monkeypatch.delenv("SIMT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        disk = disk_cache()
        assert disk is not None
