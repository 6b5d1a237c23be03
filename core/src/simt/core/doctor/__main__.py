"""``python -m simt.core.doctor [--json]``: exit status 1 where something here should work and does not."""
from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from itertools import groupby

from simt.core.doctor import gpus, host, toolchain
from simt.core.doctor.finding import Finding, State

MARKS = {State.OK: " ", State.ABSENT: "-", State.PROBLEM: "!"}


def main(arguments: list[str]) -> int:
    """Print what was found; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m simt.core.doctor", description="What simt finds on this machine.")
    parser.add_argument("--json", action="store_true", help="a list of objects instead of text")
    as_json: bool = parser.parse_args(arguments).json
    found = [*host.findings(), *toolchain.findings(gpus.is_expected()), *gpus.findings()]
    print(json.dumps([asdict(finding) for finding in found], indent=1) if as_json else text_of(found))
    return int(any(finding.state is State.PROBLEM for finding in found))


def text_of(found: list[Finding]) -> str:
    """The findings as lines: ``!`` before problems, ``-`` before what is absent and not missed."""
    lines: list[str] = []
    for section, rows in groupby(found, lambda finding: finding.section):
        lines.append(section)
        for row in rows:
            first, *rest = row.text.splitlines()
            lines.append(f"{MARKS[row.state]} {row.name:<20} {first}")
            lines += [f"{'':23}{line}" for line in rest]
    problems = sum(finding.state is State.PROBLEM for finding in found)
    lines.append("nothing is wrong" if problems == 0 else f"{problems} problem{'s' * (problems > 1)}, marked !")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
