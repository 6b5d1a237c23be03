"""All packages have one version, said once; sdists and wheels hold what they should, and say what indexes know."""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from trove_classifiers import classifiers

from tools.dev import versions

ROOT = Path(__file__).parents[2]
PACKAGES = versions.packages()


def build(package: versions.Package, target: str, into: Path) -> Path:
    """The wheel or sdist of a package, made without its build environment."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into], cwd=package.folder, check=True,
        capture_output=True, timeout=60,
    )
    (made,) = into.iterdir()
    return made


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (entry for entry in archive.namelist() if entry.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The files that say versions, in folders as here."""
    for package in PACKAGES:
        folder = tmp_path / package.folder.relative_to(ROOT)
        folder.mkdir(exist_ok=True)
        shutil.copy(package.folder / "pyproject.toml", folder)
    return tmp_path


def test_all_packages_have_the_version_of_the_root() -> None:
    assert versions.differences() == []
    assert {package.name for package in PACKAGES} >= {"simt", "simt-core", "simt-cuda-std"}


def test_the_meta_package_requires_all_others() -> None:
    meta, *others = PACKAGES
    assert {f"{package.name}=={meta.version}" for package in others} <= set(meta.requirements)


@pytest.mark.parametrize(("file", "before", "after", "reported"), [
    ("core", 'version = "', 'version = "9.', "simt-core has version"),
    ("cuda_std", '"simt-core==', '"simt-core>=', "'simt-core>="),
    ("cuda_std", '"simt-core[cu12]==', '"simt-core[cu12]==9.', "'simt-core[cu12]==9."),
    (".", '"simt-core[cu13]==0.1.0"', '"simt-core[cu13]"', "'simt-core[cu13]' does not end"),
])
def test_a_place_that_says_another_version_is_named(
    copied: Path, file: str, before: str, after: str, reported: str
) -> None:
    path = copied / file / "pyproject.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    (difference,) = versions.differences(copied)
    assert str(path) in difference and reported in difference


def test_setting_a_version_changes_it_everywhere_and_nothing_else(copied: Path) -> None:
    old = PACKAGES[0].version
    before = {path: path.read_text() for path in copied.rglob("pyproject.toml")}
    versions.set_version("7.8.9rc1", copied)
    assert versions.differences(copied) == []
    assert {package.version for package in versions.packages(copied)} == {"7.8.9rc1"}
    for path, text in before.items():
        assert path.read_text().replace("7.8.9rc1", old) == text


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_an_sdist_holds_what_its_wheel_is_made_of(package: versions.Package, tmp_path: Path) -> None:
    with tarfile.open(build(package, "sdist", tmp_path)) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "PKG-INFO"} <= names
    sources = {path for path in (package.folder / "src").rglob("*") if path.suffix in (".py", ".c", ".h", ".typed")}
    assert {str(path.relative_to(package.folder)) for path in sources} == {
        name for name in names if name.startswith("src/") and "." in Path(name).name
    }
    assert bool(sources) == (package.folder != ROOT), "the meta-package has no modules"
    assert not any(name.endswith((".so", ".pyd", ".pyc")) for name in names)


@pytest.mark.parametrize("package", [item for item in PACKAGES if item.name != "simt-core"], ids=lambda item: item.name)
def test_a_pure_wheel_holds_one_package_with_its_license(package: versions.Package, tmp_path: Path) -> None:
    """That of simt-core holds machine code, which takes a compiler: see ``test_packaging.py``."""
    wheel = build(package, "wheel", tmp_path)
    assert wheel.name == f"{package.file_name}-{package.version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert f"{package.file_name}-{package.version}.dist-info/licenses/LICENSE" in names
    modules = [name for name in names if ".dist-info" not in name]
    folder = f"simt/{package.name.removeprefix('simt-').replace('-', '_')}/"
    assert modules == [] if package.folder == ROOT else f"{folder}py.typed" in modules
    assert all(name.startswith(folder) for name in modules), "simt/ belongs to no package"
    metadata = metadata_of(wheel)
    assert metadata["License-Expression"] == "Apache-2.0" and metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown" and "```python" in str(metadata.get_payload())
    assert set(metadata.get_all("Classifier", [])) <= classifiers


def test_licenses_are_one_text() -> None:
    assert len({(package.folder / "LICENSE").read_bytes() for package in PACKAGES}) == 1


def test_metadata_of_the_packages_agree() -> None:
    """What a person compares between the pages of an index: licence, Python versions, status."""
    table = re.compile(r"^license = .*?^requires-python[^\n]*|^classifiers = .*?^\]", re.DOTALL | re.MULTILINE)
    tables = {tuple(table.findall((package.folder / "pyproject.toml").read_text())) for package in PACKAGES}
    assert len(tables) == 1 and len(tables.pop()) == 2
