// Instantiated graphs: launches, and replaced parameters.
#include <stdlib.h>
#include <string.h>

#include "graph_parameters.h"
#include "modules.h"

struct instantiation { uint64_t flags; void *upload_stream, *error_node; int result; };
struct update { int result; void *node, *from; };
enum { UPDATED = 0, TOPOLOGY_CHANGED = 2, TYPE_CHANGED = 3, FUNCTION_CHANGED = 4 };

static CUresult instantiate(struct device *device, void **handle, void *graph_handle, uint64_t flags) {
    struct graph *graph = find(GRAPH, graph_handle);
    if (!graph || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct nodes order = in_order(graph);
    if (order.count != graph->nodes.count) {
        free(order.items);
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct execution *execution = make(EXECUTION, sizeof *execution);
    execution->device = device;
    execution->flags = flags;
    execution->count = order.count;
    execution->steps = allocate_zeroed(order.count * sizeof *execution->steps);
    for (size_t place = 0; place < order.count; place++) {
        execution->steps[place].node = order.items[place];
        execution->steps[place].operation = copy_of(&order.items[place]->operation);
    }
    free(order.items);
    *handle = execution;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuGraphInstantiateWithFlags(void **handle, void *graph, uint64_t flags) {
    ENTER_ON(device);
    return leave(instantiate(device, handle, graph, flags));
}

PUBLIC CUresult cuGraphInstantiateWithParams(void **handle, void *graph, struct instantiation *given) {
    ENTER_ON(device);
    if (!given) return leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = instantiate(device, handle, graph, given->flags);
    given->result = result == CUDA_SUCCESS ? 0 : 1;
    given->error_node = NULL;
    return leave(result);
}

#define ENTER_EXECUTION(execution, handle) \
    ENTER_ON(device); \
    (void)device; \
    struct execution *execution = find(EXECUTION, handle); \
    if (!execution) return leave(CUDA_ERROR_INVALID_VALUE)

// Runs the nodes in order. Their operations are not replaced or freed meanwhile: `running` holds those calls back.
CUresult run_graph(struct device *device, struct execution *execution) {
    if (!find(EXECUTION, execution)) return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = CUDA_SUCCESS;
    execution->running++;
    for (size_t place = 0; place < execution->count && result == CUDA_SUCCESS; place++)
        if (!execution->steps[place].is_disabled) result = run_operation(device, &execution->steps[place].operation);
    execution->running--;
    announce_change();
    return result;
}

static void wait_until_idle(struct execution *execution) {
    while (find(EXECUTION, execution) && execution->running) wait_for_change();
}

PUBLIC CUresult cuGraphLaunch(void *handle, void *stream_handle) {
    ENTER_EXECUTION(execution, handle);
    struct stream *stream = stream_of(device, stream_handle);
    if (!stream) return leave(CUDA_ERROR_INVALID_HANDLE);
    if (stream->capture) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    struct operation operation = {.work = WHOLE_GRAPH, .graph = execution};
    return leave(submit(stream, &operation));
}

PUBLIC CUresult cuGraphUpload(void *handle, void *stream) {
    ENTER_EXECUTION(execution, handle);
    (void)execution;
    return leave(stream_of(device, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

PUBLIC CUresult cuGraphExecDestroy(void *handle) {
    ENTER_EXECUTION(execution, handle);
    CUresult result = finish_device(execution->device);  // queued launches still need it
    wait_until_idle(execution);
    if (!find(EXECUTION, handle)) return leave(CUDA_ERROR_INVALID_VALUE);
    for (size_t place = 0; place < execution->count; place++) drop(&execution->steps[place].operation);
    free(execution->steps);
    discard(execution);
    return leave(result);
}

PUBLIC CUresult cuGraphExecGetFlags(void *handle, uint64_t *flags) {
    ENTER_EXECUTION(execution, handle);
    *flags = execution->flags;
    return leave(CUDA_SUCCESS);
}

static struct step *step_of(struct execution *execution, const void *node, enum work work) {
    for (size_t place = 0; place < execution->count; place++) {
        struct step *step = &execution->steps[place];
        if (step->node == node && (work == NOTHING || step->operation.work == work)) return step;
    }
    return NULL;
}

// A queued launch of the graph reads its parameters when it runs, and must have run before they change.
static CUresult replace(struct execution *execution, const void *node, struct operation *operation) {
    CUresult result = finish_device(execution->device);
    wait_until_idle(execution);
    struct step *step = find(EXECUTION, execution) ? step_of(execution, node, operation->work) : NULL;
    if (result == CUDA_SUCCESS && !step) result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS) {
        drop(operation);
        return result;
    }
    drop(&step->operation);
    step->operation = *operation;
    return CUDA_SUCCESS;
}

#define REPLACE(make_operation) \
    struct operation operation = {.work = NOTHING}; \
    CUresult result = make_operation; \
    return leave(result == CUDA_SUCCESS ? replace(execution, node, &operation) : result)

PUBLIC CUresult cuGraphExecKernelNodeSetParams_v2(void *handle, void *node, const struct kernel_parameters *given) {
    ENTER_EXECUTION(execution, handle);
    REPLACE(kernel_operation(given, &operation));
}

PUBLIC CUresult cuGraphExecMemcpyNodeSetParams(void *handle, void *node, const struct copy3 *given, void *context) {
    ENTER_EXECUTION(execution, handle);
    (void)context;
    REPLACE(copy_operation(given, &operation));
}

PUBLIC CUresult cuGraphExecMemsetNodeSetParams(void *handle, void *node, const struct fill_parameters *given,
                                               void *context) {
    ENTER_EXECUTION(execution, handle);
    (void)context;
    REPLACE(fill_operation(given, &operation));
}

PUBLIC CUresult cuGraphNodeSetEnabled(void *handle, void *node, unsigned is_enabled) {
    ENTER_EXECUTION(execution, handle);
    struct step *step = step_of(execution, node, NOTHING);
    if (!step || step->operation.work < COPY || step->operation.work > LAUNCH) return leave(CUDA_ERROR_INVALID_VALUE);
    step->is_disabled = !is_enabled;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuGraphNodeGetEnabled(void *handle, void *node, unsigned *is_enabled) {
    ENTER_EXECUTION(execution, handle);
    struct step *step = step_of(execution, node, NOTHING);
    if (!step) return leave(CUDA_ERROR_INVALID_VALUE);
    *is_enabled = !step->is_disabled;
    return leave(CUDA_SUCCESS);
}
