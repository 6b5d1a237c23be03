"""What the doctor reports: findings, one a line."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """``ABSENT`` is no fault: this machine does without. ``PROBLEM``: something here should work, and does not."""

    OK = "ok"
    ABSENT = "absent"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """``name`` tells findings of a ``section`` apart; ``text`` says what was found, where, and what to do."""

    section: str
    name: str
    state: State
    text: str
