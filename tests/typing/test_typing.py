"""What pyright in strict mode says of kernels and launches: nothing of right ones, the rule broken of wrong ones."""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROGRAMS = [ROOT / "examples" / name for name in ("heat.py", "total.py")]


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """The rules that pyright finds broken, by file and line."""
    pyright = Path(sys.executable).with_name("pyright")
    command = str(pyright) if pyright.exists() else shutil.which("pyright")
    assert command is not None, "pyright is not installed: the dev dependency group has it"
    folder = tmp_path_factory.mktemp("typing")
    for source in (HERE / "accepted.py", HERE / "refused.py", *PROGRAMS):
        shutil.copy(source, folder)
    (folder / "pyrightconfig.json").write_text(json.dumps({
        "typeCheckingMode": "strict", "pythonVersion": "3.11", "pythonPlatform": "Linux",
        "extraPaths": [str(ROOT / "core/src"), str(ROOT / "cuda_std/src")],
    }))
    done = subprocess.run(
        [command, "-p", str(folder), "--pythonpath", sys.executable, "--outputjson"], capture_output=True, text=True,
        check=False,
    )
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for item in json.loads(done.stdout)["generalDiagnostics"]:
        found[Path(item["file"]).name][item["range"]["start"]["line"] + 1].add(item.get("rule", item["message"]))
    return found


@pytest.mark.parametrize("name", ["accepted.py", *(path.name for path in PROGRAMS)])
def test_right_programs_pass_without_a_word(findings, name):
    assert dict(findings[name]) == {}


def test_each_mistake_is_found_where_it_is(findings):
    expected: dict[int, set[str]] = {}
    for number, line in enumerate((HERE / "refused.py").read_text().splitlines(), 1):
        marker = re.search(r"# error: (.*)$", line)
        if marker is not None:
            expected[number] = set(marker[1].split(", "))
    assert dict(findings["refused.py"]) == expected
