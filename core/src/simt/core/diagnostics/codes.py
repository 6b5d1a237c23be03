"""Every diagnostic code. A new code goes into the file named for what it is about, in alphabetical order."""
from __future__ import annotations

from simt.core.diagnostics.code import Code
from simt.core.diagnostics.codes_arrays import ARRAYS
from simt.core.diagnostics.codes_calls import CALLS
from simt.core.diagnostics.codes_expressions import EXPRESSIONS
from simt.core.diagnostics.codes_faults import FAULT_CODES
from simt.core.diagnostics.codes_functions import FUNCTIONS
from simt.core.diagnostics.codes_memory import MEMORY
from simt.core.diagnostics.codes_messages import MESSAGES
from simt.core.diagnostics.codes_numbers import NUMBERS
from simt.core.diagnostics.codes_statements import STATEMENTS
from simt.core.diagnostics.codes_toolchain import TOOLCHAIN
from simt.core.diagnostics.codes_values import VALUES

_FRONT_END = (*EXPRESSIONS, *FUNCTIONS, *STATEMENTS)
_CHECKER = (*ARRAYS, *CALLS, *MEMORY, *MESSAGES, *NUMBERS, *VALUES)

CODES: dict[str, Code] = {
    entry.code: entry
    for entry in sorted((*_FRONT_END, *_CHECKER, *TOOLCHAIN, *FAULT_CODES.values()), key=lambda entry: entry.code)
}
