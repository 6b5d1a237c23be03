"""Records as text and back, and nothing else from text."""
from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pytest

from simt.core.diagnostics.span import Span
from simt.core.plain_data import class_table, from_text, to_text


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Record:
    name: str
    parts: tuple[object, ...]
    colour: Colour


def test_a_record_comes_back_equal():
    inner = Span(filename="a.py", line=1, col=2, end_line=3, end_col=4)
    span = Span(filename="é.py", line=1, col=2, end_line=3, end_col=4, call_site=inner)
    record = Record("x", (1, 2.5, True, None, (span, "text"), Colour.RED), Colour.RED)
    assert from_text(to_text(record), class_table(Record, Span, Colour)) == record


@pytest.mark.parametrize("text", [
    b'{"class":"System","fields":{}}', b'{"class":"Record","fields":{"nope":1}}', b'{"enum":"Colour","name":"BLUE"}',
    b"{", b'{"class":"Record","fields":[]}',
])
def test_other_text_is_refused(text):
    with pytest.raises((ValueError, AttributeError)):
        from_text(text, class_table(Record, Colour))


def test_objects_are_no_plain_data():
    with pytest.raises(TypeError, match="Thread is no plain data"):
        import threading

        to_text((threading.Thread(),))
