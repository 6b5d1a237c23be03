// What a queued operation does when it runs. The lock is free while a host function or a kernel runs.
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "modules.h"
#include "streams.h"

static unsigned char *row(const struct side *side, size_t y, size_t z) {
    return side->address + y * side->pitch + z * side->slice;
}

static CUresult run_copy(struct device *device, const struct copy *copy) {
    if (was_freed(copy->from.address) || was_freed(copy->to.address)) {
        lose_context(device, CUDA_ERROR_ILLEGAL_ADDRESS);
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height; y++) memmove(row(&copy->to, y, z), row(&copy->from, y, z), copy->width);
    return CUDA_SUCCESS;
}

static CUresult run_fill(struct device *device, const struct fill *fill) {
    if (was_freed(fill->address)) {
        lose_context(device, CUDA_ERROR_ILLEGAL_ADDRESS);
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    for (size_t y = 0; y < fill->height; y++)
        for (size_t x = 0; x < fill->width; x++)
            memcpy(fill->address + y * fill->pitch + x * fill->element, &fill->value, fill->element);
    return CUDA_SUCCESS;
}

static CUresult run_host_call(const struct host_call *call) {
    unlock();
    in_host_function = 1;
    call->function(call->data);
    in_host_function = 0;
    lock();
    return CUDA_SUCCESS;
}

// A wait in a graph has no number of a record: it waits for the last.
static CUresult wait_for(const struct mark *mark) {
    struct event *event = find(EVENT, mark->event);
    if (!event) return CUDA_SUCCESS;
    return finish_event(event, mark->generation ? mark->generation : event->recorded);
}

CUresult run_operation(struct device *device, const struct operation *operation) {
    if (device->primary.lost != CUDA_SUCCESS) return device->primary.lost;
    switch (operation->work) {
    case NOTHING: return CUDA_SUCCESS;
    case COPY: return run_copy(device, &operation->copy);
    case FILL: return run_fill(device, &operation->fill);
    case LAUNCH: return run_launch(device, &operation->launch);
    case HOST_CALL: return run_host_call(&operation->host_call);
    case RECORD: note_event(&operation->mark); return CUDA_SUCCESS;
    case WAIT: return wait_for(&operation->mark);
    case FREE_MEMORY:
        if (allocation_at(operation->memory)) release(allocation_at(operation->memory));
        return CUDA_SUCCESS;
    case WHOLE_GRAPH: return run_graph(device, operation->graph);
    }
    return CUDA_ERROR_UNKNOWN;
}

struct operation copy_of(const struct operation *operation) {
    struct operation copied = *operation;
    copied.next = NULL;
    if (copied.work == LAUNCH) {
        struct function *function = find(FUNCTION, copied.launch.function);
        copied.launch.record = NULL;
        if (!function) return copied;  // its module is unloaded; running it says so
        copied.launch.record = allocate_zeroed(function->record_bytes);
        memcpy(copied.launch.record, operation->launch.record, function->record_bytes);
    }
    return copied;
}

void drop(struct operation *operation) {
    if (operation->work == LAUNCH) free(operation->launch.record);
}
