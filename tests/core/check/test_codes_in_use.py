"""Every code in the table is reported by some part of the compiler."""
from __future__ import annotations

from pathlib import Path

import pytest

from simt.core import errors
from simt.core.diagnostics.codes import CODES

CORE = Path(errors.__file__).parent
SOURCES = [path for path in CORE.rglob("*.py") if path.parent.name not in ("diagnostics", "testing")]
TEXT = "\n".join(path.read_text() for path in SOURCES)


@pytest.mark.parametrize("code", CODES)
def test_is_reported_somewhere(code: str) -> None:
    assert f'"{code}"' in TEXT
