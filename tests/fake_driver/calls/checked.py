"""Driver calls as tests write them: results of calls that succeed, the status of calls that fail."""
from __future__ import annotations

from cuda.bindings import driver


def cu(function, *arguments):
    """The results of a call that must succeed: None, one value, or a tuple."""
    status, *results = getattr(driver, function)(*arguments)
    assert status == 0, f"{function}: {status.name}"
    return results[0] if len(results) == 1 else tuple(results) or None


def status(function, *arguments):
    """The status of a call by name, without CUDA_ERROR_."""
    return getattr(driver, function)(*arguments)[0].name.removeprefix("CUDA_ERROR_")
