"""What passed on a GPU: the page of the results that ``make gpu-test`` has written to docs/status."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import cast

GENERATED = "<!-- Written by `make docs` from docs/status/*.json, which `make gpu-test` writes; edit neither. -->\n"
RESULTS = ("passed", "failed", "skipped")
AREAS = {
    "tests/core/gpu": "runtime", "tests/gpu": "runtime", "tests/language": "language",
    "tests/differential": "differential", "tests/reports": "reports",
}
"""The area of a folder's tests. Those of ``tests/cuda_std`` are an area a file, those of other folders their folder."""
ORDER = ("runtime", "language", "differential", "reports")


@dataclass(frozen=True, slots=True)
class Run:
    """What tests ran on, and when."""

    gpu: str
    driver: str
    toolkit: str
    date: str
    commit: str


@dataclass(frozen=True, slots=True)
class Result:
    """One test's outcome, one of ``RESULTS``."""

    test: str
    result: str
    run: Run

    @property
    def area(self) -> str:
        """Where the tables count it."""
        path = Path(self.test.partition("::")[0])
        if path.parts[:2] == ("tests", "cuda_std"):
            return f"cuda_std: {path.stem.removeprefix('test_')}"
        folder = path.parent.as_posix()
        return next((area for start, area in AREAS.items() if f"{folder}/".startswith(f"{start}/")), folder)


def page(folder: Path) -> str:
    """The page for all files of a folder.

    Raises:
        ValueError: a file is not a list of results; names it and the row.
    """
    results = [result for path in sorted(folder.glob("*.json")) for result in read(path)]
    parts = [GENERATED, "# What passed on a GPU\n"]
    if not results:
        parts.append("Nothing has been recorded: no run of `make gpu-test` has left its results here.")
        return "\n".join(parts) + "\n"
    parts.append(
        "The tests of the GPU runtime, and those of the CPU target with their launches sent to the GPU, checks on. "
        "Each test is counted; those that failed or were skipped are named below the tables.\n"
    )
    parts += [*_runs(results), *_areas(results)]
    for outcome in ("failed", "skipped"):
        parts += _named(outcome, [result for result in results if result.result == outcome])
    return "\n".join(parts).rstrip() + "\n"


def read(path: Path) -> list[Result]:
    """The results in a file. Raises as ``page``."""
    names = {"test", "result", *(field.name for field in fields(Run))}
    rows: object = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(rows, list):
        raise ValueError(f"{path.name} is not a list of results")
    results: list[Result] = []
    for number, row in enumerate(cast("list[object]", rows)):
        if not isinstance(row, dict) or set(cast("dict[str, object]", row)) != names:
            raise ValueError(f"{path.name}, row {number}: {row!r} does not have exactly {', '.join(sorted(names))}")
        texts = {name: str(value) for name, value in cast("dict[str, object]", row).items()}
        test, result = texts.pop("test"), texts.pop("result")
        if result not in RESULTS:
            raise ValueError(f"{path.name}, row {number}: result {result!r} is none of {', '.join(RESULTS)}")
        results.append(Result(test, result, Run(**texts)))
    return results


def _runs(results: list[Result]) -> list[str]:
    lines = ["| GPU | driver | toolkit | date | commit | tests |", "|---|---|---|---|---|---|"]
    for run, count in Counter(result.run for result in results).items():
        lines.append(f"| {run.gpu} | {run.driver} | {run.toolkit} | {run.date} | {run.commit[:12]} | {count} |")
    return [*lines, ""]


def _areas(results: list[Result]) -> list[str]:
    lines = ["| area | passed | failed | skipped |", "|---|---|---|---|"]
    for area, members in _by_area(results):
        lines.append(_row(area, members))
    return [*lines, _row("all", results), ""]


def _row(area: str, results: Iterable[Result]) -> str:
    counts = Counter(result.result for result in results)
    return f"| {area} | {' | '.join(str(counts[outcome]) for outcome in RESULTS)} |"


def _named(outcome: str, results: list[Result]) -> list[str]:
    """Names in a block of text, since those of parametrised tests hold characters that Markdown reads."""
    if not results:
        return [f"No test {'failed' if outcome == 'failed' else 'was skipped'}.\n"]
    lines = [f"## {outcome.capitalize()}\n"]
    for area, members in _by_area(results):
        lines += [f"{area}:\n", "```text", *(result.test for result in members), "```", ""]
    return lines


def _by_area(results: list[Result]) -> list[tuple[str, list[Result]]]:
    """Areas in the order of ``ORDER``, then by name; tests by name."""

    def key(result: Result) -> tuple[int, str]:
        area = result.area
        return (ORDER.index(area) if area in ORDER else len(ORDER)), area

    ordered = sorted(results, key=lambda result: (key(result), result.test))
    return [(area, list(members)) for (_, area), members in groupby(ordered, key)]
