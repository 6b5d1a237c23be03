"""The GPU of these tests; without one each is skipped for the reason that simt itself gives."""
from __future__ import annotations

import pytest

from simt.core import UnavailableError


@pytest.fixture(scope="session")
def device():
    """The first GPU. The fake driver runs no PTX, so it does not serve."""
    from simt.core.gpu.device import gpu

    try:
        found = gpu()
    except UnavailableError as error:
        pytest.skip(str(error))
    if found.short_name.startswith("Fake"):
        pytest.skip("needs a GPU that runs PTX, and this is the fake driver")
    return found
