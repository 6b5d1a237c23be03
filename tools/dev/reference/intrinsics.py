"""The table of intrinsics: what each becomes, the first architecture that has it, and where its rules are written."""
from __future__ import annotations

from simt.core.intrinsics.declare import REGISTRY
from tools.dev.reference.api import GENERATED, cuda_std_modules


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page() -> str:
    """One row an intrinsic, by name."""
    cuda_std_modules()  # importing declares them
    rows = [
        GENERATED,
        "# Intrinsics\n",
        "Operations that become instructions. *First*: the first architecture that has it; the CPU target has all. "
        "*PTX*: what a test finds in the PTX of every overload (a regular expression). *Waits*: the threads that wait "
        "for each other.\n",
        "| intrinsic | first | PTX | waits | source |",
        "|---|---|---|---|---|",
    ]
    for name, entry in sorted(REGISTRY.items()):
        if not entry.reference.__module__.startswith("simt."):
            continue
        waits = entry.behavior.value if entry.behavior.value in ("warp", "block") else ""
        ptx = f"`{_cell(entry.ptx)}`" if entry.ptx else "folds away"
        rows.append(f"| `{name.removeprefix('cuda_std.')}` | {entry.since} | {ptx} | {waits} | {_cell(entry.source)} |")
    return "\n".join(rows) + "\n"
