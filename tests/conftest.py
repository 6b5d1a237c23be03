"""What all tests share: ``--bless``, the fixtures ``bless`` and ``golden``."""
from simt.core.testing.plugin import *  # noqa: F403 - pytest finds hooks and fixtures by name
from tests.gpu_mode import ACTIVE, no_fault_left_over, redirect_launches  # noqa: F401 - as above

if ACTIVE:
    redirect_launches()
