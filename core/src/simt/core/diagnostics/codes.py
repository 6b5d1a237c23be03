"""Every diagnostic code. A new code of the type checker goes into ``CHECK``, in alphabetical order."""
from __future__ import annotations

from simt.core.diagnostics.code import Code
from simt.core.diagnostics.codes_expressions import EXPRESSIONS
from simt.core.diagnostics.codes_functions import FUNCTIONS
from simt.core.diagnostics.codes_statements import STATEMENTS

CHECK: tuple[Code, ...] = ()
"""Codes of the type checker; those of the front end are in the files named for what they are about."""

CODES: dict[str, Code] = {
    entry.code: entry
    for entry in sorted((*EXPRESSIONS, *FUNCTIONS, *STATEMENTS, *CHECK), key=lambda entry: entry.code)
}
