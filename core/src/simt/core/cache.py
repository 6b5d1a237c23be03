"""Compiled kernels on disk. One file an entry, named by its key; written whole or not at all; checked when read.

An entry is named sections of bytes, plain data that is never executed to be read. A folder that cannot be written is
no error: compilation goes on without it, and one warning says so. The least recently used entries leave first.
"""
from __future__ import annotations

import hashlib
import os
import struct
import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from simt.core.errors import UnavailableError
from simt.core.kernel_warnings import CacheWarning

MAGIC = b"simt\x00\x00\x00\x01"
DIGEST_BYTES = 32
SUFFIX = ".simt"
DEFAULT_LIMIT = 1 << 30  # bytes
KEPT = 0.8  # of the limit after entries have been removed
CHECK_EVERY = 64  # stores between looks at the folder's size
ABANDONED = 3600.0  # seconds after which a temporary file belongs to a writer that died

Sections = Mapping[str, bytes]


@dataclass(slots=True)
class DiskCache:
    """Entries in ``folder``, at most about ``limit`` bytes of them."""

    folder: Path
    limit: int = DEFAULT_LIMIT
    stores: int = field(default=0, init=False)
    warned: bool = field(default=False, init=False)

    def load(self, key: str) -> dict[str, bytes] | None:
        """The entry, or None where there is none or its file is damaged (the file is then removed)."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(error)
            return None
        sections = decode(data)
        if sections is None:
            self._remove(path)
            return None
        try:
            os.utime(path)  # the time of last use, by which entries are removed
        except OSError:
            pass  # a read-only folder shared by many: entries are used and never removed
        return sections

    def store(self, key: str, sections: Sections) -> None:
        """Write an entry, replacing one of the same key. Readers see all of it or nothing."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = self.folder / f"write-{os.getpid()}-{os.urandom(8).hex()}"
            try:
                with temporary.open("xb") as file:
                    file.write(encode(sections))
                os.replace(temporary, self._path(key))
            except BaseException:
                self._remove(temporary)
                raise
            if self.stores % CHECK_EVERY == 0:
                self.evict()
            self.stores += 1
        except OSError as error:
            self._warn(error)

    def evict(self) -> None:
        """Remove the least recently used entries while all together are over the limit."""
        entries: list[tuple[float, int, Path]] = []
        now = time.time()
        for item in os.scandir(self.folder):
            try:
                status = item.stat()
            except FileNotFoundError:  # another process removed it
                continue
            if item.name.endswith(SUFFIX):
                entries.append((status.st_mtime, status.st_size, Path(item.path)))
            elif item.name.startswith("write-") and now - status.st_mtime > ABANDONED:
                self._remove(Path(item.path))
        total = sum(size for _, size, _ in entries)
        if total <= self.limit:
            return
        for _, size, path in sorted(entries):
            self._remove(path)
            total -= size
            if total <= self.limit * KEPT:
                return

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"

    def _remove(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            self._warn(error)

    def _warn(self, error: OSError) -> None:
        if not self.warned:
            self.warned = True
            warnings.warn(
                f"the kernel cache {self.folder} cannot be used ({error}); SIMT_CACHE_DIR names another folder",
                CacheWarning, stacklevel=2,
            )


def encode(sections: Sections) -> bytes:
    """An entry's bytes: magic, digest of the rest, then each section's name and length before its bytes."""
    parts: list[bytes] = [struct.pack("<I", len(sections))]
    for name, data in sections.items():
        label = name.encode()
        parts += [struct.pack("<IQ", len(label), len(data)), label, data]
    body = b"".join(parts)
    return MAGIC + hashlib.sha256(body).digest() + body


def decode(data: bytes) -> dict[str, bytes] | None:
    """The sections, or None where the bytes are not exactly what ``encode`` made."""
    start = len(MAGIC) + DIGEST_BYTES
    if not data.startswith(MAGIC) or hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
        return None
    (count,) = struct.unpack_from("<I", data, start)
    offset = start + 4
    sections: dict[str, bytes] = {}
    for _ in range(count):
        label_bytes, data_bytes = struct.unpack_from("<IQ", data, offset)
        offset += 12
        name = data[offset : offset + label_bytes].decode()
        offset += label_bytes
        sections[name] = data[offset : offset + data_bytes]
        offset += data_bytes
    return sections


def key_of(*parts: str) -> str:
    """A file name for everything that decides an entry's contents."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        digest.update(struct.pack("<Q", len(encoded)) + encoded)
    return digest.hexdigest()


def disk_cache() -> DiskCache | None:
    """The cache of this process: SIMT_CACHE_DIR, or the platform's cache folder. None where that is set but empty.

    SIMT_CACHE_BYTES sets its size limit.
    """
    return _cache_at(os.environ.get("SIMT_CACHE_DIR"), os.environ.get("SIMT_CACHE_BYTES"))


@cache
def _cache_at(folder: str | None, limit: str | None) -> DiskCache | None:
    if folder == "":
        return None
    return DiskCache(Path(folder) if folder else _platform_folder(), _limit_of(limit) if limit else DEFAULT_LIMIT)


def _limit_of(text: str) -> int:
    if not text.strip().isdecimal():
        raise UnavailableError(f"SIMT_CACHE_BYTES is {text!r}; it must be a whole number of bytes, such as 1000000000")
    return int(text)


def _platform_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "simt" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "simt"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "simt"
