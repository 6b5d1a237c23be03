// Nodes of each kind: adding them to a graph, and reading and replacing the parameters of kernels.
#include "graph_parameters.h"

#include <stdlib.h>
#include <string.h>

#include "launches.h"

CUresult kernel_operation(const struct kernel_parameters *given, struct operation *operation) {
    if (!given || given->extra) return CUDA_ERROR_INVALID_VALUE;
    struct function *function = function_of(given->function ? given->function : given->kernel);
    if (!function) return CUDA_ERROR_INVALID_HANDLE;
    struct launch launch = {.function = function, .shared_bytes = given->shared_bytes, .cluster = {1, 1, 1}};
    memcpy(launch.grid, given->grid, sizeof launch.grid);
    memcpy(launch.block, given->block, sizeof launch.block);
    CUresult result = check_launch(&launch);
    if (result != CUDA_SUCCESS) return result;
    if (function->parameter_count && !given->parameters) return CUDA_ERROR_INVALID_VALUE;
    launch.record = allocate_zeroed(function->record_bytes);
    gather(function, given->parameters, launch.record);
    *operation = (struct operation){.work = LAUNCH, .launch = launch};
    return CUDA_SUCCESS;
}

CUresult fill_operation(const struct fill_parameters *given, struct operation *operation) {
    if (!given || (given->element != 1 && given->element != 2 && given->element != 4)) return CUDA_ERROR_INVALID_VALUE;
    if (!given->width || !given->height) return CUDA_ERROR_INVALID_VALUE;
    struct fill fill = {given->address, given->pitch, given->width, given->height, given->value, given->element};
    *operation = (struct operation){.work = FILL, .fill = fill};
    return check_fill(&fill);
}

CUresult copy_operation(const struct copy3 *given, struct operation *operation) {
    *operation = (struct operation){.work = COPY};
    return given ? resolve_box(given, &operation->copy) : CUDA_ERROR_INVALID_VALUE;
}

// Adds a node, which takes over what `operation` owns.
static CUresult add(void **handle, void *graph_handle, void **before, size_t count, struct operation *operation) {
    struct graph *graph = find(GRAPH, graph_handle);
    struct nodes found = {NULL, 0};
    CUresult result = graph && handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (size_t place = 0; place < count && result == CUDA_SUCCESS; place++) {
        struct node *node = find(NODE, before[place]);
        if (!node || node->graph != graph || holds(&found, node)) result = CUDA_ERROR_INVALID_VALUE;
        else append(&found, node);
    }
    if (result == CUDA_SUCCESS) *handle = add_node(graph, &found, operation);
    free(found.items);
    drop(operation);
    return result;
}

#define ADD(make_operation) \
    struct operation operation = {.work = NOTHING}; \
    CUresult result = make_operation; \
    return leave(result == CUDA_SUCCESS ? add(handle, graph, before, count, &operation) : result)

PUBLIC CUresult cuGraphAddKernelNode_v2(void **handle, void *graph, void **before, size_t count,
                                        const struct kernel_parameters *given) {
    ENTER();
    ADD(kernel_operation(given, &operation));
}

PUBLIC CUresult cuGraphAddMemcpyNode(void **handle, void *graph, void **before, size_t count,
                                     const struct copy3 *given, void *context) {
    ENTER();
    (void)context;
    ADD(copy_operation(given, &operation));
}

PUBLIC CUresult cuGraphAddMemsetNode(void **handle, void *graph, void **before, size_t count,
                                     const struct fill_parameters *given, void *context) {
    ENTER();
    (void)context;
    ADD(fill_operation(given, &operation));
}

PUBLIC CUresult cuGraphAddEmptyNode(void **handle, void *graph, void **before, size_t count) {
    ENTER();
    ADD(CUDA_SUCCESS);
}

static CUresult host_operation(const struct host_call *given, struct operation *operation) {
    if (!given || !given->function) return CUDA_ERROR_INVALID_VALUE;
    *operation = (struct operation){.work = HOST_CALL, .host_call = *given};
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuGraphAddHostNode(void **handle, void *graph, void **before, size_t count,
                                   const struct host_call *given) {
    ENTER();
    ADD(host_operation(given, &operation));
}

static CUresult event_operation(enum work work, void *handle, struct operation *operation) {
    struct event *event = find(EVENT, handle);
    if (!event) return CUDA_ERROR_INVALID_HANDLE;
    *operation = (struct operation){.work = work, .mark = {event, 0}};
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuGraphAddEventRecordNode(void **handle, void *graph, void **before, size_t count, void *event) {
    ENTER();
    ADD(event_operation(RECORD, event, &operation));
}

PUBLIC CUresult cuGraphAddEventWaitNode(void **handle, void *graph, void **before, size_t count, void *event) {
    ENTER();
    ADD(event_operation(WAIT, event, &operation));
}

static struct node *kernel_node(void *handle) {
    struct node *node = find(NODE, handle);
    return node && node->operation.work == LAUNCH ? node : NULL;
}

// The parameters themselves stay with the node; the pointers given lead to them.
PUBLIC CUresult cuGraphKernelNodeGetParams_v2(void *handle, struct kernel_parameters *given) {
    static __thread void *pointers[MAXIMUM_PARAMETERS];
    ENTER();
    struct node *node = kernel_node(handle);
    if (!node || !given) return leave(CUDA_ERROR_INVALID_VALUE);
    const struct launch *launch = &node->operation.launch;
    memset(given, 0, sizeof *given);
    given->function = launch->function;
    memcpy(given->grid, launch->grid, sizeof launch->grid);
    memcpy(given->block, launch->block, sizeof launch->block);
    given->shared_bytes = launch->shared_bytes;
    for (size_t place = 0; place < launch->function->parameter_count; place++)
        pointers[place] = launch->record + launch->function->parameters[place].offset;
    given->parameters = pointers;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuGraphKernelNodeSetParams_v2(void *handle, const struct kernel_parameters *given) {
    ENTER();
    struct node *node = kernel_node(handle);
    struct operation operation;
    if (!node) return leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = kernel_operation(given, &operation);
    if (result != CUDA_SUCCESS) return leave(result);
    drop(&node->operation);
    node->operation = operation;
    return leave(CUDA_SUCCESS);
}
