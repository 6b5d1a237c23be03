"""``python -m simt.core.explain CODE``: the rule behind a diagnostic, a kernel that breaks it and one that keeps it."""
from __future__ import annotations

import sys
from textwrap import indent

from simt.core.diagnostics.code import Code, FaultCode
from simt.core.diagnostics.codes import CODES
from simt.core.diagnostics.nearest import nearest


def explain(code: Code) -> str:
    """The whole entry as text for a terminal."""
    return (
        f"{code.code}\n\n{code.rule}\n\n{failing_title(code)}:\n\n{indent(code.failing, '    ')}"
        f"\nWrite instead:\n\n{indent(code.corrected, '    ')}"
    )


def failing_title(code: Code) -> str:
    """What happens to the example that breaks the rule."""
    return "Fails when it is launched" if isinstance(code, FaultCode) else "Refused"


def main(arguments: list[str]) -> int:
    """Print the codes asked for, or all codes with their rules when none is; exit status 2 for an unknown code."""
    if not arguments:
        width = max(map(len, CODES))
        for code in CODES.values():
            print(f"{code.code:<{width}}  {code.rule}")
        return 0
    for name in arguments:
        if name not in CODES:
            close = nearest(name, CODES)
            offer = f" Did you mean {close}?" if close else " Without a code, all are listed."
            print(f"There is no diagnostic code {name!r}.{offer}", file=sys.stderr)
            return 2
        print(explain(CODES[name]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
