"""The page of diagnostic codes, each with a kernel that is refused and one that is accepted."""
from __future__ import annotations

from simt.core.diagnostics.codes import CODES
from simt.core.explain import failing_title
from tools.dev.reference.api import GENERATED


def page() -> str:
    """One section a code, alphabetically. The examples are compiled by the tests."""
    parts = [
        GENERATED,
        "# Diagnostics\n",
        "`python -m simt.core.explain CODE` prints an entry of this page.\n",
    ]
    for code in sorted(CODES):
        entry = CODES[code]
        parts.append(f"## {code}\n\n{entry.rule}\n\n{failing_title(entry)}:\n\n")
        parts[-1] += f"```python\n{entry.failing.strip()}\n```\n"
        parts.append(f"Write instead:\n\n```python\n{entry.corrected.strip()}\n```\n")
    return "\n".join(parts)
