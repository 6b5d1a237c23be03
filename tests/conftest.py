"""What all tests share: ``--bless``, the fixtures ``bless`` and ``golden``; on which device the suite runs."""
import os

from simt.core.testing.plugin import *  # noqa: F403 - pytest finds hooks and fixtures by name
from tests.gpu_mode import ACTIVE, no_fault_left_over, redirect_launches  # noqa: F401 - as above

if os.environ.get("SIMT_TEST_FAKE_GPU") == "1":
    from tests.fake_driver import bridge

    bridge.install()
if ACTIVE:
    redirect_launches()
