// Handles for other processes, which here are opened in the same one: memory and events by their addresses.
#include <string.h>

#include "memory.h"
#include "streams.h"

enum { HANDLE_BYTES = 64, INTERPROCESS = 4 };
struct handle { void *address; char rest[HANDLE_BYTES - sizeof(void *)]; };

PUBLIC CUresult cuIpcGetMemHandle(struct handle *handle, void *address) {
    ENTER_ON(device);
    (void)device;
    struct allocation *found = allocation_at(address);
    if (!handle || !found || found->kind != DEVICE_MEMORY || found->address != address)
        return leave(CUDA_ERROR_INVALID_VALUE);
    memset(handle, 0, sizeof *handle);
    handle->address = address;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuIpcOpenMemHandle_v2(void **address, struct handle handle, unsigned flags) {
    ENTER_ON(device);
    (void)device;
    if (!address || flags != 1 || !allocation_at(handle.address)) return leave(CUDA_ERROR_INVALID_VALUE);
    *address = handle.address;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuIpcCloseMemHandle(void *address) {
    ENTER_ON(device);
    (void)device;
    return leave(allocation_at(address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

PUBLIC CUresult cuIpcGetEventHandle(struct handle *handle, void *event) {
    ENTER_ON(device);
    (void)device;
    struct event *found = find(EVENT, event);
    if (!handle || !found || !(found->flags & INTERPROCESS)) return leave(CUDA_ERROR_INVALID_HANDLE);
    memset(handle, 0, sizeof *handle);
    handle->address = found;
    return leave(CUDA_SUCCESS);
}

// An event of its own, which has happened if the exported one has.
PUBLIC CUresult cuIpcOpenEventHandle(void **opened, struct handle handle) {
    ENTER_ON(device);
    struct event *exported = find(EVENT, handle.address);
    if (!opened || !exported) return leave(CUDA_ERROR_INVALID_HANDLE);
    struct event *event = make(EVENT, sizeof *event);
    event->device = device;
    event->flags = exported->flags;
    event->recorded = exported->recorded;
    event->happened = exported->happened;
    event->stream = exported->stream;
    *opened = event;
    return leave(CUDA_SUCCESS);
}
