"""Graphs, explicit and captured: structure, order, replay, replaced parameters."""
from __future__ import annotations

import ctypes
import struct

import pytest
from cuda.bindings import driver

from tests.fake_driver import fake
from tests.fake_driver.calls.checked import cu, status

IMAGE = b"SIMT-FAKE 3 note 16 1 0:4\n\0"
THREAD_LOCAL = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
KIND = driver.CUgraphNodeType


@pytest.fixture
def note():
    """A kernel, and the list of the numbers that its launches were given."""
    module, seen = cu("cuModuleLoadData", IMAGE), []
    fake.set_launch(lambda *given: seen.append(struct.unpack("<i", given[5])[0]) or 0)
    yield cu("cuModuleGetFunction", module, b"note"), seen
    cu("cuModuleUnload", module)


@pytest.fixture
def streams():
    made = [cu("cuStreamCreate", driver.CUstream_flags.CU_STREAM_NON_BLOCKING) for _ in range(2)]
    yield made
    for stream in made:
        cu("cuStreamDestroy", stream)


@pytest.fixture
def graph():
    made = cu("cuGraphCreate", 0)
    yield made
    cu("cuGraphDestroy", made)


class Parameters:
    """The parameters of a kernel node that notes a number."""

    def __init__(self, function, number):
        self.value = ctypes.c_int(number)
        self.pointers = (ctypes.c_void_p * 1)(ctypes.addressof(self.value))
        self.given = driver.CUDA_KERNEL_NODE_PARAMS()
        self.given.func = function
        self.given.gridDimX = self.given.gridDimY = self.given.gridDimZ = 1
        self.given.blockDimX = self.given.blockDimY = self.given.blockDimZ = 1
        self.given.kernelParams = ctypes.addressof(self.pointers)


def add_note(graph, function, number):
    """Add a kernel node that notes a number. What the parameters point to lives until the call has returned."""
    parameters = Parameters(function, number)
    node = cu("cuGraphAddKernelNode", graph, None, 0, parameters.given)
    parameters.value.value = -1
    return node


