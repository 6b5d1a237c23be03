"""CUDA graphs: launches captured once and replayed for the cost of one, with arguments that can be replaced.

Source: CUDA Driver API, graph management and stream capture.
"""
from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from simt.core import current_stream
from simt.core.errors import LaunchError
from simt.core.gpu.callback import destroy
from simt.core.gpu.context import make_current
from simt.core.gpu.executable import GpuExecutable
from simt.core.gpu.launchable import BYTES_HEADER
from simt.core.gpu.recent_launches import remember
from simt.core.gpu.stream import LEGACY
from simt.core.runtime.cpu_stream import updated
from simt.core.runtime.cuda_driver import cu, driver

if TYPE_CHECKING:
    from simt.core.gpu.device import GpuDevice
    from simt.core.gpu.stream import GpuStream
    from simt.core.recorded_launch import RecordedLaunch


@dataclass(frozen=True, slots=True)
class Node:
    """A launch in a graph, and the graph's node for it."""

    launch: RecordedLaunch
    bound: Any  # Any: a handle of the bindings


class GpuGraph:
    """Work that was captured. It keeps the arrays of its launches alive."""

    def __init__(self, device: GpuDevice) -> None:
        self.device = device
        self.nodes: list[Node] = []
        self.bound: Any = None  # Any: as Node.bound; None until the capture has ended

    def add(self, launch: RecordedLaunch, stream: GpuStream) -> None:
        """Launch into the capture and keep the node that this makes."""
        launch.specialisation.executable.prepare(launch.configuration)(launch.record, stream)
        dependencies = cu("cuStreamGetCaptureInfo", stream.bound)[3]
        self.nodes.append(Node(launch, dependencies[-1]))

    def instantiate(self) -> GpuGraphRun:
        """The graph, ready to run."""
        make_current(self.device.ordinal)
        return GpuGraphRun(self.device, cu("cuGraphInstantiate", self._whole(), 0), list(self.nodes), self)

    def dot(self, path: str | Path) -> None:
        """Write the graph in Graphviz's language, for people to look at."""
        make_current(self.device.ordinal)
        cu("cuGraphDebugDotPrint", self._whole(), os.fspath(path).encode(), 1)

    def _whole(self) -> Any:  # Any: as Node.bound
        if self.bound is None:
            raise LaunchError("the capture has not ended: leave its with block first")
        return self.bound


class GpuGraphRun:
    """An instantiated graph."""

    def __init__(self, device: GpuDevice, bound: Any, nodes: list[Node], graph: GpuGraph) -> None:  # Any: as Node.bound
        self.device = device
        self.bound = bound
        self.nodes = nodes
        self.graph = graph
        self.executables = _executables(nodes)
        weakref.finalize(self, destroy, "cuGraphExecDestroy", bound, device.ordinal, os.getpid())

    def launch(self, stream: GpuStream | None = None) -> GpuStream:
        """Run all its work in ``stream`` or the current one, for the cost of one launch; gives the stream."""
        queue = stream or self.device.stream_in_use()
        make_current(self.device.ordinal)
        cu("cuGraphLaunch", self.bound, queue.bound)
        remember(f"graph of {len(self.nodes)} launches")
        for executable in self.executables:
            executable.note_launch()
        return queue

    def update(self, kernel: object, /, **arguments: object) -> GpuGraphRun:
        """Replace arguments in every launch of ``kernel``, by parameter name, without building the graph anew.

        Raises:
            LaunchError: the graph does not launch that kernel, or a value does not fit; nothing is changed then.
        """
        launches = updated([node.launch for node in self.nodes], kernel, arguments)
        make_current(self.device.ordinal)
        try:
            for position, (node, launch) in enumerate(zip(self.nodes, launches, strict=True)):
                if launch is not node.launch:
                    self._set(node, launch)
                    self.nodes[position] = replace(node, launch=launch)
        finally:  # the driver may refuse a later node
            self.executables = _executables(self.nodes)
        return self

    def _set(self, node: Node, launch: RecordedLaunch) -> None:
        executable = _executable(launch)
        configuration = executable.chosen(launch.configuration)
        executable.prepare(configuration)
        parameters = driver().CUDA_KERNEL_NODE_PARAMS()
        parameters.func = executable.function
        parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ = configuration.grid
        parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ = configuration.block
        parameters.sharedMemBytes = configuration.shared_bytes
        start = id(launch.record) + BYTES_HEADER
        pointers = (ctypes.c_void_p * len(executable.offsets))(*[start + offset for offset in executable.offsets])
        parameters.kernelParams = ctypes.addressof(pointers)
        cu("cuGraphExecKernelNodeSetParams", self.bound, node.bound, parameters)


@contextmanager
def capture(stream: GpuStream) -> Generator[GpuGraph]:
    """Record the launches inside into a graph."""
    if stream.recording is not None:
        raise LaunchError("this stream is being captured already")
    if stream.handle == LEGACY:
        raise LaunchError("the default stream cannot be captured; write with device.stream().capture() as graph:")
    graph = GpuGraph(stream.device)
    make_current(stream.device.ordinal)
    mode = driver().CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
    cu("cuStreamBeginCapture", stream.bound, mode)
    stream.recording = graph
    current_stream.captures.append(graph)
    try:
        with stream:
            yield graph
    finally:
        current_stream.captures.remove(graph)
        stream.recording = None
        make_current(stream.device.ordinal)
        graph.bound = cu("cuStreamEndCapture", stream.bound)
        weakref.finalize(graph, destroy, "cuGraphDestroy", graph.bound, stream.device.ordinal, os.getpid())


def _executables(nodes: list[Node]) -> list[GpuExecutable]:
    """Each executable of the nodes once: a replay notes it once, however often the graph launches it."""
    return list({id(found): found for found in (_executable(node.launch) for node in nodes)}.values())


def _executable(launch: RecordedLaunch) -> GpuExecutable:
    return cast("GpuExecutable", launch.specialisation.executable)
