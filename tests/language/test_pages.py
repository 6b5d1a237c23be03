"""Every section of every page in this folder."""
from __future__ import annotations

from pathlib import Path

import pytest

from simt.core.testing.markdown import CompileText, Section, check_section, sections

PAGES = sorted(Path(__file__).parent.glob("*.md"))
SECTIONS = [section for page in PAGES for section in sections(page)]


@pytest.mark.parametrize("section", SECTIONS, ids=[f"{s.path.stem}: {s.heading}" for s in SECTIONS])
def test_section(section: Section, compile_text: CompileText, bless: bool) -> None:
    check_section(section, compile_text, bless=bless)
