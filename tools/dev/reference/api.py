"""The pages of public names: signatures and docstrings as they stand in the code."""
from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from types import ModuleType
from typing import cast

import simt.core
import simt.cuda_std
from simt.core.intrinsics.declare import Intrinsic

GENERATED = "<!-- Written by `make docs` from the docstrings; edit those. -->\n"


def _documentation(value: object) -> str:
    text = inspect.getdoc(value) or ""
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def _annotations_as_written(signature: str) -> str:
    """Without module prefixes, addresses and the quotes that ``typing`` puts around text annotations."""
    signature = re.sub(r"<class '(?:[\w.]+\.)?(\w+)'>", r"\1", signature)
    return re.sub(r"\b(?:simt|typing|collections)\.(?:\w+\.)*", "", signature).replace("'", "")


def _signature(value: object) -> str:
    if not callable(value):
        return ""
    try:
        return _annotations_as_written(str(inspect.signature(value)))
    except (TypeError, ValueError):  # a class of C, an enum
        return ""


def _entry(name: str, value: object) -> str:
    """One public name: its heading with the signature, its documentation, a class's public methods below it."""
    if isinstance(value, Intrinsic):
        parameters = str(inspect.signature(value.reference))
        return f"### `{name}{_annotations_as_written(parameters)}`\n\n{_reflowed(value.documentation)}\n"
    if inspect.isclass(value):
        return f"### class `{name}`\n\n{_documentation(value)}\n" + _methods(value)
    if callable(value):
        return f"### `{name}{_signature(value)}`\n\n{_documentation(value)}\n"
    return f"### `{name}`\n\n{_documentation(type(value))}\n"


def _reflowed(text: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def _methods(cls: type) -> str:
    lines: list[str] = []
    members: dict[str, object] = dict(vars(cls))
    for name, member in members.items():
        if name.startswith("_") or not (callable(member) or isinstance(member, property | classmethod)):
            continue
        document = _documentation(cast(object, member))
        if not document:
            continue
        shown = name if isinstance(member, property) else f"{name}{_signature(getattr(cls, name))}"
        lines.append(f"- `{shown}`: {' '.join(document.split())}")
    return "\n" + "\n".join(lines) + "\n" if lines else ""


def core_page() -> str:
    """Every name that ``simt.core`` exports, in the order of its ``__all__``."""
    names: list[str] = simt.core.__all__
    entries = [_entry(name, getattr(simt.core, name)) for name in names]
    return "\n".join([GENERATED, "# simt.core\n", _documentation(simt.core) + "\n", *entries])


def cuda_std_modules() -> list[ModuleType]:
    """The public modules of ``simt.cuda_std``, alphabetically."""
    names = sorted(info.name for info in pkgutil.iter_modules(simt.cuda_std.__path__) if not info.name.startswith("_"))
    return [importlib.import_module(f"simt.cuda_std.{name}") for name in names]


def _public(module: ModuleType) -> dict[str, object]:
    """Names that the module lists, or defines itself without an underscore."""
    listed: list[str] | None = getattr(module, "__all__", None)
    if listed is not None:
        return {name: getattr(module, name) for name in listed}
    found: dict[str, object] = {}
    names: dict[str, object] = dict(vars(module))
    for name, value in names.items():
        function: object = getattr(value, "reference", value)
        own = getattr(function, "__module__", None) == module.__name__
        if own and not name.startswith("_") and name == getattr(function, "__name__", name):
            found[name] = value
    return found


def cuda_std_page() -> str:
    """Every module of ``simt.cuda_std`` and its public names."""
    parts = [GENERATED, "# simt.cuda_std\n", _documentation(simt.cuda_std) + "\n"]
    for module in cuda_std_modules():
        name = module.__name__.rpartition(".")[2]
        entries = [_entry(f"{name}.{entry}", value) for entry, value in _public(module).items()]
        if entries:
            parts += [f"## {name}\n", _documentation(module) + "\n", *entries]
    return "\n".join(parts)
