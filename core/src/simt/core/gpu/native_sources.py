"""The C files of the compiled launch path. Imports nothing of the package, since the build loads it by its path."""
from __future__ import annotations

import zlib
from pathlib import Path

FOLDER = Path(__file__).parent / "native"


def sources_digest() -> str:
    """Names one state of the files: an extension built from another state is not used."""
    content = b"".join(path.read_bytes() for path in sorted(FOLDER.glob("*.[ch]")))
    return f"{zlib.crc32(content):08x}"
