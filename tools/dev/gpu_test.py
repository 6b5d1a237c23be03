"""``make gpu-test``: the suite on a GPU with the machine's own Python; results go to docs/status/*.json.

Nothing is installed; the compiled launch path is built into the source tree. Arguments are passed on to pytest.
"""
from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATUS = ROOT / "docs" / "status"
# The runtime's own tests, then the CPU suite's running tests with their launches sent to the GPU.
RUNS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "runtime": (("tests/core/gpu", "tests/gpu"), {}),
    "suite": (
        ("tests/cuda_std", "tests/differential", "tests/language", "tests/reports", "tests/core/llvm"),
        {"SIMT_TEST_DEVICE": "gpu", "SIMT_CHECKS": "1"},
    ),
}


def main(arguments: list[str]) -> int:
    """Run both parts; 1 if any test failed."""
    paths = [str(ROOT / folder) for folder in ("core/src", "cuda_std/src")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*paths, *filter(None, [os.environ.get("PYTHONPATH")])])}
    subprocess.run([sys.executable, "-m", "simt.core.gpu.build_extension"], env=environment, check=False)
    STATUS.mkdir(exist_ok=True)
    failed = False
    for name, (folders, variables) in RUNS.items():
        present = [folder for folder in folders if (ROOT / folder).exists()]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *_without_benchmark(), *present]
        variables = variables | {"SIMT_TEST_STATUS": str(STATUS / f"{name}.json")}
        done = subprocess.run([*command, *arguments], cwd=ROOT, env=environment | variables, check=False)
        failed |= done.returncode != 0
    return int(failed)


def write_status(path: Path, outcomes: dict[str, str]) -> None:
    """A list of {test, result, gpu, driver, toolkit, date, commit}, a line each."""
    from simt.core.gpu.device import gpu
    from simt.core.nvvm.libnvvm import libnvvm_version
    from simt.core.nvvm.link import assembler_names
    from simt.core.runtime.cuda_driver import cu

    version = cu("cuDriverGetVersion")
    common = {
        "gpu": gpu().short_name, "driver": f"{_driver_release()} (CUDA {version // 1000}.{version % 1000 // 10})",
        "toolkit": f"{libnvvm_version().split(',')[0]}, {assembler_names()}",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "commit": _commit(),
    }
    rows = [json.dumps({"test": test, "result": result, **common}) for test, result in sorted(outcomes.items())]
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def _driver_release() -> str:
    try:
        text = Path("/proc/driver/nvidia/version").read_text()
    except OSError:
        return "release unknown"
    return next((word for word in text.split() if word[:1].isdigit() and word.count(".") >= 1), "release unknown")


def _commit() -> str:
    """SIMT_COMMIT where the tree was copied without its history."""
    given = os.environ.get("SIMT_COMMIT")
    if given:
        return given
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _without_benchmark() -> list[str]:
    """pytest-benchmark warns when tests run in several processes, and warnings are errors here."""
    from importlib.util import find_spec

    return [] if find_spec("pytest_benchmark") is None else ["-p", "no:benchmark"]
