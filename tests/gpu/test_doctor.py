"""The doctor on a machine with a GPU."""
from __future__ import annotations

import json

import pytest

from simt.core.doctor.__main__ import main

pytestmark = pytest.mark.gpu


def test_nothing_is_wrong_here(device, capsys):
    status = main(["--json"])
    found = json.loads(capsys.readouterr().out)
    problems = [row for row in found if row["state"] == "problem"]
    assert status == 0, problems
    texts = {(row["section"], row["name"]): row["text"] for row in found}
    assert device.short_name in texts["gpu", "GPU 0"]
    assert texts["GPU 0", "kernel"].startswith("compiled and ran on")
