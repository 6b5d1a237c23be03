"""A kernel whose code is a recorder: launches go through every check, and what would run is kept."""
from __future__ import annotations

from dataclasses import dataclass, field

from simt.core.check.signature import Signature
from simt.core.declaration import Declaration
from simt.core.launch import Launch
from simt.core.runtime.configuration import configure
from simt.core.runtime.cpu_code import CpuCode
from simt.core.runtime.packing import record_of
from simt.core.specialize import record_types


@dataclass
class Recorder:
    """An executable that keeps what it was launched with."""

    shared_bytes: int = 0
    launches: list = field(default_factory=list)

    def chosen(self, configuration):
        return configuration

    def prepare(self, configuration):
        return CpuCode(self).prepare(configuration)

    def launcher(self, grid, block, shared_bytes):
        return lambda record: self.launches.append((grid, block, shared_bytes, record))

    def compiled_path(self, *arguments):
        return None


@dataclass
class FakeSpecialisation:
    signature: Signature
    executable: Recorder
    stale: bool = False
    fast_path: object = None
    launched: bool = False

    @property
    def record(self):
        return record_of(record_types(self.signature))

    @property
    def watch(self):
        return self

    def changed(self):
        return self.stale


@dataclass
class FakeKernel:
    declaration: Declaration
    recorder: Recorder = field(default_factory=Recorder)
    made: dict = field(default_factory=dict)
    only_device: None = None

    def specialisation(self, bound, device):
        found = self.made.get(bound.key)
        if found is None or found.stale:
            found = self.made[bound.key] = FakeSpecialisation(bound.signature, self.recorder)
        return found

    def __getitem__(self, configuration):
        return Launch(self, configure(configuration, self.declaration.bounds))

    @property
    def record(self):
        """The last launch's argument record."""
        return self.recorder.launches[-1][3]


def fake(function, **declared):
    """A fake kernel of ``function``."""
    return FakeKernel(Declaration(function, function.__name__, **declared))
