"""Rules about the text of the project: paths exist, modules say what they are, nothing is left unfinished."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path for folder in ("core/src", "cuda_std/src", "tools", "demo", "examples", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *(ROOT / "docs").rglob("*.md")])
PATH = re.compile(r"`((?:\.?[\w-]+/)+[\w.*<>-]*|[\w-]+\.(?:md|toml))`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def exists(name: str, page: Path) -> bool:
    """Whether a path in a page is there: from the root, the page's folder, or the sources of a package."""
    bases = (ROOT, page.parent, ROOT / "core/src/simt/core", ROOT / "cuda_std/src/simt", ROOT / "core/src/simt")
    pattern = re.sub(r"<[^>]*>", "*", name).rstrip("/")
    return any(any(base.glob(pattern)) for base in bases)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_paths_named_in_pages_exist(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    generated = {"out/ssim.png", "benchmarks/results/*.json"}
    links = LINK.findall(re.sub(r"`[^`\n]*`", "", text))
    names = {name for name in PATH.findall(text) if name not in generated} | set(links)
    missing = sorted(name for name in names if not exists(name, page))
    assert not missing, f"{relative(page)} names paths that do not exist: {missing}"


def test_every_page_is_linked_from_the_index() -> None:
    index = ROOT / "docs/README.md"
    linked = {(index.parent / link).resolve() for link in LINK.findall(index.read_text(encoding="utf-8"))}
    missing = [relative(page) for page in (ROOT / "docs").rglob("*.md") if page != index and page not in linked]
    assert not missing, f"docs/README.md does not link {missing}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs/reference").glob("*.md")), ids=relative)
def test_a_constant_is_not_described_by_the_docstring_of_its_type(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for kind in (int, float, str):
        assert str(kind.__doc__).splitlines()[0] not in text


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_modules_say_what_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{relative(path)} has no docstring"


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_nothing_is_left_unfinished(path: Path) -> None:
    found = re.findall(r"\b(?:TODO|FIXME|XXX|HACK)\b|NotImplementedError", path.read_text(encoding="utf-8"))
    assert not found, f"{relative(path)} has {found}"


def test_the_namespace_belongs_to_no_package() -> None:
    assert not list(ROOT.glob("*/src/simt/__init__.py"))
