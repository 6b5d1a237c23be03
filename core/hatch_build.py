"""Builds the compiled launch path into the wheel, or beside the sources of an editable install.

Where there is no compiler the wheel is pure Python, and launches on a GPU take the Python path, as doctor says. With
SIMT_REQUIRE_EXTENSION=1, which `make wheels` sets, the build fails instead.
"""
from __future__ import annotations

import importlib.util
import os
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GPU = Path(__file__).parent / "src" / "simt" / "core" / "gpu"


class LaunchExtension(BuildHookInterface[Any]):
    """The hook that hatchling calls."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; ``version`` is "editable" for an editable install."""
        builder, sources = _load("build_extension"), _load("native_sources")
        try:
            made: Path = builder.build(sources.sources_digest())
        except RuntimeError as error:
            if os.environ.get("SIMT_REQUIRE_EXTENSION") == "1":
                raise
            self.app.display_warning(f"launches on a GPU will take the Python path: {error}")
            return
        if version != "editable":
            build_data["force_include"][str(made)] = f"simt/core/gpu/{made.name}"
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _load(name: str) -> ModuleType:
    """A module by its path: importing the package would need its dependencies."""
    spec = importlib.util.spec_from_file_location(name, GPU / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
