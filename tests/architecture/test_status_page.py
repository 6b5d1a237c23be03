"""The page of what passed on a GPU counts every result and hides none."""
from __future__ import annotations

import json

import pytest

from tools.dev.reference import status

RUN = {"gpu": "G1", "driver": "580 (CUDA 13.0)", "toolkit": "nvvm 13", "date": "2026-01-02", "commit": "abcdef" * 6}
OUTCOMES = {
    "tests/core/gpu/test_launch.py::test_one": "passed",
    "tests/gpu/test_module.py::test_two": "failed",
    "tests/cuda_std/test_math.py::test_sin[a|`b`]": "passed",
    "tests/cuda_std/test_atomic.py::test_add[i32/f32]": "skipped",
    "tests/language/test_pages.py::test_page[loops]": "passed",
    "tests/core/llvm/test_views.py::test_three": "passed",
}


def write(folder, name, outcomes, **run):
    rows = [{"test": test, "result": result, **RUN, **run} for test, result in outcomes.items()]
    (folder / name).write_text(json.dumps(rows), encoding="utf-8")


def test_every_result_is_counted_in_its_area(tmp_path):
    write(tmp_path, "suite.json", OUTCOMES)
    write(tmp_path, "later.json", {"tests/reports/test_x.py::test_y": "passed"}, gpu="G2")
    page = status.page(tmp_path)
    for row in (
        "| runtime | 1 | 1 | 0 |", "| cuda_std: math | 1 | 0 | 0 |", "| cuda_std: atomic | 0 | 0 | 1 |",
        "| language | 1 | 0 | 0 |", "| tests/core/llvm | 1 | 0 | 0 |", "| reports | 1 | 0 | 0 |", "| all | 5 | 1 | 1 |",
        "| G1 | 580 (CUDA 13.0) | nvvm 13 | 2026-01-02 | abcdefabcdef | 6 |",
        "| G2 | 580 (CUDA 13.0) | nvvm 13 | 2026-01-02 | abcdefabcdef | 1 |",
    ):
        assert row in page.splitlines()


def test_what_did_not_pass_is_named(tmp_path):
    write(tmp_path, "suite.json", OUTCOMES)
    failed, skipped = status.page(tmp_path).partition("## Failed")[2].split("## Skipped")
    assert "tests/gpu/test_module.py::test_two" in failed.splitlines()
    assert "tests/cuda_std/test_atomic.py::test_add[i32/f32]" in skipped.splitlines()


def test_no_file_and_no_failure_are_said(tmp_path):
    assert "Nothing has been recorded" in status.page(tmp_path)
    write(tmp_path, "suite.json", {"tests/gpu/test_module.py::test_two": "passed"})
    page = status.page(tmp_path)
    assert "No test failed." in page and "No test was skipped." in page


@pytest.mark.parametrize(("text", "message"), [
    ("{}", "suite.json is not a list"),
    ('[{"test": "a", "result": "passed"}]', "suite.json, row 0: .* does not have exactly commit, date"),
    (json.dumps([RUN | {"test": "a", "result": "fine"}]), "suite.json, row 0: result 'fine' is none of passed"),
])
def test_a_file_that_is_no_list_of_results_is_refused(tmp_path, text, message):
    (tmp_path / "suite.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        status.page(tmp_path)
