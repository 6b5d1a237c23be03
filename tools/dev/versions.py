"""``version [NEW]``: the version of every package, which the root's ``pyproject.toml`` says and all others repeat.

Without NEW it reports what differs. A dependency of one of our packages on another names exactly this version, so that
an environment never mixes two releases.
"""
from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+)?")
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,\s-]*\])?(?P<rest>.*)")


@dataclass(frozen=True, slots=True)
class Package:
    """A folder with a ``pyproject.toml`` of which a wheel is made."""

    folder: Path
    name: str
    version: str
    requirements: tuple[str, ...]  # also those of its extras

    @property
    def file_name(self) -> str:
        """How names of its wheels and sdists begin."""
        return self.name.replace("-", "_")


def packages(root: Path = ROOT) -> tuple[Package, ...]:
    """The meta-package at the root, then the members of its workspace."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    folders = [root, *(root / member for member in project["tool"]["uv"]["workspace"]["members"])]
    return tuple(map(_package, folders))


def _package(folder: Path) -> Package:
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: dict[str, list[str]] = project.get("optional-dependencies", {})
    requirements = [*project.get("dependencies", ()), *(item for extra in extras.values() for item in extra)]
    return Package(folder, project["name"], project["version"], tuple(requirements))


def differences(root: Path = ROOT) -> list[str]:
    """Each place that does not say the root's version, as a sentence; empty where all agree."""
    all_packages = packages(root)
    version = all_packages[0].version
    names = {package.name for package in all_packages}
    return [sentence for package in all_packages for sentence in _differences(package, version, names)]


def _differences(package: Package, version: str, names: set[str]) -> Iterator[str]:
    where = package.folder / "pyproject.toml"
    if package.version != version:
        yield f"{where}: {package.name} has version {package.version}; the root says {version}"
    for requirement in package.requirements:
        matched = REQUIREMENT.fullmatch(requirement)
        assert matched is not None, requirement
        if matched["name"] in names and matched["rest"].strip() != f"=={version}":
            yield f"{where}: {requirement!r} does not end in =={version}"


def set_version(version: str, root: Path = ROOT) -> None:
    """Write a version into every ``pyproject.toml``, where it says its own and where it names one of our packages."""
    all_packages = packages(root)
    names = "|".join(re.escape(package.name) for package in all_packages)
    own = re.compile(r'(?m)^version = "[^"]*"')
    pinned = re.compile(rf'(?<!name = )"((?:{names})(?:\[[\w,\s-]*\])?)(?:==[^"]*)?"(?=[,\s\]])')
    for package in all_packages:
        path = package.folder / "pyproject.toml"
        text = own.sub(f'version = "{version}"', path.read_text(encoding="utf-8"), count=1)
        head, rest = text.split("\n[project]\n", 1)
        table, mark, rest = rest.partition("\n[tool.")
        table = pinned.sub(rf'"\1=={version}"', table)
        path.write_text(f"{head}\n[project]\n{table}{mark}{rest}", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Set the version if one is given; 1 where the packages differ afterwards."""
    match arguments:
        case []:
            pass
        case [version] if VERSION.fullmatch(version):
            set_version(version)
        case _:
            print("usage: version [NEW], such as version 0.2.0 or version 0.2.0rc1", file=sys.stderr)
            return 2
    found = differences()
    print("\n".join(found) or packages()[0].version)
    return int(bool(found))
