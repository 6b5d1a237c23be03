"""The architecture names and what each may use: base, family (f) and architecture-specific (a) rules.

Source: PTX ISA, section on the ``.target`` directive; libNVVM API, option ``-arch``.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

NAMES = (
    "50", "52", "53", "60", "61", "62", "70", "72", "73", "75", "80", "86", "87", "88", "89", "90", "90a",
    "100", "100f", "100a", "101", "101f", "101a", "103", "103f", "103a", "110", "110f", "110a",
    "120", "120f", "120a", "121", "121f", "121a",
)


GENERATIONS = {
    "maxwell": "50", "pascal": "60", "volta": "70", "turing": "75", "ampere": "80", "ada": "89", "hopper": "90",
    "blackwell": "100",
}
"""What NVIDIA calls a generation of GPUs, with its first architecture."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """``number`` is ten times the compute capability; ``suffix`` is "", "f" or "a"."""

    number: int
    suffix: str = ""

    @property
    def sm(self) -> str:
        """The real target: ``sm_90a``."""
        return f"sm_{self.number}{self.suffix}"

    @property
    def compute(self) -> str:
        """The virtual target: ``compute_90a``."""
        return f"compute_{self.number}{self.suffix}"

    @property
    def major(self) -> int:
        return self.number // 10

    @property
    def minor(self) -> int:
        return self.number % 10

    def has(self, feature: Architecture) -> bool:
        """Whether code for this target may use what ``feature`` (``compute_80``, ``compute_100f``) brought.

        A base feature is kept by every later architecture; a family feature by the same major version from its minor
        on, where this target is itself a family or architecture target; an architecture feature by that one alone.
        """
        match feature.suffix:
            case "":
                return self.number >= feature.number
            case "f":
                return self.suffix != "" and self.major == feature.major and self.number >= feature.number
            case _:
                return self == feature

    def runs_on(self, device: int) -> bool:
        """Whether PTX for this target loads on a device of compute capability ``device`` / 10."""
        match self.suffix:
            case "":
                return device >= self.number
            case "f":
                return device // 10 == self.major and device >= self.number
            case _:
                return device == self.number


def parse_architecture(text: str) -> Architecture:
    """``sm_90a`` or ``compute_90a``.

    Raises:
        ValueError: not one of the 35 names; the message lists them.
    """
    match = re.fullmatch(r"(?:sm_|compute_)((\d+)([af]?))", text)
    if match is None or match[1] not in NAMES:
        names = ", ".join(f"sm_{name}" for name in NAMES)
        close = _meant(text)
        offer = "" if close is None else f": did you mean {close}?"
        raise ValueError(f"{text!r} is not an architecture{offer or ';'} the names are {names}")
    return Architecture(int(match[2]), match[3])


def best_for(device: int) -> Architecture:
    """The most specific architecture whose code runs on a device of compute capability ``device`` / 10.

    Raises:
        ValueError: the device is older than every architecture.
    """
    known = [parse_architecture(f"sm_{name}") for name in NAMES]
    fits = [architecture for architecture in known if architecture.runs_on(device)]
    if not fits:
        raise ValueError(f"no architecture runs on compute capability {device // 10}.{device % 10}")
    return max(fits, key=lambda architecture: (architecture.number, ("", "f", "a").index(architecture.suffix)))


def _meant(text: str) -> str | None:
    """The name most likely meant: that of the number in ``text``, of the generation it names, or the last before."""
    plain = text.lower().replace(".", "").strip()
    if plain in GENERATIONS:
        return f"sm_{GENERATIONS[plain]}"
    number = re.fullmatch(r"(?:sm|compute|cc)?[ _-]*((\d{2,3})[a-z]?)", plain)
    if number is None:
        return None
    if number[1] in NAMES:
        return f"sm_{number[1]}"
    family = int(number[2]) // 10
    earlier = [name for name in NAMES if name.isdigit() and int(name) // 10 == family and int(name) <= int(number[2])]
    return f"sm_{earlier[-1]}" if earlier else None
