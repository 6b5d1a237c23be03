"""What all tests share: ``--bless``, the fixtures ``bless`` and ``golden``; on which device the suite runs."""
import os
from pathlib import Path

from simt.core.testing import plugin as blessing
from simt.core.testing.plugin import *  # noqa: F403 - pytest finds hooks and fixtures by name
from tests.gpu_mode import ACTIVE, STATUS, Status, no_fault_left_over, redirect_launches  # noqa: F401 - as above

if os.environ.get("SIMT_TEST_FAKE_GPU") == "1":
    from tests.fake_driver import bridge

    bridge.install()
if ACTIVE:
    redirect_launches()


def pytest_configure(config):
    """On a GPU, keep what every test gave."""
    blessing.pytest_configure(config)
    if STATUS is not None:
        config.pluginmanager.register(Status(Path(STATUS)))
