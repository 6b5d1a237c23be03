"""The index of the language reference: its pages lie in ``tests/language``, where the tests compile them."""
from __future__ import annotations

import re
from pathlib import Path

from tools.dev.reference.api import GENERATED

PARTS = {
    "Values": ("types-and-literals", "locals-and-inference", "conversions", "structs", "vectors", "tuples"),
    "Numbers": (
        "arithmetic", "integer-division-and-modulo", "comparisons", "shifts", "stores-and-arguments",
        "double-precision-warning",
    ),
    "Control flow": ("control-flow", "conditionals", "loops", "match", "messages-print-assert"),
    "Memory": (
        "launch-annotations", "indexing-and-arrays", "disjoint-out", "pointers", "shared-and-local-memory",
        "textures-and-surfaces",
    ),
    "Functions": (
        "functions-and-generics", "closures-and-function-arguments", "captured-values-and-tables",
    ),
    "While compiling": ("unrolling-and-compile-time-values", "configuration-and-architectures", "refused-python"),
}
"""The pages in the order in which they are read."""


def page(folder: Path) -> str:
    """The index, each page with its first sentence.

    Raises:
        ValueError: ``PARTS`` leaves a page out, or names one that is not there.
    """
    listed = [name for names in PARTS.values() for name in names]
    differing = set(listed) ^ {path.stem for path in folder.glob("*.md")}
    if differing or len(listed) != len(set(listed)):
        raise ValueError(f"PARTS must name every page of {folder.name} once; look at {sorted(differing)}")
    parts = [
        GENERATED,
        "# The language, rule by rule\n",
        "Each page states rules and shows them on kernels. `# error: 14 [code]` in a kernel says that the compiler "
        "reports this diagnostic at that column, `# revealed: T` what `reveal_type` shows. The tests compile all of "
        "them, so what a page shows is what the compiler does. [The language](../guide/language.md) is the overview.\n",
    ]
    for part, names in PARTS.items():
        parts.append(f"## {part}\n")
        parts += [_row(folder / f"{name}.md") for name in names]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _row(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    return f"- [{title}](../../tests/language/{path.name}): {_first_sentence(text)}"


def _first_sentence(text: str) -> str:
    """The first sentence of prose; code, headings and tables are passed over."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    paragraphs = (part.strip() for part in re.split(r"\n\s*\n", prose))
    first = next(part for part in paragraphs if part and part[0] not in "#|")
    return re.split(r"(?<=[.])\s", " ".join(first.split()), maxsplit=1)[0]
