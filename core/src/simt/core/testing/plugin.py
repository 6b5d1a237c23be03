"""The pytest side of golden files and Markdown tests: ``--bless`` and the fixtures ``bless`` and ``golden``.

A test suite uses it with ``from simt.core.testing.plugin import *`` in its top conftest.py.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from simt.core.testing.golden import check_golden

__all__ = ["bless", "golden", "pytest_addoption", "pytest_configure"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--bless``."""
    parser.addoption("--bless", action="store_true", help="rewrite golden files and snapshots with what was found")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse ``--bless`` where nobody would read the difference."""
    if config.getoption("--bless") and os.environ.get("CI"):
        raise pytest.UsageError("--bless is refused while CI is set: bless where you can read the difference")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether ``--bless`` was given."""
    return bool(request.config.getoption("--bless"))


@pytest.fixture
def golden(request: pytest.FixtureRequest, bless: bool) -> Callable[[str, Mapping[str, str]], None]:
    """``golden(name, {stage: text})`` compares with ``name``.golden beside the test file."""
    folder = Path(request.path).parent
    name: str = request.node.name  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    command = f"pytest {os.path.relpath(request.path)} -k {name!r} --bless"

    def check(name: str, stages: Mapping[str, str]) -> None:
        check_golden(folder / f"{name}.golden", stages, bless=bless, command=command)

    return check
