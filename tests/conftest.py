"""What all tests share: ``--bless``, the fixtures ``bless`` and ``golden``."""
from simt.core.testing.plugin import *  # noqa: F403 - pytest finds hooks and fixtures by name