def launch(function, number, stream):
    value = ctypes.c_int(number)
    pointers = (ctypes.c_void_p * 1)(ctypes.addressof(value))
    cu("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, stream, ctypes.addressof(pointers), 0)


def run(graph, times=1):
    execution = cu("cuGraphInstantiate", graph, 0)
    for _ in range(times):
        cu("cuGraphLaunch", execution, 0)
    cu("cuStreamSynchronize", 0)
    cu("cuGraphExecDestroy", execution)


def test_nodes_run_after_those_that_they_wait_for(graph, note):
    function, seen = note
    last = add_note(graph, function, 2)
    first = add_note(graph, function, 1)
    cu("cuGraphAddDependencies", graph, [first], [last], None, 1)
    run(graph, 2)
    assert seen == [1, 2, 1, 2]
    assert cu("cuGraphGetNodes", graph, 5)[1] == 2
    assert cu("cuGraphGetRootNodes", graph, 5)[1] == 1
    cu("cuGraphRemoveDependencies", graph, [first], [last], None, 1)
    assert cu("cuGraphGetRootNodes", graph, 5)[1] == 2


def test_a_circle_is_refused(graph):
    first, second = cu("cuGraphAddEmptyNode", graph, None, 0), cu("cuGraphAddEmptyNode", graph, None, 0)
    cu("cuGraphAddDependencies", graph, [first, second], [second, first], None, 2)
    assert status("cuGraphInstantiate", graph, 0) == "INVALID_VALUE"


def test_parameters_are_copied_and_can_be_replaced(graph, note):
    function, seen = note
    node, replaced = add_note(graph, function, 4), Parameters(function, 5)
    execution = cu("cuGraphInstantiate", graph, 0)
    cu("cuGraphLaunch", execution, 0)
    cu("cuGraphExecKernelNodeSetParams", execution, node, replaced.given)
    cu("cuGraphLaunch", execution, 0)
    cu("cuGraphNodeSetEnabled", execution, node, 0)
    cu("cuGraphLaunch", execution, 0)
    assert seen == [4, 5]
    cu("cuGraphExecDestroy", execution)
    run(graph)
    assert seen == [4, 5, 4]  # the graph itself was not changed


def test_fills_and_copies_are_nodes(graph):
    pointer = int(cu("cuMemAlloc", 16))
    fill = driver.CUDA_MEMSET_NODE_PARAMS()
    fill.dst, fill.value, fill.elementSize, fill.width, fill.height = pointer, 7, 4, 2, 1
    first = cu("cuGraphAddMemsetNode", graph, None, 0, fill, cu("cuCtxGetCurrent"))
    copy = driver.CUDA_MEMCPY3D()
    copy.srcMemoryType = copy.dstMemoryType = driver.CUmemorytype.CU_MEMORYTYPE_DEVICE
    copy.srcDevice, copy.dstDevice, copy.WidthInBytes, copy.Height, copy.Depth = pointer, pointer + 8, 8, 1, 1
    second = cu("cuGraphAddMemcpyNode", graph, [first], 1, copy, cu("cuCtxGetCurrent"))
    assert [cu("cuGraphNodeGetType", node) for node in (first, second)] == [
        KIND.CU_GRAPH_NODE_TYPE_MEMSET, KIND.CU_GRAPH_NODE_TYPE_MEMCPY
    ]
    run(graph)
    assert struct.unpack("<4I", ctypes.string_at(pointer, 16)) == (7, 7, 7, 7)
    cu("cuMemFree", pointer)


def test_a_captured_stream_runs_nothing_until_the_graph_does(streams, note):
    function, seen = note
    cu("cuStreamBeginCapture", streams[0], THREAD_LOCAL)
    launch(function, 1, streams[0])
    launch(function, 2, streams[0])
    captured = cu("cuStreamEndCapture", streams[0])
    assert seen == []
    run(captured)
    assert seen == [1, 2]
    cu("cuGraphDestroy", captured)


def test_a_second_stream_joins_and_must_come_back(streams, note):
    function, seen = note
    forked, joined = cu("cuEventCreate", 0), cu("cuEventCreate", 0)
    cu("cuStreamBeginCapture", streams[0], THREAD_LOCAL)
    launch(function, 1, streams[0])
    cu("cuEventRecord", forked, streams[0])
    cu("cuStreamWaitEvent", streams[1], forked, 0)
    launch(function, 2, streams[1])
    assert status("cuEventQuery", forked) == "CAPTURED_EVENT"
    cu("cuEventRecord", joined, streams[1])
    cu("cuStreamWaitEvent", streams[0], joined, 0)
    launch(function, 3, streams[0])
    captured = cu("cuStreamEndCapture", streams[0])
    run(captured)
    assert seen == [1, 2, 3]
    cu("cuGraphDestroy", captured)

    cu("cuStreamBeginCapture", streams[0], THREAD_LOCAL)
    cu("cuEventRecord", forked, streams[0])
    cu("cuStreamWaitEvent", streams[1], forked, 0)
    launch(function, 4, streams[1])
    assert status("cuStreamEndCapture", streams[1]) == "STREAM_CAPTURE_UNMATCHED"
    assert status("cuStreamEndCapture", streams[0]) == "STREAM_CAPTURE_UNJOINED"
    for event in (forked, joined):
        cu("cuEventDestroy", event)


def test_waiting_or_allocating_during_a_capture_spoils_it(streams):
    for call, given in (("cuMemAlloc", (8,)), ("cuCtxSynchronize", ())):
        cu("cuStreamBeginCapture", streams[0], THREAD_LOCAL)
        assert status(call, *given) == "STREAM_CAPTURE_UNSUPPORTED"
        assert cu("cuStreamIsCapturing", streams[0]) == 2
        assert status("cuStreamEndCapture", streams[0]) == "STREAM_CAPTURE_INVALIDATED"
        assert status("cuStreamEndCapture", streams[0]) == "ILLEGAL_STATE"


def test_the_default_stream_cannot_be_captured():
    assert status("cuStreamBeginCapture", 0, THREAD_LOCAL) == "STREAM_CAPTURE_UNSUPPORTED"


def test_capture_info_names_the_last_nodes(streams, note):
    cu("cuStreamBeginCapture", streams[0], THREAD_LOCAL)
    launch(note[0], 1, streams[0])
    state, _, graph, nodes, _, count = cu("cuStreamGetCaptureInfo", streams[0])
    assert (state, count) == (1, 1) and cu("cuGraphNodeGetType", nodes[0]) == KIND.CU_GRAPH_NODE_TYPE_KERNEL
    assert int(cu("cuStreamEndCapture", streams[0])) == int(graph)
    cu("cuGraphDestroy", graph)


def test_the_graph_as_text_has_nodes_and_edges(graph, note, tmp_path):
    node = add_note(graph, note[0], 1)
    cu("cuGraphAddEmptyNode", graph, [node], 1)
    cu("cuGraphDebugDotPrint", graph, str(tmp_path / "graph.dot").encode(), 0)
    text = (tmp_path / "graph.dot").read_text()
    assert "note" in text and "node_0 -> node_1" in text


def test_destroyed_graphs_leave_no_nodes(graph):
    before = fake.live(fake.Kind.NODE)
    other = cu("cuGraphCreate", 0)
    cu("cuGraphAddEmptyNode", other, None, 0)
    assert fake.live(fake.Kind.NODE) == before + 1
    cu("cuGraphDestroy", other)
    assert fake.live(fake.Kind.NODE) == before
    assert status("cuGraphInstantiate", other, 0) == "INVALID_VALUE"
