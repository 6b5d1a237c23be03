"""Line tables: which line of Python each instruction stems from. Names and types of variables are not described."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath

from simt.core.diagnostics.span import Span
from simt.core.llvm.builder import Module
from simt.core.nvvm.dialect import DEBUG_VERSION


@dataclass(slots=True)
class LineTable:
    """The debug metadata of one module; nodes are made when first asked for.

    Code inlined from a device function belongs to a subprogram of its own, placed at the call. ``for_debugger``: the
    PTX is marked ``debug``, which assemblers take for unoptimised code only; else it has ``.loc`` and nothing more.
    """

    module: Module
    kernel_name: str
    kernel_span: Span
    for_debugger: bool
    unit: str = ""
    kernel: str = ""
    files: dict[str, str] = field(default_factory=dict[str, str])
    inlined: dict[str, str] = field(default_factory=dict[str, str])
    other_files: dict[str, str] = field(default_factory=dict[str, str])
    locations: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        flags = self.module.add_metadata(DEBUG_VERSION)
        file = self._file(self.kernel_span.filename)
        kind = "LineTablesOnly" if self.for_debugger else "DebugDirectivesOnly"
        self.unit = self.module.add_metadata(
            f'distinct !DICompileUnit(language: DW_LANG_C99, file: {file}, producer: "simt", '
            f"isOptimized: {self._optimized}, runtimeVersion: 0, emissionKind: {kind})"
        )
        self.module.named_metadata += [f"!llvm.module.flags = !{{{flags}}}", f"!llvm.dbg.cu = !{{{self.unit}}}"]
        self.kernel = self._subprogram(self.kernel_name, file, self.kernel_span.line)

    @property
    def _optimized(self) -> str:
        return "false" if self.for_debugger else "true"

    def location(self, span: Span) -> str:
        """The node for ``span``; equal places share one."""
        place = f"line: {span.line}, column: {span.col + 1}"
        if span.call_site is None:
            node = f"!DILocation({place}, scope: {self._kernel_scope(span.filename)})"
        else:
            at = self.location(span.call_site)
            node = f"distinct !DILocation({place}, scope: {self._inlined_scope(span.filename)}, inlinedAt: {at})"
        if node not in self.locations:
            self.locations[node] = self.module.add_metadata(node)
        return self.locations[node]

    def _kernel_scope(self, filename: str) -> str:
        """The kernel; for an operand that a device function left to it, a block of the kernel in the other file."""
        if filename == self.kernel_span.filename:
            return self.kernel
        if filename not in self.other_files:
            file = self._file(filename)
            block = f"!DILexicalBlockFile(scope: {self.kernel}, file: {file}, discriminator: 0)"
            self.other_files[filename] = self.module.add_metadata(block)
        return self.other_files[filename]

    def _inlined_scope(self, filename: str) -> str:
        if filename not in self.inlined:
            self.inlined[filename] = self._subprogram("device_function", self._file(filename), 1)
        return self.inlined[filename]

    def _file(self, filename: str) -> str:
        if filename not in self.files:
            path = PurePath(filename)
            name, folder = (_quoted(text) for text in (path.name, str(path.parent)))
            self.files[filename] = self.module.add_metadata(f'!DIFile(filename: "{name}", directory: "{folder}")')
        return self.files[filename]

    def _subprogram(self, name: str, file: str, line: int) -> str:
        types = self.module.add_metadata("!DISubroutineType(types: !{null})")
        return self.module.add_metadata(
            f'distinct !DISubprogram(name: "{_quoted(name)}", linkageName: "{_quoted(name)}", scope: {file}, '
            f"file: {file}, line: {line}, type: {types}, isLocal: false, isDefinition: true, "
            f"isOptimized: {self._optimized}, unit: {self.unit})"
        )


def _quoted(text: str) -> str:
    """``text`` inside an LLVM string: bytes outside printable ASCII in hexadecimal."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in text.encode()
    )
