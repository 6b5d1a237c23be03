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
from tools.dev.reference import constants

GENERATED = "<!-- Written by `make docs` from the docstrings; edit those. -->\n"


def _documentation(value: object) -> str:
    text = inspect.getdoc(value) or ""
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def _annotations_as_written(signature: str) -> str:
    """Without module prefixes, addresses and the quotes that ``typing`` puts around text annotations."""
    signature = re.sub(r"<class '(?:[\w.]+\.)?(\w+)'>", r"\1", signature)
    signature = re.sub(r"\b(?:simt|typing|collections)\.(?:\w+\.)*", "", signature)
    return re.sub(r"(: |-> )'([^']+)'", r"\1\2", signature)


def _signature(value: object) -> str:
    if not callable(value):
        return ""
    try:
        return _annotations_as_written(str(inspect.signature(value)))
    except (TypeError, ValueError):  # a class of C, an enum
        return ""


def _entry(name: str, value: object, module: ModuleType) -> str:
    """One public name: its heading with the signature, its documentation, a class's public methods below it."""
    if inspect.isclass(value):
        methods = _methods(value)
        document = _documentation(value)
        if not methods and "\n" not in document:
            return f"- `{name}`: {document}"
        return f"\n### class `{name}`\n\n{document}\n{methods}"
    if callable(value):
        return f"\n### `{name}{_signature(value)}`\n\n{_documentation(value)}\n"
    if constants.is_constant(value):
        return f"\n### `{name}`\n\n{constants.documentation(module, name.rpartition('.')[2], value)}\n"
    return f"\n### `{name}`\n\n{_documentation(type(value))}\n"


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


def _page(*parts: str) -> str:
    """The parts one below the other, with never more than one empty line between."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def core_page() -> str:
    """Every name that ``simt.core`` exports, in the order of its ``__all__``."""
    names: list[str] = simt.core.__all__
    entries = [_entry(name, getattr(simt.core, name), simt.core) for name in names]
    return _page(GENERATED, "# simt.core\n", _documentation(simt.core) + "\n", *entries)


def cuda_std_modules() -> list[ModuleType]:
    """The public modules of ``simt.cuda_std``, alphabetically."""
    found = {info.name for info in pkgutil.iter_modules(simt.cuda_std.__path__)}
    names = sorted(name for name in found - {"generics"} if not name.startswith("_"))
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
        entries = [_entry(f"{name}.{entry}", value, module) for entry, value in _public(module).items()]
        if entries:
            parts += [f"\n## {name}\n", _documentation(module) + "\n", *entries]
    return _page(*parts)
