"""Architecture names, and which features each may use: base, family and architecture-specific rules."""
from __future__ import annotations

import pytest

from simt.core.architecture import NAMES, Architecture, parse_architecture


def has(target: str, feature: str) -> bool:
    return parse_architecture(target).has(parse_architecture(feature))


def test_all_35_names() -> None:
    assert len(NAMES) == len(set(NAMES)) == 35
    for name in NAMES:
        architecture = parse_architecture(f"sm_{name}")
        assert parse_architecture(architecture.sm) == parse_architecture(architecture.compute) == architecture
        assert architecture.sm == f"sm_{name}"
        assert architecture.has(architecture)


def test_parts_of_a_name() -> None:
    assert parse_architecture("sm_103f") == Architecture(103, "f")
    assert (parse_architecture("sm_103f").major, parse_architecture("sm_103f").minor) == (10, 3)
    assert (parse_architecture("compute_90a").major, parse_architecture("compute_90a").suffix) == (9, "a")


@pytest.mark.parametrize("text", ["sm_200", "90b", "sm90", "sm_", "", "sm_75a", "SM_90", "sm_90 "])
def test_other_names_are_refused_with_the_list(text: str) -> None:
    with pytest.raises(ValueError, match=r"the names are sm_50, .*sm_121a"):
        parse_architecture(text)


@pytest.mark.parametrize(("text", "meant"), [
    ("sm90", "sm_90"), ("sm-90", "sm_90"), ("90", "sm_90"), ("9.0", "sm_90"), ("SM_90A", "sm_90a"), ("sm_92", "sm_90"),
    ("sm_90b", "sm_90"), ("compute100", "sm_100"), ("12.1", "sm_121"), ("Hopper", "sm_90"), ("blackwell", "sm_100"),
])
def test_the_name_that_is_meant_is_offered(text: str, meant: str) -> None:
    with pytest.raises(ValueError, match=rf"is not an architecture: did you mean {meant}\?"):
        parse_architecture(text)


@pytest.mark.parametrize("text", ["gpu", "sm_900", "", "sm_"])
def test_nothing_is_offered_where_nothing_is_close(text: str) -> None:
    with pytest.raises(ValueError, match="is not an architecture; the names are"):
        parse_architecture(text)


@pytest.mark.parametrize(("target", "feature", "expected"), [
    ("sm_90", "sm_80", True), ("sm_80", "sm_90", False), ("sm_121", "sm_50", True),  # a base feature stays
    ("sm_90a", "sm_90", True), ("sm_100f", "sm_90", True),  # every suffix includes its base
    ("sm_90a", "sm_90a", True), ("sm_100a", "sm_90a", False), ("sm_90", "sm_90a", False),  # one architecture alone
    ("sm_100f", "sm_100f", True), ("sm_103f", "sm_100f", True), ("sm_103a", "sm_100f", True),  # the family from there
    ("sm_100f", "sm_103f", False), ("sm_110f", "sm_100f", False), ("sm_103", "sm_100f", False),
    ("sm_121a", "sm_120f", True), ("sm_120a", "sm_121a", False),
])
def test_feature_rules(target: str, feature: str, expected: bool) -> None:
    assert has(target, feature) is expected


@pytest.mark.parametrize(("target", "device", "expected"), [
    ("sm_75", 90, True), ("sm_90", 75, False), ("sm_90a", 90, True), ("sm_90a", 100, False), ("sm_100f", 103, True),
    ("sm_100f", 110, False), ("sm_103f", 100, False), ("sm_120", 121, True),
])
def test_devices_that_load_the_ptx(target: str, device: int, expected: bool) -> None:
    assert parse_architecture(target).runs_on(device) is expected
